r"""The clipped Hebb rule: exact laws at finite n, and their limits.

Target and student have :math:`n` weights :math:`\pm 1`, no threshold, and inputs are
uniform on :math:`\{-1, +1\}^n`. A label is flipped with probability :math:`\sigma`, and
:math:`\mathrm{sgn}(0) = -1`. From :math:`m` examples the student is
:math:`w_i = \mathrm{sgn} \sum_\nu y^\nu x_i^\nu` (:cite:t:`golea1993`, eq. 11).

*One example* votes for the right weight, :math:`\eta_i = w^t_i x_i y = 1`, with
probability

.. math::
    q = \frac12 + \frac{\mu}{2}, \qquad
    \mu = (1 - 2\sigma)\, 2^{1 - n'} \binom{n' - 1}{(n' - 1)/2},   \tag{1}

where :math:`n'` is the odd one of :math:`n` and :math:`n + 1`. The example decides if
the others are tied, and for even :math:`n` in half of their ties by one.

*One weight* is right if most of the votes are. It is also right if half of them are and
the target is -1, since ties go to -1:

.. math::
    p_+ = P[\mathrm{Bin}(m, q) > m/2], \qquad
    p_- = P[\mathrm{Bin}(m, q) \ge m/2].   \tag{2}

*Two weights.* Since :math:`y^2 = 1`, :math:`E[\eta_i \eta_j] = 0` exactly, and the four
pairs of votes have probabilities :math:`(1 \pm 2\mu)/4, 1/4, 1/4`. Independent votes
would have the covariance :math:`c = 0` instead of :math:`c = -\mu^2`. On the way from
one to the other, the chance that two weights are both right changes by

.. math::
    \frac{d P_{ij}}{dc} = \frac{m}{4}\, P_c[S_i = s_i, S_j = s_j],   \tag{3}

:math:`S` being sums of :math:`m - 1` votes and :math:`s` the one value where the last
vote decides. This is 0, or for even :math:`m` the sign of the target. So the covariance
of two weights' being right is a smooth one-dimensional integral of all-positive sums.

*Limits* at :math:`\alpha = m/n`, with :math:`z = (1 - 2\sigma) \sqrt{\alpha/\pi}`
(eqs. 28 and 33 there; the variance is not in the paper):

.. math::
    \langle\rho\rangle \to \mathrm{erf}\, z, \qquad
    n \mathrm{Var}(\rho) \to 1 - \langle\rho\rangle^2
        - \frac{4}{\pi^2} (1 - 2\sigma)^2 e^{-2 z^2}.   \tag{4}
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import lazy_loader
import numpy as np
import numpy.typing as npt
from scipy.special import erf, gammaln, xlogy

from rosenblatt.core.arguments import number, whole
from rosenblatt.core.types import FloatArray

# Loaded when it is used: its import takes as long as everything else together.
stats: Any = lazy_loader.load("scipy.stats", suppress_warning=True)

__all__ = [
    "Moments",
    "bias",
    "distance",
    "limit_overlap",
    "limit_variance",
    "overlap",
    "signal",
    "wrong",
]

# Of the integral of eq. (3); its integrand is an exponential of at most a few units
# where it is not negligible, which 40 nodes integrate to rounding.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
_TAIL = 12.0  # standard deviations of a sum that are kept: beyond, 1e-32 is left


class Moments(NamedTuple):
    """Mean and variance."""

    mean: float
    variance: float


def bias(dim: int, noise: float = 0.0) -> float:
    """Return the mean vote of an example for a right weight, mu of eq. (1).

    Examples
    --------
    >>> bias(3), bias(2), bias(3, noise=0.25)
    (0.5, 0.5, 0.25)
    """
    half = whole("dim", dim, low=1) // 2
    clear = 1 - 2 * number("noise", noise, low=0, high=0.5)
    # The chance that 2 * half fair coins are tied.
    tie = gammaln(2 * half + 1) - 2 * gammaln(half + 1) - 2 * half * math.log(2)
    return clear * math.exp(tie)


def wrong(dim: int, examples: int, noise: float = 0.0) -> tuple[float, float]:
    """Return the chances that a weight is wrong if the target's is +1, and if -1.

    They are one less those of eq. (2), accurate to rounding however small.

    Examples
    --------
    >>> [round(chance, 12) for chance in wrong(3, 2)]
    [0.4375, 0.0625]
    """
    m = whole("examples", examples, low=0)
    against = (1 - bias(dim, noise)) / 2
    # Most votes are against, or half of them, which is wrong if ties go to -1.
    most, tied = stats.binom.sf(m // 2, m, against), stats.binom.pmf(m / 2, m, against)
    return float(most + tied), float(most)


def _tie(votes: int, mu: float, signs: tuple[int, int], c: float) -> float:
    """Return the chance of two sums of votes being 0, or the signs if that is odd."""
    agree = sum(signs) // 2 if votes % 2 else 0  # how many more (+, +) than (-, -)
    differ = (signs[0] - signs[1]) // 2 if votes % 2 else 0
    same = [((1 + s * mu) / 2) ** 2 + c / 4 for s in (1, -1)]
    mixed = (1 - mu * mu) / 4 - c / 4
    rest = (votes - abs(agree) - abs(differ)) // 2  # pairs that cancel
    middle, width = 2 * mixed * rest, _TAIL * math.sqrt(votes + 1)
    pairs = np.arange(max(0, int(middle - width)), min(rest, int(middle + width)) + 1)
    other = rest - pairs
    counts = (
        other + max(agree, 0),
        other + max(-agree, 0),
        pairs + max(differ, 0),
        pairs + max(-differ, 0),
    )
    logs = gammaln(votes + 1.0) + sum(
        xlogy(k, p) - gammaln(k + 1.0)
        for k, p in zip(counts, (*same, mixed, mixed), strict=True)
    )
    return float(np.exp(logs).sum())


def _covariance(m: int, mu: float, signs: tuple[int, int]) -> float:
    """Return the covariance of two weights being wrong: the integral of eq. (3)."""
    if m == 0:
        return 0.0
    way = (_NODES + 1) / 2
    ties = [_tie(m - 1, mu, signs, -mu * mu * t) for t in way]
    return -m / 4 * mu * mu * float(_WEIGHTS @ ties) / 2


def distance(
    dim: int, examples: int, noise: float = 0.0, *, positive: int | None = None
) -> Moments:
    """Return the exact mean and variance of the number of wrong weights.

    Parameters
    ----------
    dim, examples
        n and m.
    noise
        Probability that a label is flipped.
    positive
        Number of the target's weights that are +1, which matters for even m. By default
        half of them, rounded down.

    Examples
    --------
    >>> distance(3, 2, positive=2)
    Moments(mean=0.9375..., variance=0.308593...)
    """
    n, m = whole("dim", dim, low=1), whole("examples", examples, low=0)
    plus = n // 2 if positive is None else whole("positive", positive, low=0)
    if plus > n:
        raise ValueError(f"positive must be at most dim = {n}, got {plus}")
    minus, mu = n - plus, bias(n, noise)
    chances, counts = np.array(wrong(n, m, noise)), np.array([plus, minus])
    pairs = {
        (1, 1): plus * (plus - 1),
        (1, -1): 2 * plus * minus,
        (-1, -1): minus * (minus - 1),
    }
    if m % 2:  # then nothing depends on the signs
        pairs = {(1, 1): n * (n - 1)}
    together = sum(k * _covariance(m, mu, s) for s, k in pairs.items() if k)
    variance = counts @ (chances * (1 - chances)) + together
    return Moments(float(counts @ chances), max(float(variance), 0.0))  # not -1e-17


def overlap(
    dim: int, examples: int, noise: float = 0.0, *, positive: int | None = None
) -> Moments:
    """Return the exact mean and variance of the overlap, 1 - 2/n times the distance.

    Parameters are those of :func:`distance`.

    Examples
    --------
    >>> overlap(3, 2, positive=2)
    Moments(mean=0.375, variance=0.137152...)
    """
    apart = distance(dim, examples, noise, positive=positive)
    return Moments(1 - 2 * apart.mean / dim, 4 * apart.variance / dim**2)


def signal(alpha: npt.ArrayLike, noise: float = 0.0) -> FloatArray:
    """Return z of eq. (4): how far the mean of the votes is from 0.

    Examples
    --------
    >>> float(signal(math.pi)), float(signal(math.pi, noise=0.25))
    (1.0, 0.5)
    """
    clear = 1 - 2 * number("noise", noise, low=0, high=0.5)
    return np.asarray(clear * np.sqrt(np.asarray(alpha, dtype=np.float64) / math.pi))


def limit_overlap(alpha: npt.ArrayLike, noise: float = 0.0) -> FloatArray:
    """Return the overlap for n to infinity: eq. (4), first part.

    Examples
    --------
    >>> float(limit_overlap(1.0))
    0.575062...
    """
    return np.asarray(erf(signal(alpha, noise)))


def limit_variance(alpha: npt.ArrayLike, noise: float = 0.0) -> FloatArray:
    """Return n times the variance of the overlap, n to infinity: eq. (4).

    Examples
    --------
    >>> float(limit_variance(0.0))  # 1 - 4 / pi**2
    0.594715...
    """
    z = signal(alpha, noise)
    together = (2 * (1 - 2 * noise) / math.pi) ** 2 * np.exp(-2 * z * z)
    return np.asarray(1 - erf(z) ** 2 - together)
