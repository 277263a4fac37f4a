r"""The binary learner with the exact means after each example.

The learner of :mod:`rosenblatt.rules.beliefs.binary_bayes` takes the field for
Gaussian. Here the sum over the weights, which are independent, is taken as it is,

.. math::
    \operatorname{artanh} m_i \leftarrow \operatorname{artanh} m_i + \frac12
    \ln \frac{P(y \mid x, w_i = +1)}{P(y \mid x, w_i = -1)},   \tag{1}

so that only the product form of the belief remains as an approximation. After each
example the posterior is replaced by the product of its marginals (assumed-density
filtering). The means are therefore those of the exact posterior for one example, not
for several.

* If all inputs have the same size (they are :math:`\pm 1`), the number of terms
  :math:`w_i x_i > 0` has a Poisson-binomial law. A table of partial sums gives it in
  :math:`N^2` steps. All terms are positive, so unlikely labels lose no digits.
* Otherwise all :math:`2^N` combinations are summed over, for N up to 20.

A field of 0 counts as negative, as for :class:`~rosenblatt.teachers.Sign`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rosenblatt.bits import BitStream
from rosenblatt.compiling import inlined
from rosenblatt.core import BeliefRule, Observation, Stream
from rosenblatt.core.arguments import number
from rosenblatt.core.beliefs import Learn
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.hyperbolic import tanh_and_slope

__all__ = ["ExactBinaryBayes"]

_MOST = 20  # weights whose combinations are summed over: a million
_NEVER = 1e-300  # what stands for the probability 0 in a logarithm
_ROUNDING = 1e-12  # relative differences below which inputs have the same size


@dataclass(frozen=True)
class ExactBinaryBayes(BeliefRule):
    """Update means of weights -1 and +1 exactly, by one example at a time.

    This is the product-form (assumed-density) filter, not the posterior of all
    examples: correlations of the weights are dropped after each. The schedule is
    ignored.

    Parameters
    ----------
    noise
        Probability of a wrong label in the P of eq. (1).

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

    def __post_init__(self) -> None:
        number("noise", self.noise, low=0, high=0.5)

    def refusal(self, stream: Stream, dim: int) -> str | None:
        """Return why such inputs cannot be summed over, if so."""
        if dim <= _MOST or isinstance(stream, BitStream):
            return None
        return (
            f"dim must be at most {_MOST} unless all inputs are -1 and +1, "
            f"streams.UniformBits(dim), got {dim}"
        )

    def bind(self) -> Learn:
        """Return eq. (1)."""
        noise = self.noise

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
                _enumerate(state, x, o.label, noise)
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
    return bool(size > 0.0)


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
def _enumerate(state: FloatArray, x: FloatArray, label: float, noise: float) -> None:
    """Move all weights, with a sum over all their signs."""
    count = 1 << x.size
    fields, weights = np.empty(count), np.empty(count)
    fields[0], weights[0] = 0.0, 1.0
    for i in range(x.size):
        half, t = 1 << i, _within(state[i])
        high, low = 1.0 / (1.0 + math.exp(-2.0 * t)), 1.0 / (1.0 + math.exp(2.0 * t))
        for j in range(half):
            fields[half + j], weights[half + j] = fields[j] + x[i], weights[j] * high
            fields[j], weights[j] = fields[j] - x[i], weights[j] * low
    total = 0.0
    for j in range(count):
        right = (fields[j] > 0.0) == (label > 0.0)
        weights[j] *= 1.0 - noise if right else noise
        total += weights[j]
    if total < _NEVER:  # all that was believed excludes this label
        return
    for i in range(x.size):
        up, down = 0.0, 0.0
        for j in range(count):
            if j >> i & 1:
                up += weights[j]
            else:
                down += weights[j]
        state[i] = 0.5 * math.log(max(up, _NEVER) / max(down, _NEVER))
