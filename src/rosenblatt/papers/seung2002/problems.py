r"""Problems that statements and figures of this lecture share.

The smallest online problem is one weight that learns the mean of its targets. All
inputs are 1; of four targets three are 1 and one is -1, drawn at random, and the output
is linear. With :math:`e = w - w_*`, :math:`w_* = 1/2`, and the noise :math:`\xi = y -
w_*` of variance :math:`\sigma^2 = 3/4`,

.. math:: e_t = (1 - \eta_t)\, e_{t-1} + \eta_t\, \xi_t, \qquad
    \langle e_t^2 \rangle = (1 - \eta_t)^2 \langle e_{t-1}^2 \rangle
    + \eta_t^2 \sigma^2,   \tag{1}

so that every statement on rates can be compared with exact numbers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rosenblatt.core import Activation, Clock, Rule, Schedule
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.linear import Learner, learn
from rosenblatt.papers.claims import Paper
from rosenblatt.rules import Delta, Linear, Tanh
from rosenblatt.schedules import Constant

PAPER = Paper(
    key="seung2002",
    citation="S. Seung: Perceptron learning. 9.641 Lecture 3, September 12, 2002.",
    outline="section 1, section 2, section 3, eqs. (1) to (2), section 4, section 5, "
    "section 6, section 7, section 8, eqs. (3) to (6)",
)
SEED = 2002  # of everything random in this lecture's claims and figures


@dataclass(frozen=True)
class CautiousTanh(Activation):
    """A hyperbolic tangent with targets of -0.9 and 0.9, which it can reach."""

    @property
    def targets(self) -> tuple[float, float]:
        """Targets inside the range of outputs."""
        return (-0.9, 0.9)

    def bind(self) -> Callable[[float], tuple[float, float]]:
        """Return the hyperbolic tangent and its slope."""
        return Tanh().bind()


class Quadratic(NamedTuple):
    """Examples whose cost with linear outputs has a Hessian of given eigenvalues."""

    X: FloatArray
    y: IntArray  # 0 or 1
    curvatures: FloatArray


def quadratic(curvatures: FloatArray, rows: int = 40) -> Quadratic:
    """Return examples with a Hessian of these eigenvalues, along random directions."""
    rng = np.random.default_rng([SEED, curvatures.size])
    size = curvatures.size
    columns, _ = np.linalg.qr(rng.standard_normal((rows, size)))
    axes, _ = np.linalg.qr(rng.standard_normal((size, size)))
    X = np.sqrt(rows) * columns * np.sqrt(curvatures) @ axes
    return Quadratic(X, rng.integers(0, 2, rows), curvatures)


def from_weights(weights: FloatArray) -> Learner:
    """Return a learner that begins with these weights."""
    return Learner.zero(weights.size)._replace(weights=np.array(weights, dtype=float))


def learned(
    rule: Rule, X: FloatArray, labels: FloatArray, start: FloatArray, order: IntArray
) -> Learner:
    """Return a learner of these examples at rate 1, from these weights."""
    return learn(rule, Constant(1.0), X, labels, from_weights(start), order=order)


def drawn_order(rows: int, steps: int, *seed: int) -> IntArray:
    """Return examples drawn at random, one for each step."""
    return np.random.default_rng([SEED, *seed]).integers(0, rows, steps)


def follow(
    rule: Rule,
    schedule: Schedule,
    X: FloatArray,
    labels: FloatArray,
    start: FloatArray,
    order: IntArray,
    times: IntArray,
) -> FloatArray:
    """Return the weights after each of these numbers of examples, in rows."""
    learner, before, found = from_weights(start), 0, []
    for time in times:
        learner = learn(rule, schedule, X, labels, learner, order=order[before:time])
        before = time
        found.append(learner.weights)
    return np.array(found)


BEST = 0.5  # the minimum, w_*


NOISE = 0.75  # sigma^2


TARGETS = np.array([1.0, 1.0, 1.0, -1.0])


INPUTS = np.ones((4, 1))


@functools.lru_cache(maxsize=32)
def distances(schedule: Schedule, times: tuple[int, ...], replicas: int) -> FloatArray:
    """Return e after each of these numbers of examples, one row per replica."""
    when, rule, start = np.array(times), Delta(Linear()), np.zeros(1)
    paths = [
        follow(
            rule,
            schedule,
            INPUTS,
            TARGETS,
            start,
            drawn_order(len(TARGETS), times[-1], replica),
            when,
        )
        for replica in range(replicas)
    ]
    return np.array(paths)[:, :, 0] - BEST


def exact(
    schedule: Schedule, times: IntArray, *, sign: float = -1.0
) -> tuple[FloatArray, FloatArray]:
    """Return the mean and the mean square of e by eq. (1), at these times.

    With ``sign=+1`` the weight climbs, as the lecture's section 6 prints.
    """
    rate = schedule.bind()
    mean, square, means, squares = -BEST, BEST**2, [], []
    for t in range(1, int(times[-1]) + 1):
        eta = -sign * rate(Clock(float(t), float(t), 1.0))
        mean *= 1 - eta
        square = (1 - eta) ** 2 * square + eta**2 * NOISE
        means.append(mean)
        squares.append(square)
    at = np.asarray(times) - 1
    return np.array(means)[at], np.array(squares)[at]
