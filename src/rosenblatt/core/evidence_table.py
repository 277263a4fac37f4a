r"""What one label tells, from a table: for loops that ask for every example.

With :math:`a = |u|` the ratio

.. math:: L(a) = \phi(a) / \Phi(-a)   \tag{1}

is smooth and between a and a + 1, so that a cubic in each of a few cells gives it to
``ACCURACY`` in relative terms. With :math:`\phi(a)` it gives :math:`\Phi(u)` on
both sides without cancellation. The table ends at ``REACH``; beyond, and for a
logarithm, there is :func:`rosenblatt.core.evidence.evidence`.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import erfcx

from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import inlined

__all__ = ["ACCURACY", "REACH", "tabulated"]

REACH = 16.0  # in standard deviations; with inputs of many columns 8 is not rare
_CELLS = 16  # to a standard deviation
# A cubic through values and slopes errs by width^4 / 384 times the fourth derivative,
# which is below 0.04 times L: 1.6e-9.
ACCURACY = 2e-9
_INVERSE_ROOT = 1.0 / math.sqrt(2.0 * math.pi)


def _table() -> FloatArray:
    """Return the coefficients of each cell's cubic."""
    a = np.arange(int(REACH) * _CELLS + 1) / _CELLS
    ratio = math.sqrt(2.0 / math.pi) / erfcx(a / math.sqrt(2.0))
    slope = ratio * (ratio - a) / _CELLS  # of eq. (1), to a cell
    low, high, first, last = ratio[:-1], ratio[1:], slope[:-1], slope[1:]
    bend = 3.0 * (high - low) - 2.0 * first - last
    twist = 2.0 * (low - high) + first + last
    return np.stack([low, first, bend, twist], axis=1)


_TABLE = _table()


@inlined
def tabulated(u: float, noise: float) -> tuple[float, float]:
    r"""Return :math:`Z = k + (1 - 2k) \Phi(u)` and :math:`(1 - 2k) \phi(u) / Z`.

    For :math:`|u|` below ``REACH``.

    Examples
    --------
    >>> tabulated(0.0, 0.0)
    (0.5, 0.797884...)
    """
    a = abs(u)
    place = a * _CELLS
    cell = int(place)
    t = place - cell
    ratio = _TABLE[cell, 0] + t * (
        _TABLE[cell, 1] + t * (_TABLE[cell, 2] + t * _TABLE[cell, 3])
    )
    density = math.exp(-0.5 * a * a) * _INVERSE_ROOT
    beyond = density / ratio  # the probability of less than -a
    clear = 1.0 - 2.0 * noise
    chance = noise + clear * (1.0 - beyond if u > 0.0 else beyond)
    return chance, clear * density / chance
