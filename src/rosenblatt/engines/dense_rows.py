r"""Dense rows through a rule without a shift, one pass over the memory.

The field is found first, for each model, and most of the time that is all: a rule that
moves on mistakes only is not asked about rows that are right, nor is the schedule. Sums
of squares, of a row and of the weights, are found only for rules that read them. That
the rows are finite is seen from the fields.

Weights are computed with in the precision of the rows, all scalars and the intercept in
double precision. Nothing is written to the learner before the last row is learned.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from rosenblatt.core import Clock, Percept, Update, inlined, kernel
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.core.pointers import rate_at, step_at
from rosenblatt.core.sweeps import sweep
from rosenblatt.engines.ensemble import HUGE
from rosenblatt.engines.learner import EXAMPLES, MISTAKES
from rosenblatt.engines.plan import CONSTANT, LENGTHS, QUIET, RATE, SHARED, STEP

__all__ = ["fielding", "moving", "present_double", "present_single", "squaring"]

_NORM2, _INPUT2 = Percept._fields.index("norm2"), Percept._fields.index("input2")


def _field(x: Any, w: Any, none: Any) -> Any:
    """Return the terms of w.x."""
    return (), (x * w,)


def _square(x: Any, none: Any) -> Any:
    """Return the terms of a sum of squares."""
    return (), (x * x,)


def _move(x: Any, w: Any, keep: Any, gain: Any) -> Any:
    """Return the new weights."""
    return (w * keep + x * gain,), ()


def _vanish(w: Any, none: Any) -> Any:
    """Return terms that are zero, or NaN where an entry is not finite."""
    return (), (w * none,)


fielding = sweep(_field, reads=2, writes=0, sums=1, streamed=True)
squaring = sweep(_square, reads=1, writes=0, sums=1)
moving = sweep(_move, reads=2, writes=1, sums=0)
_vanishing = sweep(_vanish, reads=1, writes=0, sums=1)


@inlined
def _skim(
    table: FloatArray,
    n: int,
    codes: IntArray,
    own: FloatArray,
    intercept: float,
    row: int,
    none: float,
) -> tuple[int, float]:
    """Return the next row that is not right, and its field."""
    while row < codes.size:
        (h,) = fielding(n, table, row * n, own, 0, none)
        h += intercept
        if not 0.0 < (h if codes[row] == 1 else -h) <= HUGE:
            return row, h
        row += 1
    return row, 0.0


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
    quiet, lengths = plan[QUIET] != 0, plan[LENGTHS] != 0
    constant = numbers[CONSTANT]
    asked = not constant >= 0.0
    models, weighted = weights.shape
    n = X.shape[1]
    bias, size = weighted > n, float(weighted)
    table = X.reshape(-1)
    own = weights[:, :n].astype(X.dtype).reshape(-1)
    intercepts = weights[:, n].copy() if bias else np.zeros(models)
    mistakes, examples = counts[:, MISTAKES].copy(), counts[0, EXAMPLES]
    # As numbers of the rows' precision: nothing, what is kept, what is gained.
    given = np.zeros(3, X.dtype)
    none = given[0]
    norms = np.zeros(models)
    if lengths:
        for k in range(models):
            (q,) = squaring(n, own, k * n, none)
            norms[k] = q + intercepts[k] * intercepts[k]
    wanted = 1  # the class that a model says +1 to
    plain = quiet and models == 1 and order.size == 0 and portions.size == 0
    last = order.size if order.size else codes.size
    turn, row, h, moved = 0, 0, 0.0, False
    while turn < last:
        if plain:  # past the rows that are right, with nothing else to think of
            right = turn
            turn, h = _skim(table, n, codes, own, intercepts[0], turn, none)
            examples += turn - right
            if turn == last:
                break
        row = order[turn] if order.size else turn
        left = portions[turn] if portions.size else 1.0
        code = codes[row]
        place = row * n
        x2 = -1.0  # not known yet
        while left > 0.0:
            part = min(left, 1.0)
            left -= part
            examples += part
            for k in range(models):
                if models > 1:
                    wanted = k
                if not plain:
                    (h,) = fielding(n, table, place, own, k * n, none)
                    h += intercepts[k]
                y = 1.0 if code == wanted else -1.0
                stability = y * h
                if quiet and 0.0 < stability <= HUGE:
                    continue
                if stability <= 0.0:
                    mistakes[k] += part
                if lengths and x2 < 0.0:
                    (x2,) = squaring(n, table, place, none)
                    if bias:
                        x2 += 1.0
                eta = constant
                if asked:
                    eta = rate(Clock(examples / size, mistakes[k] / size, size))
                q = norms[k]
                p = Percept(h, y, q / size, x2, eta, size, 0.0)
                u = Update(0.0, 0.0)
                if not lengths or q > 0.0 or x2 > 0.0:
                    u = step(p)
                gain = part * u.gain
                if gain != 0.0 or u.decay != 0.0:
                    moved = True
                    keep = 1.0 - part * u.decay / size
                    given[1], given[2] = keep, gain
                    moving(n, table, place, own, k * n, own, k * n, given[1], given[2])
                    if bias:
                        intercepts[k] = keep * intercepts[k] + gain
                    if lengths:
                        (q,) = squaring(n, own, k * n, none)
                        q += intercepts[k] * intercepts[k]
                        norms[k] = q
                # NaN and infinities of x, gain and decay all end up in one of these.
                if not abs(h) + x2 + q + gain * gain + abs(u.decay) <= HUGE:
                    for j in range(len(p)):
                        fault[j] = p[j]
                    if not lengths:
                        fault[_NORM2], fault[_INPUT2] = np.nan, np.nan  # unknown
                    fault[len(p)] = u.gain
                    fault[len(p) + 1] = u.decay
                    return int(row)
        turn += 1
    if moved:
        (odd,) = _vanishing(own.size, own, 0, none)
        if odd != 0.0:  # NaN too
            return int(row)
        for k in range(models):
            for i in range(n):
                weights[k, i] = own[k * n + i]
            if bias:
                weights[k, n] = intercepts[k]
    for k in range(models):
        counts[k, EXAMPLES], counts[k, MISTAKES] = examples, mistakes[k]
    return -1


present_single = kernel(
    types.int64, types.Array(types.float32, 2, "C", readonly=True), *SHARED
)(_present)
present_double = kernel(
    types.int64, types.Array(types.float64, 2, "C", readonly=True), *SHARED
)(_present)
