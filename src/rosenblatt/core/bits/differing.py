"""Bits in which rows differ: the compiled operation that fields are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from rosenblatt.core.jit import PLAIN
from rosenblatt.core.lanes import (
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
    store,
)

__all__ = ["differences"]


def _variable(builder: Any, start: Any) -> Any:
    """Return a place that keeps a value, which the compiler puts into a register."""
    return cgutils.alloca_once_value(builder, start)  # type: ignore[no-untyped-call]


def _sums(builder: Any, vectors: list[Any]) -> Any:
    """Return a vector with the sums of eight vectors, each over its lanes.

    Neighbouring vectors are added crosswise until one is left: at distance d, lanes
    that have bit d in their number are those of the second vector.
    """
    distance = 1
    while len(vectors) > 1:
        pairs = zip(vectors[::2], vectors[1::2], strict=True)
        vectors = [_crossed(builder, a, b, distance) for a, b in pairs]
        distance *= 2
    return vectors[0]


def _crossed(builder: Any, a: Any, b: Any, distance: int) -> Any:
    """Add lanes at this distance: sums of a, and of b, in turns."""
    vector = ir.VectorType(I32, LANES)
    picked = []
    for offset in (0, distance):
        lanes = [
            (i & ~distance) + offset + (LANES if i & distance else 0)
            for i in range(LANES)
        ]
        picked.append(builder.shuffle_vector(a, b, ir.Constant(vector, lanes)))
    return builder.add(*picked)


def _differences(
    words: Any, row: Any, signs: Any, mask: Any, other: Any, width: Any, out: Any
) -> None:
    size = int(width)
    rows = words[int(row) : int(row) + LANES * size].reshape(LANES, size)
    there = slice(int(other), int(other) + size)
    out[:] = np.bitwise_count((rows ^ signs[there]) & mask[there]).sum(axis=1)


@intrinsic
def _differing(
    typing_context: Any,
    words: Any,
    row: Any,
    signs: Any,
    mask: Any,
    other: Any,
    width: Any,
    out: Any,
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        x, s, m, target = (
            data_of(context, builder, signature.args[i], given[i]) for i in (0, 2, 3, 6)
        )
        row, other, width = given[1], given[4], given[5]
        sums = [_variable(builder, ZERO) for _ in range(LANES)]
        rows = [builder.add(row, builder.mul(I64(j), width)) for j in range(LANES)]

        def body(k: Any, mask: Any) -> None:
            there = builder.add(other, k)
            sign, used = load(builder, s, there, mask), load(builder, m, there, mask)
            for start, so_far in zip(rows, sums, strict=True):
                here = load(builder, x, builder.add(start, k), mask)
                bits = (here ^ sign) & used
                ones = call(builder, "llvm.ctpop.v8i64", VECTOR, bits.value)
                builder.store(builder.add(builder.load(so_far), ones), so_far)

        each(builder, width, body)
        total = _sums(builder, [builder.load(place) for place in sums])
        store(builder, target, I64(0), Lanes(builder, total), None)
        return context.get_dummy_value()

    return types.void(words, row, signs, mask, other, width, out), generate


# differences(words, row, signs, mask, other, width, out): in how many bits of the mask
# each of eight rows, the first of which begins at words[row], differs from that which
# begins at signs[other].
differences: Any = _differences if PLAIN else _differing
