"""Figure 1: the error on the optimal schedule, at N = 50, and the line 1.27/alpha."""

from __future__ import annotations

import functools

import numpy as np

from rosenblatt.core.figures import FigureData, Series
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.engines import simulate
from rosenblatt.papers.barkai1995.equations import (
    RULE,
    SEED,
    prefactor,
    schedule,
    spread2,
)
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.estimates import average, ratio
from rosenblatt.theory import solve

__all__ = ["CLAIMS", "figure_1"]

_SCALE = 2.0  # eta0, and ...
_DIM = 50  # ... N of the figure
_LATE = 1e5  # alpha; the start is forgotten but for 1.7/alpha
# Fluctuations are forgotten as 1/alpha, so those a decade apart have correlation 0.1.
_DECADES = (1e5, 1e6, 1e7, 1e8, 1e9)
_MEMORY = 0.1


def figure_1(*, quick: bool = False) -> FigureData:
    """Return the learning curve at N = 50 beside both predictions."""
    last = 1e3 if quick else 1e4
    examples = np.unique(np.round(np.geomspace(5, _DIM * last, 61)))
    alpha = examples / _DIM
    errors = simulate(
        RULE,
        schedule(_SCALE),
        dim=_DIM,
        alpha=alpha,
        replicas=200 if quick else 2000,
        seed=SEED,
        progress=False,
    )["error"].values
    low, high = np.quantile(errors, [0.05, 0.95], axis=0)
    curve = solve(RULE, schedule(_SCALE), alpha=alpha)["error"].values[0]
    line = alpha[alpha >= 2]  # further to the left it would leave the figure
    return FigureData(
        title="Error on the optimal schedule, eta0 = 2",
        caption=(
            f"Mean error of {len(errors)} simulations at N = {_DIM}, with a band that "
            "holds 90% of them; the curve for N to infinity; and the asymptote "
            "1.27/alpha of the paper. At N = 50 the mean is 1.6% below the asymptote."
        ),
        x_label=r"examples per dimension $\alpha$",
        y_label=r"error $\epsilon_g$",
        series=(
            Series(
                "simulation, N = 50",
                alpha.tolist(),
                errors.mean(axis=0).tolist(),
                "simulation",
                low=low.tolist(),
                high=high.tolist(),
            ),
            Series("theory, N to infinity", alpha.tolist(), curve.tolist(), "theory"),
            Series("1.27/alpha", line.tolist(), (1.27 / line).tolist(), "published"),
        ),
        x_log=True,
        y_log=True,
    )


def _large(quick: bool) -> int:
    return 10_000 if quick else 1_000_000


def _asymptote(quick: bool) -> Measurement:
    run = simulate(
        RULE,
        schedule(_SCALE),
        dim=_large(quick),
        alpha=_DECADES,
        replicas=4 if quick else 2,
        seed=SEED,
        progress=False,
    )
    return average((run["alpha"] * run["error"]).values, correlation=_MEMORY)


@functools.lru_cache(maxsize=2)
def _errors(quick: bool) -> FloatArray:
    """Return errors at N = 50, late, of many replicas; two claims share them."""
    run = simulate(
        RULE,
        schedule(_SCALE),
        dim=_DIM,
        alpha=_LATE,
        replicas=2500 if quick else 10_000,
        seed=SEED,
        progress=False,
    )
    return np.asarray(run["error"].values[:, 0])


_FINITE = prefactor(_SCALE) / (1 + spread2(_SCALE) / _DIM)

CLAIMS = (
    Claim(
        id="barkai1995/fig1/asymptote",
        where="figure 1 and text after eq. (6)",
        statement="On the optimal schedule the error is 1.27/alpha: alpha times the "
        "error in simulations up to alpha = 1e9, N = 1e6 (quick: 1e4).",
        published=1.27,
        rounding=0.005,
        expected=lambda quick: (
            prefactor(_SCALE) / (1 + spread2(_SCALE) / _large(quick))
        ),
        measure=_asymptote,
        catches=0.02,
    ),
    Claim(
        id="barkai1995/fig1/finite-size",
        where="figure 1",
        statement="At N = 50, the size of the figure, alpha times the mean error is "
        "(4/pi) / (1 + (2 - 3 pi/8)/N); the paper compares it with N to infinity.",
        published=None,
        expected=_FINITE,
        measure=lambda quick: average(_LATE * _errors(quick)),
        allowance=prefactor(_SCALE) / _DIM**2,
        because="the law is the first order in 1/N, so 1/N^2 is left out",
        # it must tell N = 50 from N to infinity
        catches=prefactor(_SCALE) - _FINITE,
    ),
    Claim(
        id="barkai1995/fig1/second-moment",
        where="figure 1",
        statement="At N = 50, alpha times the mean squared error over the mean error "
        "is 4/pi, as at every N.",
        published=None,
        expected=prefactor(_SCALE),
        measure=lambda quick: ratio(_LATE * _errors(quick) ** 2, _errors(quick)),
        catches=prefactor(_SCALE) - _FINITE,
    ),
)
