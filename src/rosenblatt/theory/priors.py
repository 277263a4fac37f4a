r"""Priors, and the overlap that each gives for N to infinity.

Examples act on each weight as one Gaussian observation of it. For the teacher's weight
:math:`B_i` it is a field :math:`\hat q B_i + \sqrt{\hat q}\, z_i`. Its strength
:math:`\hat q` is the same for all weights. The prior turns it into the overlap
:math:`q` of two draws from the posterior. This is also the overlap of a draw with the
teacher, and the squared length of the posterior mean, per dimension:

.. math::
    \text{spherical:}\quad q = \frac{\hat q}{1 + \hat q}, \qquad
    \text{binary:}\quad q = E \tanh^2(\hat q + \sqrt{\hat q}\, z)
        = E \tanh(\hat q + \sqrt{\hat q}\, z).   \tag{1}

For weights :math:`\pm 1`, the law :math:`\mathcal N(\hat q, \hat q)` has the density
:math:`e^{x - \hat q/2}` relative to :math:`\mathcal N(0, \hat q)`. Made symmetric in x,
this leaves integrals without cancellation:

.. math::
    1 - q = e^{-\hat q/2}\, E\, \frac{1}{\cosh x}, \qquad
    q = e^{-\hat q/2}\, E\, \sinh x \tanh x, \qquad
    x \sim \mathcal N(0, \hat q),   \tag{2}

so that :math:`1 - q \to \sqrt{\pi / 2 \hat q}\; e^{-\hat q / 2}` for strong fields. The
remainder vanishes exponentially, where it is :math:`1 / \hat q` for the spherical
prior. The logarithm of the number of weights that the field leaves possible is, per
weight,

.. math::
    E \log 2 \cosh(\hat q + \sqrt{\hat q}\, z) - \tfrac12 \hat q (1 + q)
    = e^{-\hat q/2}\, E\left[\cosh x \log 2 \cosh x - x \sinh x\right]
      + \tfrac12 \hat q (1 - q).   \tag{3}

The strength that one example adds (times N) is :math:`I(q) / (1 - q)`, with the
information of :mod:`rosenblatt.theory.closed.spherical_bayes`; its inverse is the
:func:`pace`. For labels of any likelihood it is :math:`J` of
:mod:`rosenblatt.numerics.likelihood`, eq. (2).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
import xarray as xr
from numpy.polynomial import Chebyshev
from scipy.special import erf, erfc

from rosenblatt.core import Likelihood
from rosenblatt.core.arguments import part, shown
from rosenblatt.core.types import FloatArray
from rosenblatt.likelihoods import Sign
from rosenblatt.numerics.likelihood import information, one_law
from rosenblatt.theory.closed.spherical_bayes import sharpness

Prior = Literal["spherical", "binary"]
Pace = Callable[[FloatArray], FloatArray]
Learners = dict[str, tuple[FloatArray, FloatArray, FloatArray]]

# Nodes of the trapezoidal rule, which is exact to exp(-pi^2 / step) for functions with
# poles at +-i pi/2, and to exp(-2 (pi / step)^2) for the Gaussian weight.
_STEP = 0.25
_NODES = _STEP * np.arange(-160, 161)  # exp(-40) = 4e-18 is left out
_STRONG = 2000.0  # exp(-1000) is 0 in double precision, as is all beyond

# Panels of strengths, on which the pace is interpolated: to 2 (3 + sqrt(8))^-14 = 4e-11
# relative to its size, if it is smooth for all positive strengths.
_FIRST_PANEL, _DEGREE = 0.25, 14


class Overlap(NamedTuple):
    """The overlap q and 1 - q, each accurate in relative terms."""

    q: FloatArray
    rest: FloatArray


def spherical(strength: FloatArray) -> Overlap:
    """Return eq. (1) for weights of any direction.

    Examples
    --------
    >>> spherical(np.array([0.0, 1.0])).q
    array([0. , 0.5])
    """
    finite = np.minimum(strength, np.finfo(float).max)
    return Overlap(finite / (1 + finite), 1 / (1 + np.asarray(strength)))


def _average(strength: FloatArray, function: Callable[..., FloatArray]) -> FloatArray:
    """Return exp(-strength / 2) E function(x) for even functions that fall as 1/cosh x.

    Up to a strength of 1 they may grow as well, as long as the Gaussian falls.
    """
    strong = np.minimum(strength, _STRONG)[..., None]
    narrow = np.maximum(1.0, np.sqrt(strong))
    z = _NODES / narrow
    weight = np.exp(-0.5 * z * z) * (_STEP / narrow / math.sqrt(2 * math.pi))
    mean = (weight * function(np.abs(np.sqrt(strong) * z))).sum(axis=-1)
    return np.asarray(np.exp(-0.5 * strong[..., 0]) * mean)


def binary(strength: FloatArray) -> Overlap:
    """Return eq. (2), for weights -1 and +1.

    Examples
    --------
    >>> binary(np.array([0.0, 1.0, 100.0])).rest
    array([1.00000000e+00, 4.49599509e-01, 2.38838347e-23])
    """
    strength = np.asarray(strength, dtype=np.float64)
    rest = _average(strength, lambda x: 1 / np.cosh(x))
    weak = _average(np.minimum(strength, 1.0), lambda x: np.sinh(x) * np.tanh(x))
    return Overlap(np.where(strength < 1, weak, 1 - rest), rest)


def binary_entropy(strength: FloatArray) -> FloatArray:
    """Return eq. (3), the entropy of binary weights under a field.

    Examples
    --------
    >>> float(binary_entropy(np.array(0.0)))  # log 2
    0.69314718...
    """
    strength = np.asarray(strength, dtype=np.float64)

    def part(x: FloatArray) -> FloatArray:  # with log 2 cosh x = x + log(1 + e^(-2x))
        return np.cosh(x) * np.log1p(np.exp(-2 * x)) + x * np.exp(-x)

    weak = np.minimum(strength, _STRONG)
    return _average(strength, part) + 0.5 * weak * binary(strength).rest


_PRIORS: dict[str, Callable[[FloatArray], Overlap]] = {
    "spherical": spherical,
    "binary": binary,
}


def check_prior(prior: str) -> None:
    """Raise ValueError if there is no prior of this name."""
    if not (isinstance(prior, str) and prior in _PRIORS):
        wanted = " or ".join(repr(name) for name in _PRIORS)
        raise ValueError(f"prior must be {wanted}, got {shown(prior)}")


def pace(strength: FloatArray, noise: float, prior: str) -> FloatArray:
    """Return the examples per weight that a unit of strength takes on-line.

    Examples
    --------
    >>> float(pace(np.array(0.0), 0.0, "binary"))  # pi / 2
    1.5707963...
    """
    q, rest = _PRIORS[prior](np.asarray(strength, dtype=np.float64))
    return np.asarray(np.sqrt(rest) / sharpness(q, noise))


class _Channel:
    """Pace for a likelihood and the spherical prior, by interpolation.

    Strengths are divided into panels, each as long as all before.
    """

    def __init__(self, likelihood: Likelihood) -> None:
        self._likelihood = likelihood
        self._panels: dict[int, Chebyshev] = {}

    def __call__(self, strength: FloatArray) -> FloatArray:
        """Return the examples per weight that a unit of strength takes."""
        given = np.asarray(strength, dtype=np.float64)
        found = np.empty(given.shape)
        panel = np.maximum(np.frexp(given / _FIRST_PANEL)[1], 0)
        for one in np.unique(panel).tolist():
            if one not in self._panels:
                ends = [_FIRST_PANEL * 2.0 ** (one - 1) if one else 0.0]
                ends.append(_FIRST_PANEL * 2.0**one)
                self._panels[one] = Chebyshev.interpolate(
                    np.vectorize(self._exact), _DEGREE, ends
                )
            own = panel == one
            found[own] = self._panels[one](given[own])
        return found

    def _exact(self, strength: float) -> float:
        q, rest = spherical(np.array(strength))
        return 1.0 / information(self._likelihood, float(q), float(rest))


@functools.lru_cache(maxsize=16)
def channel_pace(likelihood: Likelihood) -> Pace:
    """Return the pace for labels of a likelihood, as a function of the strength.

    Examples
    --------
    >>> from rosenblatt.likelihoods import Gaussian
    >>> float(channel_pace(Gaussian(2.0))(np.array(0.0)).round(10))  # 1 + 2^2
    5.0
    """
    if isinstance(likelihood, Sign):  # its information is not smooth at q = 1
        return functools.partial(pace, noise=likelihood.noise, prior="spherical")
    return _Channel(likelihood)


def learners(strength: FloatArray, prior: str) -> Learners:
    """Return overlap, angle and length of the students that follow from a posterior.

    ``gibbs`` is a draw from it, ``bayes`` its mean, and ``clipped``, for binary
    weights, the mean's signs. The teacher has the length 1.
    """
    q, rest = _PRIORS[prior](strength)
    one, root = np.ones_like(q), np.sqrt(q)
    found = {
        "gibbs": (q, np.arctan2(np.sqrt(rest * (1 + q)), q), one),
        "bayes": (root, np.arctan2(np.sqrt(rest), root), root),
    }
    if prior == "binary":  # signs of Gaussian fields, by their mean over their spread
        signal = np.sqrt(strength / 2)
        agree, differ = erf(signal), erfc(signal)
        angle = np.arctan2(np.sqrt(differ * (1 + agree)), agree)
        found["clipped"] = (agree, angle, one)
    return found


def check_channel(likelihood: Likelihood, noise: float, prior: str) -> None:
    """Raise an error unless there are curves for a likelihood and these arguments."""
    one_law(part("likelihood", Likelihood, likelihood), noise)
    if prior != "spherical":
        raise ValueError(f"prior must be 'spherical' with a likelihood, got {prior!r}")


def field_curves(
    alpha: FloatArray, found: Learners, likelihood: Likelihood, **about: object
) -> xr.Dataset:
    """Return the labelled result for labels of a likelihood."""
    result = curves(alpha, found, 0.0, likelihood=repr(likelihood), **about)
    squared = result.norm**2 + 1 - 2 * result.norm * result.overlap
    return result.drop_vars("error").drop_attrs().assign(squared_error=squared)


def curves(
    alpha: FloatArray, found: Learners, noise: float, **about: object
) -> xr.Dataset:
    """Return the labelled result, with dimensions ``learner`` and ``alpha``."""
    dims = ("learner", "alpha")
    overlap, angle, norm = (np.array(v) for v in zip(*found.values(), strict=True))
    return xr.Dataset(
        {
            "overlap": (dims, overlap),
            "angle": (dims, angle),
            "norm": (dims, norm),
            "error": (dims, noise + (1 - 2 * noise) * angle / np.pi),
        },
        coords={"learner": list(found), "alpha": alpha},
        attrs={"noise": noise, **about},
    )
