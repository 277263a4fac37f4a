"""Compiled parts over arrays: what theory and starts need of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lazy_loader
import numpy as np
import numpy.typing as npt
from numba import types

from rosenblatt.core.gaussian import FloatArray, Mapped
from rosenblatt.core.jit import (
    MACHINE,
    PERCEPT,
    STEP,
    Step,
    compiled,
    kernel,
    over_arrays,
)
from rosenblatt.core.machine import Machine, TracedMachine
from rosenblatt.core.vocabulary import Percept, Rule, Teacher

__all__ = ["evaluate", "mapped", "updates"]

autodiff: Any = lazy_loader.load("rosenblatt.core.autodiff", suppress_warning=True)

_vector, _rows = types.float64[::1], types.float64[:, ::1]


def mapped(teacher: Teacher) -> Mapped:
    """Return the compiled label law as a function of one array."""
    fill = over_arrays(teacher)

    def over(fields: FloatArray) -> FloatArray:
        given = np.ascontiguousarray(fields, dtype=np.float64)
        out = np.empty(given.shape)
        fill(given.ravel(), out.ravel())
        return out

    return over


@kernel(types.void, STEP, PERCEPT, _vector, _vector, _vector, _vector)
def _updates(
    step: Step,
    p: Percept,
    fields: FloatArray,
    labels: FloatArray,
    gains: FloatArray,
    decays: FloatArray,
) -> None:
    for i in range(fields.size):
        u = step(
            Percept(fields[i], labels[i], p.norm2, p.input2, p.rate, p.dim, p.shift)
        )
        gains[i] = u.gain
        decays[i] = u.decay


def updates(
    rule: Rule, percept: Percept, fields: FloatArray, labels: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return gains and decays of the compiled rule for arrays of fields and labels.

    The other entries of ``percept`` are shared by all.
    """
    gains, decays = np.empty(fields.size), np.empty(fields.size)
    shared = Percept(*(float(entry) for entry in percept))
    _updates(compiled(rule), shared, fields, labels, gains, decays)
    return gains, decays


@kernel(types.void, MACHINE, _rows, _vector, _vector, _rows)
def _evaluate(
    function: Callable[[FloatArray, FloatArray, FloatArray], float],
    inputs: FloatArray,
    w: FloatArray,
    values: FloatArray,
    gradients: FloatArray,
) -> None:
    for i in range(len(inputs)):
        values[i] = function(inputs[i], w, gradients[i])


def evaluate(
    machine: Machine, inputs: npt.ArrayLike, weights: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return f for inputs in rows at one vector of weights, and its gradients.

    Examples
    --------
    >>> from rosenblatt.machines import Threshold
    >>> evaluate(Threshold(), [[0.5], [2.0]], [1.0])
    (array([-0.5,  1. ]), array([[-1.],
           [-1.]]))
    """
    rows = np.array(inputs, dtype=np.float64, order="C")
    w = np.array(weights, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != machine.inputs:
        raise ValueError(
            f"inputs must have {machine.inputs} columns, got shape {rows.shape}"
        )
    if w.shape != (machine.parameters,):
        raise ValueError(
            f"weights must be {machine.parameters} numbers, got shape {w.shape}"
        )
    if isinstance(machine, TracedMachine):
        values, gradients = autodiff.slopes(machine.trace())(rows, w)
        return values, gradients
    values, gradients = np.empty(len(rows)), np.empty((len(rows), w.size))
    _evaluate(compiled(machine), rows, w, values, gradients)
    return values, gradients
