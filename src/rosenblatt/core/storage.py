"""Storage of compiled code between processes.

Compiling a part takes about as long as a small simulation. What it becomes depends on
the sources of this package and on the part's own numbers, so code of parts that
consist of nothing else is kept in a folder named by a digest of the sources, and found
again by a digest of the part. A user's own functions are compiled anew in every
process: they may call anything, and nobody tells when that changes.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

from rosenblatt.core.vocabulary import Part

__all__ = ["folder", "name_of"]

_PACKAGE = Path(__file__).parent.parent
_FEW = 6  # folders that are kept, of each kind: as many versions are in use at most
_MANY = 20_000  # files and folders, four for a part, above which all go


def _digest(sources: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for source in sorted(sources):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _last_use(path: Path) -> float:
    """Return when a folder was last wanted; another process may just remove it."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _swept(home: Path, kind: str, folder: Path) -> None:
    """Throw away folders of other versions, and one that has grown too large."""
    others = sorted(home.glob(f"{kind}-*"), key=_last_use)
    for old in [path for path in others if path != folder][: -_FEW + 1]:
        shutil.rmtree(old, ignore_errors=True)
    if folder.exists() and sum(1 for _ in folder.rglob("*")) > _MANY:
        shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def folder(kind: str) -> str:
    """Return a folder for machine code that was made from exactly these sources.

    ``kind`` is ``"kernels"``, made from ``core`` and ``engines``, or ``"parts"``, made
    from the whole package.
    """
    patterns = ["core/**/*.py", "engines/*.py"] if kind == "kernels" else ["**/*.py"]
    digest = _digest(path for p in patterns for path in _PACKAGE.glob(p))
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    try:
        home = home / "rosenblatt"
        chosen = home / f"{kind}-{digest}"
        _swept(home, kind, chosen)
        chosen.mkdir(parents=True, exist_ok=True)
        os.utime(chosen)
        with tempfile.TemporaryFile(dir=chosen):
            return str(chosen)
    except OSError:  # a home that cannot be written: keep the code for this run only
        return tempfile.mkdtemp(prefix="rosenblatt-")


def name_of(value: Any) -> str | None:
    """Return a name that tells all there is to know of a part, if that is possible.

    None says that it holds something from outside of this package.

    Examples
    --------
    >>> from rosenblatt.rules import Decay, Perceptron
    >>> name_of(Decay(Perceptron(), 0.5)).count("rosenblatt.")
    2
    >>> name_of(print) is None
    True
    """
    if value is None or type(value) in (bool, int, float, str):
        return repr(value)
    if isinstance(value, tuple):
        names = [name_of(entry) for entry in value]
        return None if None in names else f"({','.join(map(str, names))})"
    if inspect.isfunction(value):
        whole = f"{value.__module__}.{value.__qualname__}"
        plain = whole.startswith("rosenblatt.") and "<" not in whole
        return whole if plain else None
    kind = type(value)
    ours = kind.__module__.startswith("rosenblatt.")
    if not ours or not (isinstance(value, Part) or is_dataclass(value)):
        return None
    entries = name_of(tuple(vars(value).items()))
    return (
        None if entries is None else f"{kind.__module__}.{kind.__qualname__}{entries}"
    )
