"""Versions of numba and llvmlite that this package works with, checked at its import.

Kernels use internals of both: the storage of machine code, types of function pointers
and vector instructions. An untested version might compile something else without saying
so, so it is refused. ``pyproject.toml`` has the same bounds.
"""

from __future__ import annotations

import re

import llvmlite
import numba

TESTED = {  # the oldest and the newest version of each
    "numba": ((0, 61), (0, 68)),
    "llvmlite": ((0, 44), (0, 50)),
}


def check(name: str, version: str) -> None:
    """Raise ImportError for a version of numba or llvmlite that was not tested.

    Examples
    --------
    >>> check("numba", "0.68.1")
    >>> check("numba", "0.70.0")
    Traceback (most recent call last):
    ImportError: rosenblatt was tested with numba 0.61 to 0.68, and 0.70.0 is installed
    """
    first, last = TESTED[name]
    release = tuple(int(digits) for digits in re.findall(r"\d+", version)[:2])
    if not first <= release <= last:
        tested = " to ".join(".".join(map(str, one)) for one in (first, last))
        bounds = f"{name}>={first[0]}.{first[1]},<{last[0]}.{last[1] + 1}"
        raise ImportError(
            f"rosenblatt was tested with {name} {tested}, and {version} is installed: "
            f"run pip install '{bounds}'"
        )


check("numba", numba.__version__)
check("llvmlite", llvmlite.__version__)
