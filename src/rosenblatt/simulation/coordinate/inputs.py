"""Inputs of the engine for beliefs, and the record of a learner."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rosenblatt.compiling import inlined
from rosenblatt.compiling.blocks import Fill
from rosenblatt.compiling.jit import Positive
from rosenblatt.compiling.vectors import dot
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import (
    apart,
    normals32,
    rows_of_normals32,
    uniform,
    word,
)
from rosenblatt.simulation.coordinate.task import (
    DRAWN,
    GAUSSIANS,
    INPUTS,
    LABELS,
    TESTS,
)
from rosenblatt.simulation.coordinate.updates import padded

__all__ = ["Spare", "draw_examples", "room", "share_wrong", "summary"]

_TILE = 512  # Gaussians drawn at a time for one input
_ROOM = 4096  # Gaussians drawn at a time for short ones: 16 KiB of single precision
_U = np.uint64
# Fields, chances of the label +1, components of one input, Gaussians, random words.
Spare = tuple[FloatArray, FloatArray, FloatArray, npt.NDArray[np.float32], Words]
# Inputs of one learner, their labels, and x.x.
Example = tuple[FloatArray, FloatArray, FloatArray]
_LANES = 32  # Gaussians of two vectors: a rest would be drawn one by one


@inlined
def _drawn_for(n: int) -> int:
    """Return the number of Gaussians drawn for an input of n components."""
    return (n + _LANES - 1) // _LANES * _LANES


@inlined
def _signs(rng: Words, number: int, drawn: FloatArray) -> None:
    """Write the random signs of an input."""
    n = drawn.size
    first = _U(number) * _U((n + 63) // 64)
    for i in range(0, n, 64):
        bits = word(rng[0], rng[1], first + _U(i // 64))
        for j in range(min(64, n - i)):
            drawn[0, i + j] = np.float64((bits >> _U(j)) & _U(1)) * 2.0 - 1.0


@inlined
def _place(
    drawn: FloatArray | npt.NDArray[np.float32],
    row: int,
    target: FloatArray,
    inputs: FloatArray,
    k: int,
    n: int,
) -> tuple[float, float]:
    """Write components of unit variance as an input s, and return B.x and x.x."""
    scale = 1.0 / math.sqrt(float(n))
    b, x2 = 0.0, 0.0
    for i in range(min(padded(n), drawn.shape[1])):
        s = np.float64(drawn[row, i]) if i < n else 0.0
        b += target[i] * s
        x2 += s * s
        inputs[k, i] = s
    return b * scale, x2 * scale * scale


@inlined
def room(n: int, count: int) -> Spare:
    """Return memory in which inputs of n components are drawn."""
    return (
        np.empty(count),
        np.empty(count),
        np.empty((1, n)),
        np.empty(max(_drawn_for(n), _ROOM), dtype=np.float32),
        np.empty(_ROOM // 2, dtype=np.uint64),
    )


@inlined
def draw(
    law: int,
    fill: Fill,
    rng: Words,
    first: int,
    target: FloatArray,
    inputs: FloatArray,
    squares: FloatArray,
    spare: Spare,
) -> None:
    """Write inputs, from the one of this number on, with their x.x; B.x is spare."""
    fields, _, drawn, single, scratch = spare
    n, count = drawn.size, len(inputs)
    if law != GAUSSIANS:
        for k in range(count):
            if law == DRAWN:
                fill(apart(rng, first + k), drawn)
            else:
                _signs(rng, first + k, drawn)
            fields[k], squares[k] = _place(drawn, 0, target, inputs, k, n)
        return
    width = _drawn_for(n)
    rows = max(1, _ROOM // width)
    for start in range(0, count, rows):
        together = min(rows, count - start)
        rng[2] = _U(first + start) * _U(width // 2)
        if width > _TILE:
            for k in range(together):
                for tile in range(k * width, (k + 1) * width, _TILE):
                    end = min(tile + _TILE, (k + 1) * width)
                    normals32(single[tile:end], scratch, rng)
        else:
            rows_of_normals32(single[: together * width], scratch, rng, together)
        table = single[: together * width].reshape(together, width)
        for k in range(together):
            found = _place(table, k, target, inputs, start + k, n)
            fields[start + k], squares[start + k] = found


@inlined
def draw_examples(
    law: int,
    fill: Fill,
    positive: Positive,
    generators: Words,
    first: int,
    target: FloatArray,
    example: Example,
    spare: Spare,
) -> None:
    """Write inputs and their labels, from the example of this number on."""
    inputs, labels, squares = example
    draw(law, fill, generators[INPUTS], first, target, inputs, squares, spare)
    fields, chances, noise = spare[0], spare[1], generators[LABELS]
    positive(fields[: len(inputs)], chances[: len(inputs)])
    for k in range(len(inputs)):
        noise[2] = _U(first + k)
        labels[k] = 1.0 if uniform(noise) < chances[k] else -1.0


@inlined
def share_wrong(
    law: int,
    fill: Fill,
    positive: Positive,
    generators: Words,
    numbers: tuple[int, int],
    weights: tuple[FloatArray, FloatArray],
    spare: Spare,
) -> float:
    """Return the fraction of fresh inputs whose label is not the one predicted.

    ``numbers`` are that of the first input and how many there are, ``weights`` those of
    the teacher and of the student.
    """
    (first, tests), (target, mean) = numbers, weights
    wrong, x, square = 0.0, np.zeros((1, mean.size)), np.empty(1)
    fields, chances = spare[0][:1], spare[1][:1]
    for k in range(tests):
        draw(law, fill, generators[TESTS], first + k, target, x, square, spare)
        positive(fields, chances)
        h = dot(mean, x[0])
        wrong += 0.5 if h == 0.0 else abs((h > 0.0) - chances[0])
    return wrong / max(tests, 1)


@inlined
def summary(
    mean: FloatArray, variance: FloatArray, target: FloatArray, record: FloatArray
) -> None:
    """Record the student along and across the teacher, and how many signs agree."""
    length2, along, q, total, agreeing = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(mean.size):
        length2 += target[i] * target[i]
        along += mean[i] * target[i]
        q += mean[i] * mean[i]
        total += variance[i]
        agreeing += 1.0 if mean[i] * target[i] > 0.0 else 0.0
    ratio = along / length2
    rest = 0.0
    for i in range(mean.size):
        across = mean[i] - ratio * target[i]
        rest += across * across
    record[0] = along / math.sqrt(length2)
    record[1] = math.sqrt(rest)
    record[2] = q
    record[3] = total
    record[4] = agreeing
