r"""The loop through rows of :mod:`rosenblatt.filters.mixture`: predict, then learn.

Equations (1) and (2) are those of that module.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.filters.row import CODES, MATRIX, VECTOR

__all__ = ["AGE", "LAYERS", "LOG_EVIDENCE", "MISTAKES", "PRECISION", "advance"]

AGE, LOG_EVIDENCE, MISTAKES = range(3)  # entries of the tally
LAYERS = 2  # of each filter: without offsets, and with them
PRECISION = 4.0  # slope and offsets have a prior standard deviation of 1/2
_FARTHEST = 300.0  # log-odds beyond this are as good as certain, and exp overflows
_LEAST = 1e-15  # a layer that called the label impossible may have been unlucky
_TINY = 1e-300  # probabilities have no smaller logarithm

_f = types.float64
_ODDS = types.Array(_f, 3, "C", readonly=True)


@inlined
def _softmax(
    logits: FloatArray, slope: float, offsets: FloatArray, p: FloatArray
) -> None:
    """Write the probability of each class; there may be no offsets."""
    top = -math.inf
    for k in range(p.size):
        p[k] = slope * logits[k]
        if offsets.size:
            p[k] += offsets[k]
        top = max(top, p[k])
    total = 0.0
    for k in range(p.size):
        p[k] = math.exp(p[k] - top)
        total += p[k]
    for k in range(p.size):
        p[k] /= total


@inlined
def _correct_slope(
    logits: FloatArray, p: FloatArray, code: int, fade: float, told: float
) -> tuple[float, float]:
    """Return the step of a slope by one label, eq. (1), and what is told of it."""
    mean = news = 0.0
    for k in range(p.size):
        mean += p[k] * logits[k]
    for k in range(p.size):
        news += p[k] * (logits[k] - mean) ** 2
    told = fade * told + news
    return (logits[code] - mean) / (PRECISION + told), told


@inlined
def _correct_offsets(
    p: FloatArray, code: int, fade: float, offsets: FloatArray, told: FloatArray
) -> None:
    """Learn the offsets by one label, eq. (1)."""
    for k in range(p.size):
        told[k] = fade * told[k] + 2.0 * p[k] * (1.0 - p[k])
        offsets[k] += ((1.0 if k == code else 0.0) - p[k]) / (PRECISION + told[k])


@kernel(
    types.void,
    _ODDS,
    CODES,
    CODES,
    _f,
    MATRIX,
    MATRIX,
    MATRIX,
    MATRIX,
    MATRIX,
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
    slopes_told: FloatArray,
    offsets: FloatArray,
    offsets_told: FloatArray,
    tally: FloatArray,
    shares: FloatArray,
) -> None:
    """Predict each row, and learn those that are presented."""
    filters = len(weights)
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
            for n in range(LAYERS):
                _softmax(logits, slopes[e, n], offsets[e, : n * classes], p)
                for k in range(classes):
                    mixed[k] += weights[e, n] * p[k]
                if learned:
                    weights[e, n] *= max(p[code], _LEAST)
                    total += weights[e, n]
                    step, slopes_told[e, n] = _correct_slope(
                        logits, p, code, fade, slopes_told[e, n]
                    )
                    slopes[e, n] += step
                    if n > 0:
                        _correct_offsets(p, code, fade, offsets[e], offsets_told[e])
        if not learned:
            continue
        share = 1.0 / (age + 2.0)
        for e in range(filters):
            for n in range(LAYERS):
                weights[e, n] *= (1.0 - share) / total
                weights[e, n] += share / (filters * LAYERS)
        tally[AGE] = keep * age + 1.0
        tally[LOG_EVIDENCE] += math.log(max(mixed[code], _TINY))
        for k in range(classes):  # a tie is a mistake too
            if k != code and mixed[k] >= mixed[code]:
                tally[MISTAKES] += 1.0
                break
