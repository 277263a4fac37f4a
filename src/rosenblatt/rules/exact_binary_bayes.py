r"""The binary learner with the exact means after each example.

The learner of :mod:`rosenblatt.rules.binary_bayes` takes the field for Gaussian. Here
the sum over the weights, which are independent, is taken as it is,

.. math::
    \operatorname{artanh} m_i \leftarrow \operatorname{artanh} m_i + \frac12
    \ln \frac{P(y \mid x, w_i = +1)}{P(y \mid x, w_i = -1)},   \tag{1}

so that only the product form of the belief remains as an approximation.

* If all inputs have the same size (they are :math:`\pm 1`), the number of terms
  :math:`w_i x_i > 0` has a Poisson-binomial law, which a table of partial sums gives in
  :math:`N^2` steps. All terms are positive, so unlikely labels lose no digits.
* Otherwise the signs of the most open weights, those with the largest
  :math:`x_i^2 v_i`, are summed over, at most so many of them; the rest of the field is
  Gaussian, and its weights follow eq. (1) of the other learner with the slope and the
  curvature of that sum. With N weights or more this is exact too.

A field of 0 counts as negative, as for :class:`~rosenblatt.teachers.Sign`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rosenblatt.core import BeliefRule, Observation, inlined
from rosenblatt.core.arguments import number, whole
from rosenblatt.core.beliefs import Learn
from rosenblatt.core.evidence import evidence
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.hyperbolic import tanh_and_slope
from rosenblatt.core.jit import IntArray

__all__ = ["ExactBinaryBayes"]

_TINY = 1e-200  # the least variance of a field whose square root can be divided by
_NEVER = 1e-300  # what stands for the probability 0 in a logarithm
_ROUNDING = 1e-12  # relative differences below which inputs have the same size


@dataclass(frozen=True)
class ExactBinaryBayes(BeliefRule):
    """Keep exact posterior means of weights -1 and +1; the schedule is ignored.

    Parameters
    ----------
    noise
        Probability of a wrong label that the learner assumes.
    most
        How many weights are summed over where inputs differ in size; an example costs
        ``2**most``, and is exact where ``dim <= most``.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> run = rb.simulate(
    ...     ExactBinaryBayes(), rb.schedules.Constant(),
    ...     stream=rb.streams.UniformBits(25), dim=25, alpha=12, replicas=20)
    >>> bool(run.solved.all())
    True
    """

    noise: float = 0.0
    most: int = 10

    def __post_init__(self) -> None:
        number("noise", self.noise, low=0, high=0.5)
        if whole("most", self.most, low=1) > 24:
            raise ValueError(f"most must be a whole number up to 24, got {self.most}")

    def bind(self) -> Learn:
        """Return eq. (1)."""
        noise, most = self.noise, self.most

        def learn(
            state: FloatArray,
            mean: FloatArray,
            variance: FloatArray,
            x: FloatArray,
            o: Observation,
        ) -> None:
            if _same_size(x):
                _count(state, x, o.label, noise)
            else:
                _enumerate(state, mean, variance, x, o, noise, most)
            for i in range(x.size):
                mean[i], variance[i] = tanh_and_slope(state[i])

        return learn


@inlined
def _within(state: float) -> float:
    """Return the state if its exponential is a number."""
    return max(min(state, 300.0), -300.0)


@inlined
def _same_size(x: FloatArray) -> bool:
    size = abs(x[0])
    for i in range(x.size):
        if abs(abs(x[i]) - size) > _ROUNDING * size:
            return False
    return size > 0.0


@inlined
def _count(state: FloatArray, x: FloatArray, label: float, noise: float) -> None:
    """Move all weights where inputs have the same size."""
    n = x.size
    chance = np.empty(n)  # that label * w_i * x_i is positive
    for i in range(n):
        turn = label if x[i] > 0.0 else -label
        chance[i] = 1.0 / (1.0 + math.exp(-2.0 * turn * _within(state[i])))
    # that many positive terms make the label right
    needed = n // 2 + 1 if label > 0.0 else (n + 1) // 2
    before = np.zeros((n + 1, n + 1))  # P(the first i have exactly k)
    before[0, 0] = 1.0
    for i in range(n):
        for k in range(i + 1):
            before[i + 1, k] += before[i, k] * (1.0 - chance[i])
            before[i + 1, k + 1] += before[i, k] * chance[i]
    after, last = np.zeros(2 * n + 2), np.zeros(2 * n + 2)
    after[: n + 1] = 1.0  # entry n + k: P(those from i + 1 on have k or more)
    last[: n + 1] = 1.0
    for i in range(n - 1, -1, -1):
        enough, short = 0.0, 0.0  # with w_i for the label, and against it
        for k in range(i + 1):
            enough += before[i, k] * after[n + needed - 1 - k]
            short += before[i, k] * after[n + needed - k]
        clear = 1.0 - 2.0 * noise
        more = math.log(max(noise + clear * enough, _NEVER))
        less = math.log(max(noise + clear * short, _NEVER))
        state[i] += 0.5 * (more - less) * (label if x[i] > 0.0 else -label)
        after, last = last, after
        for k in range(n + 1, 2 * n - i + 1):
            after[k] = last[k] + chance[i] * (last[k - 1] - last[k])


@inlined
def _most_open(x: FloatArray, variance: FloatArray, most: int) -> IntArray:
    """Return the weights that add most to the variance of the field."""
    share = variance * x * x
    chosen = np.empty(min(most, x.size), np.int64)
    for k in range(chosen.size):
        chosen[k] = np.argmax(share)
        share[chosen[k]] = -1.0
    return chosen


@inlined
def _enumerate(
    state: FloatArray,
    mean: FloatArray,
    variance: FloatArray,
    x: FloatArray,
    o: Observation,
    noise: float,
    most: int,
) -> None:
    """Move all weights, with a sum over the signs of the most open ones."""
    chosen = _most_open(x, variance, most)
    count = 1 << chosen.size
    others = np.ones(x.size)
    for k in range(chosen.size):
        others[chosen[k]] = 0.0
    rest, center = 0.0, 0.0
    for i in range(x.size):
        rest += others[i] * variance[i] * x[i] * x[i]
        center += others[i] * mean[i] * x[i]
    fields, weights = np.empty(count), np.empty(count)
    fields[0], weights[0] = center, 1.0
    for k in range(chosen.size):
        i, half = chosen[k], 1 << k
        t = _within(state[i])
        high, low = 1.0 / (1.0 + math.exp(-2.0 * t)), 1.0 / (1.0 + math.exp(2.0 * t))
        for j in range(half):
            fields[half + j], weights[half + j] = fields[j] + x[i], weights[j] * high
            fields[j], weights[j] = fields[j] - x[i], weights[j] * low
    total, first, second = 0.0, 0.0, 0.0  # Z and its derivatives
    for j in range(count):
        if chosen.size == x.size:
            right = (fields[j] > 0.0) == (o.label > 0.0)
            weights[j] *= 1.0 - noise if right else noise
        else:
            told = evidence(fields[j], max(rest, _TINY), o.label, noise)
            weights[j] *= math.exp(told.log_probability)
            if weights[j] > 0.0:  # slopes of what is impossible may be infinite
                first += weights[j] * told.slope
                second += weights[j] * (told.slope * told.slope - told.curvature)
        total += weights[j]
    if total < _NEVER:  # all that was believed excludes this label
        return
    slope = first / total
    curvature = slope * slope - second / total
    moved = state + x * (slope + x * curvature * mean)
    for k in range(chosen.size):
        up, down = 0.0, 0.0
        for j in range(count):
            if j >> k & 1:
                up += weights[j]
            else:
                down += weights[j]
        moved[chosen[k]] = 0.5 * math.log(max(up, _NEVER) / max(down, _NEVER))
    state[:] = moved
