"""Figures: stationary errors as functions of motion and noise, and abrupt changes."""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.core.figures import FigureData
from rosenblatt.motions import Abrupt, RandomWalk, Retreat, Rotation
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import figure
from rosenblatt.papers.estimates import average
from rosenblatt.papers.series import line, measured, points
from rosenblatt.papers.vicente1998.rules import best_rule, law_of
from rosenblatt.papers.vicente1998.stationary import PERCEPTRON, simulated
from rosenblatt.rules import Decay, SphericalBayes
from rosenblatt.schedules import Constant
from rosenblatt.simulation import simulate
from rosenblatt.theory import best_constant_rate, best_half_life, solve, stationary

__all__ = ["figure_abrupt", "figure_random", "figure_steady"]

_DIM = 1000


def _measured(motion: RandomWalk | Rotation | Retreat, quick: bool) -> Measurement:
    """Return the error of the perceptron at its best rate, after a long time."""
    slow = motion.velocity ** -law_of(motion).exponent
    return average(simulated(motion, _DIM, 15 * slow, 8 if quick else 30))


@figure("vicente1998/random", "abstract, random drift")
def figure_random(*, quick: bool = False) -> FigureData:
    """Return stationary errors for a random walk, of the best constants."""
    strengths = np.geomspace(1e-4, 1.0, 9 if quick else 13)
    series = [
        line(
            f"best learner, noise {noise:g}", strengths,
            [(best_half_life(d, noise).error - noise) / (1 - 2 * noise)
             for d in strengths],
        )
        for noise in (0.0, 0.1, 0.2)
    ]  # fmt: skip
    best = [best_constant_rate(PERCEPTRON, motion=RandomWalk(d)) for d in strengths]
    series.append(line("perceptron, best rate", strengths, [b.error for b in best]))
    few = strengths[strengths > 1e-3][::2]
    runs = [_measured(RandomWalk(d), quick) for d in few]
    series.append(measured(f"perceptron, N = {_DIM}", few, runs))
    return FigureData(
        title="Errors of the best constants for a random walk of the teacher",
        caption="Probability that student and teacher differ, after a long time. For "
        "small D the best learner has 0.447 D^(1/3) without noise, the perceptron at "
        "its best constant rate 0.505 D^(1/3).",
        x_label="strength $D$ of the random walk",
        y_label="disagreement with the teacher",
        x_log=True,
        y_log=True,
        series=tuple(series),
    )


@figure("vicente1998/steady", "abstract, steady drift")
def figure_steady(*, quick: bool = False) -> FigureData:
    """Return stationary errors for rotation and retreat."""
    speeds = np.geomspace(1e-4, 0.3, 4 if quick else 9)
    series = []
    for name, kind in (("rotation", Rotation), ("retreat", Retreat)):
        motions = [kind(float(speed)) for speed in speeds]
        angles = [
            stationary(*best_rule(motion), motion=motion).angle for motion in motions
        ]
        series.append(line(f"{name}, best rule", speeds, np.array(angles) / math.pi))
        best = [best_constant_rate(PERCEPTRON, motion=m) for m in motions]
        series.append(line(f"{name}, perceptron", speeds, [b.error for b in best]))
        few = motions[2:3] if quick else motions[1::2]
        runs = [_measured(motion, quick) for motion in few]
        series.append(
            measured(f"{name}, N = {_DIM}", [motion.speed for motion in few], runs)
        )
    return FigureData(
        title="Errors for a teacher that rotates, or retreats from the student",
        caption="Probability that student and teacher differ, after a long time. For "
        "small speeds the best rule has 0.427 (rotation in a fixed plane) and 0.530 "
        "(retreat) times the root of the speed. The perceptron has 0.513 and 0.637. "
        "The best rule has the parameters that are best for slow motions.",
        x_label=r"angle per unit of $\alpha$",
        y_label="error",
        x_log=True,
        y_log=True,
        series=tuple(series),
    )


@figure("vicente1998/abrupt", "abstract, sudden changes")
def figure_abrupt(*, quick: bool = False) -> FigureData:
    """Return learning curves through abrupt changes of the teacher."""
    alpha = np.linspace(0.0, 60.0, 121)
    motion, series = Abrupt((20.0, 40.0)), []
    for name, rule in (
        ("nothing forgotten", SphericalBayes()),
        ("decay 0.02", Decay(SphericalBayes(), 0.02)),
    ):
        curve = solve(rule, Constant(), alpha=alpha, motion=motion)
        series.append(line(name, alpha, np.asarray(curve["error"])[0]))
        run = simulate(
            rule,
            Constant(),
            dim=_DIM,
            alpha=alpha,
            replicas=4 if quick else 40,
            motion=motion,
        )
        found = np.asarray(run["error"])[:, ::6].mean(axis=0)
        series.append(points(f"{name}, N = {_DIM}", alpha[::6], found))
    return FigureData(
        title="Two abrupt changes of the teacher",
        caption="Each time the teacher turns by a right angle. The Bayesian learner "
        "finds the new one nearly as fast whether it forgets or not, since labels that "
        "it did not expect shorten its mean. Weight decay costs accuracy in between.",
        x_label=r"examples per weight $\alpha$",
        y_label="error",
        series=tuple(series),
    )
