r"""Random motion: the teacher walks on its sphere.

Before every example the teacher turns in a uniformly random direction, by an angle with

.. math:: \cos\varphi = 1 - D / N,   \tag{1}

so that the overlap of two teachers that are :math:`\alpha N` examples apart is
:math:`e^{-D \alpha}` for :math:`N \to \infty`. The student's overlap loses
:math:`D R` per unit of alpha (:cite:t:`biehl1993`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rosenblatt.core import Heading, Motion
from rosenblatt.core.arguments import number

__all__ = ["RandomWalk"]


@dataclass(frozen=True)
class RandomWalk(Motion):
    """Turn in a random direction before every example.

    Parameters
    ----------
    strength
        D, the rate at which the overlap with an old teacher decays, per unit of alpha.
        At most N, where the teacher of each example is at a right angle to the last.

    Examples
    --------
    >>> RandomWalk(0.5).angle(100)  # arccos(1 - 0.5 / 100)
    0.1000417...
    """

    strength: float
    heading = Heading.RANDOM

    def __post_init__(self) -> None:
        number("strength", self.strength, low=0)

    @property
    def velocity(self) -> float:
        """Rate at which the overlap with an old teacher decays."""
        return float(self.strength)

    def angle(self, dim: float) -> float:
        """Return the angle of eq. (1)."""
        if self.strength > dim:
            raise ValueError(
                "strength must be a number from 0 to dim, which is "
                f"{dim:g}, got {self.strength!r}"
            )
        return 2 * math.asin(math.sqrt(self.strength / (2 * dim)))
