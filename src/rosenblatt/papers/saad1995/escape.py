r"""The time at which students leave the plateau, at finite N and for more units.

Random starts break the symmetry by :math:`N^{-1/2}`. A difference of that size grows as
:math:`e^{\lambda \alpha}`, so that the escape time grows as
:math:`\ln N / (2 \lambda)`. Theory gives :math:`\lambda` as the largest eigenvalue of
the drift on the plateau. At finite N the first differences are not small: the equations
themselves, from random starts of these sizes, give the slope that is expected there.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from rosenblatt.committees import Committee, plateau, simulate, solve
from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import allow, claim, expect, figure
from rosenblatt.papers.estimates import average
from rosenblatt.papers.series import line, sampled
from rosenblatt.rules import Erf
from rosenblatt.schedules import Constant

__all__ = ["CLAIMS", "escape_time", "figure_size", "figure_units", "random_start"]

_RATE = Constant(1.0)
_LEVEL_DIM = 1000
_HALF = 0.0103  # half the error on the plateau of two units at rate 1
_MANY, _FAST = 12, 1.5  # units of the largest committee, rate times units


@functools.cache
def _times(quick: bool) -> tuple[FloatArray, FloatArray]:
    """Return sizes N, and escape times of many students for each, (student, size)."""
    sizes = np.array([100, 1000] if quick else [100, 300, 1000, 3000])
    replicas, last = 512, 200 if quick else 220  # one student in a thousand is later
    alpha = np.arange(last + 1)
    times = []
    for dim in sizes:
        run = simulate(
            Committee(Erf(), 2, 2), _RATE, dim=int(dim), alpha=alpha, replicas=replicas
        )
        escaped = run.error.values < _HALF
        first = alpha[escaped.argmax(axis=1)]
        times.append(np.where(escaped.any(axis=1), first, last))
    return sizes, np.transpose(times)


@functools.cache
def _growth(quick: bool = True) -> float:
    """Return 1 / (2 lambda) of theory."""
    rate = _RATE.rate
    found = plateau(Committee(Erf(), 2, 2), rate)
    return float(1 / (2 * rate * found.eigenvalues[0].real))


def escape_time(start: tuple[FloatArray, FloatArray], last: float) -> float:
    """Return when a student of the equations leaves the plateau, before ``last``."""
    alpha = np.linspace(0, last, 101)
    curve = solve(Committee(Erf(), 2, 2), _RATE, alpha=alpha, start=start)
    above = np.log(curve.error.values[0] / _HALF)
    after = int((above < 0).argmax())
    share = above[after - 1] / (above[after - 1] - above[after])
    return float(alpha[after - 1] + share * (alpha[after] - alpha[after - 1]))


def random_start(dim: float, normal: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return overlaps of random students of length 1/2, from seven normal numbers."""
    small = 0.5 / math.sqrt(dim)
    off = 0.5 * small * normal[4]
    own = 0.25 + math.sqrt(0.5) * small * normal[5:]
    return small * normal[:4].reshape(2, 2), np.array([[own[0], off], [off, own[1]]])


def _slopes(sizes: FloatArray, times: FloatArray) -> Measurement:
    """Return the mean slope of times against ln N, one by least squares for each row.

    A row has first weights of the same directions at every N. So its times are
    correlated, and the slopes of single rows scatter less than the times do.
    """
    x = np.log(sizes) - np.log(sizes).mean()
    return average(times @ (x / (x @ x)))


@functools.cache
def _equations(quick: bool) -> Measurement:
    """Return the slope of the equations, from a few random starts of each size."""
    sizes = _times(quick)[0]
    normal = np.random.default_rng(0).standard_normal((8, 7))
    times = [[escape_time(random_start(n, few), 200) for n in sizes] for few in normal]
    return _slopes(sizes, np.array(times))


@figure("saad1995/size", "escape at finite N")
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
        x_label="number of inputs $N$",
        y_label=r"escape time $\alpha$",
        series=(
            sampled("simulation", sizes, times),
            line("theory", sizes, times.mean() + _growth() * (np.log(sizes) - middle)),
        ),
        x_log=True,
    )


@figure("saad1995/units", "symmetric plateau")
def figure_units(*, quick: bool = False) -> FigureData:
    """Return learning curves of committees with more and more units."""
    series = []
    for units in (2, 4) if quick else (2, 4, 8, _MANY):
        alpha = np.linspace(0, 80 * units, 81)
        run = simulate(
            Committee(Erf(), units, units), _FAST / units, dim=300, alpha=alpha,
            replicas=8 if quick else 32
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
@expect(_equations, catches=2.25)
def _slope(quick: bool) -> Measurement:
    """The mean escape time of two units grows with ln N. The slope is that of the
    equations from random starts of these sizes, 1/(2 lambda) for large N.
    """
    return _slopes(*_times(quick))


@claim("saad1995/units/level", "symmetric plateau")
@expect(
    lambda quick: plateau(Committee(Erf(), _MANY, _MANY), _FAST / _MANY).error,
    catches=0.01,
)
@allow(1 / _LEVEL_DIM, "corrections of order 1/N")
def _level(quick: bool) -> Measurement:
    """The error of twelve units that begin at random stays at that of the symmetric
    plateau of theory, at rate 1.5/12.
    """
    run = simulate(
        Committee(Erf(), _MANY, _MANY), _FAST / _MANY, dim=_LEVEL_DIM,
        alpha=np.linspace(100, 300, 11), replicas=16 if quick else 64
    )  # fmt: skip
    means = run.error.mean("alpha").values  # of each replica
    return Measurement(float(means.mean()), float(means.std() / math.sqrt(means.size)))


CLAIMS = (_slope, _level)
