r"""Drifting teachers: the best rule, constant rates, weight decay and half-lives.

After R. Vicente, O. Kinouchi and N. Caticha, Machine Learning 32, 179 (1998), M. Biehl
and H. Schwarze, J. Phys. A 26, 2651 (1993), and O. Kinouchi and N. Caticha, J. Phys. A
26, 6161 (1993). ``python examples/drifting_teachers.py`` prints the verdicts. Only the
papers' abstracts were read: all laws are derived here.

**The best rule for a student that keeps one vector.** Let :math:`\theta` be the angle
to the teacher. The best gain is proportional to the mean of the teacher's part across
the student, given field :math:`h` and label. This mean is
:math:`y\, \varphi(u) / \Phi(u)` with :math:`u = y h / \tan\theta`. Let the gain be
:math:`m \theta` times that, and :math:`J = J(1)` of
:mod:`rosenblatt.theory.closed.spherical_bayes`. For small angles, the student's part
across the teacher shrinks at the rate :math:`m J \theta`, while its square grows by
:math:`m^2 J \theta^3`. Balance with the drift gives, at the best :math:`m`,

.. math::
    \theta = (2 D / J)^{1/3},\; m = 1; \qquad
    \theta = (27/16)^{1/4} (\delta / J)^{1/2},\; m = 4/3; \qquad
    \theta = (2 \delta / J)^{1/2},\; m = 1   \tag{1}

for a random walk, for a rotation in a fixed plane, and for a retreat. A rotation is
easier than a retreat of the same speed: its velocity is not always along the lag.

**Half-lives.** A filter with drifting weights is exact Bayesian inference for a random
walk of strength :math:`D` under two conditions. Its variance halves in
:math:`N \ln 2 / 2 D` examples, and labels follow the law that it believes in.
``BayesPerceptron`` believes that the teacher's field has variance N, and that noise of
variance 1 is added to it before its sign is the label. Where labels are never wrong its
best half-life is shorter. ``BayesPerceptron()`` chooses among a few half-lives.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rosenblatt.core import Motion, Percept, Rule, Update
from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators import BayesPerceptron
from rosenblatt.motions import Abrupt, RandomWalk, Retreat, Rotation
from rosenblatt.papers.claims import Measurement, Paper, settle
from rosenblatt.papers.samples import average, line, points
from rosenblatt.rules import Decay, Hebb, Normalised, Perceptron, SphericalBayes
from rosenblatt.schedules import Constant
from rosenblatt.simulation import simulate
from rosenblatt.teachers import Sign
from rosenblatt.theory import (
    best_constant_rate,
    best_decay,
    best_half_life,
    online_asymptote,
    solve,
    stationary,
)

PAPER = Paper(
    key="vicente1998",
    citation="After R. Vicente, O. Kinouchi, N. Caticha: Statistical mechanics of "
    "online learning of drifting concepts. Machine Learning 32, 179 (1998).",
)
STUDENT = Normalised(Perceptron())
DIM = 1000  # of simulations
_SHARPNESS = 2 / (math.pi * online_asymptote())  # J(1), without noise
_SLOW = 1e-6  # a velocity at which the laws of slow drifts hold to a thousandth
_EXACT = "corrections to the law of slow drifts, of relative order of the angle squared"


@dataclass(frozen=True)
class Weighted(Rule):
    """Weight an example by the mean of the teacher's part across the student.

    ``width`` is the tangent of the angle to the teacher, as the student assumes it.
    """

    width: float

    def bind(self) -> Callable[[Percept], Update]:
        """Return the gain y F(u)."""
        width = self.width

        def step(p: Percept) -> Update:
            u = p.label * p.field / (width * math.sqrt(p.norm2))
            tail = 0.5 * math.erfc(-u / math.sqrt(2.0))
            weight = -u  # its limit, where the tail underflows
            if tail > 1e-300:
                weight = math.exp(-0.5 * u * u) / math.sqrt(2.0 * math.pi) / tail
            return Update(gain=p.rate * p.label * weight, decay=0.0)

        return step


# Of eq. (1): factor and exponent of the angle, and the gain.
_LAWS = {
    RandomWalk: ((2 / _SHARPNESS) ** (1 / 3), 1 / 3, 1.0),
    Rotation: ((27 / 16) ** 0.25 / math.sqrt(_SHARPNESS), 0.5, 4 / 3),
    Retreat: (math.sqrt(2 / _SHARPNESS), 0.5, 1.0),
}


def best_rule(
    motion: Motion, width: float = 1.0, gain: float = 1.0
) -> tuple[Rule, float]:
    """Return the rule and the rate of eq. (1); ``width`` and ``gain`` multiply them."""
    factor, exponent, best_gain = _LAWS[type(motion)]
    angle = factor * motion.velocity**exponent
    rule = Normalised(Weighted(width * math.tan(angle)))
    return rule, gain * best_gain * angle


def _scaled(motion: Motion, angle: float) -> float:
    """Return an error over the power of the velocity in the law of the drift."""
    return float(angle / math.pi / motion.velocity ** _LAWS[type(motion)][1])


def _power(kind: type) -> Fraction:
    return Fraction(_LAWS[kind][1]).limit_denominator(10)


@PAPER.claim(
    "{name}/optimal",
    "lower bound",
    expect=lambda kind: _LAWS[kind][0] / math.pi,
    catches=2e-3,
    allow=(5e-4, _EXACT),
    each={
        "name,kind,factor,exponent": [
            (
                kind.__name__.lower(),
                kind,
                f"{_LAWS[kind][0] / math.pi:.3f}",
                _power(kind),
            )
            for kind in _LAWS
        ]
    },
)
def _optimal(kind: type) -> float:
    """The smallest stationary error of the best rule, also with widths and gains 10%
    off, is {factor} times the velocity to the power {exponent}.
    """
    motion, near = kind(_SLOW), (0.9, 1.0, 1.1)
    return min(
        _scaled(
            motion, stationary(*best_rule(motion, width, gain), motion=motion).angle
        )
        for width in near
        for gain in near
    )


@PAPER.claim(
    "{name}/perceptron",
    "constant rates",
    expect=lambda factor: factor / math.pi,
    catches=2e-3,
    allow=(5e-4, _EXACT),
    each={
        "name,kind,factor,exponent": [
            (kind.__name__.lower(), kind, factor, _power(kind))
            for kind, factor in (
                (RandomWalk, 4 ** (1 / 3)),
                (Retreat, 2.0),
                (Rotation, 6.75**0.25),
            )
        ]
    },
)
def _perceptron(kind: type) -> float:
    """Smallest stationary error of the perceptron at a constant rate, over the
    velocity to the power {exponent}.
    """
    motion = kind(_SLOW)
    return _scaled(motion, best_constant_rate(STUDENT, motion=motion).angle)


@PAPER.claim(
    "randomwalk/hebb",
    "weight decay",
    expect=math.pi**-0.75,
    catches=2e-3,
    allow=(5e-4, _EXACT),
)
def _hebb() -> float:
    """Hebb's rule with the best weight decay has an error of pi^(-3/4) D^(1/4)."""
    return best_decay(Hebb(), motion=RandomWalk(_SLOW)).error / _SLOW**0.25


