r"""Section 3: gradient learning, its local minima, and saturation.

One weight and two examples are enough for two minima: inputs 1 and 10 with targets 0.9
and -0.9 of a hyperbolic tangent. Fewer are not, since one example has one stationary
point if :math:`f` is monotone. Where some :math:`w_*` has :math:`E = 0` there is no
other minimum at all: with :math:`h = w \cdot x`,

.. math:: (w - w_*) \cdot \nabla E =
    \sum_\mu f'(h^\mu) [f(h^\mu) - f(h_*^\mu)] (h^\mu - h_*^\mu) > 0.   \tag{1}

A saturated output takes exponentially long to come back. For one example with input 1
and target 1 a logistic output goes from the field :math:`-s` to 0 in

.. math:: \eta T = e^s + 3 s + \tfrac52 - 3 e^{-s} - \tfrac12 e^{-2 s}   \tag{2}

at small rates.
"""

from __future__ import annotations

import math
from typing import Any

import lazy_loader
import numpy as np
from scipy.optimize import brentq

from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import (
    allow,
    claim,
    expect,
    figure,
    fill,
    no_exceptions,
)
from rosenblatt.papers.series import line, points
from rosenblatt.papers.seung2002.problems import SEED, CautiousTanh, from_weights
from rosenblatt.rows import MISTAKES, learn
from rosenblatt.rows.gradient import batch, outputs
from rosenblatt.rules import Delta, Linear, Logistic, Tanh
from rosenblatt.schedules import Constant

__all__ = ["CLAIMS", "costs", "figure_minima", "figure_saturation", "stationary"]

estimators: Any = lazy_loader.load("rosenblatt.estimators", suppress_warning=True)

INPUTS = np.array([[1.0], [10.0]])
LABELS = np.array([1.0, -1.0])
_ONCE = np.ones(2, np.int64)
_STARTS = (-1.0, 2.0)  # where starts are drawn from, uniformly


