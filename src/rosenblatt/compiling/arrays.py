"""A compiled rule at many fields, its averages, and values of a machine on rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import (
    MACHINE,
    PERCEPT,
    STEP,
    Step,
    compiled,
    kernel,
)
from rosenblatt.compiling.pointers import function_address, step_at
from rosenblatt.core.machine import Machine
from rosenblatt.core.types import FloatArray
from rosenblatt.core.vocabulary import Percept

_float = types.float64
_vector, _rows = _float[::1], _float[:, ::1]


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


_PAIR = types.UniTuple(_vector, 2)


@kernel(
    types.void,
    types.int64,
    PERCEPT,
    _PAIR,
    _PAIR,
    types.UniTuple(_float, 2),
    types.boolean,
    _vector,
)
def _averages(
    rule: int,
    p: Percept,
    nodes: tuple[FloatArray, FloatArray],
    moments: tuple[FloatArray, FloatArray],
    field: tuple[float, float],
    along_field: bool,
    out: FloatArray,
) -> None:
    """Add to all sums; the rule is an address, which is passed faster."""
    step = step_at(rule)
    (v, weight), (positive, first), (mean, length) = nodes, moments, field
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
        Numbers that all examples share; field and label do not matter.
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
    rule = function_address(step)
    _averages(rule, shared, nodes, moments, field, along_field, out)
    return Averages(*out.tolist())


@kernel(types.void, STEP, PERCEPT, _vector, _vector)
def _gains(step: Step, p: Percept, fields: FloatArray, out: FloatArray) -> None:
    for i in range(fields.size):
        u = step(Percept(fields[i], p.label, p.norm2, p.input2, p.rate, p.dim, p.shift))
        out[i] = u.gain


def gains(step: Step, percept: Percept, fields: npt.ArrayLike) -> FloatArray:
    """Return the gain of a compiled rule at each field; all else is shared.

    Examples
    --------
    >>> from rosenblatt.rules import Perceptron
    >>> shared = Percept(0.0, 1.0, 1.0, 1.0, 0.5, 10.0, 0.0)
    >>> gains(compiled(Perceptron()), shared, [-1.0, 2.0])
    array([0.5, 0. ])
    """
    given = np.ascontiguousarray(fields, dtype=np.float64)
    out = np.empty(given.shape)
    _gains(step, Percept(*(float(entry) for entry in percept)), given, out)
    return out


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
    values, gradients = np.empty(len(rows)), np.empty((len(rows), w.size))
    _evaluate(compiled(machine), rows, w, values, gradients)
    return values, gradients
