r"""Evidence of one label, from a table, for loops over every example.

With :math:`a = |u|` the ratio

.. math:: L(a) = \phi(a) / \Phi(-a)   \tag{1}

is smooth and between a and a + 1, so that a cubic in each of a few cells gives it to
``ACCURACY`` in relative terms. With :math:`\phi(a)` it gives :math:`\Phi(u)` on
both sides without cancellation. With label noise k and c = 1 - 2k,

.. math::
    L Z = k L + c\, \phi \quad (u \le 0), \qquad
    L Z = (1 - k) L - c\, \phi \quad (u > 0),   \tag{2}

so that one division gives :math:`c\, \phi / Z`. The density is a power of 2 from
two small tables, and a polynomial. A call of ``exp`` takes longer, and everything else
waits for it. The table ends at ``REACH``; beyond, and for a logarithm, there is
:func:`rosenblatt.numerics.evidence.evidence`.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import erfcx

from rosenblatt.compiling.jit import inlined
from rosenblatt.compiling.pointers import pointer_to
from rosenblatt.core.types import FloatArray

__all__ = ["ACCURACY", "REACH", "ratio_and_density", "tabulated"]

REACH = 16.0  # in standard deviations; with inputs of many columns 8 is not rare
_CELLS = 32  # to a standard deviation
# A cubic through values and slopes errs by width^4 / 384 times the fourth derivative,
# which is below 0.04 times L: 1e-10. The density below errs by 4e-11.
ACCURACY = 2e-10
# The density is 2^-(whole + part / _PARTS) times exp(-r) with r below log(2) / _PARTS,
# which four terms give to r^5 / 120: 4e-11.
_BITS = 5
_PARTS = 2**_BITS
_WHOLE = 2.0 ** -np.arange(REACH * REACH / 2 / math.log(2.0) + 1)
_PART = 2.0 ** (-np.arange(_PARTS) / _PARTS) / math.sqrt(2.0 * math.pi)


def _table() -> FloatArray:
    """Return the coefficients of all cells' cubics, one power after the other."""
    a = np.arange(int(REACH) * _CELLS + 1) / _CELLS
    ratio = math.sqrt(2.0 / math.pi) / erfcx(a / math.sqrt(2.0))
    slope = ratio * (ratio - a) / _CELLS  # of eq. (1), to a cell
    low, high, first, last = ratio[:-1], ratio[1:], slope[:-1], slope[1:]
    bend = 3.0 * (high - low) - 2.0 * first - last
    twist = 2.0 * (low - high) + first + last
    return np.concatenate([low, first, bend, twist])


_TABLE = _table()
_ALL = int(REACH) * _CELLS


@inlined
def ratio_and_density(a: float, square: float, noise: float) -> tuple[float, float]:
    r"""Return L(a) and :math:`(1 - 2k) \phi(a)`, for a from 0 up to ``REACH``.

    The density needs the ``square`` of a only, which may be known before a is.
    """
    # Pointers to constants: loops that call this become loops of vectors.
    cubic, part, power_of_2 = pointer_to(_TABLE), pointer_to(_PART), pointer_to(_WHOLE)
    place = a * _CELLS
    cell, t = int(place), place - np.floor(place)
    ratio = cubic[cell] + t * (
        cubic[_ALL + cell] + t * (cubic[2 * _ALL + cell] + t * cubic[3 * _ALL + cell])
    )
    power = square * (0.5 * _PARTS / math.log(2.0))
    step = int(power)
    r = (power - np.floor(power)) * (math.log(2.0) / _PARTS)
    left = (1.0 - r) + (r * r) * ((0.5 - r * (1.0 / 6.0)) + (r * r) * (1.0 / 24.0))
    clear = 1.0 - 2.0 * noise
    density = left * (clear * part[step & (_PARTS - 1)] * power_of_2[step >> _BITS])
    return ratio, density


@inlined
def tabulated(u: float, noise: float) -> tuple[float, float]:
    r"""Return :math:`Z = k + (1 - 2k) \Phi(u)` and :math:`(1 - 2k) \phi(u) / Z`.

    For :math:`|u|` below ``REACH``.

    Examples
    --------
    >>> tabulated(0.0, 0.0)
    (0.5, 0.797884...)
    """
    ratio, density = ratio_and_density(abs(u), u * u, noise)
    whole = (1.0 - noise) * ratio - density if u > 0.0 else noise * ratio + density
    return whole / ratio, density * ratio / whole  # eq. (2)
