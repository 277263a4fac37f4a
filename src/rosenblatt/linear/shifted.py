r"""Learning of dense rows by a rule with an average shift, in double precision.

.. math:: w \leftarrow (1 - \mathrm{decay} / N)\, w + \mathrm{gain}\, (x - T),  \tag{1}

where :math:`T` is made of sums over all examples before, which every row changes. The
start with the Hebbian student of the first examples is made here too: they are counted
as examples, not as mistakes.

A constant input is all shift if the shift is uniform. Its part of :math:`x - T` is
exactly zero as long as the labels are not balanced. Where both :math:`w` and
:math:`x - T` are zero nothing can move, and the rule is not asked.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.compiling import inlined, types
from rosenblatt.compiling.jit import in_both_precisions
from rosenblatt.compiling.pointers import rate_at, step_at
from rosenblatt.compiling.vectors import dot
from rosenblatt.core import Clock, Percept, Update
from rosenblatt.core.parts import UNIFORM
from rosenblatt.core.types import HUGE, FloatArray
from rosenblatt.linear.learner import (
    EXAMPLES,
    LABELS,
    MISTAKES,
    Learner,
    Settings,
    note_fault,
)

# In these w may have one entry more than x: that of the constant input 1.


@inlined
def _fields(w: FloatArray, x: FloatArray) -> tuple[float, float]:
    """Return w.x and x.x."""
    h = 0.0
    x2 = 0.0
    for i in range(x.size):
        h += w[i] * x[i]
        x2 += float(x[i]) * float(x[i])
    for i in range(x.size, w.size):
        h += w[i]
        x2 += 1.0
    return h, x2


@inlined
def _move(w: FloatArray, keep: float, gain: float, x: FloatArray) -> None:
    """Replace w by keep * w + gain * x."""
    for i in range(x.size):
        w[i] = keep * w[i] + gain * x[i]
    for i in range(x.size, w.size):
        w[i] = keep * w[i] + gain


@inlined
def _shift(
    w: FloatArray, x: FloatArray, sums: FloatArray, ratio: float, rest: FloatArray
) -> float:
    """Leave x - T in ``rest``, T being that many times the sums, and return w.T."""
    along = 0.0
    for i in range(w.size):
        t = sums[i] * ratio
        rest[i] = (x[i] if i < x.size else 1.0) - t
        along += w[i] * t
    return along


def _learn_rows(
    X: FloatArray,
    codes: types.ReadWholes,
    order: types.ReadWholes,
    portions: types.ReadVector,
    settings: Settings,
    learner: Learner,
    fault: types.Vector,
) -> int:
    """Return the row at which a number is no longer finite, or -1.

    The learner is written to as rows come.
    """
    weights, sums, counts = learner
    step, rate = step_at(settings.step), rate_at(settings.rate)
    uniform, norm2 = settings.kind == UNIFORM, settings.length2
    models, weighted = weights.shape
    size = float(weighted)
    rest = np.empty(weighted)
    norms = np.empty(models)
    for k in range(models):
        norms[k] = dot(weights[k], weights[k])
    last = order.size if order.size else codes.size
    for turn in range(last):
        row = order[turn] if order.size else turn
        left = portions[turn] if portions.size else 1.0
        x = X[row]
        while left > 0.0:
            part = min(left, 1.0)
            left -= part
            for k in range(models):
                w, total, count = weights[k], sums[k], counts[k]
                y = 1.0 if codes[row] == (k if models > 1 else 1) else -1.0
                q = norms[k]
                h, x2 = _fields(w, x)
                along, ratio = 0.0, 0.0
                product = dot(w, total)
                above, below = h, product
                if uniform:
                    above, below = 1.0, count[LABELS]
                if product > 0.0 and below != 0.0:  # else too early for a shift
                    ratio = above / below
                shifted = ratio != 0.0
                if shifted:
                    along = _shift(w, x, total, ratio, rest)
                    x2 = dot(rest, rest)
                count[EXAMPLES] += part
                if count[EXAMPLES] <= settings.hebbian:
                    _move(total, 1.0, part * y, x)
                    count[LABELS] += part * y
                    length2 = dot(total, total)
                    scale = math.sqrt(norm2 / length2) if length2 > 0.0 else 0.0
                    for i in range(weighted):
                        w[i] = scale * total[i]
                    norms[k] = norm2
                    if not length2 <= HUGE:
                        return int(row)
                    continue
                if y * h <= 0.0:
                    count[MISTAKES] += part
                eta = rate(Clock(count[EXAMPLES] / size, count[MISTAKES] / size, size))
                p = Percept(h, y, q / size, x2, eta, size, along)
                u = Update(0.0, 0.0)
                if q > 0.0 or x2 > 0.0:
                    u = step(p)
                if u.gain != 0.0 or u.decay != 0.0:
                    keep, gain = 1.0 - part * u.decay / size, part * u.gain
                    if shifted:
                        _move(w, keep, gain, rest)
                    else:
                        _move(w, keep, gain, x)
                    q = dot(w, w)
                    norms[k] = q
                _move(total, 1.0, part * y, x)
                count[LABELS] += part * y
                # NaN and infinities of x, gain and decay all end up in one of these.
                if not abs(h) + x2 + q <= HUGE:
                    note_fault(p, u, True, fault)
                    return int(row)
    return -1


learn_single, learn_double = in_both_precisions(_learn_rows, 2, allocates=True)
