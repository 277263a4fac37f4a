"""Loops over several arrays: a formula for their entries, and sums of its results.

Numba leaves it to the compiler to find vector instructions. That works for long rows;
rows of 20 or 100 numbers it leaves half in scalar code. A sweep is therefore written
for whole registers here, with a mask for the entries left at the end. Its formula is
written once, with ``+``, ``-``, ``*``, ``/`` and ``clip``, for registers as for arrays
of NumPy, which plain Python computes with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.compiling.vector.lanes import I32, I64, call, data_of, same
from rosenblatt.compiling.vector.registers import (
    FLAGS,
    Reals,
    bytes_of,
    loop_as_written,
)

__all__ = ["LANES", "sweep"]

LANES = 32  # the most numbers in two registers: those of single precision
_BITS = 512  # of a register of AVX-512; the compiler splits it where they are shorter
# The first array is a row of a table that is read once, from memory, and the next rows
# follow. As long as all arrays are in the first cache, of so many bytes, the processor
# reads one row ahead best by itself. If the others keep it busy, or there are two rows,
# they are asked for ahead: by so many entries into the second cache, and by so many
# into the first. Measured for a field, where asking takes a quarter longer at 1000
# columns, as long at 4000 and a sixth less at 8000, and for two rows, where it halves
# the time at 1000; flat around both distances.
_CACHE, _FAR, _NEAR = 2**15, 8192, 768
_UNROLLED = 2  # registers a turn: their sums do not wait for each other
Formula = Callable[..., tuple[tuple[Any, ...], tuple[Any, ...]]]


class _Sweep:
    """The code of one sweep, for arrays of given types."""

    def __init__(
        self, builder: Any, number: Any, formula: Formula, streamed: int, padded: bool
    ) -> None:
        self.builder = builder
        self.number = number  # LLVM's type of the numbers that are computed with
        self.formula = formula
        self.streamed = streamed
        self.padded = padded
        self.lanes = _BITS // (8 * bytes_of(number))
        self.vector = ir.VectorType(number, self.lanes)

    def _name(self, operation: str, number: Any) -> str:
        return f"llvm.masked.{operation}.v{self.lanes}f{8 * bytes_of(number)}.p0"

    def load(self, data: Any, index: Any, mask: Any) -> Reals:
        number = data.type.pointee
        vector = ir.VectorType(number, self.lanes)
        place = self.builder.bitcast(
            self.builder.gep(data, [index]), vector.as_pointer()
        )
        size = bytes_of(number)
        if mask is None:
            value = self.builder.load(place, align=size)
        else:
            zero = ir.Constant(vector, [0.0] * self.lanes)
            given = (place, I32(size), mask, zero)
            value = call(self.builder, self._name("load", number), vector, *given)
        return Reals(self.builder, self._as(value, self.number))

    def _as(self, value: Any, number: Any) -> Any:
        """Return registers in single or double precision."""
        wanted = ir.VectorType(number, self.lanes)
        if value.type == wanted:
            return value
        narrow = isinstance(number, ir.FloatType)
        change = self.builder.fptrunc if narrow else self.builder.fpext
        return change(value, wanted)

    def store(self, data: Any, index: Any, reals: Reals, mask: Any) -> None:
        number = data.type.pointee
        value = self._as(reals.value, number)
        place = self.builder.bitcast(
            self.builder.gep(data, [index]), value.type.as_pointer()
        )
        size = bytes_of(number)
        if mask is None:
            self.builder.store(value, place, align=size)
            return
        given = (value, place, I32(size), mask)
        name = self._name("store", number)
        call(self.builder, name, ir.VoidType(), *given)

    def run(
        self,
        size: Any,
        reads: Sequence[Any],
        writes: Sequence[Any],
        sums: int,
        scalars: Any,
    ) -> list[Any]:
        """Return the sums."""
        builder = self.builder
        zero = ir.Constant(self.vector, [0.0] * self.lanes)
        totals = [
            [cgutils.alloca_once_value(builder, zero) for _ in range(sums)]  # type: ignore[no-untyped-call]
            for _ in range(_UNROLLED)
        ]
        known = [Reals(builder, same(builder, self.vector, s)) for s in scalars]

        def turn(index: Any, mask: Any, own: list[Any]) -> None:
            inner = None if self.padded else mask
            masks = [mask, *[inner] * (len(reads) - 1)]
            entries = [
                self.load(data, index, part)
                for data, part in zip(reads, masks, strict=True)
            ]
            results, terms = self.formula(*entries, *known)
            for data, result in zip(writes, results, strict=True):
                self.store(data, index, result, inner)
            for total, term in zip(own, terms, strict=True):
                so_far = Reals(builder, builder.load(total))
                value = (so_far + term).value
                if inner is not None:
                    value = builder.select(mask, value, so_far.value)
                builder.store(value, total)

        step = self.lanes * _UNROLLED
        # What comes last is masked, even if it is whole: padded arrays end there.
        before = builder.and_(builder.sub(size, I64(1)), I64(-step))
        none = builder.icmp_unsigned("==", size, I64(0))
        most = builder.select(none, I64(0), before)

        def in_whole_registers(asked: Sequence[Any], far: Any) -> None:
            with loop_as_written(builder, most, step) as i:
                for k, own in enumerate(totals):
                    place = builder.add(i, I64(k * self.lanes))
                    for data in asked:
                        self._fetch(data, builder.add(place, far), 2)
                        self._fetch(data, builder.add(place, I64(_NEAR)), 3)
                    turn(place, None, own)

        if self.streamed == 1:
            together = sum(bytes_of(data.type.pointee) for data in reads)
            long = builder.icmp_unsigned(">", size, I64(_CACHE // together))
            with builder.if_else(long) as (beyond, inside):
                with beyond:
                    in_whole_registers(reads[:1], I64(_FAR))
                with inside:
                    in_whole_registers((), None)
        else:
            far = self._whole_rows(size) if self.streamed else None
            in_whole_registers(reads[: self.streamed], far)
        count = ir.VectorType(I32, self.lanes)
        rest = builder.trunc(builder.sub(size, most), I32)

        def masked(k: int) -> None:
            first = k * self.lanes
            numbers = ir.Constant(count, list(range(first, first + self.lanes)))
            mask = builder.icmp_unsigned("<", numbers, same(builder, count, rest))
            turn(builder.add(most, I64(first)), mask, totals[k])

        masked(0)
        if len(reads) <= 2:  # to read what may be empty takes less than to ask
            masked(1)
        else:
            with builder.if_then(builder.icmp_unsigned(">", rest, I32(self.lanes))):
                masked(1)
        return [self._reduced(*both) for both in zip(*totals, strict=True)]

    def _whole_rows(self, size: Any) -> Any:
        """Return how many entries ahead to ask: of rows side by side, whole ones."""
        builder, far = self.builder, I64(_FAR)
        together = builder.mul(size, I64(self.streamed))
        turns = builder.udiv(builder.add(together, I64(_FAR - 1)), together)
        short = builder.icmp_unsigned("<", size, I64(2 * _FAR))
        return builder.select(short, builder.mul(turns, together), far)

    def _fetch(self, data: Any, index: Any, cache: int) -> None:
        """Ask for an entry that will be read soon; 3 is the first cache, 2 the next."""
        place = self.builder.gep(data, [index])
        byte = self.builder.bitcast(place, ir.IntType(8).as_pointer())
        given = (byte, I32(0), I32(cache), I32(1))  # to read; data, not code
        call(self.builder, "llvm.prefetch.p0", ir.VoidType(), *given)

    def _reduced(self, *places: Any) -> Any:
        """Return the sum over lanes and registers, in double precision."""
        builder = self.builder
        first, *rest = (Reals(builder, builder.load(place)) for place in places)
        for other in rest:
            first = first + other
        bits = _BITS // self.lanes
        kind = ir.FunctionType(self.number, [self.number, self.vector])
        name = f"llvm.vector.reduce.fadd.v{self.lanes}f{bits}"
        function = cgutils.get_or_insert_function(builder.module, kind, name)  # type: ignore[no-untyped-call]
        given = [ir.Constant(self.number, -0.0), first.value]  # adds nothing to any
        total = builder.call(function, given, fastmath=FLAGS)
        double = ir.DoubleType()
        return total if self.number == double else builder.fpext(total, double)


def sweep(
    formula: Formula,
    *,
    reads: int,
    writes: int,
    sums: int,
    streamed: int = 0,
    padded: bool = False,
) -> Any:
    """Return a compiled pass for kernels.

    Its arguments are the number of entries, then each array with the entry to begin at,
    then the scalars. Arrays that are read come before the others. It returns the sums.
    Parts of arrays are not made arrays of their own, which costs as much as a short
    pass. Arrays are flat.

    Parameters
    ----------
    formula
        Takes an entry of each array and the scalars, returns the entries of the results
        and the terms of the sums. Everything is computed in the precision of the
        scalars; arrays may have another.
    reads, writes, sums
        How many arrays are read, how many are results, which may be among those read,
        and how many sums there are.
    streamed
        How many arrays, the first ones, come from memory and are asked for ahead if
        they are long.
    padded
        True if all arrays but the first are padded with zeros to a multiple of
        ``LANES`` entries. The formula leaves them zero, and they add nothing to sums.
        Then these are read and written as whole registers: what was written by a mask
        cannot be read again before it has reached the cache.
    """
    arrays = reads + writes

    def plainly(size: int, *given: Any) -> tuple[float, ...]:
        parts = [
            array[start : start + size]
            for array, start in zip(
                given[: 2 * arrays : 2], given[1 : 2 * arrays : 2], strict=True
            )
        ]
        scalars = given[2 * arrays :]
        number = np.asarray(scalars[0]).dtype
        entries = [part.astype(number) for part in parts[:reads]]
        results, terms = formula(*entries, *scalars)
        for part, result in zip(parts[reads:], results, strict=True):
            part[:] = result
        return tuple(float(term.sum()) for term in terms)

    if PLAIN:
        return plainly

    @intrinsic
    def compiled(typing_context: Any, size: Any, *given: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            size, rest = values
            kinds = signature.args[1].types
            parts = cgutils.unpack_tuple(builder, rest)  # type: ignore[no-untyped-call]
            places = [
                builder.gep(
                    data_of(context, builder, kinds[i], parts[i]), [parts[i + 1]]
                )
                for i in range(0, 2 * arrays, 2)
            ]
            scalars = parts[2 * arrays :]
            code = _Sweep(builder, scalars[0].type, formula, streamed, padded)
            found = code.run(size, places[:reads], places[reads:], sums, scalars)
            return context.make_tuple(builder, signature.return_type, found)

        found = types.UniTuple(types.float64, sums)
        rest = types.StarArgTuple(given)
        return found(types.int64, rest), generate

    return compiled
