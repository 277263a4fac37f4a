r"""Mistakes in section 5: even numbers of inputs, and of examples.

The text takes n odd "without loss of generality" and then shows simulations at n = 50,
100 and 500. Its formulas fail there, its results do not: with the label -1 for ties,
eq. (14) is right for all n, eq. (15) is not, and :math:`q(n) = q(n + 1)` for even n,
where the first line of eq. (25) has 1/2, from which nothing could be learned.

With an even number of examples the votes may be tied. Eq. (11) then has -1, which is
right if the target's weight is: :math:`w^t_i\, \mathrm{sgn}(\cdot) =
\mathrm{sgn}(w^t_i\, \cdot)`, by which eq. (22) follows, is not true for ties.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import binom

from rosenblatt.core.types import IntArray
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import Evidence, erratum
from rosenblatt.papers.estimates import average
from rosenblatt.papers.golea1993.samples import distances, pair_fields
from rosenblatt.theory.closed import binary_error, clipped_hebb

__all__ = ["ERRATA"]

_DIM, _WRONG = 50, 5


def _fields(quick: bool) -> IntArray:
    """Return the fields of a student and its target, a row per example."""
    return pair_fields(_DIM, _WRONG, 10_000 if quick else 100_000)


@erratum("golea1993/erratum/eq15", "eq. (15)")
def _even_rate(quick: bool) -> Evidence:
    """Printed: G = P[X Y > 0], with n odd without loss of generality (figures 2 and 3
    have n = 50, 100, 500).

    Correct: G = P[X Y > 0] + P[X, Y <= 0 and X Y = 0]: both are -1 for ties.
    """
    x, y = _fields(quick).T
    return Evidence(
        quantity="generalization rate, n = 50, five weights wrong: share of examples "
        "(printed: of those with X Y > 0)",
        printed=average(1.0 * (x * y > 0)),
        expected=Measurement(1 - float(binary_error.error(_DIM, _WRONG)), 0.0),
        measured=average(1.0 * ((x > 0) == (y > 0))),
    )


@erratum("golea1993/erratum/eq25", "eqs. (23) and (25), n even")
def _even_votes(quick: bool) -> Evidence:
    """Printed: a vote is right if the others, times its own sign, add up to more than
    -1, which for even n has probability 1/2.

    Correct: ties have the label -1, whatever the vote: q(n) = q(n + 1).
    """
    _, y = _fields(quick).T
    # The first line of eq. (25): the others' sum, an odd number, is above -1.
    printed = binom.sf((_DIM - 2) // 2, _DIM - 1, 0.5)
    return Evidence(
        quantity="q, n = 50: share of an example's votes for right weights",
        printed=Measurement(float(printed), 0.0),
        expected=Measurement((1 + clipped_hebb.bias(_DIM)) / 2, 0.0),
        # the label times the target's field is the sum of all votes
        measured=average((1 + np.abs(y) / _DIM) / 2),
    )


@erratum("golea1993/erratum/eq22", "eqs. (22) and (24), m even")
def _ties(quick: bool) -> Evidence:
    """Printed: a weight is right if the sum of its votes is above 0.

    Correct: if it is above 0, or 0 and the target's weight is -1.
    """
    dim, examples = 51, 50
    plus, minus = clipped_hebb.wrong(dim, examples)
    found = distances(dim, (examples,), 400 if quick else 2000, positive=0)
    return Evidence(
        quantity="share of right weights if the target's are all -1, n = 51, m = 50",
        printed=Measurement(1 - plus, 0.0),
        expected=Measurement(1 - minus, 0.0),
        measured=average(1 - found[:, 0] / dim),
    )


ERRATA = (_even_rate, _even_votes, _ties)
