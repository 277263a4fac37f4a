r"""Other gains and a smooth output: the future work of bhattacharya1995.

A gain of t^(-3/2) violates condition (5): W(t) converges, and anywhere. A constant gain
and t^(-0.3) violate condition (6), and the errors in the end are those of t^(-0.51). A
sigmoid is a step on raw features near 50; on features of order one it leads to the
Bayes classifier. The delta rule does not learn raw features at all.

While gains are small W(t) turns towards the direction in which the mean of max(0, -y W
X) is least for its length. This is close to the Bayes classifier.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import xarray as xr
from scipy.optimize import minimize
from scipy.special import ndtr

from rosenblatt.core import Rule, Schedule
from rosenblatt.core.figures import FigureData, Series
from rosenblatt.core.gaussian import normal_density
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.bhattacharya1995.problems import GAINS, LINEAR, SEED
from rosenblatt.papers.bhattacharya1995.text import SCALED, START
from rosenblatt.papers.claims import Measurement, Paper, settle
from rosenblatt.papers.samples import average, band, line, median, ratio
from rosenblatt.rules import Delta, Logistic, Perceptron, Residual
from rosenblatt.schedules import Constant, PerMistake, Power
from rosenblatt.simulation import simulate_classes
from rosenblatt.streams import TwoClasses

PAPER = Paper(
    key="bhattacharya1995",
    citation="After section 5 of U. Bhattacharya, S. K. Parui: On the rate of "
    "convergence of perceptron learning. Pattern Recognition Letters 16 (1995).",
    outline="section 5",
)
_TIMES = (100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000)


_LATE = 100_000


_UNIT = 50.0  # of the features that are of order one


_SMALL = TwoClasses(
    tuple(tuple(m / _UNIT for m in mean) for mean in LINEAR[25].stream.means),
    (0.25, 0.25),
    constant=-1.0,
)


# About a third of the inverse of the smallest curvature of the cross-entropy, 1/0.0033.
_FAST = Power(100.0, 1.0, 100.0)


_VIOLATING = {
    "constant, violates (4), (6)": Constant(1.0),
    "t^-0.3, violates (6)": Power(1.0, 0.3),
    "eta2 = t^-0.51": Power(1.0, 0.51),
    "eta1 = 1/t": Power(1.0, 1.0),
    "t^-1.5, violates (5)": Power(1.0, 1.5),
}


@functools.lru_cache(maxsize=16)
def _run(
    rule: Rule,
    schedules: tuple[tuple[str, Schedule], ...],
    stream: TwoClasses,
    start: tuple[float, ...],
    last: int,
    replicas: int,
) -> xr.Dataset:
    return simulate_classes(
        rule,
        dict(schedules),
        stream,
        examples=[t for t in _TIMES if t <= last],
        replicas=replicas,
        seed=SEED,
        start=start,
        progress=False,
    )


def _violating(quick: bool) -> xr.Dataset:
    given = tuple(_VIOLATING.items())
    last = _LATE if quick else _TIMES[-1]
    problem = LINEAR[25]
    return _run(
        Perceptron(), given, problem.stream, problem.start, last, 40 if quick else 100
    )


def _output(rule: Rule, schedule: Schedule, small: bool, quick: bool) -> xr.Dataset:
    problem = LINEAR[25]
    # A share of runs is claimed of the delta rule: that needs many, others need few.
    replicas = 20 if quick and not isinstance(rule, Delta) else 60
    stream = _SMALL if small else problem.stream
    given = ((repr(schedule), schedule),)
    last = _LATE if quick else 300_000
    return _run(rule, given, stream, problem.start, last, replicas)


def _series(name: str, errors: xr.DataArray) -> Series:
    return band(name, errors["example"].values, 100 * errors.values)


def _figure(title: str, caption: str, series: list[Series]) -> FigureData:
    best, t = 100 * LINEAR[25].stream.bayes_error, series[0].x
    bayes = line("Bayes", [t[0], t[-1]], [best, best])
    return FigureData(
        title=title,
        caption=caption,
        x_label=r"examples $t$",
        y_label="exact error, percent",
        series=(*series, bayes),
        x_log=True,
    )


@PAPER.figure("future", "section 5")
def figure_future(*, quick: bool) -> FigureData:
    """Return errors with gains that violate a condition."""
    errors = _violating(quick)["error"]
    return _figure(
        "Gains that violate a condition, sigma = 25",
        "Exact errors, median and 5-95% of runs. A constant gain and t^-0.3 are slower "
        "than t^-0.51 with a constant input of -1, and as good in the end. With "
        "t^-1.5 learning stops where it happens to be.",
        [_series(name, errors.sel(schedule=name)) for name in _VIOLATING],
    )


_OUTPUTS: dict[str, tuple[Rule, Schedule, bool]] = {
    "step, 1/mistakes": (Perceptron(), PerMistake(), False),
    "sigmoid, 1/mistakes": (Residual(), PerMistake(), False),
    "sigmoid and slope, t^-0.51": (Delta(Logistic()), Power(1.0, 0.51), False),
    "step, features / 50": (Perceptron(), _FAST, True),
    "sigmoid, features / 50": (Residual(), _FAST, True),
}


@PAPER.figure("sigmoid", "section 5")
def figure_sigmoid(*, quick: bool) -> FigureData:
    """Return errors with a sigmoid instead of a step, raw features and small ones."""
    return _figure(
        "A sigmoid for g in eq. (3), sigma = 25",
        "Exact errors, median and 5-95% of runs. On raw features a sigmoid is almost a "
        "step. The delta rule, with the slope of the sigmoid, does not move: outputs "
        "are saturated. With features divided by 50 and the gain 100/(t + 100) the "
        "sigmoid leads to the Bayes classifier. The step is at W = 0 at once, and its "
        "direction fluctuates.",
        [
            _series(name, _output(*given, quick)["error"].isel(schedule=0))
            for name, given in _OUTPUTS.items()
        ],
    )


def _final(name: str, quick: bool) -> Measurement:
    """Return by how much errors after 1e5 examples exceed the least, in percent."""
    result = _output(*_OUTPUTS[name], quick)["error"].isel(schedule=0)
    excess = result.sel(example=_LATE) - LINEAR[25].stream.bayes_error
    return average(100 * excess.values)


@PAPER.claim("future/sigmoid-saturated", "section 5", above=0.5)
def _saturated(quick: bool) -> Measurement:
    """With its slope as a factor (the delta rule) a sigmoid does not learn from raw
    features: share of runs with errors above 20% after 1e5 examples, sigma = 25.
    """
    given = _OUTPUTS["sigmoid and slope, t^-0.51"]
    result = _output(*given, quick)["error"].isel(schedule=0)
    share = float((result.sel(example=_LATE).values > 0.2).mean())
    return Measurement(share, 0.5 / result.sizes["replica"] ** 0.5)


@PAPER.claim("future/condition5", "section 5", above=0.5)
def _frozen(quick: bool) -> Measurement:
    """A gain that violates condition (5), t^-1.5, leaves W(t) far from the optimum:
    share of runs with errors above 20% after 1e5 examples, sigma = 25.
    """
    errors = _violating(quick)["error"].sel(schedule="t^-1.5, violates (5)")
    share = float((errors.sel(example=_LATE).values > 0.2).mean())
    return Measurement(share, 0.5 / errors.sizes["replica"] ** 0.5)


@PAPER.claim("future/condition5-converges", "section 5", expect=10**-0.5, catches=0.05)
def _still(quick: bool) -> Measurement:
    """W(t) can still converge: with t^-1.5 what is left of its way falls as t^(-1/2).
    Its way from 1e4 to 1e5 examples over that from 1e3 to 1e4, 10^(-1/2).
    """
    weights = _violating(quick)["weights"].sel(schedule="t^-1.5, violates (5)")
    first, middle, last = (weights.sel(example=t).values for t in (1000, 10_000, _LATE))
    late, early = (
        np.linalg.norm(b - a, axis=1) for a, b in ((middle, last), (first, middle))
    )
    return ratio(late, early)


@PAPER.claim(
    "future/sigmoid",
    "section 5",
    expect=0.0,
    catches=0.05,
    allow=(0.02, "it falls as 1/t and is positive at any time"),
)
def _sigmoid(quick: bool) -> Measurement:
    """With a sigmoid W(t) converges to the Bayes classifier if features are of order
    one: error above the least in percent, after 1e5 examples.
    """
    return _final("sigmoid, features / 50", quick)


def criterion(stream: TwoClasses, weights: FloatArray) -> float:
    """Return J(W) of linear features, exactly."""
    total = 0.0
    chances = (1 - stream.prior, stream.prior)
    for sign, chance, mean, covariance in zip(
        (1, -1), chances, stream.means, stream.covariances, strict=True
    ):
        w = weights[:-1]
        level = sign * float(w @ np.array(mean) + weights[-1] * stream.constant)
        spread = math.sqrt(float(w @ np.array(covariance) @ w))
        z = np.array(level / spread)
        total += chance * float(spread * normal_density(z) + level * ndtr(z))
    return total


def least_criterion(stream: TwoClasses) -> FloatArray:
    """Return the unit vector of the least J.

    Examples
    --------
    >>> round(100 * float(SCALED.error(least_criterion(SCALED))), 3)
    10.443
    """
    best = stream.bayes_weights

    def weights(parts: FloatArray) -> FloatArray:
        w = best * np.append(parts, 1.0)
        return np.asarray(w / np.linalg.norm(w))

    def value(parts: FloatArray) -> float:
        return criterion(stream, weights(parts))

    first = np.ones(best.size - 1)
    found = minimize(value, first, method="Nelder-Mead", options={"xatol": 1e-9})
    return weights(found.x)


def _flow(quick: bool) -> FloatArray:
    """Return errors in percent with eta1 after a million examples."""
    result = simulate_classes(
        Perceptron(),
        {"eta1": GAINS["eta1"]},
        SCALED,
        examples=_TIMES[-1:],
        replicas=40 if quick else 100,
        seed=SEED,
        start=START,
        progress=False,
    )
    return np.asarray(100 * result["error"].values)


@PAPER.claim(
    "limit/direction",
    "section 3",
    expect=lambda: 100 * float(SCALED.error(least_criterion(SCALED))),
    catches=0.14,
    allow=(0.01, "the flow is not at its end after 1e6 examples"),
)
def _direction(quick: bool) -> Measurement:
    """On its way W(t) has the direction of the least J/|W|, not that of the Bayes
    classifier (10.295%). Error in percent with eta1 after 1e6 examples, sigma = 25,
    median.
    """
    return median(_flow(quick))


if __name__ == "__main__":
    for statement in PAPER.statements:
        print(statement.id, settle(statement, quick=False).verdict.value)
