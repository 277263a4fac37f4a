"""Transposition of squares of eight columns and eight rows, in registers.

Number by number this takes twice as long: not to compute, but to write to memory four
bytes at a time.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.extending import intrinsic

from rosenblatt.compiling import types

SIDE = 8  # of a square; a row of it is a line of the cache, or half of one
_int32, _int64 = ir.IntType(32), ir.IntType(64)
_byte_pointer = ir.IntType(8).as_pointer()
_MACHINE = {
    "float": ir.FloatType(),
    "double": ir.DoubleType(),
    "int32": _int32,
    "int64": _int64,
}


def _converted(builder: Any, vector: Any, source: str, target: str) -> Any:
    """Return numbers of one type as those of another."""
    wanted = ir.VectorType(_MACHINE[target], SIDE)
    if source == target:
        return vector
    if source.startswith("int"):
        return builder.sitofp(vector, wanted)
    return builder.fpext(vector, wanted)


def _turned(builder: Any, vectors: list[Any]) -> list[Any]:
    """Return rows made of columns, by three rounds of interleaving."""
    half = SIDE // 2
    mixed = [j // 2 + (j % 2) * SIDE for j in range(SIDE)]
    masks = [
        ir.Constant(ir.VectorType(_int32, SIDE), [_int32(first + j) for j in mixed])
        for first in (0, half)
    ]
    for _ in range(SIDE.bit_length() - 1):
        pairs = zip(vectors[:half], vectors[half:], strict=True)
        vectors = [
            builder.shuffle_vector(one, other, mask)
            for one, other in pairs
            for mask in masks
        ]
    return vectors


def tile_of(source: str, target: str) -> Any:
    """Return the piece of a kernel that transposes one square.

    It takes the addresses of columns, the first of eight of them, and the bytes to skip
    in each column. Then come the address that the square is written to, and the bytes
    from one of its rows to the next.
    """
    read = ir.VectorType(_MACHINE[source], SIDE).as_pointer()
    write = ir.VectorType(_MACHINE[target], SIDE).as_pointer()

    @intrinsic
    def tile(
        typing_context: Any, places: Any, first: Any, skip: Any, to: Any, stride: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            places, first, skip, to, stride = given
            data = context.make_array(signature.args[0])(context, builder, places).data
            columns = []
            for k in range(SIDE):
                spot = builder.gep(data, [builder.add(first, _int64(k))])
                begin = builder.add(builder.load(spot), skip)
                column = builder.load(builder.inttoptr(begin, read), align=1)
                columns.append(_converted(builder, column, source, target))
            for k, row in enumerate(_turned(builder, columns)):
                begin = builder.add(to, builder.mul(stride, _int64(k)))
                builder.store(row, builder.inttoptr(begin, write), align=4)
            return context.get_dummy_value()

        whole = types.int64
        return types.void(whole[::1], whole, whole, whole, whole), generate

    return tile


@intrinsic
def _fetch(typing_context: Any, place: Any) -> Any:
    """Ask for the memory at an address, which need not be there."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        arguments = [_byte_pointer, _int32, _int32, _int32]
        kind = ir.FunctionType(ir.VoidType(), arguments)
        ask = builder.module.declare_intrinsic(
            "llvm.prefetch", (_byte_pointer,), fnty=kind
        )
        place = builder.inttoptr(given[0], _byte_pointer)
        builder.call(ask, [place, _int32(0), _int32(2), _int32(1)])  # data, to be read
        return context.get_dummy_value()

    return types.void(types.int64), generate


fetch: Any = _fetch
