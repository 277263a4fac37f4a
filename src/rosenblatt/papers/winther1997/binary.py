r"""Section 3, binary prior: eqs. (10) and (11), and figure 1.

The learner is :class:`rosenblatt.rules.BinaryBayes`. It is compared with the sum over
all weights, which is exact and possible at small N, and with a plain loop in the
paper's units, which shares no code with the package.
"""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import xarray as xr
from scipy.special import erfcx

from rosenblatt.compiling import compiled
from rosenblatt.core import Observation
from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.samples import average, joined, line, power_of_size, sampled
from rosenblatt.papers.winther1997.spherical import PAPER, SEED, SIZES, simulated
from rosenblatt.rules import BinaryBayes
from rosenblatt.schedules import Constant
from rosenblatt.theory import critical_alpha, solve_online

__all__ = ["figure_1", "figure_trapped", "learned"]

DIM = 50  # of figure 1
PRINTED = BinaryBayes(floor=0.0)
CURED = BinaryBayes()  # rho >= 1 in the paper's units
TIMES = (2.0, 3.0, 4.0, 6.0)  # of figure 1's curve
TRANSITION = (3.0, 4.0)  # "for m/N between 3 and 4"


@functools.lru_cache(maxsize=16)
def learned(
    rule: BinaryBayes, dim: int, alpha: tuple[float, ...], replicas: int
) -> xr.Dataset:
    """Return runs without noise."""
    return simulated(rule, Constant(1.0), dim=dim, alpha=alpha, replicas=replicas)


def _states(dim: int, sample: int) -> tuple[FloatArray, FloatArray]:
    """Return log-odds of weights as at alpha = 2, and an input."""
    rng = np.random.default_rng([SEED, dim, sample])
    return 1.0 + rng.standard_normal(dim), rng.standard_normal(dim) / math.sqrt(dim)


def _learned(rule: BinaryBayes, dim: int, sample: int) -> FloatArray:
    """Return the log-odds after one example with the label +1."""
    states, x = _states(dim, sample)
    means = np.tanh(states)
    variances = 1 - means**2
    seen = Observation(
        field=float(means @ x),
        label=1.0,
        norm2=float(np.mean(means**2)),
        input2=float(x @ x),
        rate=1.0,
        dim=float(dim),
        spread=float(x**2 @ variances),
        variance=float(variances.mean()),
    )
    compiled(rule)(states, means, variances, x, seen)
    return states


def _enumerated(dim: int, sample: int) -> FloatArray:
    """Return the means then from the sum over all weights: Bayes' rule, no limit."""
    states, x = _states(dim, sample)
    weights = np.array(list(itertools.product((-1.0, 1.0), repeat=dim)))
    chances = np.exp(weights @ states - np.logaddexp(states, -states).sum())
    right = chances * (weights @ x > 0)
    return np.asarray(weights.T @ right / right.sum())


@PAPER.claim(
    "eq10/enumerated",
    "eqs. (10) and (11)",
    quote="expected to become exact in this limit",
    below=0.0,
)
def _exact(quick: bool) -> Measurement:
    """Eqs. (10) and (11) come closer to the sum over all weights as N grows: power of N
    in the difference of the posterior means (mean absolute value), relative to steps
    of order 1/sqrt(N), from N = 6 to 13. One that does not vanish has the power 0.
    """

    def apart(dim: int, sample: int) -> float:
        off = np.tanh(_learned(PRINTED, dim, sample)) - _enumerated(dim, sample)
        return float(np.mean(np.abs(off)) * math.sqrt(dim))

    return power_of_size((6, 9, 13), 300 if quick else 600, apart)


@PAPER.claim(
    "eq11/step",
    "text after eq. (11)",
    quote="to be order 1/sqrt{N}",
    published=-0.5,
    catches=0.15,
    allow=(0.02, "the power law is fitted from N = 100 on"),
)
def _step(quick: bool) -> Measurement:
    """A posterior mean moves by an amount of order 1/sqrt(N): power of N in the step
    (root mean square), from N = 100 to 6400.
    """

    def square(dim: int, sample: int) -> float:
        before = np.tanh(_states(dim, sample)[0])
        return float(np.mean((np.tanh(_learned(PRINTED, dim, sample)) - before) ** 2))

    found = power_of_size(SIZES, 100 if quick else 400, square)
    return Measurement(found.value / 2, found.stderr / 2)


