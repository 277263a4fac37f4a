r"""Abrupt changes of the teacher at given times.

At each time the teacher turns by a finite angle :math:`\varphi` in a uniformly random
direction. For :math:`N \to \infty` the overlap drops from :math:`R` to

.. math:: R \cos\varphi.   \tag{1}

The change acts on the examples after that time; the state that is recorded at that very
time is the one before it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rosenblatt.core import Heading, Motion
from rosenblatt.core.arguments import increasing, number, shown

__all__ = ["Abrupt"]


@dataclass(frozen=True)
class Abrupt(Motion):
    """Turn by a finite angle in a random direction, at given times only.

    Parameters
    ----------
    times
        Examples per dimension after which the teacher changes: above 0, increasing.
    change
        Angle of each change in radians, from 0 to pi; by default a right angle, so that
        nothing that was learned is of use.

    Examples
    --------
    >>> Abrupt((10.0, 20.0)).times
    (10.0, 20.0)
    """

    times: tuple[float, ...]
    change: float = math.pi / 2
    heading = Heading.RANDOM

    def __post_init__(self) -> None:
        if not isinstance(self.times, tuple):
            raise TypeError(
                f"times must be a tuple of numbers, got {shown(self.times)}"
            )
        if increasing("times", self.times)[0] == 0:
            raise ValueError(f"times must be above 0, got {shown(self.times)}")
        number("change", self.change, low=0, high=math.pi)

    @property
    def changes(self) -> tuple[float, ...]:
        """Times of the changes."""
        return self.times

    def angle(self, dim: float) -> float:
        """Return the angle of a change."""
        return float(self.change)
