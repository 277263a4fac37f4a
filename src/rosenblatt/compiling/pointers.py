"""Pointers to numbers for kernels: read and written by an index, and nothing else.

Unlike an array a pointer has no size and no parts, and its indices are not negative. A
kernel that uses pointers compiles in half of the time. In plain Python they are arrays.

**Addresses** are plain numbers that stand for compiled parts and arrays, for kernels
called once for each row. Numba looks up the addresses of a compiled function whenever
it is passed to a kernel, and takes every array apart. This takes some microseconds,
longer than to learn a row. A number is passed at once.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN, RATE, STEP, compiled
from rosenblatt.compiling.registers import I32, call, data_of
from rosenblatt.core.parts import Part
from rosenblatt.core.types import IntArray


def _plain(kind: Any) -> Any:
    """Return the function that reads numbers at an address, in plain Python."""

    def read(place: int, size: int) -> Any:
        pointer = ctypes.cast(int(place), ctypes.POINTER(kind))
        return np.asarray(np.ctypeslib.as_array(pointer, (size,)))

    return read


def _same_or_plain(numbers: Any, place: int, size: int, like: Any) -> Any:
    """Return numbers if an array has their precision, else room at an address.

    The room is for so many numbers in single precision.
    """
    if numbers.dtype == like.dtype:
        return numbers
    return _plain(ctypes.c_float)(place, size)


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
        data = data_of(context, builder, signature.args[0], given[0])
        return builder.ptrtoint(data, ir.IntType(64))

    return types.int64(array), generate


@intrinsic
def _pointer_to(typing_context: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return data_of(context, builder, signature.args[0], given[0])

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


_NOTHING = ctypes.c_char * 0


def array_address(array: np.ndarray[Any, Any]) -> int:
    """Return the address of a writable array; ``array.ctypes`` takes 5 times as long.

    Examples
    --------
    >>> numbers = np.zeros(3)
    >>> array_address(numbers) == numbers.ctypes.data
    True
    """
    return ctypes.addressof(_NOTHING.from_buffer(array))  # type: ignore[arg-type]


def table_of(*entries: Any) -> IntArray:
    """Return a table of whole numbers, and of the addresses of arrays."""
    each = [e if isinstance(e, int) else array_address(e) for e in entries]
    return np.array(each, np.int64)


# The address of an array's first entry, its entries one row after the other, and the
# numbers and whole numbers at an address.
address_of: Any = (lambda array: int(array.ctypes.data)) if PLAIN else _address_of
pointer_to: Any = (lambda array: array.reshape(-1)) if PLAIN else _pointer_to
same_or: Any = _same_or_plain if PLAIN else _same_or
pointer_at: Any = (
    _plain(ctypes.c_double) if PLAIN else _pointer(types.float64, ir.DoubleType())
)
table_at: Any = (
    _plain(ctypes.c_int64) if PLAIN else _pointer(types.int64, ir.IntType(64))
)


def structure(kind: Any) -> Any:
    """Return the piece of a kernel that reads a named tuple from a table at an address.

    Its fields are whole numbers, and pointers whose addresses are in the table. In
    plain Python pointers are arrays without an end, which are made once for a table.
    """
    found = types.of(kind)
    if PLAIN:

        @functools.lru_cache(maxsize=64)
        def known(*content: int) -> Any:
            pairs = zip(content, found.types, strict=True)
            each = (c if t == types.int64 else pointer_at(c, 2**32) for c, t in pairs)
            return kind(*each)

        return lambda place: known(*table_at(place, len(found)).tolist())

    @intrinsic
    def read(typing_context: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            whole, number = ir.IntType(64), ir.DoubleType().as_pointer()
            table = builder.inttoptr(given[0], whole.as_pointer())
            values = []
            for i, own in enumerate(found.types):
                value = builder.load(builder.gep(table, [whole(i)]))
                pointer = own != types.int64
                values.append(builder.inttoptr(value, number) if pointer else value)
            return context.make_tuple(builder, found, values)

        return found(types.int64), generate

    return read


_known: list[Any] = []  # functions of plain Python, which have no address


def address(part: Part) -> int:
    """Return the address of a rule's or a schedule's function; equal parts share one.

    Compiled functions are kept as long as the process runs, so the address stays valid.
    It means nothing in another process.
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

    A kernel that is called by its address is compiled once, not once for each caller.
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


def calling(kernel: Any) -> Any:
    """Return the piece of a kernel that makes another kernel of its address."""
    return function_at(None if PLAIN else types.FunctionType(kernel.signature()))


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


# The same as arrays, in kernels too.
doubles_at: Any = pointer_at if PLAIN else _array(types.float64)
wholes_at: Any = table_at if PLAIN else _array(types.int64)


@intrinsic
def _prefetch(typing_context: Any, numbers: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        data = data_of(context, builder, signature.args[0], given[0])
        place = builder.gep(data, [given[1]])
        place = builder.bitcast(place, ir.IntType(8).as_pointer())
        # to be read, and kept in all caches; data and not code
        how = I32(0), I32(3), I32(1)
        call(builder, "llvm.prefetch.p0", ir.VoidType(), place, *how)
        return context.get_dummy_value()

    return types.void(numbers, index), generate


# Beyond the end of an array nothing happens.
prefetch: Any = (lambda numbers, index: None) if PLAIN else _prefetch
