"""Pointers to numbers for kernels: read and written by an index, and nothing else.

Unlike an array a pointer has no size and no parts, and its indices are not negative. A
kernel that uses pointers compiles in half of the time. In plain Python they are arrays.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["address_of", "pointer_at", "pointer_to", "same_or", "table_at"]


def _read(place: int, size: int, kind: Any) -> Any:
    pointer = ctypes.cast(int(place), ctypes.POINTER(kind))
    return np.asarray(np.ctypeslib.as_array(pointer, (size,)))


def _address_of_plain(array: Any) -> int:
    """Return the address of an array's first entry."""
    return int(array.ctypes.data)


def _pointer_to_plain(array: Any) -> Any:
    """Return the entries of an array, one row after the other."""
    return array.reshape(-1)


def _pointer_at_plain(place: int, size: int) -> FloatArray:
    """Return the numbers at an address."""
    return np.asarray(_read(place, size, ctypes.c_double))


def _table_at_plain(place: int, size: int) -> IntArray:
    """Return the whole numbers at an address."""
    return np.asarray(_read(place, size, ctypes.c_int64))


def _same_or_plain(numbers: Any, place: int, size: int, like: Any) -> Any:
    """Return numbers if an array has their precision, else room at an address.

    The room is for so many numbers in single precision.
    """
    if numbers.dtype == like.dtype:
        return numbers
    return _read(place, size, ctypes.c_float)


def _pointer(kind: Any, machine: Any) -> Any:
    """Return the piece of a kernel that makes a pointer of a number."""

    @intrinsic
    def pointer(typing_context: Any, place: Any, size: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.inttoptr(given[0], machine.as_pointer())

        return types.CPointer(kind)(types.int64, size), generate

    return pointer


@intrinsic
def _address_of(typing_context: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, given[0]).data
        return builder.ptrtoint(data, ir.IntType(64))

    return types.int64(array), generate


@intrinsic
def _pointer_to(typing_context: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, given[0]).data

    return types.CPointer(array.dtype)(array), generate


@intrinsic
def _same_or(
    typing_context: Any, pointer: Any, place: Any, size: Any, like: Any
) -> Any:
    same = pointer.dtype == like.dtype

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        if same:
            return given[0]
        number = context.get_data_type(like.dtype)
        return builder.inttoptr(given[1], number.as_pointer())

    found = types.CPointer(like.dtype)
    return found(pointer, place, size, like), generate


address_of: Any = _address_of_plain if PLAIN else _address_of
pointer_to: Any = _pointer_to_plain if PLAIN else _pointer_to
same_or: Any = _same_or_plain if PLAIN else _same_or
pointer_at: Any = (
    _pointer_at_plain if PLAIN else _pointer(types.float64, ir.DoubleType())
)
table_at: Any = _table_at_plain if PLAIN else _pointer(types.int64, ir.IntType(64))
