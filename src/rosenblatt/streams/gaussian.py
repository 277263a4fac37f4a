r"""Gaussian inputs around a mean.

In the papers' scaling, an input has components of unit variance,
:math:`S \sim \mathcal N(U, 1)`; here :math:`x = S / \sqrt N`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rosenblatt.core import GaussianStream
from rosenblatt.core.arguments import number

__all__ = ["Gaussian"]


@dataclass(frozen=True)
class Gaussian(GaussianStream):
    """Independent Gaussian components around a mean; isotropic by default.

    Parameters
    ----------
    mean
        Length ``u = |U|`` of the mean, in units of a component's standard deviation.
    overlap
        ``q0 = U.W0``, the mean's component along the teacher (a unit vector).

    Examples
    --------
    >>> Gaussian(mean=5, overlap=-3).center
    (-3, 4.0)
    """

    mean: float = 0.0
    overlap: float = 0.0

    def __post_init__(self) -> None:
        # the integral for the error takes a time proportional to it
        number("mean", self.mean, low=0, high=1000)
        number("overlap", self.overlap)
        if abs(self.overlap) > self.mean:
            raise ValueError(
                f"overlap must not exceed the mean's length {self.mean}, "
                f"got {self.overlap}"
            )

    @property
    def center(self) -> tuple[float, float]:
        """Length of the mean along the teacher, and across it."""
        u, q0 = self.mean, self.overlap
        return q0, math.sqrt((u - q0) * (u + q0))
