"""Compiled parts over arrays: what theory and starts need of rules and teachers."""

from __future__ import annotations

import numpy as np
from numba import types

from rosenblatt.core.gaussian import FloatArray, Mapped
from rosenblatt.core.jit import PERCEPT, STEP, Step, compiled, kernel, over_arrays
from rosenblatt.core.vocabulary import Percept, Rule, Teacher

__all__ = ["mapped", "updates"]

_vector = types.float64[::1]


def mapped(teacher: Teacher) -> Mapped:
    """Return the compiled label law as a function of one array."""
    fill = over_arrays(teacher)

    def over(fields: FloatArray) -> FloatArray:
        given = np.ascontiguousarray(fields, dtype=np.float64)
        out = np.empty(given.shape)
        fill(given.ravel(), out.ravel())
        return out

    return over


@kernel(types.void, STEP, PERCEPT, _vector, _vector, _vector, _vector, _vector)
def _updates(
    step: Step,
    p: Percept,
    fields: FloatArray,
    labels: FloatArray,
    shifts: FloatArray,
    gains: FloatArray,
    decays: FloatArray,
) -> None:
    for i in range(fields.size):
        u = step(
            Percept(fields[i], labels[i], p.norm2, p.input2, p.rate, p.dim, shifts[i])
        )
        gains[i] = u.gain
        decays[i] = u.decay


def updates(
    rule: Rule,
    percept: Percept,
    fields: FloatArray,
    labels: FloatArray,
    shifts: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Return gains and decays of the compiled rule for arrays of what examples are.

    The other entries of ``percept`` are shared by all.
    """
    gains, decays = np.empty(fields.size), np.empty(fields.size)
    shared = Percept(*(float(entry) for entry in percept))
    _updates(compiled(rule), shared, fields, labels, shifts, gains, decays)
    return gains, decays
