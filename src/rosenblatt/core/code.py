"""The version of the code that computes: a digest of its sources and of its libraries.

Only what can change a number counts, so that an edit of a page or of a command does not
throw results away.
"""

from __future__ import annotations

import functools
import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rosenblatt.core.digests import joined
from rosenblatt.core.jit import PLAIN

__all__ = ["code_digest"]

_PACKAGE = Path(__file__).parent.parent
_COMPUTING = (
    "core", "engines", "theory", "estimators", "machines", "models", "papers", "river",
    "rules", "schedules", "streams", "tables", "teachers", "training", "parts.py",
    "part_names.py", "specification.py",
    "sweeps/results.py", "sweeps/threads.py",
)  # fmt: skip
# Releases of these have changed last digits; JAX need not be there.
_LIBRARIES = ("jax", "numba", "numpy", "scipy")


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "none"


@functools.cache
def code_digest() -> str:
    """Return what stands for this code, as 32 letters.

    Examples
    --------
    >>> len(code_digest())
    32
    """
    sources = {
        path
        for name in _COMPUTING
        for path in [_PACKAGE / name, *(_PACKAGE / name).rglob("*.py")]
        if path.is_file()
    }
    pieces = [f"{name} {_version(name)}".encode() for name in _LIBRARIES]
    pieces.append(f"plain {PLAIN}".encode())  # equal to compiled code to rounding only
    pieces.append(os.environ.get("NUMBA_CPU_NAME", "").encode())  # likewise
    for path in sorted(sources):
        pieces += [path.relative_to(_PACKAGE).as_posix().encode(), path.read_bytes()]
    return joined(*pieces).hex()
