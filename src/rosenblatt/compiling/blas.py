"""Matrix products for kernels, by the BLAS that SciPy comes with.

Matrices are row by row in memory. They are given by the address of their first entry
and the number of entries from one row to the next. Kernels are given the address of the
routine too, :func:`dgemm`: it differs from process to process.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import get_cython_function_address, intrinsic

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.core.types import FloatArray


@functools.cache
def dgemm() -> int:
    """Load the BLAS of SciPy, and return the address of its product of matrices."""
    return int(get_cython_function_address("scipy.linalg.cython_blas", "dgemm"))


def _call(builder: Any, place: Any, given: list[Any]) -> None:
    """Call a routine of Fortran, which takes the addresses of all arguments."""
    passed = []
    for value in given:
        if isinstance(value, str):
            value = ir.Constant(ir.IntType(8), ord(value))
        if value.type.is_pointer:
            passed.append(value)
        else:
            passed.append(cgutils.alloca_once_value(builder, value))  # type: ignore[no-untyped-call]
    kind = ir.FunctionType(ir.VoidType(), [value.type for value in passed])
    builder.call(builder.inttoptr(place, kind.as_pointer()), passed)


def _matrix(builder: Any, place: Any) -> Any:
    return builder.inttoptr(place, ir.DoubleType().as_pointer())


def _size(builder: Any, value: Any) -> Any:
    return builder.trunc(value, ir.IntType(32))


def _matrix_at(place: int, rows: int, columns: int, stride: int) -> FloatArray:
    """Return a matrix at an address as an array, for plain Python."""
    size = (rows - 1) * stride + columns
    pointer = ctypes.cast(int(place), ctypes.POINTER(ctypes.c_double))
    flat = np.ctypeslib.as_array(pointer, (size,))
    return np.lib.stride_tricks.as_strided(flat, (rows, columns), (8 * stride, 8))


def _product_plain(
    gemm: int, turned: int, rows: int, columns: int, inner: int, factor: float,
    left: int, left_stride: int, right: int, right_stride: int, keep: float,
    result: int, stride: int,
) -> None:  # fmt: skip
    shape = (inner, rows) if turned & 1 else (rows, inner)
    a = _matrix_at(left, *shape, left_stride)
    shape = (columns, inner) if turned & 2 else (inner, columns)
    b = _matrix_at(right, *shape, right_stride)
    c = _matrix_at(result, rows, columns, stride)
    found = factor * ((a.T if turned & 1 else a) @ (b.T if turned & 2 else b))
    c[:] = found if keep == 0.0 else keep * c + found


@intrinsic
def _product(
    typing_context: Any, gemm: Any, turned: Any, rows: Any, columns: Any, inner: Any,
    factor: Any, left: Any, left_stride: Any, right: Any, right_stride: Any, keep: Any,
    result: Any, stride: Any,
) -> Any:  # fmt: skip
    """Write ``factor * left @ right + keep * result``.

    ``turned`` says which is transposed: 1 the left matrix, 2 the right one, 3 both.
    """
    signature = types.void(
        gemm, turned, rows, columns, inner, types.float64, left, left_stride, right,
        right_stride, types.float64, result, stride
    )  # fmt: skip

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        place, turned, rows, columns, inner, factor = given[:6]
        left, left_stride, right, right_stride, keep, result, stride = given[6:]
        letters = []
        for bit in (2, 1):  # matrices by columns: the right one comes first
            one = builder.and_(turned, ir.Constant(turned.type, bit))
            none = builder.icmp_unsigned("==", one, ir.Constant(turned.type, 0))
            plain, other = (ir.Constant(ir.IntType(8), ord(c)) for c in "NT")
            letters.append(builder.select(none, plain, other))
        _call(builder, place, [
            *letters, _size(builder, columns), _size(builder, rows),
            _size(builder, inner), factor, _matrix(builder, right),
            _size(builder, right_stride), _matrix(builder, left),
            _size(builder, left_stride), keep, _matrix(builder, result),
            _size(builder, stride),
        ])  # fmt: skip
        return context.get_dummy_value()

    return signature, generate


product: Any = _product_plain if PLAIN else _product
