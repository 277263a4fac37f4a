"""The symmetric plateau and the escape from it, by theory and by simulation."""

from __future__ import annotations

import functools

import numpy as np
import xarray as xr

from rosenblatt.committees import Committee, simulate, solve
from rosenblatt.core.figures import FigureData, Series
from rosenblatt.papers.decorators import figure
from rosenblatt.papers.series import components, joined, line, points
from rosenblatt.rules import Erf
from rosenblatt.schedules import Constant

__all__ = ["figure_error", "figure_overlaps"]

_UNITS, _RATE, _LAST = 3, Constant(0.5), 500.0
_SMALL = 0.02  # largest first overlap with a teacher


@functools.cache
def _runs(quick: bool) -> tuple[xr.Dataset, xr.Dataset]:
    """Return theory and simulation from the same start."""
    committee = Committee(Erf(), _UNITS, _UNITS)
    rng = np.random.default_rng(1)
    cross = _SMALL * rng.random((_UNITS, _UNITS))
    start = cross, np.diag(0.5 * rng.random(_UNITS))
    curve = solve(committee, _RATE, alpha=np.linspace(0, _LAST, 251), start=start)
    run = simulate(
        committee, _RATE, dim=2000 if quick else 50_000, replicas=8,
        alpha=np.linspace(0, _LAST, 26), start=start
    )  # fmt: skip
    return curve, run


def _about(run: xr.Dataset) -> str:
    return (
        f"K = M = {_UNITS} units of the error function, rate {_RATE.rate:g}. First "
        f"overlaps with the teacher are below {_SMALL:g}. Lines: equations for N to "
        f"infinity; points: one simulated student with N = {run.attrs['dim']}."
    )


@figure("saad1995/error", "symmetric plateau")
def figure_error(*, quick: bool = False) -> FigureData:
    """Return the error against alpha: a plateau, and an exponential decay after it."""
    curve, run = _runs(quick)
    return FigureData(
        title="A committee stays on a plateau before its units specialise",
        caption=_about(run),
        x_label=r"examples per dimension, $\alpha$",
        y_label="half the mean squared error",
        series=(
            line("theory", curve.alpha, curve.error[0]),
            points("simulation", run.alpha, run.error[0]),
        ),
        y_log=True,
    )


@figure("saad1995/overlaps", "symmetric plateau")
def figure_overlaps(*, quick: bool = False) -> FigureData:
    """Return all overlaps R and Q against alpha."""
    curve, run = _runs(quick)

    def dots(name: str, label: str) -> Series:
        x, y = (
            np.concatenate(each) for each in zip(*components(run, name), strict=True)
        )
        return points(label, x, y)

    return FigureData(
        title="Overlaps of students with teachers and with each other",
        caption=_about(run) + " Each student ends with overlap 1 with one teacher.",
        x_label=r"examples per dimension, $\alpha$",
        y_label="overlap per dimension",
        series=(
            joined("$R_{in}$, theory", components(curve, "R")),
            joined("$Q_{ik}$, theory", components(curve, "Q")),
            dots("R", "$R_{in}$, simulation"),
            dots("Q", "$Q_{ik}$, simulation"),
        ),
    )
