"""Compiled parts over arrays: what theory and starts need of rules and teachers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types

from rosenblatt.core.gaussian import FloatArray, Mapped
from rosenblatt.core.jit import PERCEPT, STEP, Step, kernel, over_arrays
from rosenblatt.core.vocabulary import Percept, Teacher

__all__ = ["Averages", "averages", "mapped"]

_float = types.float64
_vector = _float[::1]


def mapped(teacher: Teacher) -> Mapped:
    """Return the compiled label law as a function of one array."""
    fill = over_arrays(teacher)

    def over(fields: FloatArray) -> FloatArray:
        given = np.ascontiguousarray(fields, dtype=np.float64)
        out = np.empty(given.shape)
        fill(given.ravel(), out.ravel())
        return out

    return over


class Averages(NamedTuple):
    """Averages over examples of what a rule does with gain g, and of its mistakes."""

    gain: float  # <g>
    gain_label: float  # <g y>
    gain_field: float  # <g h>
    gain_student: float  # <g v>, h = mean + length * v
    gain_teacher: float  # <g r>, b = its mean given v + spread * r
    gain2: float  # <g^2>
    decay: float
    mistakes: float


@kernel(
    types.void,
    STEP,
    PERCEPT,
    _vector,
    _vector,
    _vector,
    _vector,
    _float,
    _float,
    types.boolean,
    _vector,
)
def _averages(
    step: Step,
    p: Percept,
    v: FloatArray,
    weight: FloatArray,
    positive: FloatArray,
    first: FloatArray,
    mean: float,
    length: float,
    along_field: bool,
    out: FloatArray,
) -> None:
    for i in range(v.size):
        h = mean + length * v[i]
        shift = p.shift * h if along_field else p.shift
        for side in range(2):
            y = 1.0 - 2.0 * side
            chance = weight[i] * (positive[i] if side == 0 else 1.0 - positive[i])
            u = step(Percept(h, y, p.norm2, p.input2, p.rate, p.dim, shift))
            g = u.gain
            out[0] += chance * g
            out[1] += chance * g * y
            out[2] += chance * g * h
            out[3] += chance * g * v[i]
            out[4] += weight[i] * first[i] * y * g
            out[5] += chance * g * g
            out[6] += chance * u.decay
            if y * h <= 0.0:
                out[7] += chance


def averages(
    step: Step,
    percept: Percept,
    nodes: tuple[FloatArray, FloatArray],
    moments: tuple[FloatArray, FloatArray],
    field: tuple[float, float],
    *,
    along_field: bool,
) -> Averages:
    """Return averages over Gaussian fields and both labels, by quadrature.

    Parameters
    ----------
    step
        The compiled rule.
    percept
        What all examples share; its field and label do not matter.
    nodes
        Values of the standard normal ``v``, and their weights.
    moments
        ``P(y = +1)`` and ``E[r; y = +1]`` given each of them.
    field
        Mean and spread of the student's field.
    along_field
        Whether the shift grows with the field; ``percept`` then has that at field 1.
    """
    out = np.zeros(len(Averages._fields))
    shared = Percept(*(float(entry) for entry in percept))
    _averages(step, shared, *nodes, *moments, *field, along_field, out)
    return Averages(*out.tolist())
