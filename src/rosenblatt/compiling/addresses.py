"""Compiled parts and arrays as plain numbers, for kernels called once for each row.

Numba looks up the addresses of a compiled function whenever it is passed to a kernel,
and takes every array apart. This takes some microseconds, longer than to learn a row. A
number is passed at once.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN, RATE, STEP, compiled
from rosenblatt.compiling.pointers import pointer_at, table_at
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.core.vocabulary import Part

__all__ = [
    "address",
    "doubles_at",
    "function_address",
    "function_at",
    "kernel_address",
    "rate_at",
    "step_at",
    "wholes_at",
]

_known: list[Any] = []  # functions of plain Python, which have no address


def address(part: Part) -> int:
    """Return the address of a rule's or a schedule's function; equal parts share one.

    Compiled functions are remembered as long as the process runs, so that the number
    stays good; another process needs another.
    """
    return function_address(compiled(part))


@functools.cache
def function_address(function: Any) -> int:
    """Return the address of a compiled function, which never changes."""
    if PLAIN:
        if function not in _known:
            _known.append(function)
        return _known.index(function)
    (signature,) = function.nopython_signatures[:1]
    found = function.get_compile_result(signature)
    place: int = found.library.get_pointer_to_function(found.fndesc.llvm_func_name)
    return place


@functools.cache
def kernel_address(kernel: Any) -> int:
    """Return the address of a kernel's machine code, for other kernels to call it.

    What is called by its address is compiled once, not again with each caller.
    """
    return function_address(kernel if PLAIN else kernel.build())


def function_at(kind: Any) -> Any:
    """Return the piece of a kernel that makes a function of a number again.

    ``kind`` is the type of the function, ``types.FunctionType(signature)``.
    """
    if PLAIN:
        return lambda place: _known[place]

    @intrinsic
    def function(typing_context: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            pair = cgutils.create_struct_proxy(kind)(context, builder)  # type: ignore[no-untyped-call]
            pair.jit_addr = builder.inttoptr(given[0], pair.jit_addr.type)
            pair.c_addr = cgutils.get_null_value(pair.c_addr.type)  # type: ignore[no-untyped-call]
            pair.py_addr = cgutils.get_null_value(pair.py_addr.type)  # type: ignore[no-untyped-call]
            return pair._getvalue()

        return kind(types.int64), generate

    return function


step_at = function_at(STEP)
rate_at = function_at(RATE)


def _array(kind: Any) -> Any:
    """Return the piece of a kernel that makes an array of an address and a size."""

    @intrinsic
    def array(typing_context: Any, place: Any, size: Any) -> Any:
        found = types.Array(kind, 1, "C")

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            result = context.make_array(found)(context, builder)
            data = builder.inttoptr(given[0], result.data.type)
            bytes_each = context.get_constant(types.int64, kind.bitwidth // 8)
            populate_array(result, data, [given[1]], [bytes_each], bytes_each, None)  # type: ignore[no-untyped-call]
            return result._getvalue()

        return found(types.int64, types.int64), generate

    return array


def _doubles_at_plain(place: int, size: int) -> FloatArray:
    """Return the numbers that are at an address."""
    return np.asarray(pointer_at(place, size))


def _wholes_at_plain(place: int, size: int) -> IntArray:
    """Return the whole numbers that are at an address."""
    return np.asarray(table_at(place, size))


doubles_at: Any = _doubles_at_plain if PLAIN else _array(types.float64)
wholes_at: Any = _wholes_at_plain if PLAIN else _array(types.int64)
