"""Numbers behind figures 2 and 3, from more samples than the paper had."""

from __future__ import annotations

import functools
import math

import numpy as np

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.papers.estimates import average
from rosenblatt.papers.golea1993.figures import NOISES, SIZES
from rosenblatt.papers.golea1993.samples import TWO_MOMENTS, distances
from rosenblatt.theory.closed import binary_error, clipped_hebb

__all__ = ["CLAIMS"]

_NOISY = 100  # n of figure 3
_COMPARED = (50, 10.0)  # n and alpha at which rates and overlaps are compared


@functools.lru_cache(maxsize=64)
def _claimed(dim: int, alpha: float, noise: float, quick: bool) -> IntArray:
    """Return numbers of wrong weights, of more samples than the paper had."""
    samples = (200 if quick else 1000) * (2 if alpha < 5 else 1)  # they cost less
    if (dim, alpha) == _COMPARED:
        samples *= 5
    found = distances(dim, (round(alpha * dim),), samples, noise=noise)
    return np.asarray(found[:, 0])


def _overlaps(dim: int, alpha: float, quick: bool) -> FloatArray:
    return np.asarray(1 - 2 * _claimed(dim, alpha, 0.0, quick) / dim)


def _overlap(dim: int, alpha: float) -> Claim:
    # half of the target's weights are +1, half -1
    mean = 1 - sum(clipped_hebb.wrong(dim, round(alpha * dim)))
    limit = float(clipped_hebb.limit_overlap(alpha))

    @claim(f"golea1993/fig2b/n{dim}-alpha{alpha:g}", "figure 2b")
    @expect(mean, catches=0.06)
    @fill(dim=dim, alpha=alpha, limit=limit)
    def measure(quick: bool) -> Measurement:
        """Mean overlap at n = {dim}, alpha = {alpha:g}; the limit of infinite n, eq.
        (28), is {limit:.4f}.
        """
        return average(_overlaps(dim, alpha, quick))

    return measure


def _rate(dim: int, alpha: float, noise: float = 0.0) -> Claim:
    figure, suffix = ("fig3", f"-noise{noise:g}") if noise else ("fig2a", "")
    limit = 1 - float(binary_error.limit_error(alpha, noise))

    @claim(f"golea1993/{figure}/n{dim}-alpha{alpha:g}{suffix}", f"figure {figure[3:]}")
    @expect(
        lambda quick: 1 - binary_error.mean_error(dim, round(alpha * dim), noise),
        catches=0.03,
    )
    @allow(1 / dim**2, TWO_MOMENTS)
    @fill(dim=dim, alpha=alpha, noise=noise, limit=limit)
    def measure(quick: bool) -> Measurement:
        """Mean generalization rate at n = {dim}, alpha = {alpha:g}, noise {noise:g};
        the limit of infinite n is {limit:.4f}.
        """
        wrong = _claimed(dim, alpha, noise, quick)
        return average(1 - binary_error.error(dim, wrong))

    return measure


@claim("golea1993/fig2b/error-bars", "figure 2b, error bars")
@expect(
    lambda quick: _NOISY * clipped_hebb.overlap(_NOISY, _NOISY).variance, catches=0.2
)
def _bars(quick: bool) -> Measurement:
    """Error bars are narrower than for weights that are right independently, 1 - rho^2
    = 0.67: n times the variance of the overlap at n = 100, alpha = 1.
    """
    mean = clipped_hebb.overlap(_NOISY, _NOISY).mean
    return average(_NOISY * (_overlaps(_NOISY, 1.0, quick) - mean) ** 2)


def _expected_shortfall(quick: bool) -> float:
    dim, alpha = _COMPARED
    examples = round(alpha * dim)
    rate = 1 - binary_error.mean_error(dim, examples)
    overlap = 1 - sum(clipped_hebb.wrong(dim, examples))
    return float(
        (rate - 1 + binary_error.limit_error(alpha))
        - (overlap - clipped_hebb.limit_overlap(alpha))
    )


def _expected_curvature(quick: bool) -> float:
    dim, alpha = _COMPARED
    law = binary_error.distances(dim, *clipped_hebb.distance(dim, round(alpha * dim)))
    overlaps = 1 - 2 * np.arange(dim + 1) / dim
    mean = float(law @ overlaps)
    return float(math.acos(mean) - law @ np.arccos(overlaps)) / math.pi


def _expected_agreement(quick: bool) -> float:
    law = binary_error.distances(50, *clipped_hebb.distance(50, 500))
    errors = binary_error.error(50, np.arange(51))
    mean = law @ errors
    spread = np.sqrt(law @ (errors - mean) ** 2)
    return float((binary_error.limit_error(10.0) - mean) / spread)


@claim("golea1993/fig2a/within-error-bars", "text after eq. (29)")
@expect(_expected_agreement, catches=0.25)
def _agreement(quick: bool) -> Measurement:
    """At moderate n the limit is within the error bars, if not near the mean: rate
    above eq. (29) at n = 50, alpha = 10, in standard deviations.
    """
    rates = 1 - binary_error.error(50, _claimed(50, 10.0, 0.0, quick))
    limit = 1 - float(binary_error.limit_error(10.0))
    return average((rates - limit) / rates.std(ddof=1))


@claim("golea1993/fig2/rho-against-g", "text after eq. (29)")
@expect(_expected_shortfall, catches=0.015)
@allow(1 / _COMPARED[0] ** 2, TWO_MOMENTS)
def _shortfall(quick: bool) -> Measurement:
    """The agreement is better for overlaps than for rates: deviation of the mean rate
    from eq. (29), less that of the mean overlap from eq. (28), at n = 50, alpha = 10.
    """
    wrong = _claimed(*_COMPARED, 0.0, quick)
    rates = 1 - binary_error.error(_COMPARED[0], wrong)
    limits = (
        float(binary_error.limit_error(_COMPARED[1])),
        float(clipped_hebb.limit_overlap(_COMPARED[1])),
    )
    overlaps = 1 - 2 * wrong / _COMPARED[0]
    return average((rates - 1 + limits[0]) - (overlaps - limits[1]))


@claim("golea1993/fig2/mean-of-g", "text after eq. (29)")
@expect(_expected_curvature, catches=0.015)
@allow(1 / _COMPARED[0] ** 2, TWO_MOMENTS)
def _curvature(quick: bool) -> Measurement:
    """The mean of G(rho) is not G of the mean: their difference by eq. (19), n = 50,
    alpha = 10.

    The standard error is that of the linearised difference.
    """
    overlaps = _overlaps(*_COMPARED, quick)
    mean = float(overlaps.mean())
    slope = 1 / (math.pi * math.sqrt(1 - mean**2))
    each = -np.arccos(overlaps) / math.pi - slope * (overlaps - mean)
    found = average(each)
    return Measurement(found.value + math.acos(mean) / math.pi, found.stderr)


CLAIMS = (
    *(_overlap(dim, alpha) for dim in SIZES for alpha in (1.0, 5.0)),
    *(_rate(dim, alpha) for dim in SIZES for alpha in (1.0, 5.0, 10.0)),
    *(_rate(_NOISY, alpha, noise) for noise in NOISES[1:] for alpha in (5.0, 10.0)),
    _bars,
    _agreement,
    _shortfall,
    _curvature,
)
