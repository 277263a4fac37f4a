r"""Errors of a student with binary weights whose target has binary weights too.

At Hamming distance :math:`D`, with uniform inputs and :math:`\mathrm{sgn}(0) = -1`, the
fields of target and student are :math:`A + B` and :math:`A - B`. Here A and B are sums
of :math:`n - D` and of :math:`D` fair signs. The signs of the fields differ with
probability

.. math:: \epsilon(n, D) = 2 \sum_{b > 0} P(B = b)\, P(-b < A \le b),   \tag{1}

for odd and even :math:`n`, and for large ones with

.. math:: \epsilon \to \frac1\pi \arccos\left(1 - \frac{2D}{n}\right)   \tag{2}

(:cite:t:`golea1993`, eq. 19). The mean over the students of the clipped Hebb rule needs
the law of :math:`D`, which is not a binomial: its variance is smaller. Taken is the law
of largest entropy among those that have the exact mean and variance,

.. math:: P(D) \propto \binom nD e^{a D + b D^2},   \tag{3}

which neglects the correlations of three and more weights: relative errors of
:math:`\langle\epsilon\rangle` are of order :math:`n^{-2}`. For :math:`n \to \infty`
(eqs. 29, 30 and 34 there; (5) is the sharp form of the bound),

.. math::
    \langle\epsilon\rangle \to \frac1\pi \arccos \mathrm{erf}\, z
        < e^{-z^2/2}, \qquad z = (1 - 2\sigma) \sqrt{\alpha/\pi},   \tag{4}

.. math::
    \langle\epsilon\rangle \to \frac{\sqrt2}{\pi}\, (\sqrt\pi z)^{-1/2} e^{-z^2/2}
    \quad\text{for}\quad z \to \infty.   \tag{5}
"""

from __future__ import annotations

import functools
import math
from typing import Any

import lazy_loader
import numpy as np
import numpy.typing as npt
from scipy.special import erfc

from rosenblatt.core.arguments import number, whole
from rosenblatt.core.types import FloatArray
from rosenblatt.theory.closed import clipped_hebb

# Loaded when it is used: its import takes as long as everything else together.
stats: Any = lazy_loader.load("scipy.stats", suppress_warning=True)

__all__ = [
    "asymptote",
    "bound",
    "distances",
    "error",
    "limit_error",
    "mean_error",
]

_TAIL = 12.0  # standard deviations that are kept: beyond, 1e-32 is left
_RARE = 1e-6  # mean distance below which two wrong weights at once do not matter
_STEPS = 100  # of Newton's method, which takes about 5
_CLOSE = 1e-10  # relative error of the moments at which it stops


