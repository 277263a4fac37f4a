"""Section 5.1: the clipped Hebb rule without noise, eqs. (14) to (29).

Limits are measured at n = 10 001, where what is left out is known and small.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from rosenblatt.bits import fields, pack
from rosenblatt.core.types import IntArray
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import allow, claim, expect
from rosenblatt.papers.estimates import average
from rosenblatt.papers.golea1993.samples import SEED, distances, pair_fields, target
from rosenblatt.streams import UniformBits
from rosenblatt.theory.closed import binary_error, clipped_hebb

__all__ = ["CLAIMS", "LARGE", "large_examples"]

LARGE = 10_001  # n of the limits
_PAIR = (1001, 200)  # n and number of wrong weights of eqs. (14) to (19)
_VOTES = 100  # n of eq. (25), even as in the figures
_UNTIED = (51, (51,))  # n and an odd m: votes are never tied


def large_examples(alpha: float) -> int:
    """Return an odd number of examples at the n of the limits: no tie matters."""
    return int(alpha * LARGE) // 2 * 2 + 1


@functools.lru_cache(maxsize=2)
def _fields(quick: bool) -> IntArray:
    """Return X and Y of eqs. (12) and (13), a row per example."""
    return pair_fields(*_PAIR, 20_000 if quick else 200_000)


def _moment(power: tuple[int, int], quick: bool) -> Measurement:
    x, y = _fields(quick).T / math.sqrt(_PAIR[0])
    return average(x ** power[0] * y ** power[1])


@claim("golea1993/eq25", "eq. (25)", published=1.0)
@expect(lambda quick: clipped_hebb.bias(_VOTES) * math.sqrt(math.pi * _VOTES / 2))
@allow(1 / _VOTES, "eq. (25) is the leading term; the next is of relative order 1/n")
def _votes(quick: bool) -> Measurement:
    """An example votes for a right weight with probability q = 1/2 + (2 pi n)^(-1/2):
    (2q - 1) (pi n/2)^(1/2) at n = 100.

    The sum of all votes is ``|Y|``.
    """
    bits = UniformBits(_VOTES).draw(20_000 if quick else 200_000, SEED)
    y = fields(bits, pack(target(_VOTES)[None]))[:, 0]
    return average(math.sqrt(math.pi * _VOTES / 2) * np.abs(y) / _VOTES)


@claim("golea1993/eq24", "eqs. (20) to (24)")
@expect(lambda quick: 1 - clipped_hebb.wrong(51, 51)[0], catches=0.03)
def _right(quick: bool) -> Measurement:
    """A weight is right if most of the examples vote for it: share of right weights at
    n = m = 51, P[Bin(m, q) > m/2].
    """
    wrong = distances(51, (51,), 400 if quick else 4000)
    return average(1 - wrong[:, 0] / 51)


@functools.lru_cache(maxsize=2)
def _large(quick: bool) -> IntArray:
    found = distances(LARGE, (large_examples(2.0),), 12 if quick else 40)
    return np.asarray(found[:, 0])


_ALPHA = large_examples(2.0) / LARGE


@claim("golea1993/overlap-variance", "text after eq. (19)")
@expect(float(clipped_hebb.limit_variance(1.0)), catches=0.2)
@allow(1 / 1001, "it is a limit; at finite n it is off by terms of order 1/n")
def _variance(quick: bool) -> Measurement:
    """The overlap becomes sharply peaked: n times its variance tends to 1 - rho^2 -
    (4/pi^2) exp(-2 alpha/pi), at n = 1001, alpha = 1.
    """
    dim = 1001
    overlaps = 1 - 2 * distances(dim, (dim,), 400 if quick else 2000)[:, 0] / dim
    mean = clipped_hebb.overlap(dim, dim).mean
    return average(dim * (overlaps - mean) ** 2)


@claim("golea1993/any-target", "text after eq. (29)")
@expect(0.0, catches=0.03)
def _any_target(quick: bool) -> Measurement:
    """The result does not depend on the target: mean overlap with a target of weights
    -1, less that with one of weights +1, n = m = 51.
    """
    samples = 1000 if quick else 5000
    minus, plus = (
        average(1 - 2 * distances(*_UNTIED, samples, positive=k)[:, 0] / _UNTIED[0])
        for k in (0, _UNTIED[0])
    )
    return Measurement(minus.value - plus.value, math.hypot(minus.stderr, plus.stderr))


_ANGLE = 1 - math.acos(1 - 2 * _PAIR[1] / _PAIR[0]) / math.pi


@claim("golea1993/eq16", "eq. (16)", published=0.0)
@expect(0.0, catches=0.05)
def _eq16(quick: bool) -> Measurement:
    """The student's field has mean 0: in units of n^(1/2)."""
    return _moment((1, 0), quick)


@claim("golea1993/eq17", "eq. (17)", published=1.0)
@expect(1.0)
def _eq17(quick: bool) -> Measurement:
    """The student's field has variance n: in units of n."""
    return _moment((2, 0), quick)


@claim("golea1993/eq18", "eq. (18)", published=1 - 2 * _PAIR[1] / _PAIR[0])
@expect(1 - 2 * _PAIR[1] / _PAIR[0], catches=0.1)
def _eq18(quick: bool) -> Measurement:
    """The covariance of the fields is n rho: in units of n, with 200 of 1001 weights
    wrong.
    """
    return _moment((1, 1), quick)


@claim("golea1993/eq19", "eqs. (15) and (19)", published=_ANGLE)
@expect(lambda quick: 1 - float(binary_error.error(*_PAIR)), catches=0.03)
@allow(1 / _PAIR[0], "eq. (19) is a limit; at finite n it is off by terms of order 1/n")
def _rate(quick: bool) -> Measurement:
    """The generalization rate is 1 - arccos(rho)/pi: share of examples with X Y > 0,
    with 200 of 1001 weights wrong.
    """
    x, y = _fields(quick).T
    return average(1.0 * (x * y > 0))


@claim(
    "golea1993/eq28",
    "eqs. (27) and (28)",
    published=float(clipped_hebb.limit_overlap(_ALPHA)),
)
@expect(
    lambda quick: clipped_hebb.overlap(LARGE, large_examples(2.0)).mean, catches=0.02
)
@allow(1 / LARGE, "it is a limit; at finite n it is off by terms of order 1/n")
def _eq28(quick: bool) -> Measurement:
    """The mean overlap is erf (alpha/pi)^(1/2): at n = 10001, alpha = 2."""
    return average(1 - 2 * _large(quick) / LARGE)


@claim(
    "golea1993/eq29", "eq. (29)", published=1 - float(binary_error.limit_error(_ALPHA))
)
@expect(
    lambda quick: 1 - binary_error.mean_error(LARGE, large_examples(2.0)), catches=0.01
)
@allow(2 / LARGE, "it is a limit; at finite n it is off by terms of order 1/n")
def _eq29(quick: bool) -> Measurement:
    """The mean generalization rate is 1 - arccos(erf (alpha/pi)^(1/2))/pi: at n =
    10001, alpha = 2.
    """
    return average(1 - binary_error.error(LARGE, _large(quick)))


CLAIMS = (
    _eq16,
    _eq17,
    _eq18,
    _rate,
    _right,
    _votes,
    _eq28,
    _eq29,
    _variance,
    _any_target,
)
