"""Figures of our own for section 4: the laws of one parameter, and schedules."""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.core.figures import FigureData, Series
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.barkai1995 import disc
from rosenblatt.papers.barkai1995.equilibrium import stationary
from rosenblatt.papers.barkai1995.harmonic import Harmonic
from rosenblatt.papers.barkai1995.section_4 import (
    SCALE,
    at_constant_rate,
    harmonic,
    with_noise,
)
from rosenblatt.papers.barkai1995.section_4_plane import ABOVE, BELOW, falling
from rosenblatt.papers.barkai1995.students import NOISE
from rosenblatt.papers.decorators import figure
from rosenblatt.papers.series import joined, line, sampled

__all__ = ["figure_equilibrium", "figure_noise", "figure_schedules"]

_REACH = 2.0  # of x that is shown
_BINS = 40


def _histogram(name: str, x: FloatArray, reach: float = _REACH) -> Series:
    edges = np.linspace(-reach, reach, _BINS + 1)
    counts = np.histogram(x, edges)[0]
    density = counts / (x.size * (edges[1] - edges[0]))
    middles = (edges[1:] + edges[:-1]) / 2
    return Series(name, middles.tolist(), density.tolist(), "simulation", shape="steps")


@figure("barkai1995/equilibrium", "section 4")
def figure_equilibrium(*, quick: bool = False) -> FigureData:
    """Return the laws of dw in steps, at a constant rate and for a rate eta0/n."""
    x = np.linspace(-_REACH, _REACH, 401)
    constant, falling = at_constant_rate(quick), harmonic(quick)
    classes = 200
    triangle = np.zeros(2 * classes * 2)
    triangle[classes:-classes] = stationary(np.ones(classes))
    cells = (np.arange(triangle.size) + 0.5) / classes - _REACH
    return FigureData(
        title="One parameter near its target: f = s - w",
        caption=(
            f"Histograms of {constant.size} students at a constant rate and of "
            f"{falling.size} for a rate eta0/n with eta0 lambda = {SCALE:g}, and the "
            "solutions of eqs. (24) and (27), corrected: for spread-out starts a "
            "triangle, and a law that reaches beyond one step."
        ),
        x_label=r"distance in steps, $x = \delta w / (\eta |f_0'|)$",
        y_label=r"density $F(x)$",
        series=(
            _histogram("simulation, constant rate", constant),
            _histogram(r"simulation, rate $\eta_0/n$", falling),
            line("eq. (24)", cells, triangle),
            line("eq. (27)", x, Harmonic(SCALE).density(x)),
        ),
    )


@figure("barkai1995/noise", "section 4")
def figure_noise(*, quick: bool = False) -> FigureData:
    """Return the laws of dw with and without noise, each in its standard deviations."""
    reach = 4.0
    x = np.linspace(-reach, reach, 401)
    clean, noisy = at_constant_rate(quick), with_noise(quick)
    width = math.sqrt(6)  # one over the standard deviation of the triangle
    triangle = np.maximum(1 - np.abs(x) / width, 0) / width
    gauss = np.exp(-0.5 * x**2) / math.sqrt(2 * math.pi)
    return FigureData(
        title="A small constant rate: Gaussian with noise, a triangle without",
        caption=(
            f"Histograms of students that learn f = s - w: {clean.size} without noise, "
            f"{noisy.size} with a share of {NOISE:g} wrong labels. The distance is of "
            "the order of the rate without noise, and of its root with noise. Both are "
            "in standard deviations of their laws for small rates."
        ),
        x_label=r"$\delta w$ in standard deviations",
        y_label="density",
        series=(
            _histogram("simulation, no noise", clean * width, reach),
            _histogram(f"simulation, p = {NOISE:g}", noisy, reach),
            line("triangle", x, triangle),
            line("Gaussian", x, gauss),
        ),
    )


@figure("barkai1995/schedules", "section 4")
def figure_schedules(*, quick: bool = False) -> FigureData:
    """Return the error of discs against n on several schedules, beside the powers."""
    runs = (
        ("rate $n^{-3/4}$", (0.75, ABOVE, 0.0), -0.75),
        (rf"$\eta_0/n$, $\eta_0\lambda = {BELOW:g}$", (1.0, BELOW, 0.0), -BELOW),
        (rf"$\eta_0/n$, $\eta_0\lambda = {ABOVE:g}$", (1.0, ABOVE, 0.0), -1.0),
        (f"the same with noise {NOISE:g}", (1.0, ABOVE, NOISE), -0.5),
    )
    series, powers = [], []
    for name, (exponent, scale, noise), slope in runs:
        n, lengths = falling(quick, exponent, scale, noise)
        errors = (1 - 2 * noise) * disc.error_per_length() * lengths
        series.append(sampled(name, n, errors))
        powers.append((n, errors[:, -1].mean() * (n / n[-1]) ** slope))
    return FigureData(
        title="A disc in the plane, on several schedules",
        caption=(
            f"Mean and standard error of {len(lengths)} discs of radius 1, normal "
            f"inputs, with lambda = {disc.rate():.4f}: probability to differ from the "
            "label, less that of noise. The lines have the slopes -3/4, "
            f"-{BELOW:g}, -1 and -1/2 that follow from section 4, and go through the "
            "last points."
        ),
        x_label="examples $n$",
        y_label=r"error $\epsilon_g - p$",
        series=(*series, joined("predicted powers of $n$", powers)),
        x_log=True,
        y_log=True,
    )
