"""Claims of section 2 beside the figure: eqs. (4), (5), (6) and the other exponents."""

from __future__ import annotations

import functools
import math

import xarray as xr

from rosenblatt.core import starts
from rosenblatt.engines import simulate
from rosenblatt.papers.barkai1995.equations import (
    RULE,
    SEED,
    adiabatic_error,
    angles,
    limit_curve,
    prefactor,
    residual_error,
    schedule,
)
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.estimates import average, ratio
from rosenblatt.schedules import Constant
from rosenblatt.theory import solve

__all__ = ["CLAIMS"]

_RATE = 0.01  # a constant rate that is small: eq. (5) leaves out its square
_TIMES = (1.0, 3.0, 10.0)  # at rate 1, from far to close to the fixed point


@functools.lru_cache(maxsize=2)
def _constant(quick: bool) -> xr.Dataset:
    return simulate(
        RULE,
        Constant(1.0),
        dim=10_000 if quick else 100_000,
        alpha=_TIMES,
        replicas=20,
        seed=SEED,
        progress=False,
    )


@functools.cache
def _theory() -> xr.Dataset:
    return solve(RULE, Constant(1.0), alpha=_TIMES)


def _overlap(index: int) -> Claim:
    time = _TIMES[index]
    printed = math.cos(angles(lambda _: 1.0, math.pi / 2, _TIMES)[index])
    return Claim(
        id=f"barkai1995/eq4/overlap-{time:g}",
        where="eq. (4)",
        statement=f"Mean overlap R at rate 1 and alpha = {time:g}, from R = 0: eq. (4) "
        "as printed (published), the drift of the rule itself (expected), simulations.",
        published=printed,
        rounding=1e-8,  # of the two integrations
        expected=lambda quick: float(_theory()["overlap"][0, index]),
        measure=lambda quick: average(_constant(quick)["overlap"].values[:, index]),
    )


@functools.cache
def _relaxing() -> xr.Dataset:
    return solve(RULE, Constant(_RATE), alpha=(2500.0, 3500.0, 10_000.0))


def _relaxation(quick: bool) -> Measurement:
    first, second, limit = _relaxing()["error"].values[0]
    rate = math.log((first - limit) / (second - limit)) / 1000.0
    return Measurement(rate * math.sqrt(2 * math.pi) / _RATE, 0.0)


def _small_rate(quick: bool) -> Measurement:
    run = simulate(
        RULE,
        Constant(_RATE),
        dim=50,
        alpha=5000.0,  # 20 times as long as the start is remembered
        replicas=1500 if quick else 5000,
        seed=SEED,
        start=starts.Overlap(math.cos(math.pi * residual_error(_RATE))),
        progress=False,
    )
    errors = run["error"].values[:, 0]
    return ratio(errors**2, errors)


def _scale(scale: float) -> Claim:
    def measure(quick: bool) -> Measurement:
        run = limit_curve(scale).sel(alpha=[1e6, 1e7])
        first, second = (run["alpha"] * run["error"][0]).values
        # The start is forgotten as alpha^(1 - eta0), so that two values tell the limit.
        left = (second - first) / (10 ** (scale - 1) - 1)
        return Measurement(float(second + left), 0.0)

    return Claim(
        id=f"barkai1995/eq6/scale-{scale:g}",
        where="eq. (6), first line",
        statement=f"At z = 1 and eta0 = {scale:g}, alpha times the error tends to "
        "eta0^2 / (eta0 - 1) / pi; from the theory at alpha = 1e6 and 1e7.",
        published=prefactor(scale),
        expected=prefactor(scale),
        measure=measure,
        allowance=1e-6,
        because="numerical integration, with an offset of 0.001 in alpha",
        catches=1e-3,
    )


def _slow_scale(quick: bool) -> Measurement:
    run = solve(RULE, schedule(0.5, offset=1.0), alpha=(1e6, 1e8))
    first, second = run["error"].values[0]
    return Measurement(math.log(first / second) / math.log(100), 0.0)


