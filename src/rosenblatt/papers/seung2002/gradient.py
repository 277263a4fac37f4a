r"""Sections 1 to 3: gradient descent, its shortcomings, local minima, saturation.

With linear outputs the cost is a quadratic function whose Hessian has eigenvalues from
:math:`\lambda` to :math:`\Lambda`. Then everything the lecture says has a number: a
rate :math:`\eta` converges if and only if :math:`\eta < 2 / \Lambda`. The best one,
:math:`2 / (\lambda + \Lambda)`, takes

.. math:: \left(\frac{\kappa - 1}{\kappa + 1}\right)^2, \qquad
    \kappa = \Lambda / \lambda,   \tag{1}

of the excess cost to the next step; and the gradient may be off the direction to the
minimum by as much as

.. math:: \cos \phi = \frac{2 \sqrt \kappa}{\kappa + 1}.   \tag{2}

One weight and two examples are enough for two minima: inputs 1 and 10 with targets 0.9
and -0.9 of a hyperbolic tangent. Fewer are not, since one example has one stationary
point if :math:`f` is monotone. Where some :math:`w_*` has :math:`E = 0` there is no
other minimum at all: with :math:`h = w \cdot x`,

.. math:: (w - w_*) \cdot \nabla E =
    \sum_\mu f'(h^\mu) [f(h^\mu) - f(h_*^\mu)] (h^\mu - h_*^\mu) > 0.   \tag{3}

A saturated output takes exponentially long to come back. For one example with input 1
and target 1 a logistic output goes from the field :math:`-s` to 0 in

.. math:: \eta T = e^s + 3 s + \tfrac52 - 3 e^{-s} - \tfrac12 e^{-2 s}   \tag{4}

at small rates.
"""

from __future__ import annotations

import functools
import math
import warnings
from typing import Any

import lazy_loader
import numpy as np
from scipy.optimize import brentq

from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.linear import MISTAKES, learn
from rosenblatt.linear.gradient import batch, hessian, outputs
from rosenblatt.papers.claims import NO_EXCEPTIONS, Measurement
from rosenblatt.papers.samples import line, points
from rosenblatt.papers.seung2002.problems import (
    PAPER,
    SEED,
    CautiousTanh,
    Quadratic,
    from_weights,
    quadratic,
)
from rosenblatt.rules import Delta, Linear, Logistic, Tanh
from rosenblatt.schedules import Constant

# What not every reader of papers needs is loaded when it is.
estimators: Any = lazy_loader.load("rosenblatt.estimators", suppress_warning=True)


linear: Any = lazy_loader.load("scipy.sparse.linalg", suppress_warning=True)


CONDITIONS = (2.0, 10.0, 100.0)


CURVATURES = np.array([0.25, 0.5, 1.0])


def least_cost(problem: Quadratic) -> tuple[float, FloatArray]:
    """Return the least cost of linear outputs, and where it is."""
    targets = 2.0 * problem.y - 1
    weights, *_ = np.linalg.lstsq(problem.X, targets, rcond=None)
    return float(np.mean((targets - problem.X @ weights) ** 2) / 2), weights


@functools.lru_cache(maxsize=64)
def _costs(curvatures: tuple[float, ...], rate: float, passes: int) -> FloatArray:
    problem = quadratic(np.array(curvatures))
    model = estimators.GradientPerceptron(
        Linear(),
        Constant(rate),
        presentation="batch",
        max_iter=passes,
        fit_intercept=False,
    )
    with warnings.catch_warnings():  # a cost that grows is what is looked for
        warnings.filterwarnings("ignore", message="the cost has grown")
        costs = model.fit(problem.X, problem.y).costs_[:, 0]
    return np.asarray(costs)


def excess(curvatures: FloatArray, rate: float, passes: int) -> FloatArray:
    """Return by how much the cost exceeds the least one, before and after each pass."""
    least, _ = least_cost(quadratic(curvatures))
    costs = _costs(tuple(curvatures.tolist()), float(rate), passes)
    return np.maximum(costs - least, 0.0)


def best(condition: float) -> tuple[FloatArray, float]:
    """Return curvatures of this condition number, and the best rate for them."""
    curvatures = np.geomspace(1 / condition, 1, 4)
    return curvatures, float(2 / (curvatures[0] + curvatures[-1]))


def factor(condition: float) -> float:
    """Return eq. (1)."""
    return ((condition - 1) / (condition + 1)) ** 2