@PAPER.claim(
    "randomwalk/decay",
    "weight decay",
    expect=1.0,
    catches=1e-3,
    allow=(1e-4, "the error is flat at its minimum"),
)
def _decay() -> float:
    """The best weight decay of the Bayesian learner, over D: the learner that knows the
    drift shrinks its mean as the overlap does.
    """
    return best_decay(SphericalBayes(), motion=RandomWalk(0.01)).value / 0.01


@PAPER.claim(
    "randomwalk/noise{noise:g}",
    "noisy labels",
    expect=lambda noise: (
        (math.pi * online_asymptote(noise) / (1 - 2 * noise)) ** (1 / 3) / math.pi
    ),
    catches=2e-3,
    allow=(2e-4, _EXACT),
    each={"noise": (0.1, 0.2)},
)
def _noisy(noise: float) -> float:
    """With a share {noise:g} of wrong labels the best error is reached with another
    prefactor, (pi c / (1 - 2k))^(1/3) / pi. Here c is that of the learning curve of
    a teacher that stands still.
    """
    rule = Decay(SphericalBayes(noise), 1e-9)
    found = stationary(rule, 1.0, Sign(noise), motion=RandomWalk(1e-9))
    return float(found.angle / math.pi * 1e3)


@PAPER.claim(
    "randomwalk/bayes-simulated",
    "simulations",
    expect=lambda: best_half_life(0.01).error,
    catches=0.005,
    allow=(1e-3, "corrections are O(1/N)"),
)
def _bayes_simulated(quick: bool) -> Measurement:
    """Error of the Bayesian learner with D = 0.01: runs of N = 1000 against theory."""
    rule, replicas = Decay(SphericalBayes(), 0.01), 20 if quick else 200
    run = simulate(
        rule,
        Constant(),
        dim=DIM,
        alpha=60.0,
        replicas=replicas,
        motion=RandomWalk(0.01),
    )
    return average(np.asarray(run["error"])[:, 0])


