r"""Bayesian on-line learning for N to infinity, spherical and binary prior.

The learner of :cite:t:`winther1997` keeps the mean of its posterior only. Its examples
are seen once each, so the strength :math:`\hat q` of the field that they exert
(:mod:`rosenblatt.theory.priors`) adds up with the information that each had:

.. math::
    \frac{d \hat q}{d\alpha} = \frac{I(q)}{1 - q} = \frac{J(q)}{\sqrt{1 - q}},   \tag{1}

with :math:`q(\hat q)` of the prior. For the spherical prior this is the paper's curve,
:math:`dq/d\alpha = (1 - q) I(q)`. For the binary one, which the paper leaves open, it
follows from eqs. (10)-(11) in the gauge :math:`B_i = 1`, with inputs of squared length
1 and :math:`u = y h / \sqrt{1 - q}`. An example changes the field
:math:`\operatorname{atanh} w_i` by

.. math::
    \delta_i = \frac{x_i y F(u)}{\sqrt{1 - q}}
        + \frac{w_i x_i^2 F (u + F)}{1 - q}.   \tag{2}

Let :math:`h` be the student's and :math:`b` the teacher's field. By partial integration
over the Gaussian :math:`x_i`, the mean of the first term is :math:`1/N` times
:math:`w_i E\, \partial_h + B_i E\, \partial_b` of :math:`y F / \sqrt{1 - q}`. Since
:math:`F' = -F (u + F)`, the second term, the correction, cancels the part in
:math:`w_i`. What remains is a drift :math:`A/N` that is the same for all weights, and
independent kicks of variance :math:`E F^2 / N (1 - q)`. With the true noise both are
:math:`I(q) / N (1 - q)`; so
:math:`\operatorname{atanh} w_i = \hat q + \sqrt{\hat q}\, z_i`, and :math:`q` is the
prior's.

Hence :math:`\alpha = \int_0^{\hat q} \sqrt{1 - q} / J(q)\, d\hat q`, while a batch
learner has :math:`\alpha = \hat q \sqrt{1 - q} / J(q)`, which is less since the
integrand falls. For the spherical prior :math:`1 / \sqrt{1 - q}` grows by
:math:`J(1) / 2` per unit of alpha, half as fast as for the batch learner: for every
noise :math:`k`

.. math:: \alpha\, (\text{error} - k) \to \frac{2 (1 - 2k)}{\pi J(1)},   \tag{3}

twice the batch learner's limit. For the binary prior :math:`1 - q` falls exponentially
with :math:`\hat q`, the integral exists up to infinity, and the teacher is found
exactly at

.. math:: \alpha_c = \int_0^\infty \frac{\sqrt{1 - q}}{J(q)}\, d\hat q < \infty
          \tag{4}

for every noise below 1/2. Shortly before, :math:`\alpha_c - \alpha \to 4 \sqrt{1 - q} /
J(1)`, so that the error falls to the noise *linearly*,

.. math:: \text{error} - k \to \frac{(1 - 2k) J(1)}{4 \pi} (\alpha_c - \alpha),
          \tag{5}

with relative corrections of the order :math:`1 / \hat q`, that is of
:math:`1 / |\log(\alpha_c - \alpha)|`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable

import numpy as np
import xarray as xr
from scipy.special import roots_legendre

from rosenblatt.core import Likelihood
from rosenblatt.core.arguments import below_half, increasing, number
from rosenblatt.core.types import FloatArray
from rosenblatt.theory.closed.spherical_bayes import sharpness
from rosenblatt.theory.priors import (
    Pace,
    Prior,
    channel_pace,
    check_channel,
    check_prior,
    curves,
    field_curves,
    learners,
    pace,
)

_POINTS, _WEIGHTS = (np.asarray(a) for a in roots_legendre(20))
_FIRST = 0.25  # end of the first panel; each further one is as long as all before
_ROUNDING = 16 * np.finfo(float).eps
_EFFORT = 200  # Newton's steps; a few, and one per 4 units of strength near the end


def _between(low: FloatArray, high: FloatArray, pace: Pace) -> FloatArray:
    """Return the examples needed from one strength to another, within one panel."""
    half = 0.5 * (high - low)
    at = low[..., None] + half[..., None] * (1 + _POINTS)
    return np.asarray(half * (pace(at) @ _WEIGHTS))


def _panels(until: float, pace: Pace) -> tuple[FloatArray, FloatArray]:
    """Return strengths that double, and alpha at each, until nothing is added."""
    ends, alphas = [0.0], [0.0]
    while alphas[-1] <= until:
        end = max(_FIRST, 2 * ends[-1])
        more = float(_between(np.array(ends[-1]), np.array(end), pace))
        ends.append(end)
        alphas.append(alphas[-1] + more)
        if more <= alphas[-1] * np.finfo(float).eps / 4:
            break
    return np.array(ends), np.array(alphas)


def _strength(alpha: FloatArray, pace: Pace) -> FloatArray:
    """Return the strength at each alpha, infinite from the end of the integral on."""
    ends, alphas = _panels(float(alpha[-1]), pace)
    found = np.full(alpha.shape, np.inf)
    inside = alpha < alphas[-1]
    wanted = alpha[inside]
    panel = np.searchsorted(alphas, wanted, side="right") - 1
    low, left = ends[panel], wanted - alphas[panel]
    at = low.copy()
    # alpha is a concave function of the strength: Newton's steps come from below
    for _ in range(_EFFORT):
        missing = left - _between(low, at, pace)
        if np.all(np.abs(missing) <= _ROUNDING * wanted):
            found[inside] = at
            return found
        at = at + missing / pace(at)
    raise ArithmeticError(f"the strength did not settle in {_EFFORT} steps")


def solve_online(
    alpha: float | Iterable[float],
    noise: float = 0.0,
    *,
    prior: Prior = "spherical",
    likelihood: Likelihood | None = None,
) -> xr.Dataset:
    """Return the learning curve of Bayesian on-line learning.

    A learner that assumes a wrong noise is ``rb.solve(rb.rules.SphericalBayes(noise),
    ...)``.

    Parameters
    ----------
    alpha, noise, prior, likelihood
        As in :func:`solve_batch`.

    Returns
    -------
    xarray.Dataset
        Dataset as of :func:`solve_batch`, for the same learners. ``"bayes"`` predicts
        with the mean, ``"gibbs"`` with a draw from the posterior as the learner sees
        it, ``"clipped"`` with the signs of binary weights' means. ``norm`` is the
        student's length over sqrt(N), of which :func:`calibration` makes use. All are
        accurate to rounding, in relative terms.

    Examples
    --------
    >>> curves = solve_online([1, 4, 5], prior="binary")
    >>> curves.error.sel(learner="bayes").values.round(5)
    array([0.25892, 0.02266, 0.     ])
    """
    alphas = increasing("alpha", alpha)
    noise = number("noise", noise, low=0, high=0.5)
    check_prior(prior)
    if likelihood is not None:
        check_channel(likelihood, noise, prior)
        found = learners(_strength(alphas, channel_pace(likelihood)), prior)
        return field_curves(alphas, found, likelihood, engine="theory")
    strength = np.zeros_like(alphas)
    if noise < 0.5:
        strength = _strength(alphas, functools.partial(pace, noise=noise, prior=prior))
    found = learners(strength, prior)
    return curves(alphas, found, noise, prior=prior, engine="theory")


def online_asymptote(noise: float = 0.0) -> float:
    """Return the limit of ``alpha * (error - noise)`` for the spherical prior, eq. (3).

    The noise is that of :func:`batch_asymptote`, whose limit is half as large.

    Examples
    --------
    >>> online_asymptote()
    0.8834...
    """
    clear = 1 - 2 * below_half("noise", noise)
    return 2 * clear / (math.pi * float(sharpness(1.0, noise)))


def critical_alpha(noise: float = 0.0) -> float:
    """Return where on-line learning finds a binary teacher exactly, eq. (4).

    ``noise`` is the probability that a label is flipped, below 1/2.

    Examples
    --------
    >>> critical_alpha()
    4.36819...
    """
    own = functools.partial(pace, noise=below_half("noise", noise), prior="binary")
    return float(_panels(math.inf, own)[1][-1])
