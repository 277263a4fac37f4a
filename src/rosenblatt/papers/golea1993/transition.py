r"""Section 5.1, end: the transition of consistent rules to perfect generalization.

All :math:`2^n` students are listed, and those that agree with all of :math:`m = \alpha
n` examples are counted. The mean number of those that are not the target is known
exactly, with the error :math:`\epsilon(n, D)` of a student with D wrong weights:

.. math:: \sum_{D=1}^n \binom nD [1 - \epsilon(n, D)]^m.   \tag{1}

It grows with n at :math:`\alpha = 1` and falls at :math:`\alpha = 2`. Somewhere between
the two is the transition, for which the paper gives no number.
"""

from __future__ import annotations

import functools

import numpy as np
from scipy.special import comb

from rosenblatt.bits import count, fields
from rosenblatt.core.types import FloatArray
from rosenblatt.counting import clipped_hebb_weights
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.papers.estimates import average
from rosenblatt.papers.golea1993.samples import cells, drawn, target
from rosenblatt.streams import UniformBits
from rosenblatt.theory.closed import binary_error

__all__ = ["CLAIMS", "wrong_students"]

_DIM = 11
_ALPHAS = (1, 2)  # before the transition and after


def wrong_students(n: int, examples: int) -> float:
    """Return eq. (1).

    Examples
    --------
    >>> [round(wrong_students(n, n), 2) for n in (11, 13, 15)]
    [5.87, 8.41, 11.86]
    >>> [round(wrong_students(n, 2 * n), 3) for n in (11, 13, 15)]
    [0.144, 0.133, 0.12]
    """
    wrong = np.arange(1, n + 1)
    return float(comb(n, wrong) @ (1 - binary_error.error(n, wrong)) ** examples)


@functools.lru_cache(maxsize=2)
def _samples(quick: bool) -> tuple[FloatArray, FloatArray]:
    """Return numbers of wrong consistent students, and whether the Hebb rule is right.

    Each sample has a row, and each alpha a column.
    """
    truth, students, stream = target(_DIM), cells(_DIM).bits, UniformBits(_DIM)
    others, right = [], []
    for sample in range(1000 if quick else 5000):
        bits, labels = drawn(stream, truth, _DIM * _ALPHAS[-1], sample)
        agree = (fields(bits, students) > 0) == (labels > 0)[:, None]
        sizes = [_DIM * alpha for alpha in _ALPHAS]
        others.append([agree[:m].all(axis=0).sum() - 1 for m in sizes])
        hebb = [clipped_hebb_weights(count(bits[:m], labels[:m])) for m in sizes]
        right.append([(weights == truth).all() for weights in hebb])
    return np.array(others, dtype=np.float64), np.array(right, dtype=np.float64)


def _consistent(k: int, catches: float) -> Claim:
    alpha = _ALPHAS[k]

    @claim(f"golea1993/transition/alpha{alpha}", "section 5.1, end")
    @expect(lambda quick: wrong_students(_DIM, alpha * _DIM), catches=catches)
    @fill(examples=alpha * _DIM, dim=_DIM, alpha=alpha, change=("grows", "falls")[k])
    def measure(quick: bool) -> Measurement:
        """Consistent rules have a transition to perfect generalization: wrong students
        that agree with all {examples} examples, mean number at n = {dim}, alpha =
        {alpha}. Expected from their errors; with n it {change}.
        """
        return average(_samples(quick)[0][:, k])

    return measure


@claim("golea1993/transition/lost", "section 5.1, end")
@expect(0.5, catches=0.5)
@allow(0.5, "the paper says better and slightly, and no number: any gain will do")
@fill(dim=_DIM)
def _lost(quick: bool) -> Measurement:
    """The clipped Hebb rule has no transition and needs more examples. Share of samples
    in which the target is the only consistent student, less that in which this rule
    finds it, n = {dim}, alpha = 2. Above 0 by 5 standard errors: the difference less
    these.
    """
    others, right = (columns[:, -1] for columns in _samples(quick))
    found = average((others == 0) - right)
    return Measurement(found.value - 5 * found.stderr, 0.0)


CLAIMS = (_consistent(0, 1.5), _consistent(1, 0.1), _lost)
