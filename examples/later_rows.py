r"""The best half-life for later rows depends on the horizon if a teacher rotates.

A filter that forgets learns up to a time, and then predicts for :math:`h` examples per
weight without learning. Let its weights have the overlap :math:`R` with the teacher,
and :math:`S` with the direction in which the teacher moves. Later the overlap is

.. math::
    R\, e^{-D h}, \qquad R \cos\varphi, \qquad
    R \cos \delta h + S \sin \delta h   \tag{1}

for a random walk of strength D, for an abrupt turn by :math:`\varphi` in between, and
for a rotation of speed :math:`\delta`. Random turns multiply the overlaps of all
filters by the same number. So the filter that is best for the next row is best for
every later row. A steady rotation is different. A filter lags behind, :math:`S < 0`,
and the lag grows with its half-life and with the horizon: the later the rows, the
shorter the best half-life.

``python examples/later_rows.py`` prints the verdicts. Theory and simulation come from
one rule, ``Paused``. ``BayesPerceptron(horizon=h)`` weights its filters by their
predictions of rows that came about h rows later, and by :math:`2^{-h/H}` for a
half-life H. So it expects random turns, and keeps long half-lives where the teacher
rotates.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np

from rosenblatt.compiling import compiled
from rosenblatt.core import Clock, Combinator, Motion, Percept, Update
from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators import BayesPerceptron
from rosenblatt.motions import RandomWalk, Rotation
from rosenblatt.papers.claims import Measurement, Paper, settle
from rosenblatt.papers.samples import average, line, points
from rosenblatt.rules import Decay, SphericalBayes
from rosenblatt.simulation import simulate
from rosenblatt.theory import solve

PAPER = Paper(
    key="vicente1998",
    citation="After R. Vicente, O. Kinouchi, N. Caticha: Statistical mechanics of "
    "online learning of drifting concepts. Machine Learning 32, 179 (1998).",
)
HORIZONS = np.array([0.0, 1.0, 2.0, 4.0, 8.0, 16.0])  # in examples per weight
HALF_LIVES = 2.0 ** np.arange(0.0, 6.0, 0.5)  # likewise
WALK, CIRCLE = RandomWalk(0.02), Rotation(0.06)
_LEARNED = 150.0  # examples per weight: more than a half-life, and a circle
_FEW = 20  # N of the streams


class Paused(Combinator):
    """The inner rule, as long as the rate is 1; nothing is learned at rate 0."""

    def bind(self) -> Callable[[Percept], Update]:
        """Return the step of the inner rule times the rate."""
        inner = compiled(self.rule)

        def step(p: Percept) -> Update:
            found = inner(p)
            return Update(gain=p.rate * found.gain, decay=p.rate * found.decay)

        return step


def _learning(clock: Clock) -> float:
    return 1.0 if clock.time < _LEARNED else 0.0


def _filter(half_life: float) -> Paused:
    return Paused(Decay(SphericalBayes(), math.log(2) / (2 * half_life)))


@functools.cache
def errors(motion: Motion) -> FloatArray:
    """Return errors of theory, (half-life, horizon)."""
    alpha = _LEARNED + HORIZONS
    curves = [
        solve(_filter(half_life), _learning, alpha=alpha, motion=motion)
        for half_life in HALF_LIVES
    ]
    return np.stack([np.asarray(curve["error"])[0] for curve in curves])


def simulated(motion: Motion, half_life: float, horizon: float) -> FloatArray:
    """Return errors of 40 replicas of N = 1000."""
    run = simulate(
        _filter(half_life), _learning, dim=1000, alpha=_LEARNED + horizon, replicas=40,
        motion=motion
    )  # fmt: skip
    return np.asarray(run["error"])[:, 0]


@functools.cache
def _stream(motion: Motion, rows: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Return inputs, and the teacher of each row."""
    rng = np.random.default_rng(seed)
    teachers, turn = np.empty((rows, _FEW)), motion.angle(_FEW)
    now, across = np.eye(_FEW)[:2]
    for n in range(rows):
        teachers[n] = now
        if isinstance(motion, RandomWalk):
            across = rng.standard_normal(_FEW)
            across -= (across @ now) * now
            across /= np.linalg.norm(across)
        now, across = (
            math.cos(turn) * now + math.sin(turn) * across,
            math.cos(turn) * across - math.sin(turn) * now,
        )
    return rng.standard_normal((rows, _FEW)), teachers


