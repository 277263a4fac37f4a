"""Sections 7 and 8: the perceptron rule, its convergence, and where it does not
converge.

Where no field is zero the update of a mistake is minus the gradient of the cost of
section 7. ``rb.separability`` is the theorem of section 8 as a tool. For orthonormal
examples its bound is reached: each is an error once. Without a separating vector the
rule never ends; in whole numbers it runs into a cycle.
"""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import lazy_loader
import numpy as np

from rosenblatt.core.figures import FigureData, TableData
from rosenblatt.core.types import FloatArray
from rosenblatt.linear import (
    MISTAKES,
    Learner,
    Separability,
    learn,
    perceptron_cycle,
    separability,
    signed,
)
from rosenblatt.papers.claims import NO_EXCEPTIONS, Kind
from rosenblatt.papers.samples import line, points
from rosenblatt.papers.seung2002.problems import PAPER, SEED, learned
from rosenblatt.rules import Perceptron
from rosenblatt.schedules import Constant


def cost(X: FloatArray, labels: FloatArray, weights: FloatArray) -> float:
    """Return the mean distance of examples beyond zero field, 0 on the right side.

    Examples
    --------
    >>> cost(np.array([[2.0], [1.0]]), np.array([1.0, -1.0]), np.array([3.0]))
    1.5
    """
    return float(np.mean(np.maximum(-labels * (X @ weights), 0)))


def _examples() -> tuple[FloatArray, FloatArray, FloatArray]:
    rng = np.random.default_rng(SEED)
    X, labels = rng.standard_normal((50, 4)), rng.choice([-1.0, 1.0], 50)
    return X, labels, rng.standard_normal(4)


@PAPER.claim(
    "section7/cost",
    "section 7, cost function",
    quote="You can regard this as stochastic gradient descent on the cost function",
    expect=0.0,
    catches=1e-4,
    allow=(1e-8, "differences over 2e-7 are rounded"),
)
def _descends() -> float:
    """The perceptron rule descends the mean of max(0, -y w.x): largest deviation of
    the mean update at rate 1 from minus the slope of that.
    """
    X, labels, w = _examples()
    changes = [
        learned(Perceptron(), X, labels, w, np.array([row])).weights - w
        for row in range(len(X))
    ]
    step = 1e-7
    slope = [
        (cost(X, labels, w + step * axis) - cost(X, labels, w - step * axis))
        / (2 * step)
        for axis in np.eye(4)
    ]
    return float(np.abs(np.mean(changes, axis=0) + slope).max())


datasets: Any = lazy_loader.load("sklearn.datasets", suppress_warning=True)


_ROUNDING = 1e-9


_TIGHT = 50  # orthonormal examples


class _Run(NamedTuple):
    """A problem that the rule has learned, and how it ended."""

    found: Separability
    weights: FloatArray
    errors: int


@functools.lru_cache(maxsize=4)
def _runs(count: int) -> tuple[_Run, ...]:
    """Return random problems with a margin, learned by the rule."""
    rng, runs = np.random.default_rng(SEED), []
    rule, schedule = Perceptron(), Constant(1.0)
    for _ in range(count):
        rows, size = int(rng.integers(5, 100)), int(rng.integers(2, 10))
        X, teacher = rng.standard_normal((rows, size)), rng.standard_normal(size)
        teacher /= np.linalg.norm(teacher)
        fields = X @ teacher
        # Push examples off the hyperplane, the more the later the problem.
        wanted = 10 ** rng.uniform(-2, 0.5)
        X += np.sign(fields)[:, None] * wanted * teacher
        y = fields > 0
        found = separability(X, y, fit_intercept=False, passes=100_000)
        Z, _ = signed(X, y, fit_intercept=False)
        learner, labels = Learner.zero(size), np.ones(rows)
        for _ in found.mistakes:
            learner = learn(rule, schedule, Z, labels, learner)
        runs.append(_Run(found, learner.weights, int(learner.counts[MISTAKES])))
    return tuple(runs)


def _sizes(quick: bool) -> int:
    return 20 if quick else 400


@PAPER.claim(
    "theorem/bound",
    "section 8, last inequality",
    quote="N_err <= R^2/M^2",
    **NO_EXCEPTIONS,
)
def _bound(quick: bool) -> float:
    """The rule makes at most R^2/M^2 errors: exceptions among random problems, M being
    the largest margin.

    A run that has not ended is an exception too.
    """
    wrong = [
        not (run.errors <= run.found.mistake_bound and run.found.converged)
        for run in _runs(_sizes(quick))
    ]
    return float(sum(wrong))


