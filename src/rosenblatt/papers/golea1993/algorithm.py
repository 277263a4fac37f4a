r"""Sections 3 and 4: the lemmas, theorem 1, and the clipped Hebb rule as a special
case.

Everything is exact: laws of sums by convolution, or a table of all inputs. Lemma 1 has
an exact form too, :math:`P(g \ne g') = P(x_i = -a)\, |\mathrm{Inf}_i| / 2`, and so has
lemma 3, :math:`P(g \ne g') = P(g' = 1)\, [1 - P(g = 1 | g' = 1)]`.

Lemma 2 gives away a factor. A sum of :math:`n - 1` signs has only n values, two apart,
of which one, :math:`r_0 \in \{\theta, \theta + 1\}`, decides. Their probabilities rise
and then fall. If :math:`r_0` is not before the maximum, :math:`P(g = +1)` is at most
that of all values from :math:`r_0` on. Else :math:`P(g = -1)` is at most that of all
values up to :math:`r_0`. These are at most n, and none is more likely than :math:`r_0`.
So with :math:`\rho = \min P(g = \pm1)`

.. math:: w_i\, \mathrm{Inf}_i = 2 P(r_0) \ge \frac{2\rho}{n}.   \tag{1}

Examples needed in fact are counted: a sample of any size has, exactly, the law of a
multinomial over the :math:`2^n` inputs, and is drawn from it.

With :math:`\sum` over the examples, the estimated influence has the sign of
:math:`m \sum g x_i - \sum g \sum x_i`, the clipped Hebb rule that of
:math:`\sum g x_i`. With uniform inputs and no threshold the second term is of order
:math:`m`, the first of order :math:`m^{3/2}`. So the rules agree in the end.

A matter of words is not counted. Section 3.1 asks for a running time polynomial in
:math:`(n, \epsilon, \delta)`; it means their inverses.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rosenblatt.bits import Counts, count
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.linear import clipped_hebb_weights, influence_weights, required_examples
from rosenblatt.papers.claims import NO_EXCEPTIONS, Kind, Measurement
from rosenblatt.papers.golea1993.samples import PAPER, SEED, cells, drawn, learn, target
from rosenblatt.papers.samples import average
from rosenblatt.streams import UniformBits
from rosenblatt.theory.closed.binary_error import error
from rosenblatt.theory.closed.influences import disagreement, influences, malicious

_ROUNDING = 1e-12  # of sums of at most 2**8 probabilities


_RARE = 1e-3  # least probability of a level, or conditions would be on next to nothing


class Problem(NamedTuple):
    """A target perceptron and a product law."""

    weights: IntArray
    threshold: int
    law: FloatArray


@functools.lru_cache(maxsize=2)
def problems(quick: bool) -> tuple[Problem, ...]:
    """Return random ones with both labels, among them laws near 0 and 1."""
    rng = np.random.default_rng(SEED)
    found: list[Problem] = []
    while len(found) < (50 if quick else 500):
        n = int(rng.integers(1, 9))
        weights = rng.choice([-1, 1], n)
        threshold = int(rng.integers(-n, n))  # with -n - 1 and n there is one label
        law = np.clip(rng.beta(0.4, 0.4, n), _RARE, 1 - _RARE)
        found.append(Problem(weights, threshold, law))
    return tuple(found)


def _definition(problem: Problem) -> FloatArray:
    """Return the influences by eq. (2), from a table of all inputs."""
    table = cells(len(problem.weights))
    chances = table.chances(problem.law)
    labels = table.labels(problem.weights, problem.threshold)
    up, down = (table.inputs == level for level in (1, -1))
    # P(g = +1 | x) - P(g = -1 | x) is the mean label
    given_up, given_down = (
        (chances * labels) @ side / (chances @ side) for side in (up, down)
    )
    return np.asarray(given_up - given_down)


@PAPER.claim(
    "eq6",
    "eq. (6)",
    quote="We exploit the independence of the input variables to write",
    expect=0.0,
    catches=1e-6,
    allow=(100 * _ROUNDING, "conditions have probabilities down to 0.001: rounding"),
)
def _eq6(quick: bool) -> float:
    """An influence is twice the probability that the other variables add up to theta or
    theta + 1: largest difference to its definition.
    """
    apart = [_definition(p) - influences(*p).influence for p in problems(quick)]
    return float(np.abs(np.concatenate(apart)).max())


@PAPER.claim(
    "lemma1",
    "lemma 1",
    quote="Lemma 1 implies that we can neglect any variable",
    **NO_EXCEPTIONS,
)
def _lemma_1(quick: bool) -> float:
    """Setting a variable to its likelier value changes the perceptron at most as often
    as the variable has the other one: number of exceptions.
    """
    found = []
    for weights, threshold, law in problems(quick):
        for i, p in enumerate(law):
            level = 1 if p > 0.5 else -1  # the likelier one
            without = np.where(np.arange(weights.size) == i, 0, weights)
            moved = threshold - level * weights[i]
            lost = disagreement(weights, without, threshold, moved, law)
            found.append(not lost <= min(p, 1 - p) * (1 + _ROUNDING))
    return float(sum(found))


@functools.lru_cache(maxsize=2)
def _gaps(quick: bool) -> FloatArray:
    """Return n times the influence, with the sign of the weight, over 2 rho."""
    found = []
    for weights, threshold, law in problems(quick):
        positive, influence, _ = influences(weights, threshold, law)
        rho = min(positive, 1 - positive)
        found += (weights.size * weights * influence / (2 * rho)).tolist()
    return np.array(found)


@PAPER.claim(
    "lemma2",
    "lemma 2",
    quote="there is a measurable gap between the two cases",
    **NO_EXCEPTIONS,
)
def _lemma_2(quick: bool) -> float:
    """Influences have the sign of the weight and exceed rho/(n + 1): number of
    exceptions.
    """
    sizes = np.repeat(*np.array([(p.weights.size,) * 2 for p in problems(quick)]).T)
    # in these units the lemma's gap is n / 2(n+1)
    assert np.all(_gaps(quick) > 1 - _ROUNDING)  # eq. (1), which is sharper
    return float(np.sum(~(_gaps(quick) > sizes / (2 * (sizes + 1)))))


@PAPER.claim(
    "lemma3",
    "lemma 3",
    quote="Obviously, such an r exists and is always",
    **NO_EXCEPTIONS,
)
def _lemma_3(quick: bool) -> float:
    """With a threshold r up to theta the error is at most 1 - P(g = +1 | g' = +1),
    which is 0 at theta: number of exceptions.
    """
    found = []
    for weights, threshold, law in problems(quick):
        above = influences(weights, threshold, law).positive
        for r in range(-weights.size - 1, threshold + 1):
            wider = influences(weights, r, law).positive
            precision = above / wider
            lost = disagreement(weights, weights, threshold, r, law)
            found.append(not lost <= 1 - precision + _ROUNDING)
            # the exact form, and that the search ends at the target's at the latest
            found.append(not abs(lost - wider * (1 - precision)) <= _ROUNDING)
            found.append(r == threshold and precision != 1)
    return float(sum(found))


def failures(n: int, eps: float, examples: int, runs: int) -> IntArray:
    """Return which of many runs, on random targets and laws, have an error above eps.

    One law in four is uniform, one malicious, one has a variable that hardly ever
    changes, and one is random.
    """
    rng = np.random.default_rng([SEED, n])
    table, found = cells(n), np.zeros(runs, np.int64)
    fooling = malicious(n)
    laws: tuple[Callable[[], object], ...] = (
        lambda: np.full(n, 0.5),
        lambda: fooling,
        lambda: np.append(rng.choice([1e-3, eps / (4 * n)]), np.full(n - 1, 0.5)),
        lambda: rng.beta(0.4, 0.4, n),
    )
    for run in range(runs):
        law = np.asarray(laws[run % len(laws)](), dtype=np.float64)
        weights = rng.choice([-1, 1], n)
        threshold = int(rng.integers(-n - 1, n + 1))
        law = np.where(weights > 0, law, 1 - law)  # malicious for these weights
        times = rng.multinomial(examples, table.chances(law))
        labels = table.labels(weights, threshold)
        hypothesis = learn(table.bits, labels, eps, times=times)
        found[run] = hypothesis.error(weights, threshold, law) > eps
    return found


_DIM = 201  # at alpha = 2


def rewritten(problem: Problem) -> FloatArray:
    """Return influences as section 4 rewrites them, with its misprint corrected."""
    table = cells(problem.weights.size)
    chances = table.chances(problem.law)
    labels = table.labels(problem.weights, problem.threshold)
    total = np.zeros(problem.weights.size)
    for label in (1, -1):
        joint = chances * (labels == label)  # P(x, g)
        for level in (1, -1):
            side = table.inputs == level
            # P(g) P(x_i | g) / P(x_i), positive where label and level agree
            total += label * level * (joint @ side) / (chances @ side)
    return total


@functools.lru_cache(maxsize=8)
def _students(dim: int, quick: bool) -> tuple[IntArray, IntArray]:
    """Return wrong weights of influences and of the clipped Hebb rule, by sample."""
    truth, wrong = target(dim), []
    for sample in range(400 if quick else 2000):
        bits, labels = drawn(UniformBits(dim), truth, 2 * dim + 1, sample)
        counts = count(bits, labels)
        signs = np.where(counts.covariance > 0, 1, -1)
        wrong.append([signs != truth, clipped_hebb_weights(counts) != truth])
    influence, hebb = np.array(wrong).transpose(1, 0, 2)
    return influence, hebb


@PAPER.claim(
    "eq11",
    "eq. (11)",
    quote="the algorithm can be summarized by the following rule",
    expect=0.0,
    catches=0.005,
)
def _difference(quick: bool) -> Measurement:
    """With uniform inputs and no threshold signs of influences and the clipped Hebb
    rule learn the same: difference of mean overlaps, n = 201, alpha = 2.
    """
    influence, hebb = _students(_DIM, quick)
    return average(2 * (hebb.sum(axis=1) - influence.sum(axis=1)) / _DIM)


@PAPER.claim(
    "eq11/algorithm",
    "eq. (11)",
    quote="each weight w_i is basically assigned to the sign of",
    expect=0.0,
    catches=0.01,
)
def _zeros(quick: bool) -> Measurement:
    """With enough examples step 6 of the algorithm is eq. (11): share of weights that
    differ, n = 21, eps = 0.1, 20001 examples.
    """
    influence_rule, dim, truth = [], 21, target(21)
    for sample in range(20 if quick else 200):
        bits, labels = drawn(UniformBits(dim), truth, 20_001, sample)
        counts = count(bits, labels)
        learned = influence_weights(counts, 0.1).values
        influence_rule.append(np.mean(learned != clipped_hebb_weights(counts)))
    return average(np.array(influence_rule))


@PAPER.claim(
    "eq7-8",
    "eqs. (7) and (8)",
    quote="One can also write",
    **NO_EXCEPTIONS,
)
def _bounds(quick: bool) -> float:
    """Each label is at most as probable as with the variable on its side: number of
    exceptions, for all variables.
    """
    wrong = 0
    for weights, threshold, law in problems(quick):
        table = cells(weights.size)
        chances, fields = table.chances(law), table.inputs @ weights
        for i in range(weights.size):
            others = fields - table.inputs[:, i] * weights[i]
            positive = chances[fields > threshold].sum()
            most = chances[others + 1 > threshold].sum() + _ROUNDING
            wrong += not positive <= most
            most = chances[others - 1 <= threshold].sum() + _ROUNDING
            wrong += not 1 - positive <= most
    return float(wrong)


def _others(problem: Problem) -> tuple[FloatArray, float]:
    """Return p(r) of all variables but the first, from r = 1 - n on, and P(g = +1)."""
    table, n = cells(problem.weights.size), problem.weights.size
    chances, signed = table.chances(problem.law), table.inputs * problem.weights
    place = (signed[:, 1:].sum(axis=1) + n - 1) // 2
    positive = chances[signed.sum(axis=1) > problem.threshold].sum()
    return np.bincount(place, chances).astype(float), float(positive)


@PAPER.claim(
    "lemma2/unimodal",
    "lemma 2",
    quote="is always unimodal and reaches its maximum at a given value",
    **NO_EXCEPTIONS,
)
def _unimodal(quick: bool) -> float:
    """The law p(r) rises and then falls, on the values that a sum of n - 1 signs has:
    number of exceptions.
    """
    wrong = 0
    for problem in problems(quick):
        steps = np.diff(_others(problem)[0])
        rises = steps[np.abs(steps) > _ROUNDING] > 0
        wrong += bool(np.any(np.diff(rises.astype(int)) > 0))  # falls, then rises
    return float(wrong)


@PAPER.claim(
    "eq9-10",
    "eqs. (9) and (10)",
    quote="We distinguish two cases",
    **NO_EXCEPTIONS,
)
def _cases(quick: bool) -> float:
    """Let r be the one of theta and theta + 1 that a sum of n - 1 signs can be. P(g =
    +1) is at most (n - theta + 1) p(r) from the maximum of p on, and before P(g = -1)
    is at most (n + theta + 2) p(r): number of exceptions.
    """
    wrong = 0
    for problem in problems(quick):
        law, positive = _others(problem)
        at = (problem.threshold + len(law)) // 2  # r = 2 at + 1 - n
        if at >= law.argmax():
            bound = (len(law) - problem.threshold + 1) * law[at]
            wrong += not positive <= bound + _ROUNDING
        else:
            bound = (len(law) + problem.threshold + 2) * law[at]
            wrong += not 1 - positive <= bound + _ROUNDING
    return float(wrong)


@PAPER.erratum(
    "lemma2",
    "eqs. (9) and (10)",
    quote="<= (n - theta + 1) times p(theta)",
    kind=Kind.GAP,
    formula=0.0,
    expect=1 / 8,
    allow=(_ROUNDING, "probabilities are rounded"),
)
def _parity() -> float:
    """A sum of n - 1 signs has every second value only, and p(theta) may be 0. The
    bound holds with the one of theta and theta + 1 that has the right parity, and so
    does the lemma.

    By how much P(g = +1) exceeds (n - theta + 1) p(theta), n = 3, theta = 1, uniform.
    """
    # the other two add up to -2, 0 or 2, most often to 0
    table, theta = cells(3), 1
    chances = table.chances(np.full(3, 0.5))
    others = table.inputs[:, 1:].sum(axis=1)
    positive = chances[table.inputs.sum(axis=1) > theta].sum()
    bound = (3 - theta + 1) * chances[others == theta].sum()
    return float(max(positive - bound, 0))


@PAPER.claim(
    "theorem1/chernoff-{statement}",
    "theorem 1",
    quote="Using Chernoff bounds (Hagerup and Rub 1989), one can show",
    below=0.0,
    each={
        "statement,what": [
            (1, "P(g = a)"),
            (2, "P(x_i = a)"),
            (3, "Inf(x_i)"),
            (4, "P(g = +1 | g' = +1)"),
        ]
    },
)
def _chernoff(statement: int) -> float:
    """The number of examples is sufficient for the estimate of {what}: Hoeffding's
    bound on its failure over the failure that is allowed, largest logarithm for n from
    1 to 50, eps and delta from 0.01 to 0.9.

    After step 5 each level of a variable occurs eps/4n of the time at least. An
    influence is twice the difference of two frequencies. A student that step 3 lets
    pass is positive in a share eps/4 at least.
    """
    worst = -math.inf
    for n, eps, delta in itertools.product(
        (1, 2, 5, 20, 50), (0.01, 0.1, 0.5, 0.9), (0.01, 0.1, 0.5, 0.9)
    ):
        m = required_examples(n, eps, delta)
        rows, precision, events, allowed = {
            1: (m, eps / 4, 2, delta / 2),
            2: (m, eps / (4 * n), 2, delta / (4 * n)),
            3: (m * eps / (4 * n), eps / (16 * (n + 1)), 4, delta / (8 * n)),
            4: (m * eps / 4, eps / 4, 2, delta / (16 * n)),
        }[statement]
        worst = max(worst, math.log(events / allowed) - 2 * rows * precision**2)
    return worst


_EPS, _DELTA = 0.1, 0.05
_GRID = math.log10(2) / 2  # half a step of the numbers of examples that are tried


def _needed(failed: Callable[[int], float], most: int) -> tuple[float, float]:
    """Return in decades how far ``most`` exceeds the least sufficient number.

    ``failed`` returns the share of failures; numbers are doubled from 8 on.
    """
    rows = 8
    while rows < most and failed(rows) > _DELTA:
        rows *= 2
    return math.log10(most / rows), _GRID


@PAPER.claim(
    "theorem1/needed-n{n}",
    "section 5",
    quote="to achieve a given accuracy with a given confidence is overly pessimistic",
    above=0.0,
    each={"n": (3, 8)},
)
def _pessimistic(quick: bool, n: int) -> tuple[float, float]:
    """The algorithm learns with far fewer examples than theorem 1 asks for: decades
    between these and the least number with which at most a share delta = {_DELTA:g} of
    the runs has an error above eps = {_EPS:g}, n = {n}, four kinds of product laws.
    """
    runs = 80 if quick else 400
    return _needed(
        lambda rows: float(failures(n, _EPS, rows, runs).mean()),
        required_examples(n, _EPS, _DELTA),
    )


@PAPER.claim(
    "corollary1",
    "corollary 1",
    quote="The clipped Hebb rule PAC learns the class of binary perceptrons with zero",
    above=0.0,
)
def _corollary(quick: bool) -> tuple[float, float]:
    """So does the clipped Hebb rule under the uniform distribution: decades between the
    examples asked for and the least number that does, n = 3, eps = {_EPS:g}, delta =
    {_DELTA:g}.
    """
    table, runs = cells(3), 200 if quick else 1000

    def failed(rows: int) -> float:
        rng, count_of = np.random.default_rng([SEED, rows]), 0
        for _ in range(runs):
            weights = rng.choice([-1, 1], 3)
            times = rng.multinomial(rows, np.full(8, 1 / 8))
            counts = count(table.bits, table.labels(weights, 0), times)
            wrong = np.count_nonzero(clipped_hebb_weights(counts) != weights)
            count_of += bool(error(3, int(wrong)) > _EPS)
        return count_of / runs

    return _needed(failed, required_examples(3, _EPS, _DELTA))


@PAPER.erratum(
    "steps-2-3",
    "figure 1, steps 2 to 4",
    quote="This is the reason we require P(g = +1), P(g = -1) > rho",
    kind=Kind.GAP,
    formula=0.0,
    expect=1.0,
)
def _passed(quick: bool) -> Measurement:
    """Steps 2 and 3 compare estimates with eps/4. They accept cases that lemma 2 with
    rho = eps/2 does not cover. With the sharper gap 2 rho/n, rho = eps/4 is enough.

    Share of runs that pass steps 2 and 3 with P(g = +1) = 0.15, less than rho = 0.25 of
    step 4, n = 3, eps = 1/2, examples as prescribed.
    """
    rng, table, eps = np.random.default_rng(SEED), cells(3), 0.5
    labels = table.labels(np.ones(3, np.int64), 2)
    chances = table.chances(np.full(3, 0.15 ** (1 / 3)))
    examples, passed = required_examples(3, eps, eps), []
    high = (table.inputs == 1).astype(np.int64)
    for _ in range(20 if quick else 100):
        times = rng.multinomial(examples, chances)
        positive = times * (labels > 0)
        negative = times - positive
        counts = Counts(
            positive @ high, negative @ high, int(positive.sum()), int(negative.sum())
        )
        passed.append(float(influence_weights(counts, eps).constant == 0))
    return average(np.array(passed))


@PAPER.erratum(
    "proper",
    "section 3.1",
    quote="outputs, with probability at least 1 - delta, an hypothesis g' in G",
    kind=Kind.WORDING,
    formula=0.0,
    expect=1.0,
)
def _proper(quick: bool) -> Measurement:
    """Neglected and uninfluential variables have weight 0, as step 6 prints; such a
    hypothesis is not of the class G of weights +1 and -1. If a variable is
    left out, P(g = +1 | g' = +1) is a little less than 1 at the right threshold.

    Weights of the hypothesis that are neither +1 nor -1, n = 3, P(x = +1) = (0.001,
    0.5, 0.5), eps = 1/2, examples as prescribed.
    """
    rng, table, weights = np.random.default_rng(SEED), cells(3), np.ones(3, np.int64)
    chances = table.chances(np.array([1e-3, 0.5, 0.5]))
    examples, zeros = required_examples(3, 0.5, 0.5), []
    for _ in range(20 if quick else 100):
        times = rng.multinomial(examples, chances)
        found = learn(table.bits, table.labels(weights, 0), 0.5, times=times)
        zeros.append(np.count_nonzero(found.weights == 0))
    return average(np.array(zeros, dtype=np.float64))


def _printed_rewriting(problem: Problem) -> FloatArray:
    """Return the influence as section 4 prints it."""
    table = cells(problem.weights.size)
    chances = table.chances(problem.law)
    labels = table.labels(problem.weights, problem.threshold)
    positive, negative = (chances * (labels == label) for label in (1, -1))
    up, down = table.inputs == 1, table.inputs == -1
    given_positive = (positive @ up - positive @ down) / positive.sum()
    given_negative = (negative @ down, negative @ up) / negative.sum()
    return np.asarray(
        given_positive / (chances @ up)
        + given_negative[0] / (chances @ down)
        - given_negative[1] / (chances @ up)
    )


_MALICIOUS = Problem(np.ones(3, np.int64), 0, np.array([0.1, 0.9, 0.9]))


@PAPER.erratum(
    "section4",
    "section 4",
    quote="Inf(x_i) = P(x_i = +1|g = +1)/P(x_i = +1) - P(x_i = -1|g = +1)/P(x_i = +1) "
    "+ P(x_i = -1|g = -1)/P(x_i = -1) - P(x_i = +1|g = -1)/P(x_i = +1)",
    kind=Kind.MISPRINT,
    formula=lambda: float(_printed_rewriting(_MALICIOUS)[0]),
    expect=lambda: float(rewritten(_MALICIOUS)[0]),
    allow=(_ROUNDING, "sums of products of probabilities are rounded"),
)
def _rewriting() -> float:
    """The terms need the weights P(g), and P(x_i = -1) under P(x_i = -1 | g = +1): Inf
    = P(g = +1) [P(x_i = +1 | g = +1)/P(x_i = +1) - P(x_i = -1 | g = +1)/P(x_i = -1)] +
    P(g = -1) [P(x_i = -1 | g = -1)/P(x_i = -1) - P(x_i = +1 | g = -1)/P(x_i = +1)].

    Influence of the first of three variables, all weights +1, P(x = +1) = (0.1, 0.9,
    0.9), from its definition, eq. (2).
    """
    return float(_definition(_MALICIOUS)[0])
