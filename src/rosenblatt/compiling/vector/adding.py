"""Rows added to binary digits: the compiled operation that counting is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numba.extending import intrinsic

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.compiling.vector.lanes import (
    I64,
    VECTOR,
    Lanes,
    data_of,
    each,
    load,
    same,
    store,
)

__all__ = ["adding"]

Formula = Callable[[Sequence[Any], list[Any]], Any]


def adding(formula: Formula, rows: int, planes: int, *, masked: bool) -> Any:
    """Return an operation that changes some planes of bits by some rows.

    It is called as ``add(words, place, apart, masks, state, plane, step, out, width)``.
    Row number j begins at ``words[place + j * apart]`` and, if masked, counts where
    ``masks[j]`` has ones; plane number l begins at ``state[plane + l * step]``; all
    have ``width`` words. ``formula(rows, planes)`` changes the list of planes and
    returns what is written at ``state[out]``. Sums of places are modulo 2**64.
    """
    make = _plain if PLAIN else _compiled
    return make(formula, rows, planes, masked)


def _plain(formula: Formula, rows: int, planes: int, masked: bool) -> Any:
    def add(
        words: Any,
        place: Any,
        apart: Any,
        masks: Any,
        state: Any,
        plane: Any,
        step: Any,
        out: Any,
        width: Any,
    ) -> None:
        size = int(width)
        begins = [(int(place) + j * int(apart)) % 2**64 for j in range(rows)]
        read = [words[begin : begin + size] for begin in begins]
        if masked:
            read = [row & masks[j] for j, row in enumerate(read)]
        starts = [int(plane) + level * int(step) for level in range(planes)]
        sums = [state[start : start + size].copy() for start in starts]
        carry = formula(read, sums)
        for start, changed in zip([*starts, int(out)], [*sums, carry], strict=True):
            state[start : start + size] = changed

    return add


def _compiled(formula: Formula, rows: int, planes: int, masked: bool) -> Any:
    @intrinsic
    def add(
        typing_context: Any,
        words: Any,
        place: Any,
        apart: Any,
        masks: Any,
        state: Any,
        plane: Any,
        step: Any,
        out: Any,
        width: Any,
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            source, chosen, target = (
                data_of(context, builder, signature.args[i], given[i])
                for i in (0, 3, 4)
            )
            place, apart = given[1:3]
            plane, step, out, width = given[5:]
            begins, starts = [place], [plane]
            for _ in range(rows - 1):
                begins.append(builder.add(begins[-1], apart))
            for _ in range(planes - 1):
                starts.append(builder.add(starts[-1], step))
            used = []
            for j in range(rows if masked else 0):
                where = builder.gep(chosen, [I64(j)])
                used.append(Lanes(builder, same(builder, VECTOR, builder.load(where))))

            def body(k: Any, mask: Any) -> None:
                read = [
                    load(builder, source, builder.add(begin, k), mask)
                    for begin in begins
                ]
                if masked:
                    read = [row & ones for row, ones in zip(read, used, strict=True)]
                places = [builder.add(start, k) for start in starts]
                sums = [load(builder, target, place, mask) for place in places]
                carry = formula(read, sums)
                for place, changed in zip(places, sums, strict=True):
                    store(builder, target, place, changed, mask)
                store(builder, target, builder.add(out, k), carry, mask)

            each(builder, width, body)
            return context.get_dummy_value()

        given = (words, place, apart, masks, state, plane, step, out, width)
        return types.void(*given), generate

    return add
