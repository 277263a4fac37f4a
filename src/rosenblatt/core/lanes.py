"""Words side by side in the registers of the processor.

Numba leaves it to the compiler to find vector instructions, and where a loop reads many
rows the compiler gives up. The few operations on packed bits that have to run at the
speed of the memory are therefore written for vectors of eight words here, which is a
register of AVX-512; the compiler splits them where registers are shorter. A formula is
written once, with ``^``, ``&`` and ``|``, for vectors as for arrays of NumPy, which
plain Python computes with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from rosenblatt.core.jit import PLAIN

__all__ = [
    "I32",
    "I64",
    "LANES",
    "READ_AHEAD",
    "Lanes",
    "call",
    "data_of",
    "each",
    "load",
    "prefetch",
    "store",
]

LANES = 8  # words in a register of 512 bits
# Words to fetch in the order of memory, which is faster, before they are used in
# another: 128 KiB, which fits the second cache.
READ_AHEAD = 16384
I64, I32 = ir.IntType(64), ir.IntType(32)
_WORD = 8  # bytes; also the alignment that rows have


class Lanes(NamedTuple):
    """A value of the compiled code on which formulas can be written."""

    builder: Any
    value: Any

    def __xor__(self, other: Any) -> Lanes:
        return Lanes(self.builder, self.builder.xor(self.value, other.value))

    def __and__(self, other: Any) -> Lanes:
        return Lanes(self.builder, self.builder.and_(self.value, other.value))

    def __or__(self, other: Any) -> Lanes:
        return Lanes(self.builder, self.builder.or_(self.value, other.value))


def data_of(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """Return the address of an array's first word."""
    return context.make_array(kind)(context, builder, array).data


def load(builder: Any, data: Any, index: Any, lanes: int) -> Lanes:
    """Read some words side by side."""
    kind = I64 if lanes == 1 else ir.VectorType(I64, lanes)
    address = builder.bitcast(builder.gep(data, [index]), kind.as_pointer())
    return Lanes(builder, builder.load(address, align=_WORD))


def store(builder: Any, data: Any, index: Any, given: Lanes) -> None:
    """Write some words side by side."""
    kind = given.value.type.as_pointer()
    address = builder.bitcast(builder.gep(data, [index]), kind)
    builder.store(given.value, address, align=_WORD)


def each(builder: Any, width: Any, body: Callable[[Any, int], None]) -> None:
    """Call ``body(k, lanes)`` for eight words at a time; at the end for 4, 2 and 1."""
    done, lanes = I64(0), LANES
    while lanes:
        stop = builder.and_(width, I64(-lanes))
        with cgutils.for_range_slice(builder, done, stop, I64(lanes)) as (k, _):
            body(k, lanes)
        done, lanes = stop, lanes // 2


def call(builder: Any, name: str, result: Any, *given: Any) -> Any:
    """Call an instruction that LLVM knows by this name."""
    kind = ir.FunctionType(result, [value.type for value in given])
    function = cgutils.get_or_insert_function(builder.module, kind, name)  # type: ignore[no-untyped-call]
    return builder.call(function, given)


@intrinsic
def _prefetching(typing_context: Any, words: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        data = data_of(context, builder, signature.args[0], given[0])
        address = builder.bitcast(
            builder.gep(data, [given[1]]), ir.IntType(8).as_pointer()
        )
        # to read, to be kept in all caches, data and not code
        call(
            builder,
            "llvm.prefetch.p0",
            ir.VoidType(),
            address,
            I32(0),
            I32(3),
            I32(1),
        )
        return context.get_dummy_value()

    return types.void(words, index), generate


def _nothing(words: Any, index: Any) -> None:
    """Leave the memory alone."""


prefetch: Any = _nothing if PLAIN else _prefetching
