r"""Batch learning of binary weights, for N to infinity: transitions and branches.

With all examples at hand, each contributes at the overlap that is finally reached:

.. math::
    \hat q = \alpha\, \frac{I(q)}{1 - q}, \qquad
    q = E \tanh^2(\hat q + \sqrt{\hat q}\, z), \qquad\text{that is}\qquad
    \alpha = \hat q\, \frac{\sqrt{1 - q}}{J(q)},   \tag{1}

the saddle points of the free entropy per weight

.. math::
    s = E \log 2\cosh(\hat q + \sqrt{\hat q}\, z) - \tfrac12 \hat q (1 + q)
        + \alpha \left[\sum_y E\, p(y|v) \log p(y|v) + H(k)\right],   \tag{2}

the logarithm of the posterior's weight relative to that of the teacher alone; :math:`v
\sim \mathcal N(0, q/(1-q))` and :math:`p` are those of :mod:`rosenblatt.theory.replica`
and :math:`H(k) = -k \log k - (1-k) \log (1-k)`. As a function of the strength, alpha in
eq. (1) rises from 0 to one maximum, the *spinodal*, and falls to 0 again, so that there
are up to three solutions:

==========  ====================================================================
low         from (0, 0) to the spinodal; what is reached from no knowledge
unstable    from the spinodal back to alpha = 0, as the strength goes to infinity
perfect     q = 1 and s = 0, at every alpha
==========  ====================================================================

The one of largest :math:`s` is the posterior's: the low one until its :math:`s` passes
through zero, then the perfect one. Without noise this happens at alpha = 1.245 (Gyorgyi
1990; Sompolinsky, Tishby and Seung 1990). Approximate message passing follows the low
branch to its end (1.493). Both exist for every noise below 1/2, and grow as
:math:`(1 - 2k)^{-2}`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
import xarray as xr
from scipy.optimize import brentq
from scipy.special import entr, ndtr

from rosenblatt.core.arguments import below_half, increasing
from rosenblatt.core.gaussian import layer, nodes
from rosenblatt.core.types import FloatArray
from rosenblatt.theory.priors import binary, binary_entropy, pace

__all__ = [
    "BinaryTransitions",
    "binary_branches",
    "binary_transitions",
    "low_strength",
]

# A strength between the spinodal's, 4 to 5 for every noise, and infinity
_LOWEST, _PEAK, _STRONG = 1e-3, (1.0, 20.0), 1400.0
_TINY = 1e-300  # brentq's absolute tolerance: the relative one decides
_RELATIVE = 4 * np.finfo(float).eps


class BinaryTransitions(NamedTuple):
    """Numbers of examples per weight at which binary weights are found exactly."""

    thermodynamic: float  # by whoever has the posterior
    spinodal: float  # by approximate message passing


def _alpha(strength: float, noise: float) -> float:
    """Return eq. (1)."""
    return strength * float(pace(np.array(strength), noise, "binary"))


def free_entropy(strength: float, noise: float) -> float:
    """Return eq. (2) at a solution of eq. (1).

    Examples
    --------
    >>> free_entropy(1e-9, 0.0)  # log 2
    0.693147...
    """
    q, rest = (float(v) for v in binary(np.array(strength)))
    spread = (q / rest) ** 0.5
    z, weight = nodes([*layer(0.0, 1 / spread)])
    # of both labels, which contribute the same; less that of the flips, pointwise
    doubt = entr(noise) + entr(1 - noise)
    chance = noise + (1 - 2 * noise) * ndtr(spread * z)
    lost = float(weight @ (entr(chance) + entr(1 - chance) - doubt))
    return float(binary_entropy(np.array(strength))) - _alpha(strength, noise) * lost


@cache
def _peak(noise: float) -> float:
    """Return the strength at the spinodal, where alpha of eq. (1) has its maximum."""

    def slope(strength: float) -> float:  # to rounding^(2/3) by a central difference
        step = 6e-6 * strength
        return _alpha(strength + step, noise) - _alpha(strength - step, noise)

    return float(brentq(slope, *_PEAK))


def binary_transitions(noise: float = 0.0) -> BinaryTransitions:
    """Return where batch learning finds a binary teacher exactly.

    ``noise`` is the probability that a label is flipped, below 1/2.

    Examples
    --------
    >>> binary_transitions()
    BinaryTransitions(thermodynamic=1.2446..., spinodal=1.4926...)
    """
    return _transitions(below_half("noise", noise))


@cache
def _transitions(noise: float) -> BinaryTransitions:
    peak = _peak(noise)
    even = brentq(free_entropy, _LOWEST, peak, args=(noise,), rtol=_RELATIVE)
    return BinaryTransitions(_alpha(float(even), noise), _alpha(peak, noise))


def _solution(alpha: float, noise: float, low: float, high: float) -> float:
    def excess(strength: float) -> float:
        return _alpha(strength, noise) - alpha

    return float(brentq(excess, low, high, xtol=_TINY, rtol=_RELATIVE))


def low_strength(alpha: FloatArray, noise: float) -> FloatArray:
    """Return the strength of the low branch, infinite beyond its end."""
    if noise == 0.5:
        return np.zeros_like(alpha)
    end, peak = binary_transitions(noise).spinodal, _peak(noise)
    return np.array(
        [_solution(a, noise, 0.0, peak) if a < end else np.inf for a in alpha]
    )


def binary_branches(alpha: float | Iterable[float], noise: float = 0.0) -> xr.Dataset:
    """Return all solutions of the equations of batch learning with binary weights.

    Parameters
    ----------
    alpha
        Numbers of examples per weight, increasing; 0 is allowed.
    noise
        Probability that a label is flipped, below 1/2.

    Returns
    -------
    xarray.Dataset
        Dimensions ``branch`` (``"low"``, ``"unstable"``, ``"perfect"``) and ``alpha``;
        variables ``strength``, ``overlap`` (q, of two draws), and ``free_entropy``,
        eq. (2), the largest of which is the posterior's; nan where there is no such
        solution.

    Examples
    --------
    >>> binary_branches([1, 1.4, 2]).overlap.values.round(4)
    array([[0.5607, 0.7897,    nan],
           [0.991 , 0.9546,    nan],
           [1.    , 1.    , 1.    ]])
    """
    alphas = increasing("alpha", alpha)
    end, peak = binary_transitions(noise).spinodal, _peak(noise)
    strength = np.full((3, alphas.size), np.nan)
    entropy = np.full((3, alphas.size), np.nan)
    strength[2], entropy[2] = np.inf, 0.0
    strength[0] = low_strength(alphas, noise)
    strength[0, alphas >= end] = np.nan
    strength[1] = [
        _solution(a, noise, peak, _STRONG) if 0 < a < end else np.nan for a in alphas
    ]
    for branch, at in np.ndindex(2, alphas.size):
        value = float(strength[branch, at])
        if value == 0:
            entropy[branch, at] = np.log(2)
        elif np.isfinite(value):
            entropy[branch, at] = free_entropy(value, noise)
    dims = ("branch", "alpha")
    return xr.Dataset(
        {
            "strength": (dims, strength),
            "overlap": (dims, binary(strength).q),
            "free_entropy": (dims, entropy),
        },
        coords={"branch": ["low", "unstable", "perfect"], "alpha": alphas},
        attrs={"noise": noise, "prior": "binary"},
    )
