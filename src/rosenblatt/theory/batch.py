r"""Batch learning of a perceptron, for N to infinity: the least error of any learner.

All of :math:`P = \alpha N` examples are there at once, a share :math:`k` of their
labels flipped. The teacher is uniform on the sphere, so the posterior of the weights is

.. math::
    p(w) \propto \prod_\mu \left[k + (1 - 2k)\, \Theta(y^\mu w \cdot x^\mu)\right].

Two students drawn from it overlap by :math:`q` and, since the teacher is one more such
draw, overlap with the teacher by :math:`R = q` too. For given data
:math:`w = m + \text{rest}` with :math:`|m|^2 = q N`. The field
:math:`\omega = m \cdot x` of a new input is :math:`\mathcal N(0, q)` and the student's
own field has variance :math:`1 - q` around it. With :math:`v = \omega / \sqrt{1 - q}` a
label has the probability :math:`p(y|v) = k + (1 - 2k) \Phi(y v)`. Each example adds
:math:`\langle (\partial_\omega \log p)^2 \rangle = I(q) / (1 - q)` to the strength
:math:`\hat q` of a Gaussian field towards the teacher, with :math:`I` of
:mod:`rosenblatt.theory.closed.spherical_bayes`, eq. (1). A field of strength
:math:`\hat q` gives :math:`q = \hat q / (1 + \hat q)`. Together (the saddle point of
the replica-symmetric free energy, which is exact here),

.. math::
    q = \alpha\, I(q), \qquad\text{that is}\qquad
    \frac{q}{\sqrt{1 - q}} = \alpha\, J(q),   \tag{1}

which without noise is the known

.. math::
    \frac{q}{\sqrt{1 - q}} = \frac{\alpha}{\pi} \int Dx\,
        \frac{e^{-q x^2 / 2}}{H(\sqrt q\, x)}

of Gyorgyi and Tishby (1990) and Seung, Sompolinsky and Tishby (1992). A student drawn
from the posterior (the Gibbs learner) is at the angle :math:`\arccos q` from the
teacher. The mean of the posterior, the best student of all (the Bayes learner), is at
:math:`\arccos \sqrt q`. For many examples :math:`1 / \sqrt{1 - q} \to \alpha J(1)`,

.. math::
    \text{Gibbs angle} \to \frac{\sqrt 2}{\alpha J(1)}, \qquad
    \text{Bayes angle} \to \frac{1}{\alpha J(1)}.   \tag{2}

**Binary weights** are the other prior of :mod:`rosenblatt.theory.priors`. There

.. math::
    q = E \tanh^2(\hat q + \sqrt{\hat q}\, z), \qquad
    \alpha = \hat q\, \frac{\sqrt{1 - q}}{J(q)}   \tag{3}

are the saddle points of the free entropy per weight

.. math::
    s = E \log 2\cosh(\hat q + \sqrt{\hat q}\, z) - \tfrac12 \hat q (1 + q)
        + \alpha \left[\sum_y E\, p(y|v) \log p(y|v) + H(k)\right],   \tag{4}

the logarithm of the posterior's weight relative to that of the teacher alone, with
:math:`v \sim \mathcal N(0, q/(1-q))` and
:math:`H(k) = -k \log k - (1-k) \log (1-k)`. As a function of the strength, alpha in
eq. (3) rises from 0 to one maximum, the *spinodal*, and falls to 0 again. At every
alpha there is also the teacher itself, with q = 1 and s = 0. The posterior follows the
low branch until its :math:`s` passes through zero, then the teacher. Without noise this
happens at alpha = 1.245 (Gyorgyi 1990; Sompolinsky, Tishby and Seung 1990). Approximate
message passing follows the low branch to its end (1.493). Both exist for every noise
below 1/2, and grow as :math:`(1 - 2k)^{-2}`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
import xarray as xr
from scipy.optimize import brentq, minimize_scalar
from scipy.special import entr, ndtr

from rosenblatt.core import Likelihood
from rosenblatt.core.arguments import below_half, increasing, number
from rosenblatt.core.gaussian import layer, nodes
from rosenblatt.core.types import FloatArray
from rosenblatt.theory.closed.spherical_bayes import sharpness
from rosenblatt.theory.priors import (
    Pace,
    Prior,
    binary,
    binary_entropy,
    channel_pace,
    check_channel,
    check_prior,
    curves,
    field_curves,
    learners,
    pace,
)

# J is a sum over some hundred nodes: processors round it differently in the last bits.
_ROUNDING = 64 * np.finfo(float).eps
_EFFORT = 100  # iterations; each changes at most 1/8 of what the one before did
_LOWEST, _HIGHEST = 1e-3, 20.0  # around the spinodal, 4 to 5 for every noise
_TINY = 1e-300  # brentq's absolute tolerance: the relative one decides
_RELATIVE = 4 * np.finfo(float).eps


class BatchAsymptote(NamedTuple):
    """Limits of alpha times the excess of the error over the noise."""

    gibbs: float
    bayes: float


def _odds(alpha: FloatArray, noise: float) -> FloatArray:
    """Return the strength q / (1 - q) from eq. (1), by iteration: J hardly changes."""
    odds = np.zeros_like(alpha)
    for _ in range(_EFFORT):
        before = odds
        y = alpha * sharpness(odds / (1 + odds), noise)
        odds = 0.5 * y * (y + np.sqrt(y * y + 4))  # of eq. (1) for given J
        if np.all(np.abs(odds - before) <= _ROUNDING * odds):
            return odds
    raise ArithmeticError(
        f"the overlap at noise = {noise} did not settle in {_EFFORT} iterations"
    )


def _channel(alpha: FloatArray, pace: Pace) -> FloatArray:
    """Return the strength of which alpha is strength times pace, for each alpha."""

    def strength(wanted: float) -> float:
        if wanted == 0.0:
            return 0.0
        high = 1.0
        while high * float(pace(np.array(high))) < wanted:
            high *= 2.0

        def missing(s: float) -> float:
            return s * float(pace(np.array(s))) - wanted

        return float(brentq(missing, 0.0, high, xtol=_TINY, rtol=_RELATIVE))

    return np.array([strength(wanted) for wanted in alpha])


def _alpha(strength: float, noise: float) -> float:
    """Return eq. (3)."""
    return strength * float(pace(np.array(strength), noise, "binary"))


def free_entropy(strength: float, noise: float) -> float:
    """Return eq. (4) at a solution of eq. (3).

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
def _transitions(noise: float) -> tuple[float, float, float]:
    """Return alpha where s = 0, and alpha and strength at the spinodal."""
    found = minimize_scalar(
        lambda strength: -_alpha(strength, noise),
        bounds=(_LOWEST, _HIGHEST),
        method="bounded",
        options={"xatol": 1e-9},
    )
    peak = float(found.x)
    even = brentq(free_entropy, _LOWEST, peak, args=(noise,), rtol=_RELATIVE)
    return _alpha(float(even), noise), _alpha(peak, noise), peak


