r"""The time at which students leave the plateau, at finite N and for more units.

Random starts break the symmetry by :math:`N^{-1/2}`. A difference of that size grows as
:math:`e^{\lambda \alpha}`, so that the escape time grows as
:math:`\ln N / (2 \lambda)`. Theory gives :math:`\lambda` as the largest eigenvalue of
the drift on the plateau.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.networks import Committee, plateau, simulate
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import claim, expect
from rosenblatt.papers.paper import Figure
from rosenblatt.papers.series import line, sampled
from rosenblatt.rules import Erf
from rosenblatt.schedules import Constant

__all__ = ["CLAIMS", "figure_size", "figure_units"]

_RATE = Constant(1.0)
_LAST, _STEPS = 250.0, 501
_HALF = 0.0103  # half the error on the plateau of two units at rate 1


@functools.cache
def _times(quick: bool) -> tuple[FloatArray, FloatArray]:
    """Return sizes N, and escape times of many students for each, (student, size)."""
    sizes = np.array([100, 1000] if quick else [100, 300, 1000, 3000, 10_000])
    replicas = 256
    alpha = np.linspace(0, _LAST, _STEPS)
    times = []
    for dim in sizes:
        run = simulate(
            Committee(Erf(), 2, 2), _RATE, dim=int(dim), alpha=alpha, replicas=replicas
        )
        escaped = run.error.values < _HALF
        first = alpha[escaped.argmax(axis=1)]
        times.append(np.where(escaped.any(axis=1), first, _LAST))
    return sizes, np.transpose(times)


@functools.cache
def _growth(quick: bool = True) -> float:
    """Return 1 / (2 lambda) of theory."""
    rate = _RATE.rate
    found = plateau(Committee(Erf(), 2, 2), rate)
    return float(1 / (2 * rate * found.eigenvalues[0].real))


@Figure.of("saad1995/size", "escape at finite N")
def figure_size(*, quick: bool = False) -> FigureData:
    """Return the mean escape time against N."""
    sizes, times = _times(quick)
    middle = np.log(sizes).mean()
    return FigureData(
        title="The plateau lasts longer in higher dimensions",
        caption=(
            f"Mean time at which the error of {len(times)} random students is half of "
            "the plateau's, K = M = 2, rate 1. The line has the slope of theory, "
            f"{_growth():.2f} per unit of ln N, and goes through the mean point."
        ),
        x_label="number of inputs N",
        y_label=r"escape time $\alpha$",
        series=(
            sampled("simulation", sizes, times),
            line("theory", sizes, times.mean() + _growth() * (np.log(sizes) - middle)),
        ),
        x_log=True,
    )


@Figure.of("saad1995/units", "symmetric plateau")
def figure_units(*, quick: bool = False) -> FigureData:
    """Return learning curves of committees with more and more units."""
    series = []
    for units in (2, 4) if quick else (2, 4, 8, 12):
        alpha = np.linspace(0, 80 * units, 81)
        run = simulate(
            Committee(Erf(), units, units), 1.5 / units, dim=300, alpha=alpha,
            replicas=8 if quick else 64
        )  # fmt: skip
        error = run.error.mean("replica") / run.error.mean("replica")[0]
        series.append(line(f"K = {units}", alpha / units, error, "simulation"))
    return FigureData(
        title="Committees of up to twelve units",
        caption=(
            "Mean error over its first value, for K = M units, N = 300 and rate 1.5/K, "
            "against alpha/K. The plateau lasts longer than in proportion to K."
        ),
        x_label=r"examples per dimension and unit, $\alpha / K$",
        y_label="error over first error",
        series=tuple(series),
        y_log=True,
    )


@claim("saad1995/escape/size", "escape at finite N")
@expect(_growth, catches=4.0)
def _slope(quick: bool) -> Measurement:
    """The mean escape time of two units grows with ln N, with slope 1/(2 lambda) of
    theory.

    The slope is found by least squares.
    """
    sizes, times = _times(quick)
    x = np.log(sizes) - np.log(sizes).mean()
    variances = times.var(axis=0, ddof=1) / len(times)
    weights = x / (x @ x)
    error = math.sqrt(weights**2 @ variances)
    return Measurement(float(weights @ times.mean(axis=0)), error)


CLAIMS = (_slope,)
