r"""Dense rows through a rule without a shift, one pass over the memory.

The field is found first, for each model, and most of the time that is all: a rule that
moves on mistakes only is not asked about rows that are right, nor is the schedule. The
sum of squares of a row is found if a rule is asked, that of the weights while they are
moved. That everything is finite is seen from the fields.

Weights are computed with in the precision of the rows, all scalars and the intercept in
double precision. Nothing is written to the learner before the last row is learned.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from rosenblatt.core import Clock, Percept, Update, kernel
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.core.pointers import rate_at, step_at
from rosenblatt.core.sweeps import sweep
from rosenblatt.engines.ensemble import HUGE
from rosenblatt.engines.learner import EXAMPLES, MISTAKES
from rosenblatt.engines.plan import CONSTANT, QUIET, RATE, SHARED, STEP

__all__ = ["present_double", "present_single"]


def _field(x: Any, w: Any, none: Any) -> Any:
    """Return the terms of w.x."""
    return (), (x * w,)


def _square(x: Any, none: Any) -> Any:
    """Return the terms of a sum of squares."""
    return (), (x * x,)


def _move(x: Any, w: Any, keep: Any, gain: Any) -> Any:
    """Return the new weights, and the terms of their squared length."""
    w = w * keep + x * gain
    return (w,), (w * w,)


_fielding = sweep(_field, reads=2, writes=0, sums=1, streamed=True)
_squaring = sweep(_square, reads=1, writes=0, sums=1)
_moving = sweep(_move, reads=2, writes=1, sums=1)


def _present(
    X: FloatArray,
    codes: IntArray,
    order: IntArray,
    portions: FloatArray,
    plan: IntArray,
    numbers: FloatArray,
    weights: FloatArray,
    sums: FloatArray,
    counts: FloatArray,
    fault: FloatArray,
) -> int:
    """Return the row at which a number is no longer finite, or -1."""
    step, rate = step_at(plan[STEP]), rate_at(plan[RATE])
    quiet = plan[QUIET] != 0
    constant = numbers[CONSTANT]
    asked = not constant >= 0.0
    models, weighted = weights.shape
    n = X.shape[1]
    bias, size = weighted > n, float(weighted)
    table = X.reshape(-1)
    own = weights[:, :n].astype(X.dtype).reshape(-1)
    intercepts = weights[:, n].copy() if bias else np.zeros(models)
    tallies = counts.copy()
    # As numbers of the rows' precision: nothing, what is kept, what is gained.
    given = np.zeros(3, X.dtype)
    none = given[0]
    norms = np.empty(models)
    for k in range(models):
        (q,) = _squaring(n, own, k * n, none)
        norms[k] = q + intercepts[k] * intercepts[k]
    last = order.size if order.size else codes.size
    for turn in range(last):
        row = order[turn] if order.size else turn
        left = portions[turn] if portions.size else 1.0
        code = codes[row]
        place = row * n
        x2 = -1.0  # not known yet
        while left > 0.0:
            part = min(left, 1.0)
            left -= part
            for k in range(models):
                (h,) = _fielding(n, table, place, own, k * n, none)
                h += intercepts[k]
                y = 1.0 if code == (k if models > 1 else 1) else -1.0
                stability = y * h
                tallies[k, EXAMPLES] += part
                if quiet and 0.0 < stability <= HUGE:
                    continue
                if x2 < 0.0:
                    (x2,) = _squaring(n, table, place, none)
                    if bias:
                        x2 += 1.0
                if stability <= 0.0:
                    tallies[k, MISTAKES] += part
                q = norms[k]
                eta = constant
                if asked:
                    t, m = tallies[k, EXAMPLES] / size, tallies[k, MISTAKES] / size
                    eta = rate(Clock(t, m, size))
                p = Percept(h, y, q / size, x2, eta, size, 0.0)
                u = Update(0.0, 0.0)
                if q > 0.0 or x2 > 0.0:
                    u = step(p)
                if u.gain != 0.0 or u.decay != 0.0:
                    keep, gain = 1.0 - part * u.decay / size, part * u.gain
                    given[1], given[2] = keep, gain
                    (q,) = _moving(
                        n, table, place, own, k * n, own, k * n, given[1], given[2]
                    )
                    if bias:
                        intercepts[k] = keep * intercepts[k] + gain
                        q += intercepts[k] * intercepts[k]
                    norms[k] = q
                # NaN and infinities of x, gain and decay all end up in one of these.
                if not abs(h) + x2 + q <= HUGE:
                    for j in range(len(p)):
                        fault[j] = p[j]
                    fault[len(p)] = u.gain
                    fault[len(p) + 1] = u.decay
                    return int(row)
    for k in range(models):
        for i in range(n):
            weights[k, i] = own[k * n + i]
        if bias:
            weights[k, n] = intercepts[k]
        for j in range(counts.shape[1]):
            counts[k, j] = tallies[k, j]
    return -1


present_single = kernel(
    types.int64, types.Array(types.float32, 2, "C", readonly=True), *SHARED
)(_present)
present_double = kernel(
    types.int64, types.Array(types.float64, 2, "C", readonly=True), *SHARED
)(_present)