def _simulated(motion: Motion, alpha: float, replicas: int) -> Measurement:
    """Return the error of the perceptron at its best rate."""
    rate = best_constant_rate(STUDENT, motion=motion).value
    run = simulate(
        STUDENT, Constant(rate), dim=DIM, alpha=alpha, replicas=replicas, motion=motion
    )
    return average(np.asarray(run["error"])[:, 0])


@PAPER.claim(
    "{name}/simulated",
    "simulations",
    expect=lambda motion: best_constant_rate(STUDENT, motion=motion).error,
    catches=0.005,
    allow=(1e-3, "corrections are O(1/N)"),
    each={"name,motion": [(kind.__name__.lower(), kind(0.1)) for kind in _LAWS]},
)
def _in_runs(quick: bool, motion: Motion) -> Measurement:
    """Error of the perceptron at its best rate with {motion!r}: runs of N = 1000,
    exact in law, against theory.
    """
    return _simulated(motion, 60.0, 60 if quick else 400)


def _long_run(motion: Motion, quick: bool) -> Measurement:
    """Return the error of the perceptron at its best rate, after a long time."""
    slow = motion.velocity ** -_LAWS[type(motion)][1]
    return _simulated(motion, 15 * slow, 8 if quick else 30)


@PAPER.figure("random", "random drift")
def figure_random(*, quick: bool) -> FigureData:
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
    best = [best_constant_rate(STUDENT, motion=RandomWalk(d)) for d in strengths]
    series.append(line("perceptron, best rate", strengths, [b.error for b in best]))
    few = strengths[strengths > 1e-3][::2]
    runs = [_long_run(RandomWalk(d), quick) for d in few]
    series.append(
        points(
            f"perceptron, N = {DIM}",
            few,
            [m.value for m in runs],
            [m.stderr for m in runs],
        )
    )
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


@PAPER.figure("steady", "steady drift")
def figure_steady(*, quick: bool) -> FigureData:
    """Return stationary errors for rotation and retreat."""
    speeds = np.geomspace(1e-4, 0.3, 4 if quick else 9)
    series = []
    for name, kind in (("rotation", Rotation), ("retreat", Retreat)):
        motions = [kind(float(speed)) for speed in speeds]
        angles = [
            stationary(*best_rule(motion), motion=motion).angle for motion in motions
        ]
        series.append(line(f"{name}, best rule", speeds, np.array(angles) / math.pi))
        best = [best_constant_rate(STUDENT, motion=motion) for motion in motions]
        series.append(line(f"{name}, perceptron", speeds, [b.error for b in best]))
        few = motions[2:3] if quick else motions[1::2]
        runs = [_long_run(motion, quick) for motion in few]
        shown = [motion.speed for motion in few]
        series.append(
            points(
                f"{name}, N = {DIM}",
                shown,
                [m.value for m in runs],
                [m.stderr for m in runs],
            )
        )
    return FigureData(
        title="Errors for a teacher that rotates, or retreats from the student",
        caption="Probability that student and teacher differ, after a long time. For "
        "small speeds the best rule has 0.427 (rotation in a fixed plane) and 0.530 "
        "(retreat) times the root of the speed. The perceptron has 0.513 and 0.637. "
        "The best rule has the parameters that are best for slow drifts.",
        x_label=r"angle per unit of $\alpha$",
        y_label="error",
        x_log=True,
        y_log=True,
        series=tuple(series),
    )


