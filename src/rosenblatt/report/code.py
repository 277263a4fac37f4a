"""Digest of the sources that a result depends on.

A paper depends on the files of its folder and on whatever these import, directly or
not, from this package. A change in one paper, in the command line or in the report
itself leaves the results of the others as they are.

Imports are read, not run. The ``__init__.py`` of a folder counts where the folder
itself is imported, not where only a file in it is: by the rules of the project it holds
imports and no code.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["digest", "sources"]

_ROOT = Path(__file__).parent.parent
_NAME = _ROOT.name
# What computes beside this package; another version may round otherwise.
_OTHERS = ("jax", "llvmlite", "numba", "numpy", "scikit-learn", "scipy", "xarray")


def _files(module: str) -> tuple[Path, ...]:
    """Return the files of a module: none if it is something else."""
    head, *rest = module.split(".")
    if head != _NAME or not all(rest):
        return ()
    path = _ROOT.joinpath(*rest)
    beside = path.parent / f"{path.name}.py"
    inside = (path / "__init__.py", path / "__init__.pyi")
    return tuple(file for file in (beside, *inside) if file.is_file())


@functools.cache
def _imports(file: Path) -> frozenset[str]:
    """Return all names that may be modules which a file imports."""
    found: set[str] = set()
    package = [_NAME, *file.parent.relative_to(_ROOT).parts]
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package[: len(package) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            found.add(base)
            found.update(f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant):
            name = str(node.value)
            if name.startswith(f"{_NAME}."):  # what is loaded when it is used
                found.add(name)
    return frozenset(found)


@functools.cache
def sources(module: str) -> tuple[Path, ...]:
    """Return the files that a module of this package consists of or depends on.

    Examples
    --------
    >>> names = [path.name for path in sources("rosenblatt.papers.golea1993")]
    >>> "lemmas.py" in names, "clusters.py" in names
    (True, False)
    """
    seen: set[Path] = set()
    waiting = [module]
    known = {module}
    while waiting:
        for file in _files(waiting.pop()):
            seen.add(file)
            new = _imports(file) - known
            known |= new
            waiting += new
    return tuple(sorted(seen))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


@functools.cache
def digest(*modules: str, packages: Iterable[str] = _OTHERS) -> str:
    """Return a digest of all sources of some modules and of what they compute with.

    Examples
    --------
    >>> len(digest("rosenblatt.plotting", packages=("matplotlib",)))
    64
    """
    files = {file for module in modules for file in sources(module)}
    if not files:
        raise ValueError(f"there are no sources of {', '.join(modules)}")
    all_of_it = hashlib.sha256()
    for name in (platform.python_version(), platform.machine(), *packages):
        all_of_it.update(f"{name} {_version(name)}\n".encode())
    for file in sorted(files):
        content = file.read_bytes()
        all_of_it.update(f"{file.relative_to(_ROOT)} {len(content)}\n".encode())
        all_of_it.update(content)
    return all_of_it.hexdigest()
