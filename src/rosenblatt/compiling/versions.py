"""Versions of numba that this package works with, checked when it is imported.

Kernels use internals of numba and llvmlite: the storage of machine code, types of
function pointers and vector instructions. An untested version might compile something
else without saying so, so it is refused. ``pyproject.toml`` has the same bounds; each
numba needs one version of llvmlite, which it brings.
"""

from __future__ import annotations

import re

import numba

__all__ = ["FIRST", "LAST", "check"]

FIRST, LAST = (0, 61), (0, 68)  # the oldest and the newest version tested


def check(version: str) -> None:
    """Raise ImportError for a version of numba that was not tested.

    Examples
    --------
    >>> check("0.68.1")
    >>> check("0.70.0")
    Traceback (most recent call last):
    ImportError: rosenblatt was tested with numba 0.61 to 0.68, and 0.70.0 is installed
    """
    release = tuple(int(digits) for digits in re.findall(r"\d+", version)[:2])
    if not FIRST <= release <= LAST:
        tested = " to ".join(".".join(map(str, one)) for one in (FIRST, LAST))
        bounds = f"numba>={FIRST[0]}.{FIRST[1]},<{LAST[0]}.{LAST[1] + 1}"
        raise ImportError(
            f"rosenblatt was tested with numba {tested}, and {version} is installed: "
            f"run pip install '{bounds}'"
        )


check(numba.__version__)
