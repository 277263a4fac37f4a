"""Section 5.1, end: students of uniform examples, tested under other laws."""

from __future__ import annotations

import functools

import numpy as np

from rosenblatt.bits import count, fields, pack
from rosenblatt.core.types import FloatArray
from rosenblatt.counting import clipped_hebb_weights
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.papers.estimates import average
from rosenblatt.papers.golea1993.samples import SEED, TWO_MOMENTS, drawn, target
from rosenblatt.streams import ProductBits, UniformBits
from rosenblatt.theory.closed import binary_error, clipped_hebb
from rosenblatt.theory.closed.influences import disagreement

__all__ = ["CLAIMS"]

_DIM = 101
_MANY = 20_001  # examples, of which half are enough for all weights
_TESTED = (101, 505, 0.55)  # n, m and P(x = +1) of the test
_TESTS = 1000  # examples that each student is tested on


def _expected_test(quick: bool) -> float:
    dim, rows, chance = _TESTED
    law = binary_error.distances(dim, *clipped_hebb.distance(dim, rows))
    total = 0.0
    for wrong in np.flatnonzero(law > 1e-9).tolist():
        student = target(dim, dim - wrong)
        total += law[wrong] * disagreement(np.ones(dim), student, chances=chance)
    return total


# Laws on which students of uniform examples are tested; half of the weights are -1. Of
# chances from 0.1 to 0.9 both halves get all kinds (37 is no divisor of 101), or else
# almost all labels would be the same.
_MIXED = np.linspace(0.1, 0.9, _DIM)[37 * np.arange(_DIM) % _DIM]
_EXTREME = np.full(_DIM, 0.999)  # hardly any input but one, next to the boundary


@functools.lru_cache(maxsize=8)
def _transferred(
    extreme: bool, rows: int, quick: bool
) -> tuple[FloatArray, FloatArray]:
    """Return errors of students of uniform examples on a law: exact, and counted."""
    law = _EXTREME if extreme else _MIXED
    stream, truth, uniform = ProductBits(tuple(law)), target(_DIM), UniformBits(_DIM)
    exact, counted = [], []
    for sample in range(50 if quick else 200):
        student = clipped_hebb_weights(count(*drawn(uniform, truth, rows, sample)))
        exact.append(disagreement(truth, student, chances=law))
        test = stream.draw(_TESTS, SEED, first=sample * _TESTS)
        label, guess = (fields(test, pack(np.stack([truth, student]))) > 0).T
        counted.append(float(np.mean(guess != label)))
    return np.array(exact), np.array(counted)


def _counted(extreme: bool, rows: int, quick: bool) -> Measurement:
    """Return the mean error in the test; the students are given, the test is chance."""
    exact, counted = _transferred(extreme, rows, quick)
    return Measurement(float(counted.mean()), average(counted - exact).stderr)


def _transfer_claim(name: str, statement: str, extreme: bool, catches: float) -> Claim:
    @claim(f"golea1993/other-law/{name}", "section 5.1, end")
    @expect(
        lambda quick: float(_transferred(extreme, _TESTED[1], quick)[0].mean()),
        catches=catches,
    )
    @fill(statement=statement)
    def measure(quick: bool) -> Measurement:
        """{statement}, n = 101, m = 505, half of the weights -1."""
        return _counted(extreme, _TESTED[1], quick)

    return measure


@claim("golea1993/other-law", "section 5.1, end")
@expect(_expected_test, catches=0.03)
@allow(1 / _TESTED[0] ** 2, TWO_MOMENTS)
def _tested(quick: bool) -> Measurement:
    """A student of uniform examples does well on other laws: error with P(x = +1) =
    0.55 in the test, n = 101, m = 505, all weights +1.
    """
    dim, rows, chance = _TESTED
    truth, errors = target(dim, dim), []
    stream = ProductBits((chance,) * dim)
    for sample in range(100 if quick else 500):
        counts = count(*drawn(UniformBits(dim), truth, rows, sample))
        both = np.stack([truth, clipped_hebb_weights(counts)])
        test = stream.draw(_TESTS, SEED, first=sample * _TESTS)
        label, guess = (fields(test, pack(both)) > 0).T
        errors.append(float(np.mean(guess != label)))
    return average(np.array(errors))


@claim("golea1993/other-law/perfect", "section 5.1, end")
@expect(0.0, catches=0.01)
def _perfect(quick: bool) -> Measurement:
    """With all weights right no law matters: error on the unreasonable law after 10001
    uniform examples, n = 101.
    """
    return _counted(True, _MANY // 2 + 1, quick)


CLAIMS = (
    _tested,
    _transfer_claim(
        "mixed",
        "So it does where each input has a chance of its own, from 0.1 to 0.9: error in"
        " the test",
        extreme=False,
        catches=0.02,
    ),
    _transfer_claim(
        "extreme",
        "On an unreasonable law, P(x = +1) = 0.999, it does badly, worse than a "
        "constant, whose error is 0.05: error in the test",
        extreme=True,
        catches=0.02,
    ),
    _perfect,
)
