"""Symmetric matrices of few rows, in vector registers: products and updates.

Rows are padded with zeros to multiples of ``LANES`` entries. The compiler does not find
vector instructions for so short rows by itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.compiling.vector.lanes import I64, data_of, same
from rosenblatt.compiling.vector.registers import Reals, loop_as_written
from rosenblatt.core.types import FloatArray

__all__ = ["LANES", "multiply_symmetric", "update_symmetric"]

LANES = 8  # numbers in a register of 512 bits
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_NUMBER = 8  # bytes; also the alignment that rows have
_UNROLLED = 4  # rows that are updated in one turn


def _load(builder: Any, data: Any, index: Any) -> Reals:
    place = builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())
    return Reals(builder, builder.load(place, align=_NUMBER))


def _store(builder: Any, data: Any, index: Any, value: Reals) -> None:
    place = builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())
    builder.store(value.value, place, align=_NUMBER)


def _all_lanes(builder: Any, value: Any) -> Reals:
    return Reals(builder, same(builder, _VECTOR, value))


def _entry(builder: Any, data: Any, index: Any) -> Reals:
    return _all_lanes(builder, builder.load(builder.gep(data, [index])))


def _rows(matrix: FloatArray, size: int) -> FloatArray:
    """Return a matrix with padded rows, for plain Python."""
    wide = -(-size // LANES) * LANES
    return np.asarray(matrix[: size * wide]).reshape(size, wide)


def _multiply_plain(
    matrix: FloatArray, vector: FloatArray, result: FloatArray, size: int
) -> None:
    rows = _rows(matrix, size)
    result[: rows.shape[1]] = vector[:size] @ rows


def _update_plain(
    matrix: FloatArray, vector: FloatArray, sign: float, factor: float, size: int
) -> None:
    rows = _rows(matrix, size)
    outer = np.multiply.outer(vector[:size], vector[: rows.shape[1]])
    matrix[: rows.size] = (factor * rows - sign * outer).ravel()


def _padded(builder: Any, size: Any) -> Any:
    return builder.and_(builder.add(size, I64(LANES - 1)), I64(-LANES))


@intrinsic
def _multiply(
    typing_context: Any, matrix: Any, vector: Any, result: Any, size: Any
) -> Any:
    """Write the product of a symmetric matrix and a vector, with its padding."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        matrix, vector, result = (
            data_of(context, builder, kind, value)
            for kind, value in zip(signature.args[:3], given[:3], strict=True)
        )
        size = given[3]
        wide, none = _padded(builder, size), ir.Constant(_VECTOR, [0.0] * LANES)
        # Two sums, of rows in turn: an addition waits for the one before in its sum.
        sums = [cgutils.alloca_once(builder, _VECTOR) for _ in range(2)]  # type: ignore[no-untyped-call]
        pairs = builder.and_(size, I64(-2))

        def add(i: Any, q: Any, total: Any) -> None:
            at = builder.add(builder.mul(i, wide), q)
            term = _load(builder, matrix, at) * _entry(builder, vector, i)
            builder.store((Reals(builder, builder.load(total)) + term).value, total)

        with loop_as_written(builder, wide, LANES) as q:
            for total in sums:
                builder.store(none, total)
            with loop_as_written(builder, pairs, 2) as i:
                add(i, q, sums[0])
                add(builder.add(i, I64(1)), q, sums[1])
            with builder.if_then(builder.icmp_unsigned("<", pairs, size)):
                add(pairs, q, sums[0])
            first, second = (Reals(builder, builder.load(total)) for total in sums)
            _store(builder, result, q, first + second)
        return context.get_dummy_value()

    return types.void(matrix, vector, result, types.int64), generate


@intrinsic
def _update(
    typing_context: Any, matrix: Any, vector: Any, sign: Any, factor: Any, size: Any
) -> Any:
    """Write ``factor * matrix - sign * vector vector^T`` over a symmetric matrix."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        matrix, vector = (
            data_of(context, builder, kind, value)
            for kind, value in zip(signature.args[:2], given[:2], strict=True)
        )
        sign, factor = (_all_lanes(builder, value) for value in given[2:4])
        size = given[4]
        wide, most = _padded(builder, size), builder.and_(size, I64(-_UNROLLED))
        with loop_as_written(builder, wide, LANES) as q:
            own = sign * _load(builder, vector, q)

            def move(i: Any, q: Any = q, own: Reals = own) -> None:
                at = builder.add(builder.mul(i, wide), q)
                entry = _entry(builder, vector, i)
                moved = factor * _load(builder, matrix, at) - own * entry
                _store(builder, matrix, at, moved)

            # With one row a turn, a third of the instructions count turns.
            with loop_as_written(builder, most, _UNROLLED) as i:
                for k in range(_UNROLLED):
                    move(builder.add(i, I64(k)))
            with loop_as_written(builder, builder.sub(size, most), 1) as i:
                move(builder.add(most, i))
        return context.get_dummy_value()

    number = types.float64
    return types.void(matrix, vector, number, number, types.int64), generate


multiply_symmetric: Any = _multiply_plain if PLAIN else _multiply
update_symmetric: Any = _update_plain if PLAIN else _update
