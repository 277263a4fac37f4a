"""Section 8, last sentence: cases in which the perceptron rule does not converge.

Without a separating vector the rule never ends, since weights that make no error are
one. In whole numbers it runs into a cycle: the lecture asks for a simple case, and two
equal inputs with different labels are the simplest.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.core.figures import TableData
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import claim, expect, table
from rosenblatt.papers.seung2002.problems import SEED
from rosenblatt.separation import perceptron_cycle, separability

__all__ = ["CLAIMS", "table_cycles"]

_XOR = (np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), [-1, 1, 1, -1])
_CONFLICT = (np.array([[1.0], [1.0]]), [1, -1])
_LINE = (np.array([[1.0], [2.0], [3.0]]), [1, -1, 1])


def _errors(case: tuple[FloatArray, list[int]], intercept: bool) -> Measurement:
    cycle = perceptron_cycle(*case, fit_intercept=intercept)
    if cycle is None:
        return Measurement(math.nan, 0.0)
    return Measurement(cycle.errors / cycle.passes, 0.0)


@claim("seung2002/cycle/always", "section 8, last sentence")
@expect(1.0, catches=0.01)
def _cycles(quick: bool) -> Measurement:
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
    return Measurement(float(np.mean(ended)), 0.0)


@table("seung2002/cycles", "section 8, last sentence")
def table_cycles(*, quick: bool) -> TableData:
    """List the cycles of the rule on three sets that it cannot learn."""
    cells = []
    for name, case, intercept in (
        ("one input, both labels", _CONFLICT, False),
        ("exclusive or", _XOR, True),
        ("three points on a line", _LINE, True),
    ):
        cycle = perceptron_cycle(*case, fit_intercept=intercept)
        assert cycle is not None  # whole numbers: see rosenblatt.separation.cycles
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


@claim("seung2002/cycle/conflict", "section 8, last sentence")
@expect(2.0, catches=0.5)
def _conflict(quick: bool) -> Measurement:
    """A simple case that does not converge: one input with both labels. Errors per pass
    of its cycle.
    """
    return _errors(_CONFLICT, False)


@claim("seung2002/cycle/xor", "section 8, last sentence")
@expect(4.0, catches=0.5)
def _xor(quick: bool) -> Measurement:
    """Exclusive or, with a constant input: errors per pass of its cycle."""
    return _errors(_XOR, True)


CLAIMS = (_conflict, _xor, _cycles)