def conjugate(curvatures: FloatArray, steps: int) -> list[float]:
    """Return the excess cost along conjugate gradients, relative to the start."""
    problem = quadratic(curvatures)
    H = problem.X.T @ problem.X / len(problem.X)
    right = problem.X.T @ (2.0 * problem.y - 1) / len(problem.X)
    _, minimum = least_cost(problem)
    path = [np.zeros(curvatures.size)]
    linear.cg(
        H, right, rtol=0.0, maxiter=steps, callback=lambda w: path.append(w.copy())
    )
    away = [w - minimum for w in path]
    found = np.array([max(float(d @ H @ d), 0.0) for d in away])
    return [float(value) for value in found / found[0]]


def _curvature(quick: bool) -> float:
    problem = quadratic(CURVATURES)
    signs = np.where(problem.y > 0, 1.0, -1.0)
    found = hessian(Linear(), problem.X, signs, np.zeros(CURVATURES.size))
    return 2 / float(np.linalg.eigvalsh(found).max())


@PAPER.claim(
    "section2/decrease",
    "section 2, text after the update",
    quote="We're only guaranteed that E(w') < E(w) for sufficiently small",
    **NO_EXCEPTIONS,
)
def _descents(quick: bool) -> float:
    """A sufficiently small step lowers the cost. Exceptions among random problems with
    logistic outputs, at a rate of one over the mean squared length of the inputs.
    """
    rng, failures = np.random.default_rng(SEED), 0
    for _ in range(50 if quick else 500):
        X, w = rng.standard_normal((10, 3)), rng.standard_normal((1, 3))
        labels, once = rng.choice([-1.0, 1.0], (10, 1)), np.ones(10, np.int64)
        before = batch(Logistic(), X, labels, w, once)
        # The curvature is at most 1/8 + 1/16 per squared length of an input.
        rate = 1 / float((X**2).sum(axis=1).mean())
        after = batch(Logistic(), X, labels, w - rate * before.gradient, once)
        failures += int(not after.cost[0] < before.cost[0])
    return float(failures)


@PAPER.claim(
    "section2/conjugate",
    "section 2, next to last paragraph",
    quote="methods, such as conjugate gradient, for speeding up convergence",
    expect=0.0,
    catches=1e-6,
    allow=(1e-12, "numbers are rounded"),
)
def _conjugate_end() -> float:
    """Conjugate gradients are faster: the excess cost of ten weights at condition
    number 100 is gone after ten steps, and gradient descent has 0.67 of it left at
    worst.
    """
    curvatures = np.geomspace(0.01, 1, 10)
    return conjugate(curvatures, 10)[-1]


@PAPER.claim(
    "section2/speed-{condition:g}",
    "section 2, next to last paragraph",
    quote="This can be quantified by the condition number of the Hessian",
    expect=lambda condition: factor(condition),
    catches=1e-3,
    allow=(1e-5, "costs are rounded, and other directions die out only in the end"),
    each={"condition": CONDITIONS[1:]},
)
def _anisotropic(condition: float) -> float:
    """The condition number of the Hessian says how slow gradient descent is. Factor
    of the excess cost per step at kappa = {condition:g} and the best rate, [(kappa
    - 1)/(kappa + 1)]^2.
    """
    curvatures, rate = best(condition)
    late = excess(curvatures, rate, 300)
    # while it is well above rounding: the least cost is of order 1
    last = int(np.flatnonzero(late > 1e-7 * late[0])[-1])
    return float(late[last] / late[last - 1])


@PAPER.claim(
    "section2/angle-{condition:g}",
    "section 2, next to last paragraph",
    quote="The gradient generally deviates from the direction of a local optimum",
    expect=lambda condition: 2 * math.sqrt(condition) / (condition + 1),
    allow=(1e-4, "20 000 directions are tried"),
    each={"condition": CONDITIONS[1:]},
)
def _deviation(condition: float) -> float:
    """The gradient deviates from the direction of the minimum, and more for larger
    condition numbers, here {condition:g}: least cosine, 2 kappa^(1/2)/(kappa + 1).
    """
    curvatures = np.array([1 / condition, 1.0])
    problem = quadratic(curvatures)
    _, minimum = least_cost(problem)
    angles = np.linspace(0, 2 * math.pi, 20_001)
    away = np.column_stack([np.cos(angles), np.sin(angles)])
    labels = np.repeat((2.0 * problem.y - 1)[:, None], len(away), axis=1)
    once = np.ones(len(problem.X), np.int64)
    gradient = batch(Linear(), problem.X, labels, minimum + away, once).gradient
    cosines = np.einsum("ij,ij->i", gradient, away) / np.linalg.norm(gradient, axis=1)
    return float(cosines.min())


