r"""Bayesian on-line learning with Gaussian weights and all their covariances.

The prior is :math:`w \sim \mathcal N(0, 1)`. With the slope :math:`g` and the
curvature :math:`c` that a label has for the field
:math:`\mathcal N(m \cdot x, x^T C x)`, see :mod:`rosenblatt.numerics.evidence`,

.. math::
    m \leftarrow m + g\, C x, \qquad C \leftarrow C - c\, C x\, (C x)^T.   \tag{1}

These are the exact mean and covariance after one example, of a posterior that is then
taken for Gaussian. An example costs :math:`N^2`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rosenblatt.compiling.vectors import dot
from rosenblatt.core import BeliefRule, Likelihood, Observation
from rosenblatt.core.arguments import number
from rosenblatt.core.parts import Learn
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.evidence import LEAST_VARIANCE
from rosenblatt.numerics.likelihood import evidence_of, one_law

__all__ = ["FullBayes"]


@dataclass(frozen=True)
class FullBayes(BeliefRule):
    """Keep the mean of the weights and their covariances; the schedule is ignored.

    Parameters
    ----------
    noise
        Probability of a wrong label, the k of the evidence.
    likelihood
        Law of the labels that the learner assumes; None: signs with this noise.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> run = rb.simulate(
    ...     FullBayes(), rb.schedules.Constant(), dim=50, alpha=20, replicas=20)
    >>> float(run.error.mean().round(2))
    0.03
    """

    noise: float = 0.0
    likelihood: Likelihood | None = None

    def __post_init__(self) -> None:
        number("noise", self.noise, low=0, high=0.5)
        one_law(self.likelihood, self.noise)

    def memory(self, dim: int) -> int:
        """Return the size of the covariance matrix."""
        return dim * dim

    def begin(self, state: FloatArray, mean: FloatArray, variance: FloatArray) -> None:
        """Write the prior."""
        variance[:] = 1.0
        state[:: mean.size + 1] = 1.0

    def target(self, dim: int, rng: np.random.Generator) -> FloatArray:
        """Return standard normal weights."""
        return rng.standard_normal(dim)

    def bind(self) -> Learn:
        """Return eq. (1)."""
        evidence = evidence_of(self.likelihood, self.noise)

        def learn(
            state: FloatArray,
            mean: FloatArray,
            variance: FloatArray,
            x: FloatArray,
            o: Observation,
        ) -> None:
            n = x.size
            along = np.empty(n)
            for i in range(n):
                along[i] = dot(state[i * n : (i + 1) * n], x)
            spread = max(dot(along, x), LEAST_VARIANCE)
            found = evidence(o.field, spread, o.label)
            for i in range(n):
                mean[i] += found.slope * along[i]
                gain = found.curvature * along[i]
                for j in range(n):
                    state[i * n + j] -= gain * along[j]
                variance[i] = state[i * n + i]

        return learn
