"""Mistakes in the lecture, each with a measurement that decides.

None harms a result. Section 6 climbs where it should descend, twice, and its gradient
of the mean has lost an index. An inequality of section 8 is turned round. Its theorem
has two conditions that it does not state: the rule begins with weights zero, and an
output of zero is an error.

Section 5 ends after its second sentence; what it would have shown is in
:mod:`rosenblatt.papers.seung2002.digits`. Rates proportional to ``1/t`` cannot begin at
``t = 0``, as the sums of section 6 do.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import Evidence, allow, erratum
from rosenblatt.papers.estimates import average
from rosenblatt.papers.seung2002.problems import from_weights
from rosenblatt.papers.seung2002.walks import distances, exact
from rosenblatt.rows import MISTAKES, Learner, learn
from rosenblatt.rows.gradient import batch
from rosenblatt.rules import Delta, Linear, Logistic, Perceptron
from rosenblatt.schedules import Constant, Power
from rosenblatt.separation import separability

__all__ = ["ERRATA"]

_ROUNDING = 1e-9


def _number(value: float) -> Measurement:
    return Measurement(float(value), 0.0)


@erratum("seung2002/erratum/update", "section 6, first equation")
@allow(_ROUNDING, "sums are rounded")
def _climbs(quick: bool) -> Evidence:
    """Printed: Delta w = eta grad e.

    Correct: Delta w = -eta grad e.
    """
    # A linear output at weights zero and an input of length 1: a step of the rate 0.1
    # leaves (1 - 0.1)^2 of the example's cost, and against the sign (1 + 0.1)^2.
    x, y, rate = np.array([[0.6, 0.8]]), np.ones(1), 0.1
    learner = learn(Delta(Linear()), Constant(rate), x, y, Learner.zero(2))
    left = (y[0] - x[0] @ learner.weights) ** 2
    return Evidence(
        quantity="cost of an example after an online update for it, of its cost before "
        "(linear output, input of length 1, rate 0.1)",
        printed=_number((1 + rate) ** 2),
        expected=_number((1 - rate) ** 2),
        measured=_number(left),
    )


@erratum("seung2002/erratum/recursion", "section 6, equation before the conditions")
def _climbs_for_long(quick: bool) -> Evidence:
    """Printed: w_(t+1) = w_t + eta_t grad e.

    Correct: w_(t+1) = w_t - eta_t grad e.
    """
    schedule, time = Power(1.0, 1.0, 1.0), 100
    _, printed = exact(schedule, np.array([time]), sign=1.0)
    _, expected = exact(schedule, np.array([time]))
    found = distances(schedule, (time,), 500 if quick else 2000)[:, 0]
    return Evidence(
        quantity="mean squared distance of one weight from its best value after 100 "
        "examples, at rates of 1/(1 + t), from 1/4",
        printed=_number(printed[0]),
        expected=_number(expected[0]),
        measured=average(found**2),
    )


@erratum("seung2002/erratum/index", "section 6, gradient of the mean cost")
@allow(_ROUNDING, "sums are rounded")
def _index(quick: bool) -> Evidence:
    """Printed: (1/m) sum over mu of grad e(w, x, y).

    Correct: (1/m) sum over mu of grad e(w, x^mu, y^mu).
    """
    # Inputs 1 and 2 with labels +1 and -1, logistic, at weight 0: an example's
    # gradient is -(target - 1/2) x / 4.
    X, labels, w = np.array([[1.0], [2.0]]), np.array([[1.0], [-1.0]]), np.zeros((1, 1))
    mean = batch(Logistic(), X, labels, w, np.ones(2, np.int64)).gradient[0, 0]
    return Evidence(
        quantity="gradient of the mean cost of two examples, inputs 1 and 2, targets 1 "
        "and 0, logistic output at weight 0; printed, m times the first example's",
        printed=_number(-1 / 8),
        expected=_number((-1 / 8 + 2 / 8) / 2),
        measured=_number(mean),
    )


@erratum("seung2002/erratum/cosine", "section 8, inequality after eq. (6)")
@allow(_ROUNDING, "numbers are rounded")
def _cosine(quick: bool) -> Evidence:
    """Printed: cos phi <= N_err^(1/2) M/R.

    Correct: cos phi >= N_err^(1/2) M/R, which is what bounds N_err.
    """
    # The shorter example comes first: after one error w is along it.
    X = np.array([[0.0, 1.0], [2.0, 0.0]])
    found = separability(X, np.ones(2), fit_intercept=False)
    learner = learn(
        Perceptron(), Constant(1.0), X, np.ones(2), Learner.zero(2), order=np.array([0])
    )
    w, errors = learner.weights, int(learner.counts[MISTAKES])
    cosine = float(w @ found.weights / np.linalg.norm(w))
    bound = math.sqrt(errors) * found.margin / found.radius
    return Evidence(
        quantity="by how much the cosine exceeds N_err^(1/2) M/R after the first "
        "error, examples (0, 1) and (2, 0)",
        printed=_number(0.0),  # at most
        expected=_number(1 / math.sqrt(5)),
        measured=_number(max(cosine - bound, 0.0)),
    )


@erratum("seung2002/erratum/start", "section 8, text after the margin")
@allow(_ROUNDING, "the margin is rounded")
def _start(quick: bool) -> Evidence:
    """Printed: w.w* >= N_err M and |w|^2 <= N_err R^2, whatever the start.

    Correct: both need w(0) = 0. Else w.w* >= w(0).w* + N_err M and |w|^2 <= |w(0)|^2 +
    N_err R^2, and more errors are possible.
    """
    X, once = np.array([[1.0]]), np.ones(1)
    found = separability(X, once, fit_intercept=False)
    learner = learn(
        Perceptron(),
        Constant(1.0),
        X,
        once,
        from_weights(np.array([-10.0])),
        order=np.zeros(100, np.int64),
    )
    return Evidence(
        quantity="errors on the only example x = 1, y = 1, from w(0) = -10; R = M = 1",
        printed=_number(found.mistake_bound),
        expected=_number(11.0),
        measured=_number(int(learner.counts[MISTAKES])),
    )


def _errors_with_positive_zero(examples: list[tuple[float, float]]) -> int:
    """Return the errors of the rule in one pass if an output of 0 counts as +1."""
    w, errors = 0.0, 0
    for x, y in examples:
        if (1.0 if w * x >= 0 else -1.0) != y:
            w, errors = w + y * x, errors + 1
    return errors


@erratum("seung2002/erratum/ties", "section 8, reflection of negative examples")
def _ties(quick: bool) -> Evidence:
    """Printed: the problem with all labels 1 is equivalent, whatever a step function is
    at 0.

    Correct: it is if w.x = 0 counts as an error, as it must for the rule to leave w =
    0.
    """
    given = _errors_with_positive_zero([(1.0, 1.0), (-1.0, -1.0)])
    reflected = _errors_with_positive_zero([(1.0, 1.0), (1.0, 1.0)])
    learner = learn(
        Perceptron(), Constant(1.0), np.ones((2, 1)), np.ones(2), Learner.zero(1)
    )
    return Evidence(
        quantity="errors on (x, y) = (1, 1), (-1, -1) less those on their reflections, "
        "if an output of 0 counts as +1 (if it is an error, both make "
        f"{int(learner.counts[MISTAKES])})",
        printed=_number(0.0),
        expected=_number(1.0),
        measured=_number(given - reflected),
    )


ERRATA = (_climbs, _climbs_for_long, _index, _cosine, _start, _ties)
