r"""Learning of dense rows by a rule without a shift, in one pass over the memory.

The field is found first, for each model. Most of the time that is all. A rule that
moves on mistakes only is not asked about rows that are right, nor is the schedule. Sums
of squares, of a row and of the weights, are found only for rules that read them. That
the rows are finite is seen from the fields.

Weights have the precision of the rows, all scalars and the intercept double precision.
Nothing is written to the learner before the last row is learned.
"""

from __future__ import annotations

from typing import Any

from rosenblatt.compiling import inlined, types
from rosenblatt.compiling.jit import Rate, Step, in_both_precisions
from rosenblatt.compiling.matrices import dot
from rosenblatt.compiling.pointers import (
    address_of,
    pointer_at,
    pointer_to,
    rate_at,
    same_or,
    step_at,
)
from rosenblatt.compiling.vectors import aligned_table
from rosenblatt.core import Clock, Percept, Update
from rosenblatt.core.types import HUGE, FloatArray, IntArray
from rosenblatt.linear.learner import (
    COUNTED,
    EXAMPLES,
    MISTAKES,
    Learner,
    Settings,
    note_fault,
)

_LINE = 8  # numbers in a line of the cache
_SCALARS = 3  # of each model: its intercept, its mistakes and w.w


@inlined
def move(
    n: int,
    x: FloatArray,
    first: int,
    w: FloatArray,
    begin: int,
    keep: float,
    gain: float,
    none: Any,
) -> None:
    """Write keep * w + gain * x over n entries of w, in the precision of ``none``."""
    number = type(none)
    for i in range(n):
        old = number(w[begin + i])
        w[begin + i] = old * number(keep) + x[first + i] * number(gain)


@inlined
def _learn_mistakes(
    table: FloatArray,
    codes: IntArray,
    step: Step,
    rate: Rate,
    sizes: tuple[int, float, float],
    own: FloatArray,
    state: tuple[float, float, float],
    none: Any,
) -> tuple[int, float, float]:
    """Learn rows with one model, by a rule that moves on mistakes only.

    ``sizes`` are the columns, the weights and a constant rate; ``state`` the intercept,
    the examples and the mistakes so far. Return the number of rows up to one at which a
    number is not finite, or of all, the intercept and the mistakes.
    """
    n, size, constant = sizes
    intercept, examples, mistakes = state
    asked = not constant >= 0.0
    bias = size > n
    for row in range(codes.size):
        h = dot(n, table, row * n, own, 0, none)
        h += intercept
        y = 1.0 if codes[row] == 1 else -1.0
        if 0.0 < y * h <= HUGE:
            continue
        eta, wrong = constant, mistakes + 1.0
        if asked:
            eta = rate(Clock((examples + row + 1.0) / size, wrong / size, size))
        u = step(Percept(h, y, 0.0, -1.0, eta, size, 0.0))
        # NaN and infinities of x, gain and decay all end up in one of these.
        if not abs(h) + u.gain * u.gain + abs(u.decay) <= HUGE:
            return row, intercept, mistakes
        mistakes = wrong
        keep = 1.0 - u.decay / size
        move(n, table, row * n, own, 0, keep, u.gain, none)
        if bias:
            intercept = keep * intercept + u.gain
    return codes.size, intercept, mistakes


def room_for(columns: int, models: int) -> FloatArray:
    """Return work space for a kernel: weights in the rows' precision, and scalars."""
    return aligned_table(models * (-(-columns // _LINE) * _LINE + _SCALARS))


def _learn_rows(
    X: FloatArray,
    codes: types.ReadWholes,
    order: types.ReadWholes,
    portions: types.ReadVector,
    settings: Settings,
    learner: Learner,
    fault: types.Vector,
    room: types.Vector,
) -> int:
    """Return the row at which a number is no longer finite, or -1.

    ``room`` is that of :func:`room_for`, with zeros.
    """
    models, weighted = learner.weights.shape
    weights, counts = pointer_to(learner.weights), pointer_to(learner.counts)
    step, rate = step_at(settings.step), rate_at(settings.rate)
    quiet, lengths, constant = settings.quiet, settings.lengths, settings.constant
    asked = not constant >= 0.0
    n = X.shape[1]
    bias, size = weighted > n, float(weighted)
    table, none = pointer_to(X), X.dtype.type(0.0)
    wide = -(-n // _LINE) * _LINE  # weights of each model begin at a line
    place = address_of(room)
    own = same_or(pointer_to(room), place, models * wide, X)
    place += 8 * models * wide
    intercepts = pointer_at(place, models)
    mistakes = pointer_at(place + 8 * models, models)
    norms = pointer_at(place + 16 * models, models)
    examples = counts[EXAMPLES]
    for k in range(models):
        for i in range(n):
            own[k * wide + i] = weights[k * weighted + i]
        if bias:
            intercepts[k] = weights[k * weighted + n]
        mistakes[k] = counts[k * COUNTED + MISTAKES]
        if lengths:
            q = dot(n, own, k * wide, own, k * wide, none)
            norms[k] = q + intercepts[k] * intercepts[k]
    wanted = 1  # the class that a model says +1 to
    last = order.size if order.size else codes.size
    turn, row, moved = 0, 0, False
    if models == 1 and quiet and not (lengths or order.size or portions.size):
        turn, intercepts[0], mistakes[0] = _learn_mistakes(
            table, codes, step, rate, (n, size, constant), own,
            (intercepts[0], examples, mistakes[0]), none
        )  # fmt: skip
        row = turn - 1
        examples += turn
        moved = mistakes[0] > counts[MISTAKES]
    while turn < last:
        row = order[turn] if order.size else turn
        left = portions[turn] if portions.size else 1.0
        code = codes[row]
        first = row * n
        x2 = -1.0  # not known yet
        while left > 0.0:
            part = min(left, 1.0)
            left -= part
            examples += part
            for k in range(models):
                if models > 1:
                    wanted = k
                at = k * wide
                h = dot(n, table, first, own, at, none)
                h += intercepts[k]
                y = 1.0 if code == wanted else -1.0
                stability = y * h
                if quiet and 0.0 < stability <= HUGE:
                    continue
                if stability <= 0.0:
                    mistakes[k] += part
                if lengths and x2 < 0.0:
                    x2 = dot(n, table, first, table, first, none)
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
                    move(n, table, first, own, at, keep, gain, none)
                    if bias:
                        intercepts[k] = keep * intercepts[k] + gain
                    if lengths:
                        q = dot(n, own, at, own, at, none)
                        q += intercepts[k] * intercepts[k]
                        norms[k] = q
                # NaN and infinities of x, gain and decay all end up in one of these.
                if not abs(h) + x2 + q + gain * gain + abs(u.decay) <= HUGE:
                    note_fault(p, u, lengths, fault)
                    return int(row)
        turn += 1
    if moved:
        odd = 0.0
        for i in range(models * wide):
            odd += own[i] * 0.0
        if odd != 0.0:  # NaN too
            return int(row)
        for k in range(models):
            for i in range(n):
                weights[k * weighted + i] = own[k * wide + i]
            if bias:
                weights[k * weighted + n] = intercepts[k]
    for k in range(models):
        counts[k * COUNTED + EXAMPLES] = examples
        counts[k * COUNTED + MISTAKES] = mistakes[k]
    return -1


learn_single, learn_double = in_both_precisions(_learn_rows, 2)