@PAPER.claim(
    "eq11/old-mean",
    "text after eq. (11)",
    quote="The error we make should therefore be of order $1/N$",
    published=-1.0,
    catches=0.25,
    allow=(0.05, "the power law is fitted from N = 100 on"),
)
def _explicit(quick: bool) -> Measurement:
    """Taking the old mean on the right of eq. (11) makes an error of order 1/N,
    relative to the step: power of N, from N = 100 to 6400.
    """
    implicit = BinaryBayes(floor=0.0, implicit=True)

    def apart(dim: int, sample: int) -> float:
        off = _learned(PRINTED, dim, sample) - _learned(implicit, dim, sample)
        return float(np.sqrt(np.mean(off**2) * dim))

    return power_of_size(SIZES, 100 if quick else 400, apart)


def _twin(runs: int) -> dict[float, FloatArray]:
    """Return errors at ``TIMES`` of eqs. (10) and (11), as a plain loop for k = 0.

    Units are the paper's, and the teacher has all weights +1.
    """
    rng = np.random.default_rng([SEED, 1])
    odds, found = np.zeros((runs, DIM)), {}
    for m in range(1, round(TIMES[-1] * DIM) + 1):
        means = np.tanh(odds)
        s = rng.standard_normal((runs, DIM))
        tau = np.sign(s.sum(axis=1))
        # sums of 1/cosh^2, without cancellation
        rho = np.maximum((4 / (np.exp(odds) + np.exp(-odds)) ** 2).sum(axis=1), 1e-200)
        u = tau * (means * s).sum(axis=1) / np.sqrt(rho)
        f = math.sqrt(2 / math.pi) / erfcx(-u / math.sqrt(2))  # (ln Phi)'
        odds += s * (tau * f / np.sqrt(rho))[:, None]
        bend = np.where(u < -1e4, 1.0, f * (u + f))  # -(ln Phi)''
        odds += means * s**2 * (bend / rho)[:, None]
        odds = np.clip(odds, -300, 300)  # of the exponentials; means are 1 from 20 on
        if m / DIM in TIMES:
            means = np.tanh(odds)
            cosine = means.sum(axis=1) / np.sqrt(DIM * (means**2).sum(axis=1))
            found[m / DIM] = np.arccos(np.minimum(cosine, 1.0)) / math.pi
    return found


@functools.lru_cache(maxsize=2)
def _expected(quick: bool) -> dict[float, Measurement]:
    return {a: average(e) for a, e in _twin(1000 if quick else 4000).items()}


@PAPER.claim(
    "fig1/alpha{alpha:g}",
    "figure 1",
    quote="binary weight prior with N = 50 and",
    expect=lambda quick, alpha: _expected(quick)[alpha],
    catches=lambda alpha: 0.04 if alpha < 4 else 0.015,
    each={"alpha": TIMES},
)
def _curve(quick: bool, alpha: float) -> Measurement:
    """Mean error at m/N = {alpha:g}, N = {DIM}, no noise: the package, and a plain loop
    of eqs. (10) and (11). The values of the figure are not printed.
    """
    run = learned(PRINTED, DIM, TIMES, 1600 if quick else 8000)
    return average(np.asarray(run["error"].sel(alpha=alpha)))


@PAPER.claim(
    "fig1/trapped",
    "text after eq. (11)",
    quote="in some cases the algorithm get trapped in a non-optimal solution",
    above=0.0,
)
def _trapped(quick: bool) -> Measurement:
    """Some runs never find the teacher: share of runs with a wrong weight at alpha =
    20, N = {DIM}.
    """
    run = learned(PRINTED, DIM, (20.0,), 1600 if quick else 8000)
    return average(1.0 - np.asarray(run["solved"], dtype=np.float64)[:, 0])


def solved_at(run: xr.Dataset) -> FloatArray:
    """Return the alpha from which on all signs of a run are right, or infinity."""
    solved = np.asarray(run["solved"], dtype=bool)
    times = np.append(np.asarray(run["alpha"]), np.inf)
    wrong_again = np.where(~solved, np.arange(1, solved.shape[1] + 1), 0).max(axis=1)
    return np.asarray(times[wrong_again])


