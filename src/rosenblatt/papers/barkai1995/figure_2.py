r"""Figure 2: output noise, biased inputs; the regular rule and the shifted one.

The paper does not say from where its runs start. Here the student is at R = 0.9, q =
0.9 q0 and does not move until alpha = 20. So the first rates are not large, and the
averages that T is learned from have begun. Then the rate is that of eq. (18),
:math:`\eta_0 \sqrt{\pi/2}\, e^{q_0^2/2} / \alpha` with :math:`\eta_0 = 2`, for all.

Medians are shown and compared. At N = 250 about one run in 500 of the shifted rule
crosses to the other side of the inputs' mean, where W = -W0 is stable too. In a mean
this run would weigh more than all effects of the finite size on the others.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import xarray as xr

from rosenblatt.core import Clock, Rule, starts
from rosenblatt.core.figures import FigureData, Series
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.barkai1995.equations import RULE, simulated
from rosenblatt.papers.barkai1995.equations_3 import LEARNED, known, schedule
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, figure, fill
from rosenblatt.papers.series import joined, line, points
from rosenblatt.schedules import Custom
from rosenblatt.streams import Gaussian
from rosenblatt.teachers import Sign
from rosenblatt.theory import solve

__all__ = ["CLAIMS", "NOISE", "STATED", "STREAM", "figure_2", "late_error"]

NOISE, STREAM = 0.2, Gaussian(mean=4.0, overlap=-1.95)
STATED = 0.32  # limit of the regular rule, in the text below eq. (18)
_DIM = 250
_Q0 = STREAM.overlap
_START = starts.Overlap(0.9, mean=0.9 * _Q0)
_SCALE = schedule(2.0, _Q0).scale
_BEGIN, _END = 20.0, 400.0
_LATE = 1e4  # where the rate is almost zero
_ALPHA = (_BEGIN, *np.arange(24.0, 100.0, 4.0), *np.arange(100.0, 401.0, 20.0))
_RULES: dict[str, Rule] = {
    "regular": RULE,
    "T known": known(_Q0),
    "T learned": LEARNED,
}


def _rate(clock: Clock) -> float:
    return 0.0 if clock.time <= _BEGIN else _SCALE / clock.time


_FROZEN = Custom(_rate)


@functools.cache
def _curve(name: str) -> xr.Dataset:
    """Return the curve for N to infinity, at the figure's times and a late one."""
    times = np.array([*_ALPHA, _LATE])
    if name == "T learned":
        return solve(LEARNED, _FROZEN, Sign(NOISE), STREAM, alpha=times, start=_START)
    # Without a T that is learned nothing happens before the student moves.
    later = schedule(2.0, _Q0, offset=_BEGIN)
    curve = solve(
        _RULES[name],
        later,
        Sign(NOISE),
        STREAM,
        alpha=times - _BEGIN,
        start=_START,
    )
    return curve.assign_coords(alpha=times)


@functools.lru_cache(maxsize=6)
def _errors(name: str, quick: bool) -> FloatArray:
    """Return errors at all times, of replicas at N = 250; figure and claims share."""
    run = simulated(
        _RULES[name],
        _FROZEN,
        Sign(NOISE),
        STREAM,
        dim=_DIM,
        alpha=_ALPHA,
        replicas=20 if quick else 160,
        start=_START,
    )
    return np.asarray(run["error"].values)


def _median(samples: FloatArray) -> Measurement:
    """Return the median, with half the distance of the ranks one deviation away."""
    values = np.sort(samples)
    size = len(values)
    reach = 0.5 * math.sqrt(size)  # of the number of samples below the median
    low = values[math.floor(0.5 * size - reach)]
    high = values[math.ceil(0.5 * size + reach) - 1]
    return Measurement(float(np.median(values)), 0.5 * float(high - low))


def late_error() -> float:
    """Return the error of the regular rule at alpha = 1e4, for N to infinity."""
    return _at("regular", _LATE)


@figure("barkai1995/fig2", "figure 2")
def figure_2(*, quick: bool = False) -> FigureData:
    """Return the learning curves at N = 250 beside the theory and eq. (18)."""
    series = []
    for name in _RULES:
        low, middle, high = np.quantile(
            _errors(name, quick), [0.05, 0.5, 0.95], axis=0
        ).tolist()
        series.append(
            Series(
                f"{name}, N = {_DIM}", _ALPHA, middle, "simulation", low=low, high=high
            )
        )
    curves = [(_ALPHA, _curve(name)["error"].values[0, :-1]) for name in _RULES]
    law = [NOISE + math.sqrt(2 * NOISE / (math.pi * alpha)) for alpha in _ALPHA]
    series += [
        joined("theory, N to infinity", curves),
        line("eq. (18)", _ALPHA, law, role="published"),
        line("smallest error, p", (_BEGIN, _END), (NOISE, NOISE), role="published"),
        points("limit of the regular rule, text", [_END], [STATED], role="published"),
    ]
    return FigureData(
        title="Output noise, p = 0.2: regular and shifted rule, eta0 = 2",
        caption=(
            f"Median error of {len(_errors('regular', quick))} simulations at N = "
            f"{_DIM}, u = 4, q0 = -1.95, with bands that hold 90% of them; curves for "
            "N to infinity; eq. (18), which with T learned is right in the long run, "
            "with T known less by 1 - 2p. Students start at R = 0.9 and move from "
            "alpha = 20 on."
        ),
        x_label=r"examples per weight $\alpha$",
        y_label=r"error $\epsilon_g$",
        series=tuple(series),
    )


def _end(name: str, key: str) -> Claim:
    @claim(f"barkai1995/fig2/{key}", "figure 2")
    @expect(lambda quick: _at(name, _END))
    @fill(name=name)
    def measure(quick: bool) -> Measurement:
        """Error at alpha = 400, {name}: median at N = 250, and the curve for N to
        infinity.
        """
        return _median(_errors(name, quick)[:, -1])

    return measure


def _at(name: str, alpha: float) -> float:
    return float(_curve(name)["error"].sel(alpha=alpha)[0])


@claim(
    "barkai1995/fig2/law",
    "text after eq. (18)",
    published=math.sqrt(2 * NOISE / math.pi),
)
@expect(math.sqrt(2 * NOISE / math.pi))
@allow(
    2 / math.sqrt(_LATE) * math.sqrt(2 * NOISE / math.pi),
    "the law is a limit; what is next is of relative order alpha^(-1/2), "
    "and less than twice that at earlier times",
)
def _law(quick: bool) -> Measurement:
    """With T learned the error comes to 0.2 as alpha^(-1/2): alpha^(1/2) times the
    error above it, at alpha = 1e4, N to infinity.
    """
    return Measurement(math.sqrt(_LATE) * (_at("T learned", _LATE) - NOISE), 0.0)


CLAIMS = (
    _law,
    _end("regular", "regular"),
    _end("T known", "known"),
    _end("T learned", "learned"),
)
