"""The outlook of winther1997: the learning curve of the binary prior, and filters.

``python examples/bayesian_online_learning.py`` prints the verdicts. The derivation is
in ``docs/derivations.md``.
"""

from __future__ import annotations

import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp

from rosenblatt.core.figures import FigureData
from rosenblatt.core.gaussian import nodes
from rosenblatt.papers.claims import Measurement, Paper, settle
from rosenblatt.papers.samples import average, line, sampled
from rosenblatt.rules import BinaryBayes
from rosenblatt.schedules import Constant
from rosenblatt.simulation import simulate
from rosenblatt.teachers import Sign
from rosenblatt.theory import critical_alpha, solve_batch, solve_online
from rosenblatt.theory.closed import spherical_bayes

PAPER = Paper(
    key="winther1997",
    citation="After section 4 of O. Winther, S. A. Solla: Bayesian online learning in "
    "the perceptron (1997).",
    outline="section 4",
)
DIM = 1000
TIMES = (1.0, 2.0, 3.0, 4.0, 5.5)
SMOOTH = np.linspace(0.0, 6.0, 121)


def learned(noise: float) -> xr.Dataset:
    """Return runs of the learner that is not trapped."""
    return simulate(
        BinaryBayes(noise=noise),
        Constant(1.0),
        Sign(noise=noise),
        dim=DIM,
        alpha=TIMES,
        replicas=20,
        seed=1997,
        progress=False,
    )


@PAPER.claim(
    "curve/noise{noise:g}-alpha{alpha:g}",
    "section 4",
    expect=lambda noise, alpha: float(
        solve_online([alpha], noise, prior="binary")["error"].sel(learner="bayes")[0]
    ),
    catches=0.016,
    allow=(2 / DIM, "corrections are O(1/N): the transition is a little earlier"),
    each={
        "noise,alpha": [
            *((0.0, alpha) for alpha in TIMES[:3]),
            *((noise, 4.0) for noise in (0.05, 0.1, 0.2)),
        ]
    },
)
def _error(noise: float, alpha: float) -> Measurement:
    """Error with a binary prior at alpha = {alpha:g}, noise {noise:g}: runs of N =
    {DIM} against the curve for N to infinity.
    """
    return average(np.asarray(learned(noise)["error"].sel(alpha=alpha)))


@PAPER.claim(
    "curve/critical",
    "section 4",
    expect=lambda: critical_alpha(0.0),
    catches=0.01,
    allow=(1e-3, "it is followed until 1 - q is about 1e-9, not to infinity"),
)
def _blown_up() -> float:
    """Without noise the learner knows the teacher exactly from alpha = 4.368 on: where
    the equation for the strength of the field blows up, integrated step by step.
    """
    z, weight = nodes([])

    def slope(alpha: float, state: np.ndarray) -> list[float]:
        q = float(weight @ np.tanh(np.sqrt(state[0]) * z + state[0]) ** 2)
        return [spherical_bayes.information(q) / (1 - q)]

    def end(alpha: float, state: np.ndarray) -> float:
        return float(state[0] - 40.0)

    end.terminal = True
    found = solve_ivp(slope, (0.0, 10.0), [0.0], "LSODA", events=end, rtol=1e-8)
    return float(found.t[-1])


@PAPER.figure("curve", "section 4")
def figure_curve(*, quick: bool) -> FigureData:
    """Return the curve of the binary prior in theory, at finite N, and in batch."""
    series = []
    for noise in (0.0, 0.1, 0.2):
        curve = solve_online(SMOOTH, noise, prior="binary")["error"]
        series.append(line(f"noise {noise:g}", SMOOTH, curve.sel(learner="bayes")))
        errors = np.asarray(learned(noise)["error"])
        series.append(sampled(f"N = {DIM}, noise {noise:g}", TIMES, errors))
    batch = solve_batch(SMOOTH, 0.0, prior="binary")["error"].sel(learner="bayes")
    series.append(line("all examples at once, no noise", SMOOTH, batch))
    return FigureData(
        title="Learning curves with a binary prior",
        caption="Theory for N to infinity, and runs of the learner that is not "
        "trapped.",
        x_label=r"examples per weight $\alpha$",
        y_label="error",
        series=tuple(series),
    )


if __name__ == "__main__":
    for statement in PAPER.statements:
        print(statement.id, settle(statement, quick=False).verdict.value)
