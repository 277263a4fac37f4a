"""Numbers behind figures 2 and 3, from more samples than the paper had."""

from __future__ import annotations

import functools

import numpy as np

from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.estimates import average
from rosenblatt.papers.golea1993.figures import NOISES, SIZES
from rosenblatt.papers.golea1993.samples import distances
from rosenblatt.theory.closed import binary_error, clipped_hebb

__all__ = ["CLAIMS"]

_NOISY = 100  # n of figure 3


@functools.lru_cache(maxsize=64)
def _claimed(dim: int, alpha: float, noise: float, quick: bool) -> IntArray:
    """Return numbers of wrong weights, of more samples than the paper had."""
    samples = (200 if quick else 1000) * (2 if alpha < 5 else 1)  # they cost less
    found = distances(dim, (round(alpha * dim),), samples, noise=noise)
    return np.asarray(found[:, 0])


def _overlaps(dim: int, alpha: float, quick: bool) -> FloatArray:
    return np.asarray(1 - 2 * _claimed(dim, alpha, 0.0, quick) / dim)


def _overlap(dim: int, alpha: float) -> Claim:
    # half of the target's weights are +1, half -1
    mean = 1 - sum(clipped_hebb.wrong(dim, round(alpha * dim)))
    limit = float(clipped_hebb.limit_overlap(alpha))
    return Claim(
        id=f"golea1993/fig2b/n{dim}-alpha{alpha:g}",
        where="figure 2b",
        statement=f"Mean overlap at n = {dim}, alpha = {alpha:g}; the limit of "
        f"infinite n, eq. (28), is {limit:.4f}.",
        published=None,
        expected=mean,
        measure=lambda quick: average(_overlaps(dim, alpha, quick)),
        catches=0.06,
    )


def _rate(dim: int, alpha: float, noise: float = 0.0) -> Claim:
    figure, suffix = ("fig3", f"-noise{noise:g}") if noise else ("fig2a", "")
    limit = 1 - float(binary_error.limit_error(alpha, noise))

    def measure(quick: bool) -> Measurement:
        wrong = _claimed(dim, alpha, noise, quick)
        return average(1 - binary_error.error(dim, wrong))

    return Claim(
        id=f"golea1993/{figure}/n{dim}-alpha{alpha:g}{suffix}",
        where=f"figure {figure[3:]}",
        statement=f"Mean generalization rate at n = {dim}, alpha = {alpha:g}, noise "
        f"{noise:g}; the limit of infinite n is {limit:.4f}.",
        published=None,
        expected=lambda quick: (
            1 - binary_error.mean_error(dim, round(alpha * dim), noise)
        ),
        measure=measure,
        allowance=1 / dim**2,
        because="the law of the distance has the exact mean and variance only",
        catches=0.03,
    )


def _bars(quick: bool) -> Measurement:
    mean = clipped_hebb.overlap(_NOISY, _NOISY).mean
    return average(_NOISY * (_overlaps(_NOISY, 1.0, quick) - mean) ** 2)


def _agreement(quick: bool) -> Measurement:
    """Return how far the mean is from the limit, in standard deviations."""
    rates = 1 - binary_error.error(50, _claimed(50, 10.0, 0.0, quick))
    limit = 1 - float(binary_error.limit_error(10.0))
    return average((rates - limit) / rates.std(ddof=1))


def _expected_agreement(quick: bool) -> float:
    law = binary_error.distances(50, *clipped_hebb.distance(50, 500))
    errors = binary_error.error(50, np.arange(51))
    mean = law @ errors
    spread = np.sqrt(law @ (errors - mean) ** 2)
    return float((binary_error.limit_error(10.0) - mean) / spread)


CLAIMS = (
    *(_overlap(dim, alpha) for dim in SIZES for alpha in (1.0, 5.0)),
    *(_rate(dim, alpha) for dim in SIZES for alpha in (1.0, 5.0, 10.0)),
    *(_rate(_NOISY, alpha, noise) for noise in NOISES[1:] for alpha in (5.0, 10.0)),
    Claim(
        id="golea1993/fig2b/error-bars",
        where="figure 2b, error bars",
        statement="Error bars are narrower than for weights that are right "
        "independently, 1 - rho^2 = 0.67: n times the variance of the overlap at "
        "n = 100, alpha = 1.",
        published=None,
        expected=lambda quick: _NOISY * clipped_hebb.overlap(_NOISY, _NOISY).variance,
        measure=_bars,
        catches=0.25,
    ),
    Claim(
        id="golea1993/fig2a/within-error-bars",
        where="text after eq. (29)",
        statement="At moderate n the limit is within the error bars, if not near the "
        "mean: rate above eq. (29) at n = 50, alpha = 10, in standard deviations.",
        published=None,
        expected=_expected_agreement,
        measure=_agreement,
        catches=0.45,
    ),
)
