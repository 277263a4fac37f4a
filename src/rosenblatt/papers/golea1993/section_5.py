"""Section 5.1: the clipped Hebb rule without noise, eqs. (14) to (29).

Limits are measured at n = 10 001, where what is left out is known and small.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from rosenblatt.bits import fields, pack
from rosenblatt.core.types import IntArray
from rosenblatt.papers.claims import Claim, Measurement
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


def _rate(quick: bool) -> Measurement:
    x, y = _fields(quick).T
    return average(1.0 * (x * y > 0))


def _moment(power: tuple[int, int], quick: bool) -> Measurement:
    x, y = _fields(quick).T / math.sqrt(_PAIR[0])
    return average(x ** power[0] * y ** power[1])


def _votes(quick: bool) -> Measurement:
    """Return the mean vote for a right weight: the sum of all votes is ``|Y|``."""
    bits = UniformBits(_VOTES).draw(20_000 if quick else 200_000, SEED)
    y = fields(bits, pack(target(_VOTES)[None]))[:, 0]
    return average(math.sqrt(math.pi * _VOTES / 2) * np.abs(y) / _VOTES)


def _right(quick: bool) -> Measurement:
    wrong = distances(51, (51,), 400 if quick else 4000)
    return average(1 - wrong[:, 0] / 51)


@functools.lru_cache(maxsize=2)
def _large(quick: bool) -> IntArray:
    found = distances(LARGE, (large_examples(2.0),), 12 if quick else 40)
    return np.asarray(found[:, 0])


_ALPHA = large_examples(2.0) / LARGE


def _variance(quick: bool) -> Measurement:
    dim = 1001
    overlaps = 1 - 2 * distances(dim, (dim,), 400 if quick else 2000)[:, 0] / dim
    mean = clipped_hebb.overlap(dim, dim).mean
    return average(dim * (overlaps - mean) ** 2)


def _any_target(quick: bool) -> Measurement:
    """Return the overlap with a target of weights -1 less that with weights +1."""
    samples = 1000 if quick else 5000
    minus, plus = (
        average(1 - 2 * distances(*_UNTIED, samples, positive=k)[:, 0] / _UNTIED[0])
        for k in (0, _UNTIED[0])
    )
    return Measurement(minus.value - plus.value, math.hypot(minus.stderr, plus.stderr))


_ANGLE = 1 - math.acos(1 - 2 * _PAIR[1] / _PAIR[0]) / math.pi

CLAIMS = (
    Claim(
        id="golea1993/eq16",
        where="eq. (16)",
        statement="The student's field has mean 0: in units of n^(1/2).",
        published=0.0,
        expected=0.0,
        measure=lambda quick: _moment((1, 0), quick),
        catches=0.05,
    ),
    Claim(
        id="golea1993/eq17",
        where="eq. (17)",
        statement="The student's field has variance n: in units of n.",
        published=1.0,
        expected=1.0,
        measure=lambda quick: _moment((2, 0), quick),
    ),
    Claim(
        id="golea1993/eq18",
        where="eq. (18)",
        statement="The covariance of the fields is n rho: in units of n, with 200 of "
        "1001 weights wrong.",
        published=1 - 2 * _PAIR[1] / _PAIR[0],
        expected=1 - 2 * _PAIR[1] / _PAIR[0],
        measure=lambda quick: _moment((1, 1), quick),
        catches=0.1,
    ),
    Claim(
        id="golea1993/eq19",
        where="eqs. (15) and (19)",
        statement="The generalization rate is 1 - arccos(rho)/pi: share of examples "
        "with X Y > 0, with 200 of 1001 weights wrong.",
        published=_ANGLE,
        expected=lambda quick: 1 - float(binary_error.error(*_PAIR)),
        measure=_rate,
        allowance=1 / _PAIR[0],
        because="eq. (19) is a limit; at finite n it is off by terms of order 1/n",
        catches=0.03,
    ),
    Claim(
        id="golea1993/eq24",
        where="eqs. (20) to (24)",
        statement="A weight is right if most of the examples vote for it: share of "
        "right weights at n = m = 51, P[Bin(m, q) > m/2].",
        expected=lambda quick: 1 - clipped_hebb.wrong(51, 51)[0],
        measure=_right,
        catches=0.03,
    ),
    Claim(
        id="golea1993/eq25",
        where="eq. (25)",
        statement="An example votes for a right weight with probability q = 1/2 + "
        "(2 pi n)^(-1/2): (2q - 1) (pi n/2)^(1/2) at n = 100.",
        published=1.0,
        expected=lambda quick: (
            clipped_hebb.bias(_VOTES) * math.sqrt(math.pi * _VOTES / 2)
        ),
        measure=_votes,
        allowance=1 / _VOTES,
        because="eq. (25) is the leading term; the next is of relative order 1/n",
    ),
    Claim(
        id="golea1993/eq28",
        where="eqs. (27) and (28)",
        statement="The mean overlap is erf (alpha/pi)^(1/2): at n = 10001, alpha = 2.",
        published=float(clipped_hebb.limit_overlap(_ALPHA)),
        expected=lambda quick: clipped_hebb.overlap(LARGE, large_examples(2.0)).mean,
        measure=lambda quick: average(1 - 2 * _large(quick) / LARGE),
        allowance=1 / LARGE,
        because="it is a limit; at finite n it is off by terms of order 1/n",
        catches=0.02,
    ),
    Claim(
        id="golea1993/eq29",
        where="eq. (29)",
        statement="The mean generalization rate is 1 - arccos(erf (alpha/pi)^(1/2))/pi:"
        " at n = 10001, alpha = 2.",
        published=1 - float(binary_error.limit_error(_ALPHA)),
        expected=lambda quick: 1 - binary_error.mean_error(LARGE, large_examples(2.0)),
        measure=lambda quick: average(1 - binary_error.error(LARGE, _large(quick))),
        allowance=2 / LARGE,
        because="it is a limit; at finite n it is off by terms of order 1/n",
        catches=0.01,
    ),
    Claim(
        id="golea1993/overlap-variance",
        where="text after eq. (19)",
        statement="The overlap becomes sharply peaked: n times its variance tends to "
        "1 - rho^2 - (4/pi^2) exp(-2 alpha/pi), at n = 1001, alpha = 1.",
        expected=float(clipped_hebb.limit_variance(1.0)),
        measure=_variance,
        allowance=1 / 1001,
        because="it is a limit; at finite n it is off by terms of order 1/n",
        catches=0.25,
    ),
    Claim(
        id="golea1993/any-target",
        where="text after eq. (29)",
        statement="The result does not depend on the target: mean overlap with a "
        "target of weights -1, less that with one of weights +1, n = m = 51.",
        expected=0.0,
        measure=_any_target,
        catches=0.03,
    ),
)