def _binary(alpha: FloatArray, noise: float) -> tuple[FloatArray, FloatArray]:
    """Return strengths of the posterior and of message passing at each alpha."""
    if noise == 0.5:
        return np.zeros_like(alpha), np.zeros_like(alpha)
    even, end, peak = _transitions(noise)

    def strength(wanted: float) -> float:
        if wanted >= end:
            return math.inf
        return float(
            brentq(
                lambda s: _alpha(s, noise) - wanted,
                0.0,
                peak,
                xtol=_TINY,
                rtol=_RELATIVE,
            )
        )

    low = np.array([strength(wanted) for wanted in alpha])
    return np.where(alpha < even, low, np.inf), low


def solve_batch(
    alpha: float | Iterable[float],
    noise: float = 0.0,
    *,
    prior: Prior = "spherical",
    likelihood: Likelihood | None = None,
) -> xr.Dataset:
    """Return the learning curves of the Gibbs and the Bayes learner.

    Both know noise and prior. The Bayes learner's error is the smallest that is
    possible with these examples.

    Parameters
    ----------
    alpha
        Numbers of examples per weight, increasing; 0 is allowed.
    noise
        Probability that a label is flipped, at most 1/2.
    prior
        ``"spherical"``, or ``"binary"`` for weights -1 and +1, known to be so.
    likelihood
        Law of the labels, known to the learners; None: signs with this noise. The
        result then has ``squared_error`` instead of ``error``: the mean squared
        difference between the fields of student and teacher. The prior is spherical.

    Returns
    -------
    xarray.Dataset
        Dimensions ``learner`` (``"gibbs"``, ``"bayes"``) and ``alpha``; variables
        ``overlap`` with the teacher, ``angle``, ``norm``, and ``error``: the
        probability that sign and label differ, noise included. All accurate to
        rounding, in relative terms, however small the angle. The binary prior has two
        more learners. ``"clipped"`` has the signs of the Bayes learner's weights.
        ``"amp"`` is the Bayes learner as far as approximate message passing finds it.

    Examples
    --------
    >>> curves = solve_batch([1, 10, 100])
    >>> curves.error.sel(learner="gibbs").values.round(5)
    array([0.33836, 0.06153, 0.00625])
    >>> curves = solve_batch([1.2, 1.3, 1.5], prior="binary")
    >>> curves.error.sel(learner=["bayes", "amp"]).values.round(4)
    array([[0.1952, 0.    , 0.    ],
           [0.1952, 0.1754, 0.    ]])
    """
    alphas = increasing("alpha", alpha)
    noise = number("noise", noise, low=0, high=0.5)
    check_prior(prior)
    if likelihood is not None:
        check_channel(likelihood, noise, prior)
        found = learners(_channel(alphas, channel_pace(likelihood)), prior)
        return field_curves(alphas, found, likelihood)
    if prior == "binary":
        posterior, low = _binary(alphas, noise)
        found = learners(posterior, prior)
        found["amp"] = learners(low, prior)["bayes"]
    else:
        found = learners(_odds(alphas, noise), prior)
    return curves(alphas, found, noise, prior=prior)


def batch_asymptote(noise: float = 0.0) -> BatchAsymptote:
    """Return the limits of ``alpha * (error - noise)``, from eq. (2).

    Parameters
    ----------
    noise
        Probability that a label is flipped, below 1/2.

    Examples
    --------
    >>> batch_asymptote()
    BatchAsymptote(gibbs=0.6246..., bayes=0.4417...)
    """
    noise = below_half("noise", noise)
    bayes = (1 - 2 * noise) / (math.pi * float(sharpness(1.0, noise)))
    return BatchAsymptote(math.sqrt(2) * bayes, bayes)
