r"""Quadratic and linear forms, for vectors side by side in registers.

.. math:: z^T V z = 2 \sum_i z_i \Big( \sum_{j < b} V_{ij} z_j
    + \tfrac12 \sum_{b \le j < b + 4} V_{ij} z_j \Big),   \tag{1}

with b the first row of the four that row i belongs to: half of the matrix is read. A
product of matrices would compute with all of it, and write the result to memory. A
linear form is :math:`m \cdot z`.
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

__all__ = ["SIDE_BY_SIDE", "linear_forms", "quadratic_forms"]

_LANES = 8  # numbers in a register of 512 bits
_REGISTERS = 4  # of vectors side by side; with four rows they make 16 sums
_ROWS = 4  # of the matrix at a time
SIDE_BY_SIDE = _LANES * _REGISTERS  # vectors at a time
_VECTOR = ir.VectorType(ir.DoubleType(), _LANES)
_NUMBER = 8  # bytes; also the alignment that vectors have


def _plain(
    matrix: FloatArray, vectors: FloatArray, forms: FloatArray, size: int, count: int
) -> None:
    V = np.asarray(matrix).reshape(-1)[: size * size].reshape(size, size)
    Z = np.asarray(vectors).reshape(-1)[: size * count].reshape(size, count)
    forms[:count] = ((V @ Z) * Z).sum(axis=0)


def _linear_plain(
    weights: FloatArray, vectors: FloatArray, forms: FloatArray, size: int, count: int
) -> None:
    Z = np.asarray(vectors).reshape(-1)[: size * count].reshape(size, count)
    forms[:count] = np.asarray(weights).reshape(-1)[:size] @ Z


class _Sums:
    """Sums over columns of the matrix, for four of its rows and some vectors."""

    def __init__(self, builder: Any, matrix: Any, vectors: Any, count: Any) -> None:
        self.builder, self.matrix = builder, matrix
        self.vectors, self.count = vectors, count
        number = (_ROWS + 1) * _REGISTERS
        places = [cgutils.alloca_once(builder, _VECTOR) for _ in range(number)]  # type: ignore[no-untyped-call]
        self.totals, self.places = places[:_REGISTERS], places[_REGISTERS:]

    def entries(self, row: Any, first: Any) -> list[Reals]:
        """Return an entry of each vector, in some registers."""
        builder, found = self.builder, []
        at = builder.add(builder.mul(row, self.count), first)
        for r in range(_REGISTERS):
            place = builder.gep(self.vectors, [builder.add(at, I64(r * _LANES))])
            place = builder.bitcast(place, _VECTOR.as_pointer())
            found.append(Reals(builder, builder.load(place, align=_NUMBER)))
        return found

    def read(self, place: Any) -> Reals:
        """Return a sum."""
        return Reals(self.builder, self.builder.load(place))

    def clear(self, places: list[Any]) -> None:
        """Begin sums with zero."""
        for place in places:
            self.builder.store(ir.Constant(_VECTOR, [0.0] * _LANES), place)

    def add(self, rows: list[Any], column: Any, first: Any) -> None:
        """Add a column of four rows, which begin at the given entries."""
        builder, z = self.builder, self.entries(column, first)
        for i, row in enumerate(rows):
            entry = builder.load(builder.gep(self.matrix, [builder.add(row, column)]))
            both = Reals(builder, same(builder, _VECTOR, entry))
            for r, place in enumerate(self.places[i * _REGISTERS :][:_REGISTERS]):
                builder.store((self.read(place) + both * z[r]).value, place)

    def write(self, forms: Any, first: Any) -> None:
        """Write the totals of some vectors."""
        builder = self.builder
        for r, total in enumerate(self.totals):
            at = builder.add(first, I64(r * _LANES))
            place = builder.bitcast(builder.gep(forms, [at]), _VECTOR.as_pointer())
            builder.store(self.read(total).value, place, align=_NUMBER)

    def halve(self) -> None:
        """Halve the sums."""
        half = Reals(self.builder, ir.Constant(_VECTOR, [0.5] * _LANES))
        for place in self.places:
            self.builder.store((self.read(place) * half).value, place)

    def add_to_totals(self, i: int, row: Any, first: Any) -> None:
        """Add twice a sum times the vectors' own entry of that row."""
        z = self.entries(row, first)
        for r, total in enumerate(self.totals):
            term = z[r] * self.read(self.places[i * _REGISTERS + r])
            self.builder.store((self.read(total) + term + term).value, total)


@intrinsic
def _forms(
    typing_context: Any, matrix: Any, vectors: Any, forms: Any, size: Any, count: Any
) -> Any:
    """Write eq. (1) for each of ``count`` vectors, a multiple of ``SIDE_BY_SIDE``.

    Entry i of all vectors comes before entry i + 1.
    """

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        matrix, vectors, forms = (
            data_of(context, builder, kind, value)
            for kind, value in zip(signature.args[:3], given[:3], strict=True)
        )
        size, count = given[3:]
        sums = _Sums(builder, matrix, vectors, count)
        last = builder.sub(size, I64(1))
        with loop_as_written(builder, count, SIDE_BY_SIDE) as first:
            sums.clear(sums.totals)
            with loop_as_written(builder, size, _ROWS) as begin:
                own = [builder.add(begin, I64(i)) for i in range(_ROWS)]
                # Of the last four rows some may not exist: the last is read instead.
                there = [builder.icmp_unsigned("<", row, size) for row in own]
                read = [
                    builder.select(t, row, last)
                    for t, row in zip(there, own, strict=True)
                ]
                starts = [builder.mul(row, size) for row in read]
                sums.clear(sums.places)
                left = builder.sub(size, begin)
                some = builder.icmp_unsigned("<", left, I64(_ROWS))
                with loop_as_written(
                    builder, builder.select(some, left, I64(_ROWS)), 1
                ) as j:
                    sums.add(starts, builder.add(begin, j), first)
                sums.halve()
                with loop_as_written(builder, begin, 1) as j:
                    sums.add(starts, j, first)
                for i, row in enumerate(own):
                    with builder.if_then(there[i]):
                        sums.add_to_totals(i, row, first)
            sums.write(forms, first)
        return context.get_dummy_value()

    return types.void(matrix, vectors, forms, types.int64, types.int64), generate


@intrinsic
def _linear(
    typing_context: Any, weights: Any, vectors: Any, forms: Any, size: Any, count: Any
) -> Any:
    """Write a linear form of each of ``count`` vectors, as eq. (1) is written."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        weights, vectors, forms = (
            data_of(context, builder, kind, value)
            for kind, value in zip(signature.args[:3], given[:3], strict=True)
        )
        size, count = given[3:]
        sums = _Sums(builder, weights, vectors, count)
        with loop_as_written(builder, count, SIDE_BY_SIDE) as first:
            sums.clear(sums.totals)
            with loop_as_written(builder, size, 1) as i:
                weight = same(builder, _VECTOR, builder.load(builder.gep(weights, [i])))
                for total, z in zip(sums.totals, sums.entries(i, first), strict=True):
                    term = Reals(builder, weight) * z
                    builder.store((sums.read(total) + term).value, total)
            sums.write(forms, first)
        return context.get_dummy_value()

    return types.void(weights, vectors, forms, types.int64, types.int64), generate


linear_forms: Any = _linear_plain if PLAIN else _linear
quadratic_forms: Any = _plain if PLAIN else _forms
