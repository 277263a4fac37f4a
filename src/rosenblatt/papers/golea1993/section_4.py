r"""Section 4: the algorithm of figure 1 becomes the clipped Hebb rule.

With :math:`\sum` over the examples, the estimated influence has the sign of
:math:`m \sum g x_i - \sum g \sum x_i`, the clipped Hebb rule that of
:math:`\sum g x_i`. With uniform inputs and no threshold the second term is of order
:math:`m`, the first of order :math:`m^{3/2}`. So the rules differ in a share of the
weights that falls as :math:`m^{-1/2}`.
"""

from __future__ import annotations

import functools

import numpy as np

from rosenblatt.bits import count
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.counting import (
    clipped_hebb_weights,
    influence_weights,
    required_examples,
)
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import allow, claim, expect
from rosenblatt.papers.estimates import average, power_law
from rosenblatt.papers.golea1993.lemmas import Problem, problems
from rosenblatt.papers.golea1993.samples import SEED, cells, drawn, target
from rosenblatt.streams import UniformBits
from rosenblatt.theory.closed.binary_error import error
from rosenblatt.theory.closed.influences import influences

__all__ = ["CLAIMS", "rewritten"]

_DIMS = (51, 201, 801)  # at alpha = 2


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


@claim("golea1993/section4/rewriting", "section 4, first equation")
@expect(0.0, catches=1e-6)
@allow(1e-10, "conditions have probabilities down to 0.001: rounding")
def _identity(quick: bool) -> Measurement:
    """An influence can be written with P(x_i | g), weighted by P(g), over P(x_i):
    largest difference to eq. (6).
    """
    worst = max(
        np.abs(rewritten(p) - influences(*p).influence).max() for p in problems(quick)
    )
    return Measurement(float(worst), 0.0)


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


@claim("golea1993/eq11", "eq. (11)")
@expect(0.0, catches=0.005)
def _difference(quick: bool) -> Measurement:
    """With uniform inputs and no threshold signs of influences and the clipped Hebb
    rule learn the same: difference of mean overlaps, n = 201, alpha = 2.
    """
    influence, hebb = _students(_DIMS[1], quick)
    return average(2 * (hebb.sum(axis=1) - influence.sum(axis=1)) / _DIMS[1])


@claim("golea1993/eq11/share", "eq. (11)")
@expect(-0.5, catches=0.25)
def _unlike(quick: bool) -> Measurement:
    """The share of weights in which the two differ falls as m^(-1/2): its power from n
    = 51 to 801 at alpha = 2.
    """
    shares = [np.mean(a != b, axis=1) for a, b in (_students(n, quick) for n in _DIMS)]
    return power_law(np.array(_DIMS, dtype=float), np.array(shares).T)


@claim("golea1993/corollary1", "corollary 1")
# it catches delta
@expect(0.0, catches=0.05)
def _corollary(quick: bool) -> Measurement:
    """The clipped Hebb rule learns with the examples that theorem 1 asks for, n = 3,
    eps = 0.1, delta = 0.05: share of errors above eps, at most delta. None is expected.

    An error above 1/10 is a wrong weight.
    """
    rng, table, failed = np.random.default_rng(SEED), cells(3), []
    examples = required_examples(3, 0.1, 0.05)
    for _ in range(50 if quick else 200):
        weights = rng.choice([-1, 1], 3)
        times = rng.multinomial(examples, np.full(8, 1 / 8))
        counts = count(table.bits, table.labels(weights, 0), times)
        wrong = np.count_nonzero(clipped_hebb_weights(counts) != weights)
        failed.append(float(error(3, wrong) > 0.1))
    return average(np.array(failed))


@claim("golea1993/eq11/algorithm", "eq. (11)")
@expect(0.0, catches=0.01)
def _zeros(quick: bool) -> Measurement:
    """With examples enough step 6 of the algorithm is eq. (11): share of weights that
    differ, n = 21, eps = 0.1, 20001 examples.
    """
    influence_rule, dim, truth = [], 21, target(21)
    for sample in range(20 if quick else 200):
        bits, labels = drawn(UniformBits(dim), truth, 20_001, sample)
        counts = count(bits, labels)
        learned = influence_weights(counts, 0.1).values
        influence_rule.append(np.mean(learned != clipped_hebb_weights(counts)))
    return average(np.array(influence_rule))


CLAIMS = (_identity, _difference, _unlike, _zeros, _corollary)
