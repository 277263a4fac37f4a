"""Figure 1: the error on the optimal schedule, at N = 50, and the line 1.27/alpha.

Beside it the same at N = 1e6 and up to alpha = 1e9, where the line is all there is.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import xarray as xr

from rosenblatt.core.figures import FigureData, Series
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.barkai1995.equations import (
    optimal_errors,
    prefactor,
    scheduled_angles,
    spread2,
)
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import allow, claim, expect, figure
from rosenblatt.papers.estimates import average, power_law, ratio
from rosenblatt.papers.series import line, points
from rosenblatt.theory import solve_batch

__all__ = ["CLAIMS", "figure_1", "figure_1_large"]

_SCALE = 2.0  # eta0, and ...
_DIM = 50  # ... N of the figure
_SHOWN = 1e4  # last alpha of the figure
_LATE = 1e5  # alpha of the claims; the start is forgotten but for 1.7/alpha
_EARLY = 1e-3  # alpha at which theory begins; forgotten by the first point shown
_LINE = 2.0  # alpha from which 1.27/alpha is shown; before, it would leave the figure
# Fluctuations are forgotten as 1/alpha, so those a decade apart have correlation 0.1.
_DECADES = (1e4, 1e5, 1e6, 1e7, 1e8, 1e9)
_MEMORY = 0.1


@functools.lru_cache(maxsize=2)
def _runs(quick: bool) -> xr.DataArray:
    """Return errors at N = 50, of many replicas, for the figure and four claims."""
    examples = np.unique(np.round(np.geomspace(5, _DIM * _SHOWN, 61)))
    alpha = np.unique([*examples / _DIM, 1e3, _LATE])
    return optimal_errors(_DIM, alpha, 1000 if quick else 10_000)


@functools.lru_cache(maxsize=2)
def _large_runs(quick: bool) -> xr.DataArray:
    """Return errors at a large N; a figure and a claim use them."""
    alpha = np.geomspace(0.1, _DECADES[-1], 41)  # four per decade
    return optimal_errors(_large(quick), alpha, 4 if quick else 1)


def _large(quick: bool) -> int:
    return 5_000 if quick else 1_000_000


def _predictions(alpha: FloatArray, *, times_alpha: bool = False) -> tuple[Series, ...]:
    """Return the curves for N to infinity, and the published line."""
    factor = alpha if times_alpha else np.ones_like(alpha)
    curve = scheduled_angles(_SCALE, alpha.tolist(), first=_EARLY) / math.pi
    batch = solve_batch(alpha)["error"]
    lines = {
        "theory, N to infinity": curve,
        "batch, a student without mistakes": batch.sel(learner="gibbs").values,
        "batch, smallest possible error": batch.sel(learner="bayes").values,
    }
    shown = alpha >= _LINE
    theory, *others = (
        line(name, alpha, factor * errors) for name, errors in lines.items()
    )
    asymptote = (factor * 1.27 / alpha)[shown]
    published = line("1.27/alpha", alpha[shown], asymptote, role="published")
    return (theory, published, *others)


@figure("barkai1995/fig1", "figure 1")
def figure_1(*, quick: bool = False) -> FigureData:
    """Return the learning curve at N = 50 beside the predictions."""
    errors = _runs(quick)
    errors = errors.sel(alpha=errors["alpha"] <= _SHOWN)
    alpha = errors["alpha"].values
    low, high = np.quantile(errors.values, [0.05, 0.95], axis=0)
    return FigureData(
        title="Error on the optimal schedule, eta0 = 2",
        caption=(
            f"Mean error of {len(errors)} simulations at N = {_DIM}, with a band that "
            "holds 90% of them. The curve for N to infinity and the asymptote "
            "1.27/alpha of the paper. At N = 50 the mean is 1.6% below the asymptote. "
            "The lower curves are batch learning from the same examples, 0.625/alpha "
            "and 0.442/alpha in the end."
        ),
        x_label=r"examples per weight $\alpha$",
        y_label=r"error $\epsilon_g$",
        series=(
            Series(
                f"simulation, N = {_DIM}",
                alpha.tolist(),
                errors.values.mean(axis=0).tolist(),
                "simulation",
                low=low.tolist(),
                high=high.tolist(),
            ),
            *_predictions(alpha),
        ),
        x_log=True,
        y_log=True,
    )


@figure("barkai1995/fig1-large", "figure 1")
def figure_1_large(*, quick: bool = False) -> FigureData:
    """Return alpha times the error at a large N, up to alpha = 1e9."""
    errors = _large_runs(quick)
    alpha = errors["alpha"].values
    examples = _large(quick) * alpha[-1]
    smooth = np.geomspace(alpha[0], alpha[-1], 4 * alpha.size - 3)
    return FigureData(
        title=f"Figure 1 at N = {_large(quick)}, times alpha",
        caption=(
            f"Simulation of {examples:.0e} examples, from mistake to mistake "
            f"({len(errors)} of them). The curve for N to infinity, the asymptote "
            "1.27/alpha of the paper, and batch learning from the same examples."
        ),
        x_label=r"examples per weight $\alpha$",
        y_label=r"$\alpha\,\epsilon_g$",
        series=(
            points(
                f"simulation, N = {_large(quick)}",
                alpha,
                alpha * errors.values.mean(axis=0),
            ),
            *_predictions(smooth, times_alpha=True),
        ),
        x_log=True,
    )


@claim(
    "barkai1995/fig1/asymptote",
    "figure 1 and text after eq. (6)",
    published=1.27,
    rounding=0.005,
)
@expect(
    lambda quick: prefactor(_SCALE) / (1 + spread2(_SCALE) / _large(quick)),
    catches=0.02,
)
def _asymptote(quick: bool) -> Measurement:
    """On the optimal schedule the error is 1.27/alpha: alpha times the error in
    simulations up to alpha = 1e9, N = 1e6 (quick: 5e3).
    """
    errors = _large_runs(quick).sel(alpha=list(_DECADES), method="nearest").values
    return average(np.array(_DECADES) * errors, correlation=_MEMORY)


def _late(quick: bool) -> FloatArray:
    return np.asarray(_runs(quick).sel(alpha=_LATE).values)


@claim("barkai1995/fig1/spread", "figure 1")
@expect(spread2(_SCALE), catches=spread2(_SCALE) / 3)
@allow(spread2(_SCALE) / _DIM, "the law is the first order in 1/N")
def _spread(quick: bool) -> Measurement:
    """At N = 50 the relative variance of the error is (2 - 3 pi/8)/N, which makes the
    mean differ from the limit: N times the variance.
    """
    errors = _late(quick) / _late(quick).mean()
    return average(_DIM * (errors - 1) ** 2)


@claim("barkai1995/fig1/exponent", "abstract and section 5", published=-1.0)
@expect(-1.0, catches=0.02)
# the start makes alpha times the error smaller by 1.7/alpha
@allow(
    1.7e-3 / math.log(100),
    "it is a limit, and at alpha = 1000 the start is not quite forgotten",
)
def _exponent(quick: bool) -> Measurement:
    """On the optimal schedule the error falls as 1/alpha: exponent from simulations at
    N = 50 between alpha = 1e3 and 1e5.
    """
    times = np.array([1e3, _SHOWN, _LATE])
    return power_law(times, _runs(quick).sel(alpha=times).values)


_FINITE = prefactor(_SCALE) / (1 + spread2(_SCALE) / _DIM)


@claim("barkai1995/fig1/finite-size", "figure 1")
@expect(_FINITE, catches=0.03)
@allow(
    prefactor(_SCALE) / _DIM**2,
    "the law is the first order in 1/N, so 1/N^2 is left out",
)
def _finite_size(quick: bool) -> Measurement:
    """At N = 50, the size of the figure, alpha times the mean error is (4/pi) / (1 + (2
    - 3 pi/8)/N). The paper compares it with N to infinity.
    """
    return average(_LATE * _late(quick))


@claim("barkai1995/fig1/second-moment", "figure 1")
@expect(prefactor(_SCALE), catches=0.03)
def _second_moment(quick: bool) -> Measurement:
    """At N = 50, alpha times the mean squared error over the mean error is 4/pi, as at
    every N.
    """
    return ratio(_LATE * _late(quick) ** 2, _late(quick))


CLAIMS = (_asymptote, _exponent, _finite_size, _second_moment, _spread)
