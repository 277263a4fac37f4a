r"""The Hebb rule from w = 0, with label noise and a constant rate.

.. math:: R = \left[1 + \frac{\pi}{2 \alpha (1 - 2p)^2}\right]^{-1/2}.  \tag{1}
"""

from __future__ import annotations

import math

__all__ = ["overlap"]


def overlap(alpha: float, noise: float = 0.0) -> float:
    """Return eq. (1), the cosine of the angle with the teacher.

    Examples
    --------
    >>> overlap(math.pi / 2)
    0.7071...
    """
    return 1 / math.sqrt(1 + math.pi / (2 * alpha * (1 - 2 * noise) ** 2))
