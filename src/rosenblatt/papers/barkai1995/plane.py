"""Section 4 in two parameters and more: discs and parity machines."""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.core.figures import FigureData, Series
from rosenblatt.core.types import FloatArray
from rosenblatt.machines import Parity
from rosenblatt.papers.barkai1995 import disc
from rosenblatt.papers.barkai1995.one_parameter import (
    DISC,
    FIRST,
    NOISE,
    SCALE,
    Harmonic,
    at_constant_rate,
    discs,
    harmonic,
    stationary,
    steady,
    with_noise,
)
from rosenblatt.papers.barkai1995.section_2 import PAPER
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.samples import exponent as exponent_of
from rosenblatt.papers.samples import joined, line, power_law, ratio, sampled

RATES = (0.003, 0.01, 0.03)  # constant ones


ABOVE, BELOW = 3.0, 0.3  # eta0 lambda at z = 1; above, starts are forgotten as n^-2


_MIDDLE = (0.0, 0.0)


_PARITY = Parity(hidden=2, inputs_each=3)


_PARITY_TARGET = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0)


_PARITY_RATE = 1 / math.pi  # lambda = <delta(h1) |h2|> per direction across h1


def disc_lengths(quick: bool, noise: float = 0.0) -> FloatArray:
    """Return |dw| of discs at constant rates, one column for each."""
    runs = steady(DISC, _MIDDLE, disc.rate(), RATES, 1500 if quick else 2500, noise)
    return np.stack([_lengths(run["weights"].values[:, 0]) for run in runs], axis=1)


def parity_errors(quick: bool) -> FloatArray:
    """Return errors of parity machines at constant rates, one column for each."""
    size = 300 if quick else 1000
    runs = steady(_PARITY, _PARITY_TARGET, _PARITY_RATE, RATES, size)
    return np.stack([run["error"].values[:, 0] for run in runs], axis=1)


def _lengths(weights: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.norm(weights, axis=-1))


def falling(
    quick: bool, exponent: float, scale: float, noise: float = 0.0
) -> tuple[FloatArray, FloatArray]:
    """Return n and |dw| of discs for a rate eta0 n^-z, two for each decade."""
    marks = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)
    examples = marks[:-1] if quick else marks
    run = discs(exponent, scale, examples, 400, noise)
    return FIRST + np.array(examples), _lengths(run["weights"].values)


def _last_decade(
    quick: bool, exponent: float, scale: float, noise: float = 0.0
) -> tuple[FloatArray, FloatArray]:
    n, size = falling(quick, exponent, scale, noise)
    return n[[-3, -1]], size[:, [-3, -1]]


_ABOVE_ALL = 3.0  # eta0 lambda of rates with z < 1


def _expected_exponent(quick: bool, exponent: float) -> float:
    n = _last_decade(quick, exponent, _ABOVE_ALL)[0]
    loss = exponent / _ABOVE_ALL * n ** (exponent - 1)
    first, second = (
        disc.moment_ratio(at**-exponent, lost) for at, lost in zip(n, loss, strict=True)
    )
    return math.log(first / second) / math.log(n[1] / n[0])


@PAPER.claim(
    "section4/exponent-{exponent:g}",
    "text after eqs. (20) and (26)",
    quote="follows adiabatically the finite-eta stationary distribution",
    formula=lambda exponent: exponent,
    expect=_expected_exponent,
    catches=lambda exponent: 0.2 * exponent,
    allow=(
        lambda exponent: exponent / _ABOVE_ALL * 3000 ** (exponent - 1),
        "the published exponent is a limit, and larger by this before",
    ),
    each={"exponent": (0.5, 0.75)},
)
def _slow(quick: bool, exponent: float) -> Measurement:
    """With a rate that falls as n^-{exponent:g} so does the error of a disc:
    exponent of <dw^2>/<|dw|> between n = 1e4 and 1e5 (quick: 3e3 and 3e4).
    """
    n, size = _last_decade(quick, exponent, _ABOVE_ALL)
    first, second = (ratio(at**2, at) for at in size.T)
    span = math.log(n[1] / n[0])
    error = math.hypot(first.stderr / first.value, second.stderr / second.value)
    return Measurement(math.log(first.value / second.value) / span, error / span)