def learned(motion: Motion, horizon: float, given: int, rows: int) -> Measurement:
    """Return the error of ``BayesPerceptron(horizon=given)`` on rows that come later.

    It is exact, from the angle between weights and later teacher, and a mean over
    times in the second half of four streams.
    """
    ahead, found = max(1, round(horizon * _FEW)), []
    for seed in range(4):
        X, teachers = _stream(motion, rows, seed)
        y = np.vecdot(X, teachers) > 0
        model = BayesPerceptron(horizon=given)
        model.partial_fit(X[: rows // 2], y[: rows // 2], classes=[False, True])
        for first in range(rows // 2, rows - ahead - 100, 100):
            model.partial_fit(X[first : first + 100], y[first : first + 100])
            w, teacher = model.coef_[0], teachers[first + 99 + ahead]
            found.append(math.acos(w @ teacher / np.linalg.norm(w)) / math.pi)
    each = np.reshape(found, (4, -1)).mean(axis=1)
    return Measurement(float(each.mean()), float(each.std(ddof=1) / 2))


@PAPER.claim(
    "horizon/walk", "eq. (1)", expect=0.0, catches=0.5, allow=(0.25, "half a step")
)
def _walk() -> float:
    """Logarithm to base 2 of the best half-life for rows 16 N ahead over the best for
    the next row, for a random walk with D = 0.02.
    """
    near, far = HALF_LIVES[errors(WALK).argmin(axis=0)[[0, -1]]]
    return math.log2(far / near)


@PAPER.claim(
    "horizon/rotation", "eq. (1)", expect=-3.0, catches=1.0, allow=(0.5, "a step")
)
def _rotation() -> float:
    """The same logarithm for a rotation with speed 0.06."""
    near, far = HALF_LIVES[errors(CIRCLE).argmin(axis=0)[[0, -1]]]
    return math.log2(far / near)


@PAPER.claim(
    "horizon/simulated",
    "eq. (1)",
    expect=lambda: float(errors(CIRCLE).min(axis=0)[3]),
    catches=0.02,
    allow=(2e-3, "corrections are O(1/N)"),
)
def _simulated() -> Measurement:
    """Error of the best half-life for rows 4 N ahead, N = 1000, against theory."""
    half_life = HALF_LIVES[errors(CIRCLE)[:, 3].argmin()]
    return average(simulated(CIRCLE, half_life, HORIZONS[3]))


@PAPER.figure("horizons", "later rows")
def figure_errors(*, quick: bool) -> FigureData:
    """Return errors of later rows: of the best half-lives, and of what data chose."""
    rows, series = 4_000 if quick else 16_000, []
    for name, motion in (("walk", WALK), ("rotation", CIRCLE)):
        found = errors(motion)
        best = found.argmin(axis=0)
        series.append(line(f"{name}: best half-life", HORIZONS, found.min(axis=0)))
        if motion is CIRCLE:
            series.append(
                line(f"{name}: that of the next row", HORIZONS, found[best[0]])
            )
        means = [
            simulated(motion, HALF_LIVES[at], horizon).mean()
            for at, horizon in zip(best, HORIZONS, strict=True)
        ]
        series.append(points(f"{name}: simulated, N = 1000", HORIZONS, means))
        chosen = [
            learned(motion, horizon, max(1, round(horizon * _FEW)), rows).value
            for horizon in HORIZONS
        ]
        series.append(points(f"{name}: BayesPerceptron(horizon)", HORIZONS, chosen))
    return FigureData(
        title="Errors of rows that come later, while the teacher moves",
        caption="A random walk with D = 0.02 and a rotation with speed 0.06. The lines "
        "are theory for the half-life that is best for each horizon, and for the next "
        f"row. BayesPerceptron learned streams with N = {_FEW}.",
        x_label="horizon in examples per weight",
        y_label="error",
        series=tuple(series),
    )


if __name__ == "__main__":
    for statement in PAPER.statements:
        print(statement.id, settle(statement, quick=False).verdict.value)
