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
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import xarray as xr

from rosenblatt.core.arguments import below_half, increasing, number
from rosenblatt.core.types import FloatArray
from rosenblatt.theory.binary_batch import binary_transitions, low_strength
from rosenblatt.theory.closed.spherical_bayes import sharpness
from rosenblatt.theory.priors import Prior, curves, known, students

__all__ = ["BatchAsymptote", "batch_asymptote", "solve_batch"]

# J is a sum over some hundred nodes: processors round it differently in the last bits.
_ROUNDING = 64 * np.finfo(float).eps
_EFFORT = 100  # iterations; each changes at most 1/8 of what the one before did


class BatchAsymptote(NamedTuple):
    """Limits of alpha times the excess of the error over the noise."""

    gibbs: float
    bayes: float


def _odds(alpha: FloatArray, noise: float) -> FloatArray:
    """Return q / (1 - q) from eq. (1), which J hardly depends on: by iteration."""
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


def solve_batch(
    alpha: float | Iterable[float], noise: float = 0.0, *, prior: Prior = "spherical"
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
        ``"spherical"``, or ``"binary"`` for weights -1 and +1, known to be so:
        see :mod:`rosenblatt.theory.binary_batch`.

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
    known(prior)
    if prior == "binary":
        low = low_strength(alphas, noise)
        end = binary_transitions(noise).thermodynamic if noise < 0.5 else math.inf
        found = students(np.where(alphas < end, low, np.inf), prior)
        found["amp"] = students(low, prior)["bayes"]
    else:
        found = students(_odds(alphas, noise), prior)
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
