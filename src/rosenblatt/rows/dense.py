r"""Learning of dense rows by a rule without a shift, in one pass over the memory.

The field is found first, for each model. Most of the time that is all. A rule that
moves on mistakes only is not asked about rows that are right, nor is the schedule. Sums
of squares, of a row and of the weights, are found only for rules that read them. That
the rows are finite is seen from the fields.

Weights are computed with in the precision of the rows, all scalars and the intercept in
double precision. Nothing is written to the learner before the last row is learned.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.compiling.addresses import rate_at, step_at
from rosenblatt.compiling.jit import Rate, Step
from rosenblatt.compiling.precisions import in_both_precisions
from rosenblatt.compiling.vector.loops import LANES, sweep
from rosenblatt.compiling.vectors import aligned_zeros
from rosenblatt.core import Clock, Percept, Update
from rosenblatt.core.types import HUGE, FloatArray, IntArray
from rosenblatt.rows.learner import EXAMPLES, MISTAKES, Learner
from rosenblatt.rows.plan import (
    CONSTANT,
    LENGTHS,
    QUIET,
    RATE,
    SHARED,
    STEP,
    Settings,
    note_fault,
)

__all__ = [
    "field_term",
    "learn_double",
    "learn_single",
    "moved_weight",
    "squaring",
]


def field_term(x: Any, w: Any, none: Any) -> Any:
    """Return the terms of w.x."""
    return (), (x * w,)


def _square(x: Any, none: Any) -> Any:
    """Return the terms of a sum of squares."""
    return (), (x * x,)


def moved_weight(x: Any, w: Any, keep: Any, gain: Any) -> Any:
    """Return the new weights."""
    return (w * keep + x * gain,), ()


def _vanish(w: Any, none: Any) -> Any:
    """Return terms that are zero, or NaN where an entry is not finite."""
    return (), (w * none,)


squaring = sweep(_square, reads=1, writes=0, sums=1)
_fielding = sweep(field_term, reads=2, writes=0, sums=1, streamed=1, padded=True)
_moving = sweep(moved_weight, reads=2, writes=1, sums=0, padded=True)
_vanishing = sweep(_vanish, reads=1, writes=0, sums=1)


@inlined
def _learn_mistakes(
    table: FloatArray,
    codes: IntArray,
    step: Step,
    rate: Rate,
    sizes: tuple[int, float, float],
    own: FloatArray,
    state: tuple[float, float, float],
    fault: FloatArray,
) -> tuple[int, float, float]:
    """Learn all rows with one model, by a rule that moves on mistakes only.

    ``sizes`` are the columns, the weights and a constant rate; ``state`` the intercept,
    the examples and the mistakes so far. Return the row of a fault or -1, the intercept
    and the mistakes.
    """
    n, size, constant = sizes
    intercept, examples, mistakes = state
    number = own.dtype.type
    none = number(0.0)
    asked = not constant >= 0.0
    bias = size > n
    for row in range(codes.size):
        (h,) = _fielding(n, table, row * n, own, 0, none)
        h += intercept
        y = 1.0 if codes[row] == 1 else -1.0
        if 0.0 < y * h <= HUGE:
            continue
        mistakes += 1.0
        eta = constant
        if asked:
            eta = rate(Clock((examples + row + 1.0) / size, mistakes / size, size))
        p = Percept(h, y, 0.0, -1.0, eta, size, 0.0)
        u = step(p)
        # NaN and infinities of x, gain and decay all end up in one of these.
        if not abs(h) + u.gain * u.gain + abs(u.decay) <= HUGE:
            note_fault(p, u, False, fault)
            return row, intercept, mistakes
        keep = 1.0 - u.decay / size
        _moving(n, table, row * n, own, 0, own, 0, number(keep), number(u.gain))
        if bias:
            intercept = keep * intercept + u.gain
    return -1, intercept, mistakes


def _learn_rows(
    X: FloatArray,
    codes: IntArray,
    order: IntArray,
    portions: FloatArray,
    settings: Settings,
    learner: Learner,
    fault: FloatArray,
) -> int:
    """Return the row at which a number is no longer finite, or -1."""
    plan, numbers = settings
    weights, _, counts = learner
    step, rate = step_at(plan[STEP]), rate_at(plan[RATE])
    quiet, lengths = plan[QUIET] != 0, plan[LENGTHS] != 0
    constant = numbers[CONSTANT]
    asked = not constant >= 0.0
    models, weighted = weights.shape
    n = X.shape[1]
    bias, size = weighted > n, float(weighted)
    table = X.reshape(-1)
    wide = -(-n // LANES) * LANES  # weights go on with zeros up to whole registers
    own = aligned_zeros(models * wide, X)
    for k in range(models):
        for i in range(n):
            own[k * wide + i] = weights[k, i]
    intercepts = weights[:, n].copy() if bias else np.zeros(models)
    mistakes, examples = counts[:, MISTAKES].copy(), counts[0, EXAMPLES]
    number = X.dtype.type
    none = number(0.0)
    norms = np.zeros(models)
    if lengths:
        for k in range(models):
            (q,) = squaring(n, own, k * wide, none)
            norms[k] = q + intercepts[k] * intercepts[k]
    wanted = 1  # the class that a model says +1 to
    last = order.size if order.size else codes.size
    turn, row, moved = 0, 0, False
    if models == 1 and quiet and not (lengths or order.size or portions.size):
        row, intercepts[0], mistakes[0] = _learn_mistakes(
            table, codes, step, rate, (n, size, constant), own,
            (intercepts[0], examples, mistakes[0]), fault
        )  # fmt: skip
        if row >= 0:
            return int(row)
        row, turn = last - 1, last
        examples += last
        moved = mistakes[0] > counts[0, MISTAKES]
    while turn < last:
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
                at = k * wide
                (h,) = _fielding(n, table, place, own, at, none)
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
                    _moving(
                        n, table, place, own, at, own, at, number(keep), number(gain)
                    )
                    if bias:
                        intercepts[k] = keep * intercepts[k] + gain
                    if lengths:
                        (q,) = squaring(n, own, at, none)
                        q += intercepts[k] * intercepts[k]
                        norms[k] = q
                # NaN and infinities of x, gain and decay all end up in one of these.
                if not abs(h) + x2 + q + gain * gain + abs(u.decay) <= HUGE:
                    note_fault(p, u, lengths, fault)
                    return int(row)
        turn += 1
    if moved:
        (odd,) = _vanishing(own.size, own, 0, none)
        if odd != 0.0:  # NaN too
            return int(row)
        for k in range(models):
            for i in range(n):
                weights[k, i] = own[k * wide + i]
            if bias:
                weights[k, n] = intercepts[k]
    for k in range(models):
        counts[k, EXAMPLES], counts[k, MISTAKES] = examples, mistakes[k]
    return -1


learn_single, learn_double = in_both_precisions(_learn_rows, 2, *SHARED)
