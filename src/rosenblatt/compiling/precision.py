"""Arrays in the precision of others, for kernels that are compiled for two of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from rosenblatt.compiling.jit import PLAIN

__all__ = ["copy_numbers", "in_precision"]


def in_precision(numbers: Any, like: Any) -> Any:
    """Return a flat array in the precision of another.

    It is the array itself if it has this precision, else a copy, with the largest
    number that there is in place of larger ones.
    """
    if numbers.dtype == like.dtype:
        return numbers
    most = np.finfo(like.dtype).max
    return np.clip(numbers, -most, most).astype(like.dtype)


def copy_numbers(source: Any, target: Any) -> None:
    """Copy numbers to an array of another precision; leave one of the same alone."""
    if source.dtype != target.dtype:
        most = np.finfo(target.dtype).max
        target[:] = np.clip(source, -most, most)


if not PLAIN:

    @overload(in_precision)
    def _in_precision(numbers: Any, like: Any) -> Any:
        if numbers.dtype == like.dtype:

            def same(numbers: Any, like: Any) -> Any:
                return numbers

            return same

        def converted(numbers: Any, like: Any) -> Any:
            found = np.empty(numbers.size, like.dtype)
            most = float(np.finfo(like.dtype).max)
            for i in range(numbers.size):
                found[i] = min(max(numbers[i], -most), most)
            return found

        return converted

    @overload(copy_numbers)
    def _copy_numbers(source: Any, target: Any) -> Any:
        if source.dtype == target.dtype:

            def nothing(source: Any, target: Any) -> Any:
                return None

            return nothing

        def copied(source: Any, target: Any) -> Any:
            most = float(np.finfo(target.dtype).max)
            for i in range(source.size):
                target[i] = min(max(float(source[i]), -most), most)

        return copied
