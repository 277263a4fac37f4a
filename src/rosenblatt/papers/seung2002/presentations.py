r"""Section 4, in brackets: examples in a fixed order instead of a random one.

A fixed order has no noise. At a constant rate weights end in a cycle, one round per
pass. Its distance from the minimum is proportional to the rate. At random they spread
around it in proportion to the root of the rate. For the weight of
:mod:`rosenblatt.papers.seung2002.walks`, with :math:`m` targets :math:`y_k`, the cycle
is

.. math:: w_k = \frac{\eta}{1 - (1 - \eta)^m} \sum_{j=0}^{m-1} (1 - \eta)^j\, y_{k-j},
    \tag{1}

and at rates :math:`1/t` each pass ends at the mean of the targets exactly.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.papers.seung2002.problems import follow
from rosenblatt.papers.seung2002.section_4 import small_problem
from rosenblatt.papers.seung2002.walks import BEST, INPUTS, NOISE, TARGETS
from rosenblatt.rules import Delta, Linear
from rosenblatt.schedules import Constant, Power

__all__ = ["CLAIMS", "cycle", "end_of_pass"]

_RATE = 0.1
_RATES = (0.02, 0.01)  # between which the power of the rate is taken
_PASSES = 250
_RELAXATIONS = 30  # exp(-30) = 1e-13 of the start is left


def cycle(rate: float) -> FloatArray:
    """Return eq. (1), from after the first target to after the last.

    Examples
    --------
    >>> cycle(0.5).round(3).tolist()
    [0.467, 0.733, 0.867, -0.067]
    """
    size = TARGETS.size
    powers = (1 - rate) ** np.arange(size)
    return np.array(
        [
            rate / (1 - (1 - rate) ** size) * powers @ np.roll(TARGETS[::-1], k + 1)
            for k in range(size)
        ]
    )


def end_of_pass(X: FloatArray, labels: FloatArray, rate: float) -> FloatArray:
    """Return the weights that a pass in the order of the rows does not change.

    With linear outputs a step is affine, ``w <- (I - rate x x') w + rate y x``, and so
    is a pass.
    """
    size = X.shape[1]
    product, shift = np.eye(size), np.zeros(size)
    for x, y in zip(X, labels, strict=True):
        step = np.eye(size) - rate * np.outer(x, x)
        product, shift = step @ product, step @ shift + rate * y * x
    return np.asarray(np.linalg.solve(np.eye(size) - product, shift))


def _walk(schedule: Constant | Power, times: IntArray) -> FloatArray:
    """Return the distance of the one weight from its best value, in a fixed order."""
    order = np.tile(np.arange(TARGETS.size), _PASSES)
    found = follow(
        Delta(Linear()), schedule, INPUTS, TARGETS, np.zeros(1), order, times
    )
    return np.asarray(found[:, 0] - BEST)


@claim("seung2002/presentation/one-over-t", "section 4, second paragraph")
@expect(0.0, catches=1e-6)
@allow(1e-13, "a mean of 1000 numbers is rounded")
@fill(distance=(NOISE / 1000) ** 0.5)
def _running_mean(quick: bool) -> Measurement:
    """In a fixed order noise is averaged out better than at random. Distance from the
    minimum after 250 whole passes through four examples at rates 1/t. At random it is
    {distance:.2g}.
    """
    last = TARGETS.size * _PASSES
    return Measurement(float(np.abs(_walk(Power(1.0, 1.0), np.array([last]))[0])), 0.0)


@claim("seung2002/presentation/constant", "section 4, second paragraph")
@expect(float(np.mean((cycle(_RATE) - BEST) ** 2)), catches=1e-6)
@allow(1e-13, "numbers are rounded")
@fill(square=_RATE / (2 - _RATE) * NOISE)
def _cyclic(quick: bool) -> Measurement:
    """At a constant rate of 0.1 a fixed order ends in a cycle: mean squared distance
    from the minimum in a pass. At random it is {square:.3g}.
    """
    last = TARGETS.size * _PASSES
    times = np.arange(last - TARGETS.size + 1, last + 1)
    return Measurement(float(np.mean(_walk(Constant(_RATE), times) ** 2)), 0.0)


def _power(distances: list[float]) -> float:
    return float(np.log(distances[0] / distances[1]) / np.log(_RATES[0] / _RATES[1]))


def _expected_distance(quick: bool) -> float:
    X, labels, _ = small_problem()
    best, *_ = np.linalg.lstsq(X, labels, rcond=None)
    ends = [end_of_pass(X, labels, rate) for rate in _RATES]
    return _power([float(np.linalg.norm(end - best)) for end in ends])


@claim("seung2002/presentation/power", "section 4, second and third paragraphs")
@expect(_expected_distance, catches=1e-3)
@allow(1e-6, "30 times of relaxation are not for ever, nor are 1000 batch steps")
def _distance(quick: bool) -> Measurement:
    """The smaller the rate, the nearer a fixed order ends to where batch learning does.
    Power of the rate, from 0.02 to 0.01, for 30 examples and three weights. It is 1 for
    small rates, and 1/2 at random.
    """
    X, labels, best = small_problem()
    slowest = float(np.linalg.eigvalsh(X.T @ X / len(X))[0])
    found = []
    for rate in _RATES:
        passes = round(_RELAXATIONS / (rate * slowest * len(X)))
        order = np.tile(np.arange(len(X)), passes)
        [end] = follow(
            Delta(Linear()),
            Constant(rate),
            X,
            labels,
            best,
            order,
            np.array([order.size]),
        )
        found.append(float(np.linalg.norm(end - best)))
    return Measurement(_power(found), 0.0)


CLAIMS = (_running_mean, _cyclic, _distance)
