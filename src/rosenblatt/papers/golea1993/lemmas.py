r"""Section 3.2: eq. (6) and the three lemmas, checked on random perceptrons and laws.

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
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import allow, claim, expect, no_exceptions
from rosenblatt.papers.golea1993.samples import SEED, cells
from rosenblatt.theory.closed.influences import disagreement, influences

__all__ = ["CLAIMS", "Problem", "problems"]

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


@claim("golea1993/eq6", "eq. (6)")
@expect(0.0, catches=1e-6)
@allow(100 * _ROUNDING, "conditions have probabilities down to 0.001: rounding")
def _eq6(quick: bool) -> Measurement:
    """An influence is twice the probability that the other variables add up to theta or
    theta + 1: largest difference to its definition.
    """
    worst = max(
        np.abs(_definition(p) - influences(*p).influence).max() for p in problems(quick)
    )
    return Measurement(float(worst), 0.0)


def _count(violations: list[bool]) -> Measurement:
    return Measurement(float(sum(violations)), 0.0)


@claim("golea1993/lemma1", "lemma 1")
@no_exceptions
def _lemma_1(quick: bool) -> Measurement:
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
            found.append(lost > min(p, 1 - p) * (1 + _ROUNDING))
    return _count(found)


@functools.lru_cache(maxsize=2)
def _gaps(quick: bool) -> FloatArray:
    """Return n times the influence, with the sign of the weight, over 2 rho."""
    found = []
    for weights, threshold, law in problems(quick):
        positive, influence, _ = influences(weights, threshold, law)
        rho = min(positive, 1 - positive)
        found += (weights.size * weights * influence / (2 * rho)).tolist()
    return np.array(found)


@claim("golea1993/lemma2", "lemma 2")
@no_exceptions
def _lemma_2(quick: bool) -> Measurement:
    """Influences have the sign of the weight and exceed rho/(n + 1): number of
    exceptions.
    """
    sizes = np.repeat(*np.array([(p.weights.size,) * 2 for p in problems(quick)]).T)
    # in these units the lemma's gap is n / 2(n+1)
    return _count((_gaps(quick) <= sizes / (2 * (sizes + 1))).tolist())


@claim("golea1993/lemma2/sharper", "lemma 2")
@no_exceptions
def _sharper(quick: bool) -> Measurement:
    """Influences are at least 2 rho/n in size, more than twice what lemma 2 says:
    number of exceptions.
    """
    return _count((_gaps(quick) < 1 - _ROUNDING).tolist())


@claim("golea1993/lemma3", "lemma 3")
@no_exceptions
def _lemma_3(quick: bool) -> Measurement:
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
            found.append(lost > 1 - precision + _ROUNDING)
            # the exact form, and that the search ends at the target's at the latest
            found.append(abs(lost - wider * (1 - precision)) > _ROUNDING)
            found.append(r == threshold and precision != 1)
    return _count(found)


CLAIMS = (_eq6, _lemma_1, _lemma_2, _sharper, _lemma_3)
