"""Digest of the code that a result depends on: sources, libraries, environment.

A module depends on its file and on whatever it imports from this package, directly or
not. So an edit of one paper, of the command line or of a page leaves the results of
everything else valid. Compiled code that does not depend on it stays valid too.

Imports are read, not run. The ``__init__.py`` of a folder counts where the folder
itself is imported, not where only a file in it is. By the rules of the project it holds
imports and no code.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_ROOT = Path(__file__).parent.parent
_NAME = _ROOT.name
# Libraries whose releases may change last digits; they need not be installed.
_LIBRARIES = ("llvmlite", "numba", "numpy", "scikit-learn", "scipy", "xarray")
# Settings of numba under which numbers differ in their last digits.
_SETTINGS = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_DISABLE_JIT")
# Every process reads sources when it starts: a parser would take far longer.
_FROM = re.compile(r"^\s*from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]*)", re.MULTILINE)
_COMMENT = re.compile(r"#[^\n]*")
_IMPORT = re.compile(rf"^\s*import\s+({_NAME}[\w.]*)", re.MULTILINE)
_QUOTED = re.compile(rf"""["']({_NAME}\.[\w.]+)["']""")  # modules loaded on use


@functools.cache
def _files(module: str) -> tuple[Path, ...]:
    """Return the files of a module; none if there is no such module."""
    head, *rest = module.split(".")
    if head != _NAME or not all(rest):
        return ()
    path = os.path.join(_ROOT, *rest)
    inside = (os.path.join(path, name) for name in ("__init__.py", "__init__.pyi"))
    return tuple(Path(file) for file in (f"{path}.py", *inside) if os.path.isfile(file))


@functools.cache
def _imports(file: Path) -> frozenset[str]:
    """Return names that a file imports and that may be modules of this package."""
    text = file.read_text(encoding="utf-8")
    found = {*_IMPORT.findall(text), *_QUOTED.findall(text)}
    package = [_NAME, *file.parent.relative_to(_ROOT).parts]
    for base, names in _FROM.findall(text):
        if base.startswith("."):  # in the stubs of folders that are loaded on use
            inner = base.lstrip(".")
            above = package[: len(package) - (len(base) - len(inner)) + 1]
            base = ".".join([*above, inner] if inner else above)
        if base.split(".")[0] == _NAME:
            found.add(base)
            words = _COMMENT.sub("", names).strip("() \n").split(",")
            found.update(f"{base}.{word.split()[0]}" for word in words if word.strip())
    return frozenset(found)


@functools.cache
def _file_digest(file: Path) -> bytes:
    name = file.relative_to(_ROOT).as_posix().encode()
    return hashlib.sha256(name + b"\n" + file.read_bytes()).digest()


@functools.cache
def sources(module: str) -> tuple[Path, ...]:
    """Return the files that a module of this package consists of or depends on.

    Examples
    --------
    >>> names = [path.name for path in sources("rosenblatt.system.code")]
    >>> names
    ['code.py']
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


@functools.cache
def source_digest(*modules: str) -> str:
    """Return a digest of all sources of some modules, as 32 letters.

    Examples
    --------
    >>> len(source_digest("rosenblatt.system.code"))
    32
    """
    files = {file for module in modules for file in sources(module)}
    if not files:
        raise ValueError(f"modules must be of this package, got {', '.join(modules)}")
    return hashlib.sha256(b"".join(map(_file_digest, sorted(files)))).hexdigest()[:32]


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "none"


@functools.cache
def code_digest(*modules: str, libraries: Iterable[str] = _LIBRARIES) -> str:
    """Return a digest of the sources of some modules, and of their environment.

    Without modules it is that of everything the public names of the package reach.

    Examples
    --------
    >>> len(code_digest("rosenblatt.system.code", libraries=("matplotlib",)))
    64
    """
    whole = hashlib.sha256()
    for name in (platform.python_version(), platform.machine()):
        whole.update(f"{name}\n".encode())
    for name in libraries:
        whole.update(f"{name} {_version(name)}\n".encode())
    for name in _SETTINGS:
        whole.update(f"{name} {os.environ.get(name, '')}\n".encode())
    whole.update(source_digest(*(modules or (_NAME,))).encode())
    return whole.hexdigest()
