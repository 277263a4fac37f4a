"""Pieces of the engine for beliefs: inputs, the pass over the weights, a record."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rosenblatt.core import inlined
from rosenblatt.core.blocks import Fill
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.random import Words, apart, normals32, word
from rosenblatt.engines.coordinate_task import DRAWN, GAUSSIANS

__all__ = ["TILE", "look_over", "next_input", "summary"]

TILE = 512  # Gaussians generated at a time
_U = np.uint64


@inlined
def next_input(
    law: int,
    fill: Fill,
    rng: Words,
    number: int,
    x: FloatArray,
    drawn: FloatArray,
    single: npt.NDArray[np.float32],
    scratch: Words,
) -> None:
    """Write the input of this number, of components of unit variance, into ``x``."""
    n = x.size
    if law == GAUSSIANS:
        rng[2] = _U(number) * _U(single.size // 2)
        for tile in range(0, single.size, TILE):
            normals32(single[tile : tile + TILE], scratch, rng)
        for i in range(n):
            x[i] = np.float64(single[i])
    elif law == DRAWN:
        fill(apart(rng, number), drawn)
        for i in range(n):
            x[i] = drawn[0, i]
    else:
        first = _U(number) * _U((n + 63) // 64)
        for i in range(0, n, 64):
            bits = word(rng[0], rng[1], first + _U(i // 64))
            for j in range(min(64, n - i)):
                x[i + j] = np.float64((bits >> _U(j)) & _U(1)) * 2.0 - 1.0


@inlined
def look_over(
    x: FloatArray,
    mean: FloatArray,
    variance: FloatArray,
    target: FloatArray,
    scale: float,
) -> tuple[float, float, float, float, float, float]:
    """Scale the input, and return m.x, B.x, spread, sum of variances, m.m and x.x."""
    h, b, spread, total, q, x2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(x.size):
        # sums before the scale: signs then give whole numbers, and ties are ties
        s = x[i]
        s2 = s * s
        h += mean[i] * s
        b += target[i] * s
        spread += variance[i] * s2
        total += variance[i]
        q += mean[i] * mean[i]
        x2 += s2
        x[i] = s * scale
    scale2 = scale * scale
    return h * scale, b * scale, spread * scale2, total, q, x2 * scale2


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
