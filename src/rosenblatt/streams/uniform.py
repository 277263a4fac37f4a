r"""Inputs uniform in a cube.

Components are independent,

.. math:: s_i \sim \mathcal U(\text{low}, \text{high}).  \tag{1}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rosenblatt.core import VectorStream
from rosenblatt.core.arguments import number, whole
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import uniforms

__all__ = ["Uniform"]


@dataclass(frozen=True)
class Uniform(VectorStream):
    """Independent components, each uniform between two numbers.

    Parameters
    ----------
    dim
        Number of components, the dimension of the cube.
    low, high
        Smallest and largest value of a component.

    Examples
    --------
    >>> Uniform(1).between(np.array(0.5), np.array(2.0))
    array(0.25)
    """

    dim: int
    low: float = -1.0
    high: float = 1.0

    def __post_init__(self) -> None:
        whole("dim", self.dim, low=1)
        number("low", self.low)
        number("high", self.high, above=self.low)

    @property
    def many(self) -> bool:
        """True, since long vectors are filled faster."""
        return True

    def bind(self) -> Callable[[Words, FloatArray], None]:
        """Return eq. (1)."""
        low, width = float(self.low), float(self.high - self.low)

        def fill(rng: Words, s: FloatArray) -> None:
            uniforms(s, rng)
            for i in range(s.size):
                s[i] = low + width * s[i]

        return fill

    def between(self, a: FloatArray, b: FloatArray) -> FloatArray | None:
        """Return the probability that a number lies between a and b."""
        if self.dim > 1:
            return None
        first, last = (np.clip(end, self.low, self.high) for end in (a, b))
        return np.asarray(np.abs(last - first) / (self.high - self.low))
