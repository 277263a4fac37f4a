"""Products of a few rows with a matrix, in vector registers.

A library packs the matrix first, to read it in order. For a few rows that takes longer
than it saves: measured with 16 rows, a third less time at 250 to 500 columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.compiling.vector.lanes import I64, same
from rosenblatt.compiling.vector.registers import Reals, loop_as_written
from rosenblatt.core.types import FloatArray

__all__ = ["FEWEST_COLUMNS", "multiply_rows"]

_LANES = 8  # numbers in a register of 512 bits
_ROWS, _REGISTERS = 8, 2  # of the result at a time: 16 sums
FEWEST_COLUMNS = _LANES * _REGISTERS  # of the matrix
_VECTOR = ir.VectorType(ir.DoubleType(), _LANES)
_NUMBER = 8  # bytes; also the alignment that rows have


def _strided(numbers: Any, rows: int, columns: int, stride: int) -> FloatArray:
    flat = np.asarray(numbers)[: (rows - 1) * stride + columns]
    return np.lib.stride_tricks.as_strided(flat, (rows, columns), (8 * stride, 8))


def _plain(
    rows: int, columns: int, inner: int, left: Any, left_stride: int, right: Any,
    right_stride: int, result: Any, stride: int
) -> None:  # fmt: skip
    a = _strided(left, rows, inner, left_stride)
    b = _strided(right, inner, columns, right_stride)
    _strided(result, rows, columns, stride)[:] = a @ b


@intrinsic
def _multiply(
    typing_context: Any, rows: Any, columns: Any, inner: Any, left: Any,
    left_stride: Any, right: Any, right_stride: Any, result: Any, stride: Any
) -> Any:  # fmt: skip
    """Write the product of ``left`` and ``right``, flat matrices with such strides.

    There are rows, and at least ``FEWEST_COLUMNS`` columns. What does not fill the
    registers is computed with what comes before: some entries are written twice.
    """
    signature = types.void(
        rows, columns, inner, left, left_stride, right, right_stride, result, stride
    )

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        rows, columns, inner, left, left_stride, right, right_stride = given[:7]
        result, stride = given[7:]
        number = range(_ROWS * _REGISTERS)
        sums = [cgutils.alloca_once(builder, _VECTOR) for _ in number]  # type: ignore[no-untyped-call]

        def at(data: Any, index: Any, r: int) -> Any:
            place = builder.gep(data, [builder.add(index, I64(r * _LANES))])
            return builder.bitcast(place, _VECTOR.as_pointer())

        def smaller(one: Any, other: Any) -> Any:
            return builder.select(builder.icmp_unsigned("<", one, other), one, other)

        last_row = builder.sub(rows, I64(1))
        last_column = builder.sub(columns, I64(FEWEST_COLUMNS))
        with loop_as_written(builder, columns, FEWEST_COLUMNS) as begin:
            column = smaller(begin, last_column)
            with loop_as_written(builder, rows, _ROWS) as first:
                own = [
                    smaller(builder.add(first, I64(i)), last_row) for i in range(_ROWS)
                ]
                starts = [builder.mul(row, left_stride) for row in own]
                for place in sums:
                    builder.store(ir.Constant(_VECTOR, [0.0] * _LANES), place)
                with loop_as_written(builder, inner, 1) as k:
                    source = builder.add(builder.mul(k, right_stride), column)
                    entries = [
                        Reals(
                            builder, builder.load(at(right, source, r), align=_NUMBER)
                        )
                        for r in range(_REGISTERS)
                    ]
                    for i, start in enumerate(starts):
                        entry = builder.load(builder.gep(left, [builder.add(start, k)]))
                        factor = Reals(builder, same(builder, _VECTOR, entry))
                        for r, numbers in enumerate(entries):
                            place = sums[i * _REGISTERS + r]
                            so_far = Reals(builder, builder.load(place))
                            builder.store((so_far + factor * numbers).value, place)
                for i, row in enumerate(own):
                    target = builder.add(builder.mul(row, stride), column)
                    for r in range(_REGISTERS):
                        value = builder.load(sums[i * _REGISTERS + r])
                        builder.store(value, at(result, target, r), align=_NUMBER)
        return context.get_dummy_value()

    return signature, generate


multiply_rows: Any = _plain if PLAIN else _multiply