def costs(weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return cost and slope of the smallest example with two minima."""
    w = np.atleast_1d(weights)
    labels = np.repeat(LABELS[:, None], w.size, axis=1)
    found = batch(CautiousTanh(), INPUTS, labels, w[:, None], _ONCE)
    return found.cost, found.gradient[:, 0]


def stationary() -> FloatArray:
    """Return the stationary points of that cost: minimum, maximum, minimum."""
    grid = np.linspace(*_STARTS, 3001)
    _, slopes = costs(grid)
    changes = np.flatnonzero(np.sign(slopes[1:]) != np.sign(slopes[:-1]))

    def slope(w: float) -> float:
        return float(costs(np.array([w]))[1][0])

    return np.array([brentq(slope, grid[i], grid[i + 1], xtol=1e-13) for i in changes])


@figure("seung2002/minima", "section 3")
def figure_minima(*, quick: bool) -> FigureData:
    """Show the smallest cost with two minima."""
    grid = np.linspace(-1, 3, 401)
    extremes = stationary()
    values = costs(extremes)[0]
    return FigureData(
        title="One weight, two examples, two minima",
        caption=(
            "Cost of a hyperbolic tangent on two examples that contradict each other: "
            "input 1 with target 0.9, and input 10 with target -0.9. Gradient descent "
            "ends in the minimum on whose side of the maximum it starts; the right one "
            "costs more than three times as much."
        ),
        x_label="weight",
        y_label="cost",
        series=(
            line("cost", grid, costs(grid)[0]),
            points("minima", extremes[::2], values[::2], role="theory"),
            points("maximum between them", extremes[1::2], values[1::2], role="theory"),
        ),
    )


def _escape(field: float, rate: float) -> float:
    """Return the number of steps until an output is no longer on the wrong side."""
    X, labels, learner = (
        np.array([[1.0]]),
        np.array([1.0]),
        from_weights(np.array([-field])),
    )
    steps = np.zeros(math.ceil(2 * _duration(field) / rate), np.int64)
    learner = learn(Delta(Logistic()), Constant(rate), X, labels, learner, order=steps)
    return float(learner.counts[MISTAKES])


def _duration(s: float) -> float:
    """Return eq. (2)."""
    return math.exp(s) + 3 * s + 2.5 - 3 * math.exp(-s) - math.exp(-2 * s) / 2


@figure("seung2002/saturation", "section 3")
def figure_saturation(*, quick: bool) -> FigureData:
    """Show how long saturated outputs take to come back."""
    fields = np.arange(0.0, 9.0 if quick else 11.0)
    rate = 0.5
    found = [rate * _escape(s, rate) for s in fields[1:]]
    return FigureData(
        title="Saturated outputs hardly learn",
        caption=(
            "Steps times rate until one example is on the right side of a logistic "
            "output, from a field of -s. Input and target are 1, the rate is 1/2. "
            "The limit of small rates, eq. (2) of this section's module, grows as "
            "exp(s)."
        ),
        x_label="depth $s$ of saturation",
        y_label="steps times rate",
        series=(
            points("steps counted", fields[1:], found),
            line("small rates", fields[1:], [_duration(s) for s in fields[1:]]),
        ),
        y_log=True,
    )


@claim("seung2002/section1/bias", "section 1, first paragraph")
@expect(0.0, catches=1e-9)
@allow(1e-14, "sums over features are rounded in another order")
def _bias(quick: bool) -> Measurement:
    """A bias is the weight of one more, constant input: largest difference of weights
    after five passes.
    """
    rng = np.random.default_rng(SEED)
    X = rng.standard_normal((50, 3)) / 2
    y = (X[:, 0] > 0.2).astype(int)
    given = {"presentation": "fixed", "max_iter": 5}
    bias = estimators.GradientPerceptron(**given).fit(X, y)
    wider = np.column_stack([X, np.ones(50)])
    constant = estimators.GradientPerceptron(**given, fit_intercept=False).fit(wider, y)
    apart = np.append(bias.coef_[0], bias.intercept_) - constant.coef_[0]
    return Measurement(float(np.abs(apart).max()), 0.0)


@claim("seung2002/eq2", "eqs. (1) and (2)")
@expect(0.0, catches=1e-4)
@allow(1e-8, "differences over 2e-6 are rounded")
def _differences(quick: bool) -> Measurement:
    """The gradient of the squared error: largest deviation from differences of the
    cost, for linear, logistic and tanh outputs.
    """
    rng, worst, step = np.random.default_rng(SEED), 0.0, 1e-6
    for activation in (Linear(), Logistic(), Tanh()):
        X, w = rng.standard_normal((20, 4)), rng.standard_normal(4)
        labels = rng.choice([-1.0, 1.0], (20, 1))
        once = np.ones(20, np.int64)
        moved = np.concatenate([w + step * np.eye(4), w - step * np.eye(4)])
        many = np.repeat(labels, 8, axis=1)
        found = batch(activation, X, many, moved, once).cost
        gradient = batch(activation, X, labels, w[None], once).gradient[0]
        slope = (found[:4] - found[4:]) / (2 * step)
        worst = max(worst, float(np.abs(slope - gradient).max()))
    return Measurement(worst, 0.0)


def _basin(quick: bool) -> float:
    low, high = _STARTS
    return float((stationary()[1] - low) / (high - low))


@claim("seung2002/section3/realisable", "section 3, last paragraph")
@no_exceptions
def _other_minima(quick: bool) -> Measurement:
    """If some weights cost nothing, local minima are less of a problem: there are none,
    since the gradient never points away from these weights. Exceptions among random
    problems.
    """
    rng, failures = np.random.default_rng(SEED), 0
    for _ in range(100 if quick else 2000):
        X = rng.standard_normal((6, 3))
        best, w = rng.standard_normal(3), 3 * rng.standard_normal(3)
        target, _ = outputs(Tanh(), X @ best)
        value, slope = outputs(Tanh(), X @ w)
        failures += int(not (w - best) @ ((value - target) * slope @ X) > 0)
    return Measurement(float(failures), 0.0)


def _saturated(s: float) -> Claim:
    @claim(f"seung2002/section3/saturation-{s:g}", "section 3, last but one paragraph")
    @expect(_duration(s))
    # The drift changes by d' along a step: half of it is missed, which adds up to
    # half the logarithm of the ratio of first and last drift.
    @allow(
        0.05 * (s / 2 + 2),
        "steps of a rate 0.05 are not small, and one step is counted in whole",
    )
    @fill(s=s)
    def measure(quick: bool) -> Measurement:
        """Where the slope of the output vanishes nothing is learned. Steps times rate
        from a field of -{s:g} to 0, one example, logistic output; they grow as exp(s).
        """
        return Measurement(0.05 * _escape(s, 0.05), 0.0)

    return measure


@claim("seung2002/section3/two-minima", "section 3, last paragraph")
@expect(2.0, catches=0.5)
def _two_minima(quick: bool) -> Measurement:
    """Examples in conflict can cause local minima: their number for one weight and two
    examples, the smallest such problem.
    """
    return Measurement(float(len(stationary()[::2])), 0.0)


@claim("seung2002/section2/restarts", "section 2, third paragraph from the end")
@expect(_basin, catches=0.1)
def _restarts(quick: bool) -> Measurement:
    """Runs from random starts find the better minimum now and then: share of starts
    between -1 and 2 in the smallest example.
    """
    rng, count = np.random.default_rng(SEED), 1000 if quick else 10_000
    w = rng.uniform(*_STARTS, count)
    for _ in range(400):
        w = w - 0.2 * costs(w)[1]
    left, _, right = stationary()
    better = np.abs(w - left) < np.abs(w - right)
    share = float(better.mean())
    return Measurement(share, math.sqrt(share * (1 - share) / count))


CLAIMS = (
    _bias,
    _differences,
    _two_minima,
    _other_minima,
    _restarts,
    _saturated(4.0),
    _saturated(7.0),
)
