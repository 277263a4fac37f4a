r"""Bayesian on-line learning with independent Gaussian weights.

The prior is :math:`w_i \sim \mathcal N(0, 1)`. With the slope :math:`g` and the
curvature :math:`c` that a label has for the field
:math:`\mathcal N(h, \sum x_i^2 v_i)`, see :mod:`rosenblatt.numerics.evidence`,

.. math::
    m_i \leftarrow m_i + v_i x_i\, g, \qquad
    v_i \leftarrow v_i - v_i^2 x_i^2\, c.   \tag{1}

These are the exact mean and variance of each weight after one example; that weights
become dependent is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rosenblatt.core import Belief, Likelihood, Observation, Signal, WeightwiseRule
from rosenblatt.core.arguments import number
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.evidence import LEAST_VARIANCE
from rosenblatt.numerics.likelihood import evidence_of, one_law

__all__ = ["DiagonalBayes"]


@dataclass(frozen=True)
class DiagonalBayes(WeightwiseRule):
    """Keep a mean and a variance for each weight; the schedule is ignored.

    Parameters
    ----------
    noise
        Probability of a wrong label that the learner assumes; g and c depend on it.
    likelihood
        Law of the labels that the learner assumes; None: signs with this noise.

    Examples
    --------
    >>> rule = DiagonalBayes()
    >>> rule.move()(Belief(0.0, 0.0, 1.0), 0.5, Signal(slope=0.8, curvature=0.6))
    Belief(state=0.0, mean=0.4, variance=0.85)
    """

    noise: float = 0.0
    likelihood: Likelihood | None = None

    def __post_init__(self) -> None:
        number("noise", self.noise, low=0, high=0.5)
        one_law(self.likelihood, self.noise)

    def target(self, dim: int, rng: np.random.Generator) -> FloatArray:
        """Return standard normal weights."""
        return rng.standard_normal(dim)

    def signal(self) -> Callable[[Observation], Signal]:
        """Return the slope and the curvature."""
        evidence = evidence_of(self.likelihood, self.noise)

        def signal(o: Observation) -> Signal:
            found = evidence(o.field, max(o.spread, LEAST_VARIANCE), o.label)
            return Signal(found.slope, found.curvature)

        return signal

    def move(self) -> Callable[[Belief, float, Signal], Belief]:
        """Return eq. (1)."""
        return _move


def _move(b: Belief, x: float, s: Signal) -> Belief:
    part = b.variance * x
    return Belief(
        b.state, b.mean + part * s.slope, b.variance - part * part * s.curvature
    )
