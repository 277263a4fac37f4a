"""Learning of one row at a time, with little overhead.

What :func:`rosenblatt.linear.learning.learn_classes` does with one row, to the bit, for
rules without a shift, in place and without a copy of the weights. What is wrong with a
row is known before anything is written. A :class:`RowLearner` takes
single rows in double precision by address: to pass arrays takes longer than learning.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Iterable
from typing import Any

import numpy as np

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.jit import in_both_precisions
from rosenblatt.compiling.matrices import dot
from rosenblatt.compiling.pointers import doubles_at, rate_at, step_at, wholes_at
from rosenblatt.core import Clock, Percept, Update
from rosenblatt.core.parts import NO_AVERAGE
from rosenblatt.core.types import HUGE, FloatArray, IntArray
from rosenblatt.linear.dense import move
from rosenblatt.linear.learner import (
    COUNTED,
    EXAMPLES,
    MISTAKES,
    Learner,
    Plan,
    Settings,
)

# Where the kernel finds things: after the plan's whole numbers, addresses and sizes.
_ROW, _WEIGHTS, _COUNTS, _CONSTANT, _COLUMNS, _DIM, _MODELS = range(6, 13)
_SIZE = 13


@inlined
def _settings(whole: IntArray, constant: float) -> Settings:
    """Return the settings without a shift; arrays are passed faster than tuples."""
    return Settings(
        whole[0], whole[1], whole[2] != 0, whole[3] != 0, whole[4], whole[5], constant,
        0.0
    )  # fmt: skip


@inlined
def _learn_flat(
    x: FloatArray,
    code: int,
    settings: Settings,
    weights: FloatArray,
    dim: int,
    counts: FloatArray,
) -> int:
    """Learn the row, or return 1 and change nothing if a number is not finite.

    Arrays are flat; weights are those of the models one after the other.
    """
    step, rate = step_at(settings.step), rate_at(settings.rate)
    quiet, lengths, constant = settings.quiet, settings.lengths, settings.constant
    columns, models = x.size, weights.size // dim
    size, bias = float(dim), dim > columns
    number = x.dtype.type
    none = number(0.0)
    x2 = 0.0
    if lengths:
        x2 = dot(columns, x, 0, x, 0, none)
        if bias:
            x2 += 1.0
    gains, keeps = np.zeros(models), np.ones(models)
    wrong = np.zeros(models)
    wanted = 1
    for k in range(models):
        if models > 1:
            wanted = k
        first = k * dim
        h = dot(columns, x, 0, weights, first, none)
        if bias:
            h += weights[first + columns]
        y = 1.0 if code == wanted else -1.0
        if quiet and 0.0 < y * h <= HUGE:
            continue
        if y * h <= 0.0:
            wrong[k] = 1.0
        q = 0.0
        if lengths:
            q = dot(columns, weights, first, weights, first, none)
            if bias:
                q += weights[first + columns] * weights[first + columns]
        eta = constant
        if not constant >= 0.0:
            at = k * COUNTED
            examples = counts[at + EXAMPLES] + 1.0
            mistakes = counts[at + MISTAKES] + wrong[k]
            eta = rate(Clock(examples / size, mistakes / size, size))
        u = Update(0.0, 0.0)
        if not lengths or q > 0.0 or x2 > 0.0:
            u = step(Percept(h, y, q / size, x2 if lengths else -1.0, eta, size, 0.0))
        gains[k], keeps[k] = u.gain, 1.0 - u.decay / size
        keep, gain = number(keeps[k]), number(gains[k])
        odd = 0.0
        for i in range(columns):
            odd += (number(weights[first + i]) * keep + x[i] * gain) * none
        if not odd + abs(h) + x2 + q + u.gain * u.gain + abs(u.decay) <= HUGE:
            return 1
    for k in range(models):
        first = k * dim
        if gains[k] != 0.0 or keeps[k] != 1.0:
            move(columns, x, 0, weights, first, keeps[k], gains[k], none)
            if bias:
                own = weights[first + columns]
                weights[first + columns] = keeps[k] * own + gains[k]
        counts[k * COUNTED + EXAMPLES] += 1.0
        counts[k * COUNTED + MISTAKES] += wrong[k]
    return 0


def _learn_row(
    row: FloatArray,
    code: types.ReadWholes,
    whole: types.ReadWholes,
    numbers: types.ReadVector,
    weights: types.Matrix,
    counts: types.Matrix,
) -> int:
    """Learn a row of shape (1, columns), if the rule has no shift."""
    settings = _settings(whole, numbers[0])
    if settings.kind != NO_AVERAGE:
        return 1
    return _learn_flat(  # type: ignore[no-any-return]
        row.reshape(-1), code[0], settings, weights.reshape(-1), weights.shape[1],
        counts.reshape(-1)
    )  # fmt: skip


_single, _double = in_both_precisions(_learn_row, 2, allocates=True)


@functools.cache
def one_row(bytes_each: int) -> Any:
    """Return the compiled loop itself that learns a row of such numbers.

    Its arguments are the row, of shape (1, columns), and its code in an array. Then
    come the plan's two arrays of numbers, and the learner's weights and counts. It
    returns 1, and has changed nothing, if a number is not finite or the rule has a
    shift.
    """
    found = _single if bytes_each == 4 else _double
    return found.build() if hasattr(found, "build") else found


@kernel(allocates=True)
def _learn(place: int, code: int) -> int:
    """Learn the row at an address."""
    layout = wholes_at(place, _SIZE)
    dim, models = layout[_DIM], layout[_MODELS]
    x = doubles_at(layout[_ROW], layout[_COLUMNS])
    weights = doubles_at(layout[_WEIGHTS], models * dim)
    counts = doubles_at(layout[_COUNTS], models * COUNTED)
    settings = _settings(layout, doubles_at(layout[_CONSTANT], 1)[0])
    return _learn_flat(x, code, settings, weights, dim, counts)  # type: ignore[no-any-return]


# Compiled code stays out of what models hold: it cannot be taken apart to be measured.
_built = getattr(_learn, "build", lambda: _learn)


class RowLearner:
    """A learner of single rows, each written to ``row`` before.

    It holds addresses: it must not outlive its process, and goes on being good as long
    as the learner's arrays are the same.
    """

    def __init__(self, plan: Plan, learner: Learner, columns: int) -> None:
        models, dim = learner.weights.shape
        self.row: FloatArray = np.zeros((1, columns))
        self._owners = (plan, learner)  # for as long as their addresses are in use
        arrays = (self.row, learner.weights, learner.counts, plan.arrays[1])
        places = [array.ctypes.data for array in arrays]
        self._layout = np.array(
            [*plan.arrays[0], *places, columns, dim, models], dtype=np.int64
        )
        self._place = self._layout.ctypes.data
        self._room: Any = self.row.data.cast("B")
        self._write = struct.Struct(f"{columns}d").pack_into

    def write(self, values: Iterable[Any]) -> bool:
        """Write a row of as many values; return False if they are not all numbers."""
        try:
            self._write(self._room, 0, *values)
        except (struct.error, TypeError, ValueError):
            return False
        return True

    def learn(self, code: int) -> bool:
        """Learn the row; return False, and change nothing, if it is not finite."""
        return not _built()(self._place, code)