@PAPER.figure("abrupt", "sudden changes")
def figure_abrupt(*, quick: bool) -> FigureData:
    """Return learning curves through abrupt changes of the teacher."""
    alpha = np.linspace(0.0, 60.0, 121)
    given = {"alpha": alpha, "motion": Abrupt((20.0, 40.0))}
    series, replicas = [], 4 if quick else 40
    for name, rule in (
        ("nothing forgotten", SphericalBayes()),
        ("decay 0.02", Decay(SphericalBayes(), 0.02)),
    ):
        curve = solve(rule, Constant(), **given)
        series.append(line(name, alpha, np.asarray(curve["error"])[0]))
        run = simulate(rule, Constant(), dim=DIM, replicas=replicas, **given)
        found = np.asarray(run["error"])[:, ::6].mean(axis=0)
        series.append(points(f"{name}, N = {DIM}", alpha[::6], found))
    return FigureData(
        title="Two abrupt changes of the teacher",
        caption="Each time the teacher turns by a right angle. The Bayesian learner "
        "finds the new one nearly as fast whether it forgets or not, since labels that "
        "it did not expect shorten its mean. Weight decay costs accuracy in between.",
        x_label=r"examples per weight $\alpha$",
        y_label="error",
        series=tuple(series),
    )


_FEW = 20  # N of the filters
_BELIEVED = 1 / _FEW  # variance of the labels' noise, in units of the field's


