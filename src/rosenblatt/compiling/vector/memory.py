"""Numbers at any address, aligned or not."""

from __future__ import annotations

import ctypes
from typing import Any

from llvmlite import ir
from numba.extending import intrinsic

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN


def _load(kind: Any, machine: Any, plain: Any) -> Any:
    """Return the piece of a kernel that reads the i-th number from an address on."""
    if PLAIN:
        size = ctypes.sizeof(plain)
        return lambda place, i: plain.from_address(int(place + size * i)).value

    @intrinsic
    def load(typing_context: Any, place: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            first = builder.inttoptr(given[0], machine.as_pointer())
            return builder.load(builder.gep(first, [given[1]]), align=1)

        return kind(types.int64, types.int64), generate

    return load


half_word_at = _load(types.int32, ir.IntType(32), ctypes.c_int32)
word_at = _load(types.int64, ir.IntType(64), ctypes.c_int64)
single_at = _load(types.float32, ir.FloatType(), ctypes.c_float)
double_at = _load(types.float64, ir.DoubleType(), ctypes.c_double)
