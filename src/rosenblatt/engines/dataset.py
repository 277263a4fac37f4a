r"""Real examples through a rule: the learner behind the streaming estimators.

With :math:`N` weights (an intercept is one more weight, on a constant input of 1) an
example does

.. math:: w \leftarrow (1 - \mathrm{decay} / N)\, w + \mathrm{gain}\, (x - T),  \tag{1}

where :math:`T` is made of sums over all examples before it for rules with an
:class:`~rosenblatt.core.AverageShift`, and :math:`T = 0` for the others. A rule that
starts with the Hebbian student of the first examples does so here too: they are
counted as examples, not as mistakes. The rule sees :math:`h = w \cdot x`,
:math:`w \cdot w / N`, :math:`|x - T|^2` and :math:`w \cdot T`; the clock counts the
current example, and as a mistake what has :math:`y h \le 0`. Inputs are taken as they
are, in double precision.

A constant input is all shift if the shift is uniform: its part of :math:`x - T` is
exactly zero as long as the labels are not balanced. Where both :math:`w` and
:math:`x - T` are zero nothing can move, and the rule is not asked.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from rosenblatt.core import (
    Clock,
    FixedShift,
    Percept,
    Rule,
    Update,
    compiled,
    inlined,
    kernel,
)
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import RATE, STEP, IntArray, Rate, Step
from rosenblatt.engines.ensemble import HUGE
from rosenblatt.engines.learner import EXAMPLES, LABELS, MISTAKES, Learner, opening
from rosenblatt.engines.problem import NO_AVERAGE, UNIFORM, RefusalError
from rosenblatt.parts import ScheduleLike, gather

__all__ = ["learn", "repeats"]

_MOST = 2**53  # up to here a float tells a whole number from the next

_f, _i = types.float64, types.int64
_given = types.Array(_f, 1, "C", readonly=True)
_rows = types.Array(_f, 2, "C", readonly=True)


# In these w may have one entry more than x: that of the constant input 1.


@inlined
def _fields(w: FloatArray, x: FloatArray) -> tuple[float, float]:
    """Return w.x and x.x."""
    h = 0.0
    x2 = 0.0
    for i in range(x.size):
        h += w[i] * x[i]
        x2 += x[i] * x[i]
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


@inlined
def _product(w: FloatArray, sums: FloatArray) -> float:
    """Return w.M."""
    total = 0.0
    for i in range(w.size):
        total += w[i] * sums[i]
    return total


@inlined
def _square(w: FloatArray) -> float:
    """Return w.w."""
    q = 0.0
    for i in range(w.size):
        q += w[i] * w[i]
    return q


@kernel(
    _i,
    STEP,
    RATE,
    _rows,
    _given,
    types.Array(_i, 1, "C", readonly=True),
    types.Array(_i, 1, "C", readonly=True),
    _i,
    _i,
    _f,
    _f[::1],
    _f[::1],
    _i[::1],
    _f[::1],
)
def _present(
    step: Step,
    rate: Rate,
    X: FloatArray,
    labels: FloatArray,
    order: IntArray,
    repeats: IntArray,
    kind: int,
    hebbian: int,
    norm2: float,
    w: FloatArray,
    sums: FloatArray,
    counts: IntArray,
    fault: FloatArray,
) -> int:
    """Return the row at which a number is no longer finite, or -1."""
    size = float(w.size)
    rest = np.empty(w.size if kind != NO_AVERAGE else 0)
    q = _square(w)
    for row in order:
        x = X[row]
        y = labels[row]
        for _ in range(repeats[row]):
            h, x2 = _fields(w, x)
            along, ratio = 0.0, 0.0
            if kind != NO_AVERAGE:
                product = _product(w, sums)
                above, below = h, product
                if kind == UNIFORM:
                    above, below = 1.0, float(counts[LABELS])
                if product > 0.0 and below != 0.0:  # else too early for a shift
                    ratio = above / below
            shifted = ratio != 0.0
            if shifted:
                along = _shift(w, x, sums, ratio, rest)
                x2 = _square(rest)
            counts[EXAMPLES] += 1
            if counts[EXAMPLES] <= hebbian:
                _move(sums, 1.0, y, x)
                counts[LABELS] += int(y)
                length2 = _square(sums)
                scale = math.sqrt(norm2 / length2) if length2 > 0.0 else 0.0
                for i in range(w.size):
                    w[i] = scale * sums[i]
                q = norm2
                if not length2 <= HUGE:
                    return int(row)
                continue
            if y * h <= 0.0:
                counts[MISTAKES] += 1
            eta = rate(Clock(counts[EXAMPLES] / size, counts[MISTAKES] / size, size))
            p = Percept(h, y, q / size, x2, eta, size, along)
            u = Update(0.0, 0.0)
            if q > 0.0 or x2 > 0.0:
                u = step(p)
            if u.gain != 0.0 or u.decay != 0.0:
                keep = 1.0 - u.decay / size
                if shifted:
                    _move(w, keep, u.gain, rest)
                else:
                    _move(w, keep, u.gain, x)
                q = _square(w)
            if kind != NO_AVERAGE:
                _move(sums, 1.0, y, x)
                counts[LABELS] += int(y)
            # NaN and infinities of x, gain and decay all end up in one of these.
            if not abs(h) + x2 + q <= HUGE:
                for j in range(len(p)):
                    fault[j] = p[j]
                fault[len(p)] = u.gain
                fault[len(p) + 1] = u.decay
                return int(row)
    return -1


def repeats(sample_weight: FloatArray) -> IntArray:
    """Return the weights as whole numbers."""
    w = np.asarray(sample_weight)
    for row in np.flatnonzero(~((w >= 0) & (w <= _MOST) & (np.floor(w) == w))):
        raise ValueError(
            "sample_weight must be whole numbers, not negative, since k stands for k "
            f"presentations of an example, got {w[row]} in row {row}"
        )
    return w.astype(np.int64)


def _explain(rule: Rule, X: FloatArray, row: int, fault: FloatArray) -> Exception:
    """Return the error that says why a row could not be learnt."""
    for column in np.flatnonzero(~np.isfinite(X[row])):
        return ValueError(
            "X must not contain NaN or inf, "
            f"got {X[row, column]} in row {row}, column {column}"
        )
    *percept, gain, decay = (float(f) for f in fault)
    return ArithmeticError(
        f"numbers are no longer finite in row {row} of X, where rule {rule!r} returned "
        f"gain {gain}, decay {decay}, given {Percept(*percept)}"
    )


def learn(
    rule: Rule,
    schedule: ScheduleLike,
    X: FloatArray,
    labels: FloatArray,
    learner: Learner,
    *,
    sample_weight: FloatArray | None = None,
    order: IntArray | None = None,
) -> Learner:
    """Present examples to a learner and return what it becomes.

    Parameters
    ----------
    rule, schedule
        The parts; a schedule may be any function of the clock.
    X
        One example a row; the learner has a weight for each column, and may have one
        more for the intercept.
    labels
        -1 or +1 for each row.
    learner
        Where to begin; it stays as it is, so that an error does no harm.
    sample_weight
        How many times in succession a row is presented; 0 skips it, the clock included.
    order
        The rows to present, one after the other; by default all, as they are.

    Examples
    --------
    >>> from rosenblatt.rules import Perceptron
    >>> from rosenblatt.schedules import Constant
    >>> X, labels = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, -1.0])
    >>> learn(Perceptron(), Constant(), X, labels, Learner.zero(2)).weights
    array([-2., -2.])
    """
    parts = gather(rule, schedule, None, None, None)
    if isinstance(rule.shift, FixedShift):
        raise RefusalError(
            f"rule {rule!r} has a fixed shift, made of a teacher and a mean input that "
            "real examples do not tell; take Shifted(rule), with its AverageShift()"
        )
    X, labels = (np.require(a, np.float64, ["C", "A"]) for a in (X, labels))
    weights = np.ones(len(X)) if sample_weight is None else sample_weight
    if X.ndim != 2 or learner.weights.size - X.shape[1] not in (0, 1):
        raise ValueError(
            f"X must have {learner.weights.size} columns, or one less for a learner "
            f"with an intercept, got shape {X.shape}"
        )
    if not labels.shape == weights.shape == (len(X),):
        raise ValueError(
            f"labels and sample_weight must have {len(X)} entries as X has rows, "
            f"got shapes {labels.shape} and {weights.shape}"
        )
    rows = np.arange(len(X)) if order is None else order
    result = learner.copy()
    fault = np.zeros(len(Percept._fields) + 2)
    with np.errstate(all="ignore"):  # only plain Python would warn
        row = _present(
            compiled(parts.rule),
            compiled(parts.schedule),
            X,
            labels,
            rows.astype(np.int64),
            repeats(weights),
            *opening(rule, learner.weights.size),
            *result,
            fault,
        )
    if row >= 0:
        raise _explain(rule, X, row, fault)
    return result