def _exponent(exponent: float, times: tuple[float, float]) -> Claim:
    decades = math.log(times[1] / times[0])
    begin, end = (f"1e{math.log10(time):.0f}" for time in times)

    def measure(quick: bool) -> Measurement:
        run = simulate(
            RULE,
            schedule(1.0, exponent),
            dim=100 if quick else 1000,
            alpha=times,
            replicas=16,
            seed=SEED,
            progress=False,
        )
        step = ratio(*run["error"].values.T)
        return Measurement(
            math.log(step.value) / decades, step.stderr / step.value / decades
        )

    first, second = (adiabatic_error(1.0, exponent, alpha) for alpha in times)
    return Claim(
        id=f"barkai1995/exponent/{exponent:g}",
        where="section 2, z < 1",
        statement=f"With a rate that falls as alpha^-{exponent:g} the error does too: "
        f"exponent from simulations between alpha = {begin} and {end}.",
        published=exponent,
        expected=math.log(first / second) / decades,
        measure=measure,
        allowance=exponent * (1 - exponent) * times[0] ** (exponent - 1),
        because="the published exponent is a limit, and larger by this before",
        catches=0.1 * exponent,
    )


def _frozen(overlap: float) -> Claim:
    def time(quick: bool) -> float:
        return 30.0 if quick else 100.0

    def measure(quick: bool) -> Measurement:
        run = simulate(
            RULE,
            schedule(1.0, 2.0, offset=1.0),
            dim=10_000,
            alpha=time(quick),
            replicas=10 if quick else 20,
            seed=SEED,
            start=starts.Overlap(overlap),
            progress=False,
        )
        return average(run["error"].values)

    def expected(quick: bool) -> float:
        unit = math.sqrt(2 * math.pi)
        late = angles(lambda a: unit / (1 + a) ** 2, math.acos(overlap), (time(quick),))
        return float(late[0]) / math.pi

    return Claim(
        id=f"barkai1995/exponent/2-from-{overlap:g}",
        where="section 2, z > 1",
        statement="With a rate (2 pi)^(1/2) / (1 + alpha)^2 the error stops short of "
        f"0, at a value that depends on the start: from R = {overlap:g}, at alpha = "
        "100 (quick: 30), where the rate is all but gone.",
        published=None,
        expected=expected,
        measure=measure,
    )


CLAIMS = (
    *(_overlap(index) for index in range(len(_TIMES))),
    Claim(
        id="barkai1995/eq5/limit",
        where="eq. (5)",
        statement="At a small constant rate, 0.01, the error tends to "
        "eta / (2 pi^3)^(1/2); from the theory.",
        published=residual_error(_RATE),
        expected=residual_error(_RATE),
        measure=lambda quick: Measurement(float(_relaxing()["error"][0, -1]), 0.0),
        allowance=residual_error(_RATE) * _RATE**2,
        because="eq. (5) leaves out the square of the rate",
        catches=0.01 * residual_error(_RATE),
    ),
    Claim(
        id="barkai1995/eq5/relaxation",
        where="text after eq. (5)",
        statement="The error comes to its limit as exp(-eta alpha / (2 pi)^(1/2)): the "
        "rate of that, in these units, from the theory.",
        published=1.0,
        expected=1.0,
        measure=_relaxation,
        allowance=_RATE**2,
        because="the law leaves out the square of the rate",
        catches=0.01,
    ),
    Claim(
        id="barkai1995/eq5/any-size",
        where="eq. (5) and section 5",
        statement="Eq. (5) holds at every N for the mean squared error over the mean "
        "error: simulations at N = 50 and rate 0.01.",
        published=None,
        expected=residual_error(_RATE),
        measure=_small_rate,
        allowance=residual_error(_RATE) * _RATE**2,
        because="eq. (5) leaves out the square of the rate",
        catches=0.02 * residual_error(_RATE),
    ),
    *(_scale(scale) for scale in (1.5, 2.0, 3.0)),
    Claim(
        id="barkai1995/eq6/scale-0.5",
        where="eq. (6), last line",
        statement="At z = 1 and eta0 = 0.5 the error falls as alpha^-eta0: exponent "
        "between alpha = 1e6 and 1e8, from the theory.",
        published=0.5,
        expected=0.5,
        measure=_slow_scale,
        allowance=1e-3,
        because="the next term is smaller by alpha^(eta0 - 1) only",
        catches=0.01,
    ),
    _exponent(0.5, (1e4, 1e6)),
    _exponent(0.75, (1e8, 1e10)),
    *(_frozen(overlap) for overlap in (0.0, 0.9)),
)
