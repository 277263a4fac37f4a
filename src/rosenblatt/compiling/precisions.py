"""Kernels for rows in single and in double precision, from one function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import kernel

__all__ = ["in_both_precisions"]


def in_both_precisions(
    learn: Callable[..., Any], dimensions: int, *others: Any, allocates: bool = False
) -> tuple[Any, Any]:
    """Return the kernels of a function of entries in single and double precision.

    Parameters
    ----------
    learn
        Its first argument is an array that may be read-only.
    dimensions
        Those of this array.
    others
        Types of the arguments after it.
    allocates
        Whether the function makes arrays, as in :func:`kernel`.
    """
    single, double = (
        kernel(
            types.int64,
            types.Array(real, dimensions, "C", readonly=True),
            *others,
            allocates=allocates,
        )
        for real in (types.float32, types.float64)
    )
    return single(learn), double(learn)