@PAPER.claim(
    "fig1/most-cases",
    "text after eq. (11)",
    quote="In most cases however a phase transition to the true rule occurs",
    above=0.5,
    long=True,
)
def _most(quick: bool) -> Measurement:
    """More than half of all runs have all weights right from an alpha between 3 and 4
    on and up to 6, N = {DIM}.

    Trapped runs, of which the sentence before speaks, count against it.
    """
    low, high = TRANSITION
    steps = tuple(m / DIM for m in range(round(low * DIM), 6 * DIM + 1))
    times = solved_at(learned(PRINTED, DIM, steps, 64_000))
    return average(((times > low) & (times <= high)).astype(np.float64))


@PAPER.claim("cure/alpha8", "text after eq. (11)", above=0.99)
def _cured(quick: bool) -> Measurement:
    """With the variance kept at rho >= 1, in the paper's units, hardly any run is
    trapped: share solved at alpha = 8, N = {DIM}.
    """
    run = learned(CURED, DIM, (8.0,), 1600 if quick else 8000)
    return average(np.asarray(run["solved"], dtype=np.float64)[:, 0])


_RUNS, _MORE = 50, 1000  # of figure 1, and ours
_ALPHA = tuple(m / DIM for m in range(0, 6 * DIM + 1, 5))
_LONG = tuple(m / 10 for m in range(0, 81, 2))
_SMOOTH = np.linspace(0.0, 6.0, 121)
_BARS = 2.0  # standard errors to each side


@PAPER.figure("fig1", "figure 1")
def figure_1(*, quick: bool = False) -> FigureData:
    """Return the learning curve with a binary prior, from 50 and from 1000 runs."""
    many = learned(PRINTED, DIM, _ALPHA, 200 if quick else _MORE)
    alpha, errors = np.asarray(many["alpha"]), np.asarray(many["error"])
    limit = solve_online(_SMOOTH, prior="binary")["error"].sel(learner="bayes")
    ends = [([end, end], [0.0, 0.5]) for end in TRANSITION]
    return FigureData(
        title=f"Binary prior, N = {DIM}, no noise: the rule as printed",
        caption=(
            f"Mean error of {_RUNS} runs, as in the paper, and of {len(errors)}; the "
            "error that the learner expects of itself, eq. (8); and the curve for N to "
            f"infinity, which falls to zero at alpha = {critical_alpha(0.0):.3f}. At "
            "N = 50 the transition is earlier: dotted are the ends of the interval in "
            "which the paper saw most of them. The tail is that of trapped runs, which "
            "do not know it."
        ),
        x_label=r"examples per weight $m/N$",
        y_label=r"error $\epsilon^{\mathrm{Bayes}}$",
        series=(
            sampled(f"{_RUNS} runs", alpha[::5], errors[:_RUNS, ::5], errors=_BARS),
            line(f"{len(errors)} runs", alpha, errors.mean(axis=0), role="simulation"),
            line(
                "expected by the learner",
                alpha,
                np.asarray(many["estimate"]).mean(axis=0),
                role="simulation",
            ),
            line("N to infinity", _SMOOTH, np.asarray(limit)),
            joined("most transitions lie between, text", ends, "published"),
        ),
    )


@PAPER.figure("trapped", "text after eq. (11)")
def figure_trapped(*, quick: bool = False) -> FigureData:
    """Return single runs: some solve the problem, some are trapped."""
    run = learned(PRINTED, DIM, _LONG, 400)
    alpha, errors = np.asarray(run["alpha"]), np.asarray(run["error"])
    lost = np.flatnonzero(~np.asarray(run["solved"], dtype=bool)[:, -1])[:4]
    found = np.flatnonzero(np.asarray(run["solved"], dtype=bool)[:, -1])[:4]
    series = [
        line(f"trapped {k + 1}", alpha, errors[row], role="simulation")
        for k, row in enumerate(lost)
    ]
    others = [(alpha, errors[row]) for row in found]
    series.append(joined("four that are not trapped", others))
    return FigureData(
        title=f"Trapped runs of the printed rule, N = {DIM}",
        caption=(
            "True errors of single runs. A trapped run is certain of one or two wrong "
            "weights, and its own estimate of the error, eq. (8), is zero; the next "
            "example that it gets wrong moves it to another such state."
        ),
        x_label=r"examples per weight $\alpha$",
        y_label="error",
        series=tuple(series),
    )