@functools.lru_cache(maxsize=4)
def _walks(
    strengths: tuple[float, ...], rows: int, seed: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return inputs, fields of teachers that walk at random, and noise for these."""
    rng = np.random.default_rng(seed)
    inputs = rng.standard_normal((rows, _FEW))
    cosine = 1 - np.reshape(strengths, (-1, 1)) / _FEW
    sine = np.sqrt(1 - cosine**2)
    teachers = np.tile(np.eye(_FEW)[0], (len(cosine), 1))
    fields = np.empty((rows, len(cosine)))
    for n, across in enumerate(rng.standard_normal((rows, *teachers.shape))):
        across -= np.vecdot(across, teachers)[:, None] * teachers
        across *= sine / np.sqrt(np.vecdot(across, across))[:, None]
        teachers = cosine * teachers + across
        fields[n] = teachers @ inputs[n]
    return inputs, fields, rng.standard_normal(fields.shape)


def _examples(
    strengths: tuple[float, ...], rows: int, seed: int, label_variance: float
) -> tuple[FloatArray, FloatArray]:
    """Return inputs, and labels of teachers that walk at random, a row for each."""
    inputs, fields, noise = _walks(strengths, rows, seed)
    noisy = fields + np.sqrt(label_variance) * noise
    return inputs, (noisy.T > 0).astype(float)


def _best_of_scan(
    covariance: str, streams: list[tuple[FloatArray, FloatArray]], near: float
) -> float:
    """Return the half-life with the fewest mistakes, of nine a factor sqrt(2) apart."""
    scan = near * 2.0 ** np.linspace(-2, 2, 9)
    mistakes = np.zeros(scan.size)
    for inputs, labels in streams:
        early = len(labels) // 4  # which is not counted
        for at, half_life in enumerate(scan):
            model = BayesPerceptron(covariance, half_life=half_life)
            model.partial_fit(inputs[:early], labels[:early], classes=[0, 1])
            before = model.mistakes_[0]
            model.partial_fit(inputs[early:], labels[early:])
            mistakes[at] += model.mistakes_[0] - before
    return float(scan[int(np.argmin(mistakes))])


def _chosen(inputs: FloatArray, labels: FloatArray) -> float:
    """Return the median half-life that the default chose, in the second half."""
    half_lives = BayesPerceptron().fit(inputs, labels).forgetting_.half_life
    return float(np.median(half_lives[len(half_lives) // 2 :]))


@PAPER.claim(
    "half-life/{covariance}",
    "half-lives",
    expect=1.0,
    catches=2.0,
    allow=(1.0, "mistakes of neighbours a factor sqrt(2) apart differ by chance"),
    each={"covariance,variance": [("full", _BELIEVED), ("spherical", 0.0)]},
)
def _scanned(covariance: str, variance: float) -> float:
    """The half-life with the fewest mistakes over that of theory, {covariance}
    covariances, D = 0.03, N = 20.
    """
    given = {"label_variance": variance, "believed": _BELIEVED}
    theory = _FEW * best_half_life(0.03, **given).value
    inputs, (labels,) = _examples((0.03,), 20_000, 0, variance)
    return _best_of_scan(covariance, [(inputs, labels)], theory) / theory


@PAPER.claim(
    "half-life/chosen",
    "half-lives",
    expect=256.0,
    catches=150.0,
    allow=(128.0, "the logarithmic mean of two neighbours is 64 or 1024"),
)
def _of_three() -> float:
    """Of 16, 256 and 4096 examples BayesPerceptron() chooses the half-life next to that
    of theory, 440: median of the second half of a stream, D = 0.01, N = 20.
    """
    inputs, (labels,) = _examples((0.01,), 10_000, 0, 0.0)
    return _chosen(inputs, labels)


@PAPER.figure("half-lives", "half-lives")
def figure_half_lives(*, quick: bool) -> FigureData:
    """Return half-lives: of theory, the best of a scan, and those of the default."""
    rows, copies = (10_000, 1) if quick else (50_000, 4)
    strengths = tuple(np.geomspace(1e-3, 0.1, 3 if quick else 5).tolist())
    lines, scans, examples = [], [], []
    for covariance, variance in (("full", _BELIEVED), ("spherical", 0.0)):
        given = {"label_variance": variance, "believed": _BELIEVED}
        lines.append([_FEW * best_half_life(d, **given).value for d in strengths])
        drawn = [_examples(strengths, rows, j, variance) for j in range(copies)]
        streams = [[(x, y[at]) for x, y in drawn] for at in range(len(strengths))]
        pairs = zip(streams, lines[-1], strict=True)
        scans.append([_best_of_scan(covariance, few, near) for few, near in pairs])
        examples.append([few[0] for few in streams])
    chosen = [_chosen(*one) for one in examples[0]]
    return FigureData(
        title=f"Half-lives for a teacher that walks at random, N = {_FEW}",
        caption=f"{copies} streams of {rows} examples each. The best half-life in "
        "theory, the one with the fewest mistakes of nine, and the one that "
        "BayesPerceptron() chose, of 16, 256 and 4096. Labels follow the law that "
        "filters believe in, or are never wrong.",
        x_label="strength $D$ of the random walk",
        y_label="half-life in examples",
        x_log=True,
        y_log=True,
        series=(
            line("theory", strengths, lines[0]),
            line("theory, labels never wrong", strengths, lines[1]),
            points("best of a scan, full", strengths, scans[0]),
            points("best of a scan, never wrong, spherical", strengths, scans[1]),
            points("chosen by the default", strengths, chosen),
        ),
    )


if __name__ == "__main__":
    for statement in PAPER.statements:
        print(statement.id, settle(statement, quick=False).verdict.value)
