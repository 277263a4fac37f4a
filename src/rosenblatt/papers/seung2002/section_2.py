r"""Section 2: gradient descent and its shortcomings.

With linear outputs the cost is a quadratic function whose Hessian has eigenvalues from
:math:`\lambda` to :math:`\Lambda`. Then everything the lecture says has a number: a
rate :math:`\eta` converges if and only if :math:`\eta < 2 / \Lambda`. The best one,
:math:`2 / (\lambda + \Lambda)`, takes

.. math:: \left(\frac{\kappa - 1}{\kappa + 1}\right)^2, \qquad
    \kappa = \Lambda / \lambda,   \tag{1}

of the excess cost to the next step; and the gradient may be off the direction to the
minimum by as much as

.. math:: \cos \phi = \frac{2 \sqrt \kappa}{\kappa + 1}.   \tag{2}
"""

from __future__ import annotations

import functools
import math
import warnings
from typing import Any

import lazy_loader
import numpy as np

from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill, no_exceptions
from rosenblatt.papers.seung2002.problems import SEED, Quadratic, quadratic
from rosenblatt.rows.gradient import batch, hessian
from rosenblatt.rules import Linear, Logistic
from rosenblatt.schedules import Constant

__all__ = [
    "CLAIMS",
    "CONDITIONS",
    "CURVATURES",
    "best",
    "conjugate",
    "excess",
    "factor",
    "least_cost",
]

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


def _speed(condition: float) -> Measurement:
    curvatures, rate = best(condition)
    late = excess(curvatures, rate, 300)
    # while it is well above rounding: the least cost is of order 1
    last = int(np.flatnonzero(late > 1e-7 * late[0])[-1])
    return Measurement(float(late[last] / late[last - 1]), 0.0)


def _angle(condition: float) -> Measurement:
    """Return the least cosine of the gradient with the way to the minimum."""
    curvatures = np.array([1 / condition, 1.0])
    problem = quadratic(curvatures)
    _, minimum = least_cost(problem)
    angles = np.linspace(0, 2 * math.pi, 20_001)
    away = np.column_stack([np.cos(angles), np.sin(angles)])
    labels = np.repeat((2.0 * problem.y - 1)[:, None], len(away), axis=1)
    once = np.ones(len(problem.X), np.int64)
    gradient = batch(Linear(), problem.X, labels, minimum + away, once).gradient
    cosines = np.einsum("ij,ij->i", gradient, away) / np.linalg.norm(gradient, axis=1)
    return Measurement(float(cosines.min()), 0.0)


@claim("seung2002/section2/decrease", "section 2, text after the update")
@no_exceptions
def _descents(quick: bool) -> Measurement:
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
    return Measurement(float(failures), 0.0)


@claim("seung2002/section2/conjugate", "section 2, next to last paragraph")
@expect(0.0, catches=1e-6)
@allow(1e-12, "numbers are rounded")
@fill(left=factor(100) ** 10)
def _conjugate_end(quick: bool) -> Measurement:
    """Conjugate gradients are faster: the excess cost of ten weights at condition
    number 100 is gone after ten steps. Gradient descent has {left:.2g} of it left at
    worst.
    """
    curvatures = np.geomspace(0.01, 1, 10)
    return Measurement(conjugate(curvatures, 10)[-1], 0.0)


def _anisotropic(condition: float) -> Claim:
    @claim(
        f"seung2002/section2/speed-{condition:g}", "section 2, next to last paragraph"
    )
    @expect(factor(condition), catches=1e-3)
    @allow(1e-5, "costs are rounded, and other directions die out only in the end")
    @fill(condition=condition)
    def measure(quick: bool) -> Measurement:
        """The condition number of the Hessian says how slow gradient descent is. Factor
        of the excess cost per step at kappa = {condition:g} and the best rate, [(kappa
        - 1)/(kappa + 1)]^2.
        """
        return _speed(condition)

    return measure


def _deviation(condition: float) -> Claim:
    @claim(
        f"seung2002/section2/angle-{condition:g}", "section 2, next to last paragraph"
    )
    @expect(2 * math.sqrt(condition) / (condition + 1))
    @allow(1e-4, "20 000 directions are tried")
    @fill(condition=condition)
    def measure(quick: bool) -> Measurement:
        """The gradient deviates from the direction of the minimum, the more the larger
        the condition number, here {condition:g}: least cosine, 2 kappa^(1/2)/(kappa +
        1).
        """
        return _angle(condition)

    return measure


@claim("seung2002/section2/limit", "section 2, text after the update")
@expect(_curvature, catches=1e-3)
@allow(1e-9, "it is a limit of many steps, and rounded")
def _limit(quick: bool) -> Measurement:
    """Too large a rate makes the cost grow: the rate where this begins is 2 over the
    largest eigenvalue of the Hessian.

    In the end the excess cost changes by (1 - rate * curvature)^2 per step.
    """
    rate = 2.2 / float(CURVATURES.max())
    late = excess(CURVATURES, rate, 200)[-2:]
    return Measurement(2 * rate / (1 + math.sqrt(late[1] / late[0])), 0.0)


CLAIMS = (
    _descents,
    _limit,
    *(_anisotropic(condition) for condition in CONDITIONS[1:]),
    *(_deviation(condition) for condition in CONDITIONS[1:]),
    _conjugate_end,
)
