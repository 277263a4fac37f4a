r"""Inputs of two levels from a product law.

.. math:: P(x_i = +1) = p_i, \quad\text{independently for each column}.  \tag{1}
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rosenblatt.bits import Bits, BitStream
from rosenblatt.bits.drawing import Seed, draw_product
from rosenblatt.core.arguments import number, shown
from rosenblatt.core.types import FloatArray

__all__ = ["ProductBits"]


@dataclass(frozen=True)
class ProductBits(BitStream):
    """Independent columns, each with a probability of its own.

    Parameters
    ----------
    probabilities
        Probability of the high level of each column. They are exact to ``2**-65``, and
        0 and 1 are never and always.

    Examples
    --------
    >>> stream = ProductBits((0.1, 0.9, 0.9))
    >>> stream.dim
    3
    >>> stream.draw(rows=2, seed=0, first=3) == stream.draw(rows=5, seed=0)[3:]
    True
    """

    probabilities: tuple[float, ...]

    def __post_init__(self) -> None:
        given = np.asarray(self.probabilities)
        if given.ndim != 1 or given.size == 0:
            raise ValueError(
                "probabilities must be one or more numbers, one for each column, "
                f"got {shown(self.probabilities)}"
            )
        checked = tuple(
            number(f"probabilities[{i}]", p, low=0, high=1)
            for i, p in enumerate(given.tolist())
        )
        # a tuple, also of an array or a list
        object.__setattr__(self, "probabilities", checked)

    @property
    def dim(self) -> int:
        """Number of columns."""
        return len(self.probabilities)

    @property
    def chances(self) -> FloatArray:
        """The probability of the high level, for each column."""
        return np.array(self.probabilities)

    def draw(self, rows: int, seed: Seed, first: int = 0) -> Bits:
        """Return examples ``first`` to ``first + rows - 1``, see :class:`BitStream`."""
        return draw_product(self.chances, rows, seed, first)