@PAPER.claim(
    "eq5-6",
    "eqs. (5) and (6)",
    quote="Therefore |w|^2 <= N_err R^2",
    **NO_EXCEPTIONS,
)
def _inequalities(quick: bool) -> float:
    """Weights have w.w* >= N_err M and |w| <= N_err^(1/2) R: exceptions at the end of
    the same runs.
    """
    wrong = 0
    for run in _runs(_sizes(quick)):
        along = float(run.weights @ run.found.weights)
        length = float(np.linalg.norm(run.weights))
        wrong += not along >= run.errors * run.found.margin * (1 - _ROUNDING)
        longest = math.sqrt(run.errors) * run.found.radius * (1 + _ROUNDING)
        wrong += not length <= longest
    return float(wrong)


@PAPER.claim(
    "theorem/tight",
    "section 8, end of the proof",
    expect=1.0,
    catches=0.5 / _TIGHT,
    allow=(_ROUNDING, "the margin is rounded"),
)
def _orthonormal() -> float:
    """The bound cannot be improved: {_TIGHT} orthonormal examples take as many errors.
    Errors over R^2/M^2.
    """
    found = separability(np.eye(_TIGHT), np.ones(_TIGHT), fit_intercept=False)
    return found.mistakes[-1] / found.mistake_bound


@functools.lru_cache(maxsize=1)
def _iris() -> tuple[FloatArray, FloatArray]:
    X, y = datasets.load_iris(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), np.asarray(y == 0)


@PAPER.figure("mistakes", "section 8")
def figure_mistakes(*, quick: bool) -> FigureData:
    """Show errors against the bound for random problems and data."""
    runs = _runs(_sizes(quick))
    bounds = [run.found.mistake_bound for run in runs]
    ends = [min(bounds), max(bounds)]
    tight = [4.0, 16.0, 64.0, 256.0]
    data = separability(*_iris())
    errors = [
        separability(np.eye(int(n)), np.ones(int(n)), fit_intercept=False).mistakes[-1]
        for n in tight
    ]
    return FigureData(
        title="Errors of the perceptron rule, and the bound",
        caption=(
            "Errors until the last one against R^2/M^2, M being the largest margin. "
            "Random problems have 5 to 100 Gaussian examples with 2 to 9 weights, "
            "pushed off the hyperplane by various margins. One class of the iris data "
            "is separated from the others. Orthonormal examples reach the bound."
        ),
        x_label=r"$R^2/M^2$",
        y_label="errors",
        series=(
            points("random problems", bounds, [float(run.errors) for run in runs]),
            line("bound", ends, ends),
            points("orthonormal examples", tight, errors),
            points("iris setosa", [data.mistake_bound], [float(data.mistakes[-1])]),
        ),
        x_log=True,
        y_log=True,
    )


_XOR = (np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), [-1, 1, 1, -1])


_CONFLICT = (np.array([[1.0], [1.0]]), [1, -1])


_LINE = (np.array([[1.0], [2.0], [3.0]]), [1, -1, 1])


def _errors(case: tuple[FloatArray, list[int]], intercept: bool) -> float:
    cycle = perceptron_cycle(*case, fit_intercept=intercept)
    if cycle is None:
        return math.nan
    return cycle.errors / cycle.passes


@PAPER.claim(
    "cycle/always",
    "section 8, last sentence",
    quote="If it is violated, then the perceptron learning rule may not converge",
    expect=1.0,
    catches=0.01,
)
def _cycles(quick: bool) -> float:
    """Without a separating hyperplane the rule never converges, and whole numbers end
    in a cycle: share of random labellings.
    """
    rng = np.random.default_rng(SEED)
    ended: list[bool] = []
    while len(ended) < (10 if quick else 50):
        X, y = rng.integers(-2, 3, (8, 2)).astype(float), rng.integers(0, 2, 8)
        if not separability(X, y, passes=0).separable:
            cycle = perceptron_cycle(X, y, passes=5000)
            ended.append(cycle is not None and cycle.errors > 0)
    return float(np.mean(ended))


@PAPER.table("cycles", "section 8, last sentence")
def table_cycles(*, quick: bool) -> TableData:
    """List the cycles of the rule on three sets that it cannot learn."""
    cells = []
    for name, case, intercept in (
        ("one input, both labels", _CONFLICT, False),
        ("exclusive or", _XOR, True),
        ("three points on a line", _LINE, True),
    ):
        cycle = perceptron_cycle(*case, fit_intercept=intercept)
        assert cycle is not None  # whole numbers: see rosenblatt.linear.separation
        before = cycle.start
        for number, one in enumerate(cycle.presentations):
            cells.append(
                (
                    name if number == 0 else "",
                    cycle.first + number // len(case[1]) + 1,
                    " ".join(f"{x:g}" for x in case[0][one.row]),
                    f"{case[1][one.row]:+d}",
                    " ".join(f"{w:g}" for w in before),
                    "error" if one.stability <= 0 else "right",
                    " ".join(f"{w:g}" for w in one.weights),
                )
            )
            before = one.weights
    return TableData(
        title="Where the perceptron rule does not converge",
        caption=(
            "One round of the cycle that the rule from weights zero runs through for "
            "ever, examples being presented in their order. A constant input of 1 "
            "gives the last weight, except in the first case. At the end the weights "
            "are those of the beginning."
        ),
        columns=("examples", "pass", "x", "y", "weights", "output", "new weights"),
        cells=tuple(cells),
    )


