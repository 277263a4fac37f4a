"""Machines and streams over blocks of inputs, compiled together with their loops.

One call by pointer then serves many examples, and the machine's function is part of
the loop around it.
"""

from __future__ import annotations

from collections.abc import Callable

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import compiled, compiled_for, remembered
from rosenblatt.compiling.storage import name_of
from rosenblatt.core.machine import VectorStream
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.core.vocabulary import Part

_ROOM = 8192  # numbers of a block: 64 KiB, which stay in the cache
_LEAST, _MOST = 16, 256  # inputs of a block; even, since Gaussians come in pairs

_f, _i = types.float64, types.int64
_vector, _rows = _f[::1], _f[:, ::1]
_SCAN = _i(_rows, _vector, _vector, _i, _i, _vector, _vector)
_FILL = types.void(types.uint64[::1], _rows)
SCAN, FILL = types.FunctionType(_SCAN), types.FunctionType(_FILL)
Scan = Callable[
    [FloatArray, FloatArray, FloatArray, int, int, FloatArray, FloatArray], int
]
Fill = Callable[[Words, FloatArray], None]


def block_size(dim: int) -> int:
    """Return the number of inputs that are drawn together, for a number of components.

    Examples
    --------
    >>> block_size(2), block_size(100), block_size(1000)
    (256, 80, 16)
    """
    return max(_LEAST, min(_MOST, _ROOM // dim // 2 * 2))


@remembered
def scanning(machine: Part) -> Scan:
    """Return a compiled loop that goes through inputs up to the first mistake.

    It is called with inputs, labels, weights, the first input and the one to stop
    before. It writes all values, and the gradient of the last input that was reached.
    It returns the number of the first input with ``y f <= 0`` (or NaN), and goes
    through all of them if there are no labels.
    """
    value = compiled(machine)

    def scan(
        inputs: FloatArray,
        labels: FloatArray,
        w: FloatArray,
        first: int,
        last: int,
        values: FloatArray,
        gradient: FloatArray,
    ) -> int:
        if labels.size == 0:
            for i in range(first, last):
                values[i] = value(inputs[i], w, gradient)
            return last
        for i in range(first, last):
            values[i] = value(inputs[i], w, gradient)
            if not labels[i] * values[i] > 0.0:
                return i
        return last

    return compiled_for(_SCAN, scan, name_of(machine))


@remembered
def filling(stream: Part) -> Fill:
    """Return a compiled loop that fills a block with inputs, one a row."""
    assert isinstance(stream, VectorStream)
    draw, many = compiled(stream), stream.many

    def fill(rng: Words, inputs: FloatArray) -> None:
        if many:
            draw(rng, inputs.reshape(inputs.size))
        else:
            for i in range(len(inputs)):
                draw(rng, inputs[i])

    return compiled_for(_FILL, fill, name_of(stream))
