"""Words side by side in the registers of the processor.

Numba leaves it to the compiler to find vector instructions, and where a loop reads many
rows the compiler gives up. So the few operations on packed bits that have to run at the
speed of the memory are written for vectors of eight words here. That is a register of
AVX-512. The compiler splits them where registers are shorter. A formula is written
once, with ``^``, ``&`` and ``|``, for vectors as for arrays of NumPy, which plain
Python computes with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN

__all__ = [
    "I32",
    "I64",
    "LANES",
    "VECTOR",
    "ZERO",
    "Lanes",
    "call",
    "data_of",
    "each",
    "load",
    "prefetch",
    "prefetch_to_write",
    "same",
    "store",
]

LANES = 8  # words in a register of 512 bits
I64, I32 = ir.IntType(64), ir.IntType(32)
VECTOR = ir.VectorType(I64, LANES)
ZERO = ir.Constant(VECTOR, [0] * LANES)
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
    """Return the address of an array's first word; a pointer is one already."""
    if isinstance(kind, types.CPointer):
        return array
    return context.make_array(kind)(context, builder, array).data


def load(builder: Any, data: Any, index: Any, mask: Any) -> Lanes:
    """Read eight words side by side; with a mask, zeros where it is false."""
    address = builder.bitcast(builder.gep(data, [index]), VECTOR.as_pointer())
    if mask is None:
        return Lanes(builder, builder.load(address, align=_WORD))
    given = (address, I32(_WORD), mask, ZERO)
    return Lanes(builder, call(builder, "llvm.masked.load.v8i64.p0", VECTOR, *given))


def store(builder: Any, data: Any, index: Any, value: Lanes, mask: Any) -> None:
    """Write eight words side by side; with a mask, only where it is true."""
    address = builder.bitcast(builder.gep(data, [index]), VECTOR.as_pointer())
    if mask is None:
        builder.store(value.value, address, align=_WORD)
        return
    given = (value.value, address, I32(_WORD), mask)
    call(builder, "llvm.masked.store.v8i64.p0", ir.VoidType(), *given)


def each(builder: Any, width: Any, body: Callable[[Any, Any], None]) -> None:
    """Call ``body(k, mask)`` for eight words at a time; at the end with a mask."""
    whole = builder.and_(width, I64(-LANES))
    with cgutils.for_range_slice(builder, I64(0), whole, I64(LANES)) as (k, _):
        body(k, None)
    with builder.if_then(builder.icmp_unsigned("<", whole, width)):
        numbers = ir.Constant(VECTOR, list(range(LANES)))
        rest = same(builder, VECTOR, builder.sub(width, whole))
        body(whole, builder.icmp_unsigned("<", numbers, rest))


def same(builder: Any, kind: Any, value: Any) -> Any:
    """Return a vector with the same value in all lanes."""
    nothing = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(nothing, value, I32(0))
    order = ir.Constant(ir.VectorType(I32, kind.count), [0] * kind.count)
    return builder.shuffle_vector(one, nothing, order)


def call(builder: Any, name: str, result: Any, *given: Any) -> Any:
    """Call an instruction that LLVM knows by this name."""
    kind = ir.FunctionType(result, [value.type for value in given])
    function = cgutils.get_or_insert_function(builder.module, kind, name)  # type: ignore[no-untyped-call]
    return builder.call(function, given)


def _prefetching(*, write: bool, cache: int = 3) -> Any:
    @intrinsic
    def fetch(typing_context: Any, words: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            data = data_of(context, builder, signature.args[0], given[0])
            address = builder.bitcast(
                builder.gep(data, [given[1]]), ir.IntType(8).as_pointer()
            )
            # to be kept in all caches, data and not code
            how = I32(int(write)), I32(cache), I32(1)
            call(builder, "llvm.prefetch.p0", ir.VoidType(), address, *how)
            return context.get_dummy_value()

        return types.void(words, index), generate

    return fetch


def _nothing(words: Any, index: Any) -> None:
    """Leave the memory alone."""


# They may be asked for places beyond the end of an array: nothing happens there.
prefetch: Any = _nothing if PLAIN else _prefetching(write=False)
prefetch_to_write: Any = _nothing if PLAIN else _prefetching(write=True)
prefetch_far: Any = _nothing if PLAIN else _prefetching(write=False, cache=2)
