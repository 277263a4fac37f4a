"""Bits in which rows differ: the compiled operations that fields are made of.

Rows are turned first, so that lanes of a register are rows. Then counts of all words
are added lane by lane, and no sum across a register is needed. A tile of turned rows
serves all models.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.compiling.vector.lanes import (
    I32,
    I64,
    LANES,
    VECTOR,
    ZERO,
    Lanes,
    call,
    data_of,
    each,
    load,
    same,
    store,
)

__all__ = ["TILE", "tile_fields", "turned"]

_VECTORS = 4  # registers of sums: as many as hide how long an addition takes
TILE = _VECTORS * LANES  # rows
_RESULTS = ir.VectorType(I32, 2 * LANES)  # a register of results


def _turned(words: Any, place: Any, width: Any, tile: Any, first: Any) -> None:
    size, begin, lane = int(width), int(place), int(first)
    rows = words[begin : begin + LANES * size].reshape(LANES, size)
    tile[: size * TILE].reshape(size, TILE)[:, lane : lane + LANES] = rows.T


def _swapped(builder: Any, rows: list[Any]) -> list[Any]:
    """Return eight vectors of eight with rows and columns exchanged.

    At distance d, what has bit d in the number of its row changes places with what has
    it in the number of its lane.
    """
    order = ir.VectorType(I32, LANES)
    for distance in (1, 2, 4):
        low = [(i & ~distance) + LANES * bool(i & distance) for i in range(LANES)]
        high = [i + distance for i in low]
        before = list(rows)
        for i in range(LANES):
            lanes = ir.Constant(order, high if i & distance else low)
            pair = before[i & ~distance], before[i | distance]
            rows[i] = builder.shuffle_vector(*pair, lanes)
    return rows


@intrinsic
def _turning(
    typing_context: Any, words: Any, place: Any, width: Any, tile: Any, first: Any
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        source, target = (
            data_of(context, builder, signature.args[i], given[i]) for i in (0, 3)
        )
        place, width, first = given[1], given[2], given[4]
        starts = [builder.add(place, builder.mul(I64(j), width)) for j in range(LANES)]

        def body(k: Any, mask: Any) -> None:
            here = [builder.add(start, k) for start in starts]
            rows = [load(builder, source, index, mask).value for index in here]
            to = builder.add(first, builder.mul(k, I64(TILE)))
            for column in _swapped(builder, rows):
                store(builder, target, to, Lanes(builder, column), None)
                to = builder.add(to, I64(TILE))

        each(builder, width, body)
        return context.get_dummy_value()

    return types.void(words, place, width, tile, first), generate


def _tile_fields(
    tile: Any,
    signs: Any,
    mask: Any,
    masked: Any,
    other: Any,
    width: Any,
    start: Any,
    out: Any,
    to: Any,
) -> None:
    size, place = int(width), int(to)
    there = slice(int(other), int(other) + size)
    bits = tile[: size * TILE].reshape(size, TILE) ^ signs[there, None]
    if masked:
        bits = bits & mask[there, None]
    wrong = np.bitwise_count(bits).sum(axis=0, dtype=np.int64)
    out[place : place + TILE] = start - 2 * wrong


@intrinsic
def _counting(
    typing_context: Any,
    tile: Any,
    signs: Any,
    mask: Any,
    masked: Any,
    other: Any,
    width: Any,
    start: Any,
    out: Any,
    to: Any,
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        rows, high, used, target = (
            data_of(context, builder, signature.args[i], given[i]) for i in (0, 1, 2, 7)
        )
        masked, other, width, start, to = (given[i] for i in (3, 4, 5, 6, 8))
        # places that keep a value, which the compiler puts into registers
        sums = [
            cgutils.alloca_once_value(builder, ZERO)  # type: ignore[no-untyped-call]
            for _ in range(_VECTORS)
        ]

        def word(data: Any, index: Any) -> Lanes:
            value = builder.load(builder.gep(data, [index]))
            return Lanes(builder, same(builder, VECTOR, value))

        def count(*, with_mask: bool) -> None:
            loop = cgutils.for_range_slice(builder, I64(0), width, I64(1))
            with loop as (k, _):
                there = builder.add(other, k)
                sign = word(high, there)
                known = word(used, there) if with_mask else None
                place = builder.mul(k, I64(TILE))
                for so_far in sums:
                    bits = load(builder, rows, place, None) ^ sign
                    bits = bits if known is None else bits & known
                    ones = call(builder, "llvm.ctpop.v8i64", VECTOR, bits.value)
                    builder.store(builder.add(builder.load(so_far), ones), so_far)
                    place = builder.add(place, I64(LANES))

        with builder.if_else(masked) as (yes, no):
            with yes:
                count(with_mask=True)
            with no:
                count(with_mask=False)
        first = same(builder, _RESULTS, builder.trunc(start, I32))
        lower = ir.Constant(_RESULTS, list(range(0, 4 * LANES, 2)))  # halves of words
        for i in range(0, _VECTORS, 2):
            pair = [
                builder.bitcast(builder.load(sums[i + j]), _RESULTS) for j in (0, 1)
            ]
            wrong = builder.shuffle_vector(*pair, lower)
            result = builder.sub(first, builder.add(wrong, wrong))
            address = builder.gep(target, [builder.add(to, I64(i * LANES))])
            address = builder.bitcast(address, _RESULTS.as_pointer())
            builder.store(result, address, align=4)
        return context.get_dummy_value()

    given = (tile, signs, mask, masked, other, width, start, out, to)
    return types.void(*given), generate


# turned(words, place, width, tile, first): word k of row j, of eight rows from
# words[place] on, goes to tile[k * TILE + first + j]. The tile must have room for a
# multiple of eight words a row.
turned: Any = _turned if PLAIN else _turning

# tile_fields(tile, signs, mask, masked, other, width, start, out, to): start minus
# twice the number of bits in which each row of a tile differs from that which begins at
# signs[other], of those bits that the mask has if there is one; to out[to] and on.
tile_fields: Any = _tile_fields if PLAIN else _counting