def _noisy_growth(eta: float) -> float:
    return disc.noisy_growth(NOISE, 2 * NOISE * eta / disc.noisy_rate(NOISE))


def _noisy_exponent() -> float:
    """Return the exponent that RATES show, with the first correction."""
    rates = np.array(RATES)
    growth = np.array([_noisy_growth(eta) for eta in RATES])
    return exponent_of(rates, np.sqrt(rates * growth))


@PAPER.claim(
    "section4/residual-disc",
    "text after eqs. (20) and (24)",
    quote="for constant small eta the residual error scales as",
    formula=1.0,
    allow=(RATES[-1] ** 2, "corrections are of second order in the rate"),
)
def _residual_disc(quick: bool) -> Measurement:
    """The residual error is proportional to the rate: exponent for a disc in the plane,
    between rates 0.003 and 0.03.
    """
    return power_law(np.array(RATES), disc_lengths(quick))


@PAPER.claim(
    "section4/residual-parity",
    "text after eqs. (20) and (24)",
    quote="for constant small eta the residual error scales as",
    formula=1.0,
    catches=0.15,
)
def _residual_parity(quick: bool) -> Measurement:
    """The residual error is proportional to the rate: exponent for a parity machine
    with two units of three inputs each, between rates 0.003 and 0.03.
    """
    return power_law(np.array(RATES), parity_errors(quick))


@PAPER.claim(
    "section4/harmonic",
    "text after eq. (27)",
    quote="implying that eps_g propto n^{-1}",
    formula=-1.0,
    allow=(0.003, "the start is still felt as (100/n)^2 times its size in steps"),
)
def _harmonic(quick: bool) -> Measurement:
    """For a rate eta0/n with eta0 lambda = 3 the error of a disc falls as 1/n: exponent
    between n = 1e4 and 1e5 (quick: 3e3 and 3e4).
    """
    return power_law(*_last_decade(quick, 1.0, ABOVE))


@PAPER.claim(
    "section4/below",
    "text after eq. (27)",
    quote="For sufficiently large eta_0, this equation has a solution",
    expect=-BELOW,
    allow=(
        0.005,
        "the spread of the students adds a part that falls faster, by n^-0.7",
    ),
)
def _below(quick: bool) -> Measurement:
    """With eta0 lambda = 0.3, which is not sufficiently large, the error of a disc
    falls as n^-(eta0 lambda) only: exponent between the same n.
    """
    return power_law(*_last_decade(quick, 1.0, BELOW))


@PAPER.claim(
    "section4/noise-exponent",
    "last paragraph of section 4",
    quote="yielding eps_g - p approx sqrt{eta}",
    formula=0.5,
    expect=_noisy_exponent(),
    catches=0.1,
    allow=(
        _noisy_exponent() - 0.5,
        "the published exponent is a limit, and larger by this before",
    ),
)
def _noise_exponent(quick: bool) -> Measurement:
    """With p = 0.2 the error of a disc exceeds p by eta^(1/2): exponent between rates
    0.003 and 0.03.
    """
    return power_law(np.array(RATES), disc_lengths(quick, NOISE))


@PAPER.claim(
    "section4/noise-harmonic",
    "last paragraph of section 4",
    quote="the optimal choice is again eta propto n^{-1}",
    formula=-0.5,
    catches=0.15,
    allow=(0.005, "mistakes without noise lengthen <|dw|> by 1.2% at n = 3000"),
)
def _noise_harmonic(quick: bool) -> Measurement:
    """With p = 0.2 and a rate eta0/n, eta0 lambda = 3, the error of a disc exceeds p by
    n^-1/2: exponent between the same n.
    """
    return power_law(*_last_decade(quick, 1.0, ABOVE, NOISE))


_REACH = 2.0  # of x that is shown


_BINS = 40


def _histogram(name: str, x: FloatArray, reach: float = _REACH) -> Series:
    edges = np.linspace(-reach, reach, _BINS + 1)
    counts = np.histogram(x, edges)[0]
    density = counts / (x.size * (edges[1] - edges[0]))
    middles = (edges[1:] + edges[:-1]) / 2
    return Series(name, middles.tolist(), density.tolist(), "simulation", shape="steps")


@PAPER.figure("equilibrium", "section 4")
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


@PAPER.figure("noise", "section 4")
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


@PAPER.figure("schedules", "section 4")
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
