r"""Section 7: the perceptron rule as stochastic gradient descent.

Where no field is zero the update :math:`y x` of a mistake is minus the gradient of
:math:`[-y w \cdot x]^+`, and zero is that of what is right. Two things are peculiar to
this cost. It has its least value, zero, at :math:`w = 0`, where the rule begins and
which it leaves at the first example. What it finds is another minimum. And from there
the rate does not matter: all weights are in proportion to it, and no output depends on
their length.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import allow, claim, expect, no_exceptions
from rosenblatt.papers.seung2002.problems import SEED, from_weights
from rosenblatt.rows import MISTAKES, Learner, learn
from rosenblatt.rules import Perceptron
from rosenblatt.schedules import Constant

__all__ = ["CLAIMS", "cost"]


def cost(X: FloatArray, labels: FloatArray, weights: FloatArray) -> float:
    """Return the mean distance of examples beyond zero field, 0 on the right side.

    Examples
    --------
    >>> cost(np.array([[2.0], [1.0]]), np.array([1.0, -1.0]), np.array([3.0]))
    1.5
    """
    return float(np.mean(np.maximum(-labels * (X @ weights), 0)))


def _examples() -> tuple[FloatArray, FloatArray, FloatArray]:
    rng = np.random.default_rng(SEED)
    X, labels = rng.standard_normal((50, 4)), rng.choice([-1.0, 1.0], 50)
    return X, labels, rng.standard_normal(4)


@claim("seung2002/section7/cost", "section 7, cost function")
@expect(0.0, catches=1e-4)
@allow(1e-8, "differences over 2e-7 are rounded")
def _descends(quick: bool) -> Measurement:
    """The perceptron rule descends the mean of max(0, -y w.x): largest deviation of
    the mean update at rate 1 from minus the slope of that.
    """
    X, labels, w = _examples()
    changes = [
        learn(
            Perceptron(),
            Constant(1.0),
            X,
            labels,
            from_weights(w),
            order=np.array([row]),
        ).weights
        - w
        for row in range(len(X))
    ]
    step = 1e-7
    slope = [
        (cost(X, labels, w + step * axis) - cost(X, labels, w - step * axis))
        / (2 * step)
        for axis in np.eye(4)
    ]
    return Measurement(float(np.abs(np.mean(changes, axis=0) + slope).max()), 0.0)


@claim("seung2002/section7/rate", "section 7, fixed learning rate")
@no_exceptions
def _rates(quick: bool) -> Measurement:
    """The rate may as well be 1: by how much numbers of mistakes differ for rates of
    2^(-10), 1 and 2^10, from weights zero.
    """
    X, labels, _ = _examples()
    found = [
        int(
            learn(Perceptron(), Constant(rate), X, labels, Learner.zero(4)).counts[
                MISTAKES
            ]
        )
        for rate in (2.0**-10, 1.0, 2.0**10)
    ]
    return Measurement(float(max(found) - min(found)), 0.0)


CLAIMS = (_descends, _rates)
