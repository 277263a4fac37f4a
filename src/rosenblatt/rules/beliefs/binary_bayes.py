r"""Bayesian on-line learning with weights :math:`\pm 1`.

The learner believes that weights are independent and that weight i is +1 with
probability :math:`(1 + m_i)/2`. It believes that the field of an example is Gaussian
with mean :math:`h = \sum m_i x_i` and variance :math:`\rho`. With the slope :math:`g`
and the curvature :math:`c` of :mod:`rosenblatt.numerics.evidence`,

.. math::
    \operatorname{artanh} m_i \leftarrow \operatorname{artanh} m_i
        + g\, x_i + c\, x_i^2\, m_i,   \tag{1}

which is :cite:t:`winther1997`, eqs. (10) and (11), for :math:`x = s / \sqrt N`. The
last mean is the new one in the paper's equation, and the old one in its simulations.
The variance is

.. math::
    \rho = \frac{1}{N} \sum_i (1 - m_i^2) \quad\text{or}\quad
    \rho = \sum_i x_i^2 (1 - m_i^2),   \tag{2}

which differ by order :math:`1/N`; the paper defines the second and takes the first.

A sum of few terms is not Gaussian. Once :math:`N \rho` is below 1 hardly a weight is
open, and (1) takes a wrong one for certain. Runs end in states that no example
corrects. So :math:`N \rho` is kept at 1 at least. ``floor=0`` is the rule as printed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Belief, Observation, Signal, WeightwiseRule
from rosenblatt.core.arguments import flag, number
from rosenblatt.numerics.evidence import LEAST_VARIANCE, evidence
from rosenblatt.numerics.special import tanh_and_slope

__all__ = ["BinaryBayes", "move"]

_STEPS = 200  # of the iteration for the implicit mean
_CLOSE = 1e-15  # where it ends


@dataclass(frozen=True)
class BinaryBayes(WeightwiseRule):
    """Move the posterior means of weights -1 and +1; the schedule is ignored.

    Parameters
    ----------
    noise
        Probability of a wrong label that the learner assumes.
    floor
        The least ``N * rho``, in weights that are still open; 0 is the printed rule.
    implicit
        Whether the new mean stands on the right of eq. (1), or the old one. The
        equation is then solved for each weight, which takes several times as long.
    weighted
        Whether the variance is the second of eq. (2), which knows the input.

    Examples
    --------
    >>> rule = BinaryBayes()
    >>> signal = rule.signal()(
    ...     Observation(field=0, label=1, norm2=0, input2=1, rate=1, dim=10, spread=1,
    ...                 variance=1))
    >>> rule.move()(Belief(state=0.0, mean=0.0, variance=1.0), 0.1, signal)
    Belief(state=0.0797884..., mean=0.0796195..., variance=0.9936607...)
    """

    noise: float = 0.0
    floor: float = 1.0
    implicit: bool = False
    weighted: bool = False

    def __post_init__(self) -> None:
        number("noise", self.noise, low=0, high=0.5)
        number("floor", self.floor, low=0)
        flag("implicit", self.implicit)
        flag("weighted", self.weighted)

    def signal(self) -> Callable[[Observation], Signal]:
        """Return the slope and the curvature for eq. (2)."""
        noise, floor, weighted = self.noise, self.floor, self.weighted

        def signal(o: Observation) -> Signal:
            known = o.spread if weighted else o.variance
            rho = max(known, floor / o.dim, LEAST_VARIANCE)
            found = evidence(o.field, rho, o.label, noise)
            return Signal(found.slope, found.curvature)

        return signal

    def move(self) -> Callable[[Belief, float, Signal], Belief]:
        """Return eq. (1)."""
        if self.implicit:
            return _move_implicit
        return move


def move(b: Belief, x: float, s: Signal) -> Belief:
    """Return eq. (1) with the old mean on the right."""
    state = b.state + x * (s.slope + x * s.curvature * b.mean)
    mean, variance = tanh_and_slope(state)
    return Belief(state, mean, variance)


def _move_implicit(b: Belief, x: float, s: Signal) -> Belief:
    """Iterate from the old mean, in steps that never pass the nearest solution."""
    pull = x * x * s.curvature
    first = b.state + x * s.slope
    most = max(1.0, 1.0 - pull)  # the steepest that mean - tanh(...) can be
    mean = b.mean
    for _ in range(_STEPS):
        change = (tanh_and_slope(first + pull * mean)[0] - mean) / most
        mean += change
        if abs(change) < _CLOSE:
            break
    state = first + pull * mean
    mean, variance = tanh_and_slope(state)
    return Belief(state, mean, variance)