@PAPER.claim(
    "cycle/conflict",
    "section 8, last sentence",
    quote="a simple case where the perceptron learning rule does not converge",
    expect=2.0,
    catches=0.5,
)
def _conflict() -> float:
    """A simple case that does not converge: one input with both labels. Errors per pass
    of its cycle.
    """
    return _errors(_CONFLICT, False)


@PAPER.claim(
    "cycle/xor",
    "section 8, last sentence",
    quote="a simple case where the perceptron learning rule does not converge",
    expect=4.0,
    catches=0.5,
)
def _xor() -> float:
    """Exclusive or, with a constant input: errors per pass of its cycle."""
    return _errors(_XOR, True)


@PAPER.claim(
    "eq3-4",
    "eqs. (3) and (4)",
    quote="The change in the magnitude of w can be upper bounded by",
    **NO_EXCEPTIONS,
)
def _steps(quick: bool) -> float:
    """Count errors at which |w|^2 grows by more than R^2, or w.w* by less than M."""
    rng, wrong = np.random.default_rng(SEED), 0
    for _ in range(20 if quick else 100):
        X, teacher = rng.standard_normal((30, 4)), rng.standard_normal(4)
        teacher /= np.linalg.norm(teacher)
        Z = X * np.sign(X @ teacher)[:, None]
        margin = (Z @ teacher).min()
        radius = np.linalg.norm(Z, axis=1).max()
        before = np.zeros(4)
        for row in rng.integers(0, 30, 100):
            learner = learned(Perceptron(), Z, np.ones(30), before, np.array([row]))
            after = learner.weights
            if learner.counts[MISTAKES]:
                grown = after @ after - before @ before
                wrong += not grown <= Z[row] @ Z[row] + _ROUNDING
                wrong += not grown <= radius**2 + _ROUNDING
                wrong += not (after - before) @ teacher >= margin - _ROUNDING
            else:
                wrong += bool((after != before).any())
            before = after
    return float(wrong)


@PAPER.erratum(
    "cosine",
    "section 8, text after eq. (6)",
    quote="cos phi = w cdot w^*/(|w||w^*|) <= sqrt(N_err) M/R",
    kind=Kind.MISPRINT,
    formula=0.0,  # at most
    expect=1 / math.sqrt(5),
    allow=(_ROUNDING, "numbers are rounded"),
)
def _cosine() -> float:
    """cos phi >= N_err^(1/2) M/R, which follows from eqs. (5) and (6) and is what
    bounds N_err. The result is right.

    By how much the cosine exceeds N_err^(1/2) M/R after the first error, examples (0,
    1) and (2, 0).
    """
    # The shorter example comes first: after one error w is along it.
    X = np.array([[0.0, 1.0], [2.0, 0.0]])
    found = separability(X, np.ones(2), fit_intercept=False)
    learner = learned(Perceptron(), X, np.ones(2), np.zeros(2), np.array([0]))
    w, errors = learner.weights, int(learner.counts[MISTAKES])
    cosine = float(w @ found.weights / np.linalg.norm(w))
    return max(cosine - math.sqrt(errors) * found.margin / found.radius, 0.0)


_ONE = np.array([[1.0]]), np.ones(1)


@PAPER.erratum(
    "start",
    "section 8",
    quote="This means that w cdot w^* >= N_err M",
    kind=Kind.ASSUMPTION,
    formula=lambda: separability(*_ONE, fit_intercept=False).mistake_bound,
    expect=11.0,
    allow=(_ROUNDING, "the margin is rounded"),
)
def _start() -> float:
    """The rule begins with w = 0, and w.x = 0 counts as an error, or it would never
    leave that. From another w(0) the bounds are w(0).w* + N_err M and |w(0)|^2 + N_err
    R^2, and more errors are possible.

    Errors on the only example x = 1, y = 1, from w(0) = -10; R = M = 1.
    """
    order = np.zeros(100, np.int64)
    learner = learned(Perceptron(), *_ONE, np.array([-10.0]), order)
    return float(learner.counts[MISTAKES])
