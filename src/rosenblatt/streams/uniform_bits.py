r"""Inputs of two levels, uniformly distributed.

.. math:: P(x_i = +1) = P(x_i = -1) = 1/2, \quad\text{independently}.  \tag{1}
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rosenblatt.bits import Bits, BitStream
from rosenblatt.bits.drawing import Seed, draw_uniform
from rosenblatt.core.arguments import whole
from rosenblatt.core.types import FloatArray

__all__ = ["UniformBits"]


@dataclass(frozen=True)
class UniformBits(BitStream):
    """Every combination of levels is as likely as any other.

    Parameters
    ----------
    dim
        Number of columns, each of two levels.

    Examples
    --------
    >>> stream = UniformBits(100)
    >>> stream.draw(rows=5, seed=0)
    Bits(5 rows, 100 columns)
    >>> stream.draw(rows=2, seed=0, first=3) == stream.draw(rows=5, seed=0)[3:]
    True
    """

    dim: int

    def __post_init__(self) -> None:
        whole("dim", self.dim, low=1)

    @property
    def chances(self) -> FloatArray:
        """The probability of the high level, one half for every column."""
        return np.full(self.dim, 0.5)

    def draw(self, rows: int, seed: Seed, first: int = 0) -> Bits:
        """Return examples ``first`` to ``first + rows - 1``, see :class:`BitStream`."""
        return draw_uniform(self.dim, rows, seed, first)
