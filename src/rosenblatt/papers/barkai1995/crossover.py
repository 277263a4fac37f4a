"""Section 5: the asymptote of section 2 at finite N, down to N = 2."""

from __future__ import annotations

import functools

import numpy as np

from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.barkai1995.equations import optimal_errors, prefactor, spread2
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, figure, fill
from rosenblatt.papers.estimates import average, ratio
from rosenblatt.papers.series import line, measured

__all__ = ["CLAIMS", "figure_crossover"]

_SCALE = 2.0  # eta0
_ALPHA = 1e4  # the start is forgotten but for 1.7/alpha
_SIZES = (2, 3, 5, 10, 20, 50, 100, 1000, 10_000)
_QUICK = (2, 5, 10, 100, 1000)


@functools.lru_cache(maxsize=2 * len(_SIZES))
def _errors(dim: int, quick: bool) -> FloatArray:
    """Return alpha times the error of many replicas; larger N need fewer."""
    most, work = (600, 10_000) if quick else (2500, 60_000)
    errors = optimal_errors(dim, _ALPHA, min(most, max(work // dim, 20)))
    return np.asarray(_ALPHA * errors.values[:, 0])


def _mean(dim: int, quick: bool) -> Measurement:
    return average(_errors(dim, quick))


def _moment(dim: int, quick: bool) -> Measurement:
    return ratio(_errors(dim, quick) ** 2, _errors(dim, quick))


def _law(dim: float) -> float:
    """Return the limit of alpha times the mean error, to first order in 1/N."""
    return prefactor(_SCALE) / (1 + spread2(_SCALE) / dim)


@figure("barkai1995/crossover", "figure 1 and section 5")
def figure_crossover(*, quick: bool = False) -> FigureData:
    """Return alpha times the error, late, against N."""
    sizes = _QUICK if quick else _SIZES
    smooth = np.geomspace(sizes[0], sizes[-1], 100)
    ends = (float(sizes[0]), float(sizes[-1]))
    return FigureData(
        title="The asymptote at finite N, eta0 = 2",
        caption=(
            "Simulations at alpha = 1e4, with standard errors. The mean error falls "
            "short of the asymptote 4/(pi alpha) by a term of order 1/N, given by the "
            "dashed line to first order. The mean squared error over the mean error "
            "is on the asymptote at every N."
        ),
        x_label="number of weights $N$",
        y_label=r"$\alpha\,\epsilon_g$",
        series=(
            measured("mean error", sizes, [_mean(dim, quick) for dim in sizes]),
            measured(
                "mean squared error / mean error",
                sizes,
                [_moment(dim, quick) for dim in sizes],
            ),
            line("(4/pi) / (1 + (2 - 3 pi/8)/N)", smooth, [_law(n) for n in smooth]),
            line("4/pi", ends, (prefactor(_SCALE),) * 2),
        ),
        x_log=True,
    )


def _size(dim: int) -> Claim:
    @claim(f"barkai1995/crossover/mean-{dim}", "section 5")
    @expect(_law(dim))
    @allow(
        prefactor(_SCALE) * (1 / dim**2 + 1.7 / _ALPHA),
        "the law is the first order in 1/N, at alpha to infinity",
    )
    @fill(dim=dim)
    def measure(quick: bool) -> Measurement:
        """Section 2's asymptote holds at finite N, with a factor: alpha times the mean
        error is (4/pi) / (1 + (2 - 3 pi/8)/N), at N = {dim}.
        """
        return _mean(dim, quick)

    return measure


def _any_size(dim: int) -> Claim:
    @claim(f"barkai1995/crossover/second-moment-{dim}", "section 5")
    # it catches the law of the mean
    @expect(prefactor(_SCALE), catches=prefactor(_SCALE) - _law(dim))
    @allow(prefactor(_SCALE) * 1.7 / _ALPHA, "the start is forgotten as 1.7/alpha")
    @fill(dim=dim)
    def measure(quick: bool) -> Measurement:
        """Section 2's asymptote holds at finite N, without a factor for alpha times the
        mean squared error over the mean error: at N = {dim}.
        """
        return _moment(dim, quick)

    return measure


CLAIMS = (*(_size(dim) for dim in (10, 100)), *(_any_size(dim) for dim in (2, 5)))