@PAPER.claim(
    "section2/limit",
    "section 2, text after the update",
    quote="is chosen too large, then the step might be so large",
    expect=_curvature,
    catches=1e-3,
    allow=(1e-9, "it is a limit of many steps, and rounded"),
)
def _limit() -> float:
    """Too large a rate makes the cost grow: the rate where this begins is 2 over the
    largest eigenvalue of the Hessian.

    In the end the excess cost changes by (1 - rate * curvature)^2 per step.
    """
    rate = 2.2 / float(CURVATURES.max())
    late = excess(CURVATURES, rate, 200)[-2:]
    return 2 * rate / (1 + math.sqrt(late[1] / late[0]))


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


@PAPER.figure("minima", "section 3")
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
    X = np.array([[1.0]])
    labels = np.array([1.0])
    learner = from_weights(np.array([-field]))
    steps = np.zeros(math.ceil(2 * _duration(field) / rate), np.int64)
    learner = learn(Delta(Logistic()), Constant(rate), X, labels, learner, order=steps)
    return float(learner.counts[MISTAKES])


def _duration(s: float) -> float:
    """Return eq. (2)."""
    return math.exp(s) + 3 * s + 2.5 - 3 * math.exp(-s) - math.exp(-2 * s) / 2


@PAPER.claim(
    "section1/bias",
    "section 1, first paragraph",
    quote="increasing the dimensionality of the input vector by one",
    expect=0.0,
    catches=1e-9,
    allow=(1e-14, "sums over features are rounded in another order"),
)
def _bias() -> float:
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
    return float(np.abs(apart).max())


@PAPER.claim(
    "eq2",
    "eqs. (1) and (2)",
    quote="apply gradient descent to the squared error cost function",
    expect=0.0,
    catches=1e-4,
    allow=(1e-8, "differences over 2e-6 are rounded"),
)
def _differences() -> float:
    """The gradient of the squared error: largest deviation from differences of the
    cost, for linear, logistic and tanh outputs.
    """
    rng, step, apart = np.random.default_rng(SEED), 1e-6, []
    for activation in (Linear(), Logistic(), Tanh()):
        X, w = rng.standard_normal((20, 4)), rng.standard_normal(4)
        labels = rng.choice([-1.0, 1.0], (20, 1))
        once = np.ones(20, np.int64)
        moved = np.concatenate([w + step * np.eye(4), w - step * np.eye(4)])
        many = np.repeat(labels, 8, axis=1)
        found = batch(activation, X, many, moved, once).cost
        gradient = batch(activation, X, labels, w[None], once).gradient[0]
        slope = (found[:4] - found[4:]) / (2 * step)
        apart.append(np.abs(slope - gradient))
    return float(np.max(apart))


def _basin(quick: bool) -> float:
    low, high = _STARTS
    return float((stationary()[1] - low) / (high - low))


@PAPER.claim(
    "section3/realisable",
    "section 3, last paragraph",
    quote="There is a special case in which such problems are less severe",
    **NO_EXCEPTIONS,
)
def _other_minima(quick: bool) -> float:
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
    return float(failures)


@PAPER.claim(
    "section3/saturation-{s:g}",
    "section 3, last but one paragraph",
    quote="slope vanishes when the argument is either very positive or very negative",
    expect=lambda s: _duration(s),
    allow=(
        lambda s: 0.05 * (s / 2 + 2),
        "steps of a rate 0.05 are not small, and one step is counted in whole",
    ),
    each={"s": [4.0, 7.0]},
)
def _saturated(s: float) -> float:
    """Nothing is learned where the slope of the output vanishes. Steps times rate
    from a field of -{s:g} to 0, one example, logistic output; they grow as exp(s).
    """
    return 0.05 * _escape(s, 0.05)


@PAPER.claim(
    "section3/two-minima",
    "section 3, last paragraph",
    quote="This type of conflict can cause local minima problems",
    expect=2.0,
    catches=0.5,
)
def _two_minima() -> float:
    """Examples in conflict can cause local minima: their number for one weight and two
    examples, the smallest such problem.
    """
    return float(len(stationary()[::2]))


@PAPER.claim(
    "section2/restarts",
    "section 2, third paragraph from the end",
    quote="run the gradient method many times from random initial conditions",
    expect=_basin,
    catches=0.1,
)
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
