"""Sixty-four numbers compared at once: the compiled operation that packing is made of.

A comparison of vectors gives one bit for each number, which is a word of packed bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.compiling.vector.lanes import data_of, same

__all__ = ["equal"]

WORD = 64  # numbers compared at once: bits in a word


def _equal(values: Any, start: Any, wanted: Any) -> np.uint64:
    bits = values[int(start) : int(start) + WORD] == wanted
    return np.uint64(np.packbits(bits, bitorder="little").view(np.uint64)[0])


@intrinsic
def _compared(typing_context: Any, values: Any, start: Any, wanted: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        kind = signature.args[0]
        data = data_of(context, builder, kind, given[0])
        number = given[2]
        vector = ir.VectorType(number.type, WORD)
        address = builder.gep(data, [given[1]])
        read = builder.load(
            builder.bitcast(address, vector.as_pointer()),
            align=kind.dtype.bitwidth // 8,
        )
        all_ = same(builder, vector, number)
        if isinstance(kind.dtype, types.Float):
            found = builder.fcmp_ordered("==", read, all_)
        else:
            found = builder.icmp_signed("==", read, all_)
        return builder.bitcast(found, ir.IntType(WORD))

    return types.uint64(values, start, wanted), generate


# equal(values, start, wanted): a word with a bit for each of 64 numbers from a place.
equal: Any = _equal if PLAIN else _compared
