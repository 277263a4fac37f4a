r"""The best rule for a student that keeps one vector, and its laws for slow motions.

Let :math:`\theta` be the angle to the teacher. The best gain is proportional to the
mean of the teacher's part across the student, given field :math:`h` and label. This
mean is :math:`y\, \varphi(u) / \Phi(u)` with :math:`u = y h / \tan\theta`. Let the gain
be :math:`m \theta` times that, and :math:`J = J(1)` of
:mod:`rosenblatt.theory.closed.spherical_bayes`. For small angles, the student's part
across the teacher shrinks at the rate :math:`m J \theta`, while its square grows by
:math:`m^2 J \theta^3`. Balance with the motion gives, at the best :math:`m`,

.. math::
    \theta = (2 D / J)^{1/3},\; m = 1; \qquad
    \theta = (27/16)^{1/4} (\delta / J)^{1/2},\; m = 4/3; \qquad
    \theta = (2 \delta / J)^{1/2},\; m = 1   \tag{1}

for a random walk, for a rotation in a fixed plane, and for a retreat. A rotation is
easier than a retreat of the same speed: its velocity is not always along the lag.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Motion, Percept, Rule, Update
from rosenblatt.motions import RandomWalk, Rotation
from rosenblatt.rules import Normalised
from rosenblatt.theory import online_asymptote

__all__ = ["Law", "Weighted", "best_rule", "law_of"]

_SHARPNESS = 2 / (math.pi * online_asymptote())  # J(1), without noise


@dataclass(frozen=True)
class Weighted(Rule):
    """Weight an example by the mean of the teacher's part across the student.

    Parameters
    ----------
    width
        Tangent of the angle to the teacher, as the student assumes it.

    Examples
    --------
    >>> step = Weighted(0.1).bind()
    >>> step(Percept(field=0, label=1, norm2=1, input2=1, rate=1, dim=10)).gain
    0.797884560802865...
    """

    width: float

    def bind(self) -> Callable[[Percept], Update]:
        """Return the gain y F(u)."""
        width = self.width

        def step(p: Percept) -> Update:
            u = p.label * p.field / (width * math.sqrt(p.norm2))
            tail = 0.5 * math.erfc(-u / math.sqrt(2.0))
            weight = -u  # its limit, where the tail underflows
            if tail > 1e-300:
                weight = math.exp(-0.5 * u * u) / math.sqrt(2.0 * math.pi) / tail
            return Update(gain=p.rate * p.label * weight, decay=0.0)

        return step


@dataclass(frozen=True)
class Law:
    """A law of slow motions: angle = prefactor * velocity ** exponent, and the gain."""

    prefactor: float
    exponent: float
    gain: float

    def angle(self, velocity: float) -> float:
        """Return the angle."""
        return float(self.prefactor * velocity**self.exponent)


def law_of(motion: Motion) -> Law:
    """Return eq. (1) for a motion.

    Examples
    --------
    >>> from rosenblatt.motions import Retreat
    >>> law_of(Retreat(0.1)).prefactor / math.pi
    0.5302...
    """
    if isinstance(motion, RandomWalk):
        return Law((2 / _SHARPNESS) ** (1 / 3), 1 / 3, 1.0)
    if isinstance(motion, Rotation):
        return Law((27 / 16) ** 0.25 / math.sqrt(_SHARPNESS), 0.5, 4 / 3)
    return Law(math.sqrt(2 / _SHARPNESS), 0.5, 1.0)


def best_rule(
    motion: Motion, width: float = 1.0, gain: float = 1.0
) -> tuple[Rule, float]:
    """Return the rule and the rate of eq. (1) for a motion.

    ``width`` and ``gain`` multiply the best ones.

    Examples
    --------
    >>> from rosenblatt.motions import Retreat
    >>> best_rule(Retreat(1e-4))[1]
    0.0166...
    """
    law = law_of(motion)
    angle = law.angle(motion.velocity)
    rule = Normalised(Weighted(width * math.tan(angle)))
    return rule, gain * law.gain * angle
