"""Rows added to binary digits: the compiled operation that counting is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numba import types
from numba.extending import intrinsic

from rosenblatt.core.jit import PLAIN
from rosenblatt.core.lanes import I64, data_of, each, load, store

__all__ = ["adding"]

Formula = Callable[[Sequence[Any], list[Any]], Any]


def adding(formula: Formula, rows: int, planes: int) -> Any:
    """Return an operation that changes some planes of bits by some rows.

    It is called as ``add(words, places, first, state, plane, step, out, width)``. The
    rows begin at ``words[places[first + j]]``, plane number l at
    ``state[plane + l * step]``, and all have ``width`` words. ``formula(rows, planes)``
    changes the list of planes and returns what is written at ``state[out]``.
    """
    if PLAIN:

        def add(
            words: Any,
            places: Any,
            first: Any,
            state: Any,
            plane: Any,
            step: Any,
            out: Any,
            width: Any,
        ) -> None:
            starts = [int(plane) + level * int(step) for level in range(planes)]
            size = int(width)
            read = [words[int(places[int(first) + j]) :][:size] for j in range(rows)]
            kept = [state[start:][:size].copy() for start in starts]
            carry = formula(read, kept)
            for start, changed in zip([*starts, int(out)], [*kept, carry], strict=True):
                state[start : start + size] = changed

        return add

    @intrinsic
    def added(
        typing_context: Any,
        words: Any,
        places: Any,
        first: Any,
        state: Any,
        plane: Any,
        step: Any,
        out: Any,
        width: Any,
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            kinds = signature.args
            source = data_of(context, builder, kinds[0], given[0])
            list_ = data_of(context, builder, kinds[1], given[1])
            target = data_of(context, builder, kinds[3], given[3])
            first, plane, step, out, width = (given[i] for i in (2, 4, 5, 6, 7))
            begins = [
                builder.load(builder.gep(list_, [builder.add(first, I64(j))]))
                for j in range(rows)
            ]
            starts = [plane]
            for _ in range(planes - 1):
                starts.append(builder.add(starts[-1], step))

            def body(k: Any, lanes: int) -> None:
                read = [
                    load(builder, source, builder.add(begin, k), lanes)
                    for begin in begins
                ]
                places = [builder.add(start, k) for start in starts]
                kept = [load(builder, target, place, lanes) for place in places]
                carry = formula(read, kept)
                for place, changed in zip(places, kept, strict=True):
                    store(builder, target, place, changed)
                store(builder, target, builder.add(out, k), carry)

            each(builder, width, body)
            return context.get_dummy_value()

        given = (words, places, first, state, plane, step, out, width)
        return types.void(*given), generate

    return added
