"""One row at a time, with as little around the learning as possible.

What :func:`rosenblatt.engines.dataset.absorb` does, to the bit, for rules without a
shift and rows in double precision. A kernel is told one address instead of ten arrays,
which would take longer to pass than the row takes to learn.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Any

import numpy as np
from numba import types

from rosenblatt.core import Clock, Percept, Update, kernel
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.pointers import doubles_at, rate_at, step_at, wholes_at
from rosenblatt.engines.dense_rows import fielding, moving, squaring
from rosenblatt.engines.ensemble import HUGE
from rosenblatt.engines.learner import EXAMPLES, MISTAKES, Learner
from rosenblatt.engines.plan import CONSTANT, LENGTHS, QUIET, RATE, STEP, Plan

__all__ = ["Seat"]

# Where the kernel finds things: after the plan's whole numbers, addresses and sizes.
_ROW, _WEIGHTS, _COUNTS, _NUMBERS, _COLUMNS, _DIM, _MODELS = range(6, 13)
_SIZE = 13
_COUNTED = 3  # entries of a model's counts


@kernel(types.int64, types.int64, types.int64)
def _learn(place: int, code: int) -> int:
    """Learn the row, or return 1 and change nothing if a number is not finite."""
    told = wholes_at(place, _SIZE)
    columns, dim, models = told[_COLUMNS], told[_DIM], told[_MODELS]
    x = doubles_at(told[_ROW], columns)
    weights = doubles_at(told[_WEIGHTS], models * dim)
    counts = doubles_at(told[_COUNTS], models * _COUNTED)
    constant = doubles_at(told[_NUMBERS], 1)[CONSTANT]
    step, rate = step_at(told[STEP]), rate_at(told[RATE])
    quiet, lengths = told[QUIET] != 0, told[LENGTHS] != 0
    size, bias = float(dim), dim > columns
    none = 0.0
    x2 = 0.0
    if lengths:
        (x2,) = squaring(columns, x, 0, none)
        if bias:
            x2 += 1.0
    gains, keeps = np.zeros(models), np.ones(models)
    wrong = np.zeros(models)
    wanted = 1
    for k in range(models):
        if models > 1:
            wanted = k
        first = k * dim
        (h,) = fielding(columns, x, 0, weights, first, none)
        if bias:
            h += weights[first + columns]
        y = 1.0 if code == wanted else -1.0
        if quiet and 0.0 < y * h <= HUGE:
            continue
        if y * h <= 0.0:
            wrong[k] = 1.0
        q = 0.0
        if lengths:
            (q,) = squaring(columns, weights, first, none)
            if bias:
                q += weights[first + columns] * weights[first + columns]
        eta = constant
        if not constant >= 0.0:
            at = k * _COUNTED
            examples = counts[at + EXAMPLES] + 1.0
            mistakes = counts[at + MISTAKES] + wrong[k]
            eta = rate(Clock(examples / size, mistakes / size, size))
        u = Update(0.0, 0.0)
        if not lengths or q > 0.0 or x2 > 0.0:
            u = step(Percept(h, y, q / size, x2 if lengths else -1.0, eta, size, 0.0))
        gains[k], keeps[k] = u.gain, 1.0 - u.decay / size
        odd = abs(h) + x2 + q + u.gain * u.gain + abs(u.decay)
        for i in range(columns):  # NaN if a new weight is not finite
            odd += none * (weights[first + i] * keeps[k] + x[i] * gains[k])
        if not odd <= HUGE:
            return 1
    for k in range(models):
        first = k * dim
        if gains[k] != 0.0 or keeps[k] != 1.0:
            keep, gain = keeps[k], gains[k]
            moving(columns, x, 0, weights, first, weights, first, keep, gain)
            if bias:
                weights[first + columns] = keep * weights[first + columns] + gain
        counts[k * _COUNTED + EXAMPLES] += 1.0
        counts[k * _COUNTED + MISTAKES] += wrong[k]
    return 0


# Compiled code stays out of what models hold: it cannot be taken apart to be measured.
_built = getattr(_learn, "build", lambda: _learn)


class Seat:
    """A learner that is taught single rows, each written to ``row`` before.

    It holds addresses: it must not outlive its process, and goes on being good as long
    as the learner's arrays are the same.
    """

    def __init__(self, plan: Plan, learner: Learner, columns: int) -> None:
        models, dim = learner.weights.shape
        self.row: FloatArray = np.zeros((1, columns))
        self._kept = (plan, learner)  # for as long as their addresses are in use
        arrays = (self.row, learner.weights, learner.counts, plan.numbers)
        places = [array.ctypes.data for array in arrays]
        self._told = np.array(
            [*plan.whole, *places, columns, dim, models], dtype=np.int64
        )
        self._place = self._told.ctypes.data
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
