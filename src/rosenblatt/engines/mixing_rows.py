r"""The loop through rows of :mod:`rosenblatt.engines.mixing`: predict, then learn.

Equations (1) and (2) are those of that module.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from rosenblatt.core import inlined, kernel
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.engines.filter_row import CODES, MATRIX, VECTOR

__all__ = ["AGE", "LOG_EVIDENCE", "MISTAKES", "PRECISION", "advance"]

AGE, LOG_EVIDENCE, MISTAKES = range(3)  # entries of the tally
PRECISION = 16.0  # a layer's weight has a prior standard deviation of 1/4
_FARTHEST = 300.0  # log-odds beyond this are as good as certain, and exp overflows
_LEAST = 1e-15  # a layer that called the label impossible may have been unlucky
_TINY = 1e-300  # probabilities have no smaller logarithm

_f = types.float64
_ODDS = types.Array(_f, 3, "C", readonly=True)


@inlined
def _softmax(logits: FloatArray, slope: float, p: FloatArray) -> None:
    """Write the probability of each class."""
    top = -math.inf
    for k in range(p.size):
        top = max(top, slope * logits[k])
    total = 0.0
    for k in range(p.size):
        p[k] = math.exp(slope * logits[k] - top)
        total += p[k]
    for k in range(p.size):
        p[k] /= total


@inlined
def _correct(
    logits: FloatArray,
    p: FloatArray,
    code: int,
    fade: float,
    a: FloatArray,
    evidence: FloatArray,
) -> None:
    """Learn one label, eq. (1), in a layer with one weight."""
    mean = told = 0.0
    for k in range(p.size):
        mean += p[k] * logits[k]
    for k in range(p.size):
        told += p[k] * (logits[k] - mean) ** 2
    evidence[0, 0] = fade * evidence[0, 0] + told
    a[0] += (logits[code] - mean) / (PRECISION + evidence[0, 0])


@inlined
def _correct_bent(
    o: float,
    p: FloatArray,
    code: int,
    fade: float,
    a: FloatArray,
    evidence: FloatArray,
) -> None:
    """Learn one label, eq. (1), in a layer of two classes with three weights.

    With features x of the second class the step is (code - p) x, and what is added
    to the evidence p (1 - p) x x^T. The equations are solved by elimination.
    """
    x = (o, 1.0, abs(o))
    told = p[0] * p[1]
    for i in range(3):
        for j in range(3):
            evidence[i, j] = fade * evidence[i, j] + told * x[i] * x[j]
    slope = p[0] if code == 1 else -p[1]
    first = PRECISION + evidence[0, 0]
    f1, f2 = evidence[1, 0] / first, evidence[2, 0] / first
    second = PRECISION + evidence[1, 1] - f1 * evidence[1, 0]
    rest = evidence[2, 1] - f2 * evidence[1, 0]
    g2 = rest / second
    third = PRECISION + evidence[2, 2] - f2 * evidence[2, 0] - g2 * rest
    r0 = slope * x[0]
    r1 = slope * x[1] - f1 * r0
    r2 = slope * x[2] - f2 * r0 - g2 * r1
    s2 = r2 / third
    s1 = r1 / second - g2 * s2
    a[0] += r0 / first - f1 * s1 - f2 * s2
    a[1] += s1
    a[2] += s2


@kernel(
    types.void,
    _ODDS,
    CODES,
    CODES,
    _f,
    MATRIX,
    _f[:, :, ::1],
    _f[:, :, :, ::1],
    VECTOR,
    MATRIX,
)
def advance(
    odds: FloatArray,
    codes: IntArray,
    times: IntArray,
    keep: float,
    weights: FloatArray,
    slopes: FloatArray,
    evidence: FloatArray,
    tally: FloatArray,
    shares: FloatArray,
) -> None:
    """Predict each row, and learn those that are presented."""
    filters, layers = weights.shape
    models, classes = odds.shape[2], shares.shape[1]
    logits, p = np.zeros(classes), np.empty(classes)
    for row in range(len(codes)):
        code, learned = codes[row], times[row] > 0
        age = tally[AGE]
        fade = age / (age + 1.0)
        mixed = shares[row]
        mixed[:] = 0.0
        total = 0.0
        for e in range(filters):
            for k in range(models):  # of two classes the first has the logit 0
                o = min(max(odds[e, row, k], -_FARTHEST), _FARTHEST)
                logits[classes - models + k] = o
            for n in range(layers):
                a, told = slopes[e, n], evidence[e, n]
                if n == 0:
                    _softmax(logits, a[0], p)
                else:
                    s = a[0] * o + a[1] + a[2] * abs(o)
                    small = math.exp(-abs(s))
                    p[0 if s > 0.0 else 1] = small / (1.0 + small)
                    p[1 if s > 0.0 else 0] = 1.0 / (1.0 + small)
                for k in range(classes):
                    mixed[k] += weights[e, n] * p[k]
                if learned:
                    weights[e, n] *= max(p[code], _LEAST)
                    total += weights[e, n]
                    if n == 0:
                        _correct(logits, p, code, fade, a, told)
                    else:
                        _correct_bent(o, p, code, fade, a, told)
        if not learned:
            continue
        share = 1.0 / (age + 2.0)
        for e in range(filters):
            for n in range(layers):
                weights[e, n] *= (1.0 - share) / total
                weights[e, n] += share / (filters * layers)
        tally[AGE] = keep * age + 1.0
        tally[LOG_EVIDENCE] += math.log(max(mixed[code], _TINY))
        for k in range(classes):  # a tie is a mistake too
            if k != code and mixed[k] >= mixed[code]:
                tally[MISTAKES] += 1.0
                break
