"""Claims of section 4 about one parameter: eqs. (23) to (27), and noise."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np
from scipy import stats

from rosenblatt.core.types import FloatArray
from rosenblatt.machines import Smooth
from rosenblatt.papers.barkai1995.equations import simulated_machine
from rosenblatt.papers.barkai1995.equilibrium import noisy_growth, noisy_variance
from rosenblatt.papers.barkai1995.harmonic import Harmonic
from rosenblatt.papers.barkai1995.students import (
    EVEN,
    KAPPA,
    LINE_RATE,
    NOISE,
    constant_rate,
    falling_rate,
    noisy_rate,
    spread,
)
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.papers.estimates import average, ratio
from rosenblatt.schedules import Power

__all__ = [
    "CLAIMS",
    "SCALE",
    "SLOW",
    "at_constant_rate",
    "cubic",
    "harmonic",
    "kurtosis",
    "slow",
    "with_noise",
]

# Mean and spread of Kolmogorov's statistic, n^(1/2) times the largest distance.
_KOLMOGOROV = math.sqrt(math.pi / 2) * math.log(2)
_SPREAD = math.sqrt(math.pi**2 / 12 - math.pi / 2 * math.log(2) ** 2)
SCALE = 3.0  # eta0 lambda at z = 1: the start is forgotten as n^-2
SLOW = (0.5, 0.5, 300)  # z, eta0 lambda and examples for eq. (26)
_CUBIC_TARGET = 0.5


def at_constant_rate(quick: bool) -> FloatArray:
    """Return x at a small constant rate."""
    return constant_rate(1e-2, 3000) if quick else constant_rate(1e-3, 4000)


def slow(quick: bool) -> FloatArray:
    """Return x for a rate that falls as n^-1/2."""
    return falling_rate(*SLOW, replicas=15_000 if quick else 60_000)


def harmonic(quick: bool) -> FloatArray:
    """Return x for a rate eta0/n."""
    return falling_rate(1.0, SCALE, 3000, replicas=3000 if quick else 10_000)


def _distance(statistic: float, size: float) -> Measurement:
    return Measurement(float(statistic), _SPREAD / math.sqrt(size))


def _law(
    name: str,
    where: str,
    statement: str,
    students: Callable[[bool], FloatArray],
    distribution: Callable[[FloatArray], FloatArray],
) -> Claim:
    @claim(f"barkai1995/{name}/law", where)
    @expect(lambda quick: _KOLMOGOROV / math.sqrt(students(quick).size), catches=0.03)
    @fill(statement=statement)
    def measure(quick: bool) -> Measurement:
        """{statement}: largest distance between the distribution functions, which
        chance alone makes 0.87/n^(1/2) for n students.
        """
        x = students(quick)
        ranks = np.arange(x.size + 1) / x.size
        at = distribution(np.sort(x))
        statistic = max(np.max(at - ranks[:-1]), np.max(ranks[1:] - at))
        return _distance(statistic, x.size)

    return measure


def _triangle(x: FloatArray) -> FloatArray:
    return np.asarray(stats.triang.cdf(x, 0.5, loc=-1, scale=2))


def _scaling_by_chance(quick: bool) -> float:
    return _KOLMOGOROV * math.sqrt(1 / at_constant_rate(quick).size + 1 / 10_000)


def kurtosis(x: FloatArray) -> Measurement:
    """Return the fourth moment over the square of the second, both around 0."""
    second, fourth = np.mean(x**2), np.mean(x**4)
    value = fourth / second**2
    rest = average((x**4 - 2 * value * second * x**2) / second**2)
    return Measurement(float(value), rest.stderr)


def _eta(quick: bool) -> float:
    return 0.01 if quick else 0.005


def _gaussian(quick: bool) -> FloatArray:
    return noisy_rate(_eta(quick), 4000 if quick else 6000)


def _unit(quick: bool) -> float:
    return _eta(quick) * noisy_variance(NOISE, 1.0, LINE_RATE)


def with_noise(quick: bool) -> FloatArray:
    """Return dw/eta^(1/2) with noise, over the standard deviation for small eta."""
    return _gaussian(quick) / math.sqrt(_unit(quick))


def _growth(quick: bool) -> float:
    return noisy_growth(NOISE, LINE_RATE, _unit(quick))


def _value(s: FloatArray, w: FloatArray) -> float:
    return s[0] ** 3 - 2.0 * w[0]  # type: ignore[no-any-return]


def _gradient(s: FloatArray, w: FloatArray, out: FloatArray) -> None:
    out[0] = -2.0


_CUBIC = Smooth(_value, _gradient, inputs=1, parameters=1)


@functools.cache
def cubic(quick: bool) -> tuple[float, Measurement]:
    """Return eta0, and n times the error, of f = s^3 - 2 w for a rate eta0/n.

    At the boundary, s0 = 1, f0' = -2 and df/ds = 3; eta0 lambda is ``SCALE``.
    """
    eta0 = SCALE / (KAPPA * 2**2 / 3)
    first, examples, replicas = 1000.0, 10_000, 1000 if quick else 4000
    n = first + examples + 1
    run = simulated_machine(
        _CUBIC,
        Power(eta0, 1.0, first),
        [_CUBIC_TARGET],
        EVEN,
        examples=examples,
        replicas=replicas,
        start=_CUBIC_TARGET + spread(replicas, 2 * eta0 / first),
    )
    boundaries = np.cbrt(2 * run["weights"].values[:, 0, 0])
    return eta0, average(n * KAPPA * np.abs(boundaries - 1.0))


@claim("barkai1995/eq23/scaling", "eq. (23)")
@expect(_scaling_by_chance, catches=0.03)
def _scaling(quick: bool) -> Measurement:
    """At small constant rates dw/eta has one law. Largest distance between the
    distribution functions at 0.001 (quick: 0.01) and at 0.1. Chance alone gives 0.87
    (1/n + 1/m)^(1/2) for n and m students.
    """
    small, large = at_constant_rate(quick), constant_rate(0.1, 10_000)
    size = 1 / (1 / small.size + 1 / large.size)
    return _distance(stats.ks_2samp(small, large, method="asymp").statistic, size)


@claim("barkai1995/eq24/kurtosis", "text after eq. (24)")
# it catches half of the way to the Gaussian
@expect(2.4, catches=0.3)
def _kurtosis(quick: bool) -> Measurement:
    """The law at a constant rate is not Gaussian: the kurtosis of the triangle is 2.4,
    not 3.
    """
    return kurtosis(at_constant_rate(quick))


@claim("barkai1995/eq24/support", "text after eq. (24)", published=0.0)
@expect(0.0, catches=1e-4)
def _support(quick: bool) -> Measurement:
    """No student is further away than one step: share of |dw| > eta."""
    return Measurement(float(np.mean(np.abs(at_constant_rate(quick)) > 1)), 0.0)


@claim("barkai1995/eq27/moments", "eq. (27)")
@expect(Harmonic(SCALE).moment_ratio)
def _moments(quick: bool) -> Measurement:
    """For a rate eta0/n, <x^2>/<|x|> is c / (2 (c - 1)), c = 3."""
    return ratio(harmonic(quick) ** 2, np.abs(harmonic(quick)))


@claim("barkai1995/eq27/other-function", "eq. (27)")
@expect(Harmonic(SCALE).prefactor, catches=0.3)
@allow(0.001, "at n = 11000 the cubic is straight up to a relative 0.0005")
def _other_function(quick: bool) -> Measurement:
    """For a rate eta0/n and f = s^3 - 2 w, where f0' = -2 and kappa = 1/6: n times the
    error for eta0 = 9.
    """
    return cubic(quick)[1]


@claim("barkai1995/section4/line-noise-variance", "last paragraph of section 4")
@expect(_growth, catches=0.2)
@allow((_growth(True) - 1) ** 2, "the law leaves out the next order")
def _line_noise_variance(quick: bool) -> Measurement:
    """With p = 0.2 and f = s - w the variance of dw at a constant rate is eta p (2
    pi)^(1/2) / 2. The next term is of the order eta^(3/2). Ratio of the variance to the
    first term at eta = 0.005 (quick: 0.01).
    """
    return average(with_noise(quick) ** 2)


@claim("barkai1995/section4/line-noise-kurtosis", "last paragraph of section 4")
# it catches the triangle without noise
@expect(lambda quick: 3 * _growth(quick), catches=0.6)
@allow(6 * (_growth(True) - 1) ** 2, "the law leaves out the next order")
def _line_noise_kurtosis(quick: bool) -> Measurement:
    """With noise the law becomes Gaussian, as eta^(1/2): the kurtosis at 0.005 (quick:
    0.01) is little more than 3.
    """
    return kurtosis(with_noise(quick))


CLAIMS = (
    _scaling,
    _kurtosis,
    _support,
    _law(
        "eq24",
        "eq. (24)",
        "The law at a constant rate is the solution of eq. (24) for spread-out starts",
        at_constant_rate,
        _triangle,
    ),
    _law(
        "eq27",
        "eq. (27)",
        "For a rate eta0/n the law is the solution of eq. (27), with its factor kappa",
        harmonic,
        Harmonic(SCALE).distribution,
    ),
    _moments,
    _other_function,
    _line_noise_variance,
    _line_noise_kurtosis,
)