def _signs(count: int) -> tuple[FloatArray, FloatArray]:
    """Return the sums of fair signs that are not negative, and their chances."""
    most = min(count, int(_TAIL * math.sqrt(count)) + 1)
    sums = np.arange(count % 2, most + 1, 2)
    return sums.astype(np.float64), stats.binom.pmf((count + sums) // 2, count, 0.5)


@functools.lru_cache(maxsize=100_000)
def _error(n: int, apart: int) -> float:
    """Return eq. (1)."""
    a, alike = _signs(n - apart)
    b, opposite = _signs(apart)
    # P(|A| < b), for each of b, and then half of P(|A| = b)
    below = np.cumsum(np.append(0.0, np.where(a == 0, 1, 2) * alike))
    place = np.searchsorted(a, b)
    inside = below[place]
    level = np.append(a, -1)[place] == b
    inside[level] += alike[place[level]]
    return 2 * float(opposite[b > 0] @ inside[b > 0])


def error(dim: int, distance: npt.ArrayLike) -> FloatArray:
    """Return the exact probability that target and student differ: eq. (1).

    Parameters
    ----------
    dim
        n.
    distance
        Number of wrong weights, one or many.

    Examples
    --------
    >>> error(3, [0, 1, 2, 3])
    array([0. , 0.5, 0.5, 1. ])
    """
    n = whole("dim", dim, low=1)
    apart = np.asarray(distance)
    if not (np.equal(apart, np.round(apart)) & (apart >= 0) & (apart <= n)).all():
        raise ValueError(f"distance must be whole numbers from 0 to {n}, got {apart}")
    errors = [_error(n, int(d)) for d in apart.ravel()]
    return np.array(errors).reshape(apart.shape)


def distances(dim: int, mean: float, variance: float) -> FloatArray:
    """Return the law of largest entropy of the distance: eq. (3), for 0 to n.

    Parameters
    ----------
    dim
        n.
    mean, variance
        Mean and variance of the law, which is found by Newton's method.

    Examples
    --------
    >>> distances(2, 1.0, 0.5)  # of two independent fair coins
    array([0.25, 0.5 , 0.25])
    """
    n = whole("dim", dim, low=1)
    mean = number("mean", mean, above=0, high=n)
    variance = number("variance", variance, above=0)
    d = np.arange(n + 1.0)
    features = np.array([d - mean, (d - mean) ** 2 - variance])
    start = stats.binom.logpmf(d, n, min(mean / n, 1 - 1e-12))
    tilt, scale = np.zeros(2), np.array([math.sqrt(variance), variance])
    for _ in range(_STEPS):
        logs = start + tilt @ features
        law = np.exp(logs - logs.max())
        law /= law.sum()
        gap = features @ law
        if np.all(np.abs(gap) <= _CLOSE * scale):
            return np.asarray(law)
        centred = features - gap[:, None]
        try:
            step = np.linalg.solve((centred * law) @ centred.T, gap)
        except np.linalg.LinAlgError:  # the law is on two points or less
            break
        # no further than the law can be expected to follow
        tilt -= step / max(1.0, float(np.abs(step * scale).max()))
    raise ArithmeticError(
        f"no law on 0 to {n} was found with mean {mean} and variance {variance}"
    )


def mean_error(
    dim: int, examples: int, noise: float = 0.0, *, positive: int | None = None
) -> float:
    """Return the mean error of the clipped Hebb rule's students at finite n and m.

    Errors given the distance are exact, as are the mean and the variance of the
    distance; its law is eq. (3). At n = 3 the result is off by up to 7% (one example,
    noise 0.2). At n = 50 simulations of 4000 samples do not see a difference.

    Parameters are those of :func:`rosenblatt.theory.closed.clipped_hebb.distance`.

    Examples
    --------
    >>> round(mean_error(101, 1010), 5), round(float(limit_error(10)), 5)
    (0.03581, 0.0486)
    """
    mean, variance = clipped_hebb.distance(dim, examples, noise, positive=positive)
    if variance == 0:  # one input, or no examples: there is one student only
        return float(error(dim, round(mean)))
    if mean < _RARE:
        return mean * float(error(dim, 1))
    law = distances(dim, mean, variance)
    likely = np.flatnonzero(law > np.finfo(float).eps ** 2)
    return float(law[likely] @ error(dim, likely))


def limit_error(alpha: npt.ArrayLike, noise: float = 0.0) -> FloatArray:
    """Return the mean error for n to infinity, to rounding: eq. (4).

    Examples
    --------
    >>> float(limit_error(0)), float(limit_error(1))
    (0.5..., 0.304977...)
    """
    # arccos(1 - c) = 2 arcsin(sqrt(c / 2)), which keeps small errors accurate
    return 2 / math.pi * np.arcsin(np.sqrt(erfc(clipped_hebb.signal(alpha, noise)) / 2))


def bound(alpha: npt.ArrayLike, noise: float = 0.0) -> FloatArray:
    """Return the exponential that bounds the error: eq. (4).

    Examples
    --------
    >>> float(bound(0))
    1.0
    """
    return np.asarray(np.exp(-(clipped_hebb.signal(alpha, noise) ** 2) / 2))


def asymptote(alpha: npt.ArrayLike, noise: float = 0.0) -> FloatArray:
    """Return the asymptote of the error for many examples: eq. (5).

    Examples
    --------
    >>> float(limit_error(100) / asymptote(100))
    0.9924...
    """
    z = clipped_hebb.signal(alpha, noise)
    return np.asarray(math.sqrt(2) / math.pi * bound(alpha, noise)) / np.sqrt(
        math.sqrt(math.pi) * z
    )
