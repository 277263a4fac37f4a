r"""Learning from one label, shared by all Gaussian filters.

A filter believes that the field of a row is Gaussian, with mean h and variance a. The
variance of the label law is added to a: 0 for a step, 1 for the probit law. A label
gives the slope g and the curvature c by which every belief is updated, see
:mod:`rosenblatt.numerics.evidence`.
"""

from __future__ import annotations

import math

from rosenblatt.bayes.kernels.layout import (
    LABEL_ROOM,
    LABEL_WORK,
    LABELS,
    MODELS,
    NOISE,
    NUMBERS,
    SIZE,
    WIDTH,
)
from rosenblatt.bayes.label_law import (
    LOG_EVIDENCE,
    MISTAKES,
    STATISTICS,
    estimate,
    estimate_from_class,
)
from rosenblatt.bayes.standardisation import SMALLEST
from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.pointers import doubles_at, function_at, pointer_at, table_at
from rosenblatt.core.types import IntArray
from rosenblatt.numerics.evidence import (
    REACH,
    class_chances,
    class_evidence,
    evidence,
    ratio_and_density,
    tabulated,
)

__all__ = [
    "HUGE",
    "count_evidence",
    "learn_class",
    "learn_label",
    "learn_label_at",
    "log_odds",
]

HUGE = 1e300  # fields and squares above it are taken for infinite, as NaN is
# A product of probabilities becomes a logarithm when it is below this: one more factor,
# at least 1e-58 in the table, does not underflow.
_SMALL = 1e-200


@inlined
def log_odds(mean: float, variance: float, noise: float) -> float:
    """Return the log-odds of the label +1 against -1."""
    if not variance > 0.0:
        return 0.0
    u = mean / math.sqrt(variance)
    if abs(u) < REACH:
        small, _ = tabulated(-abs(u), noise)
        size = math.log((1.0 - small) / small)
        return size if u > 0.0 else -size
    positive = evidence(mean, variance, 1.0, noise)
    negative = evidence(mean, variance, -1.0, noise)
    return float(positive.log_probability - negative.log_probability)


@kernel(types.void, types.int64, types.int64, types.int64)
def learn_label(place: int, code: int, odds_place: int) -> None:
    """Predict one row of two classes, and learn its label unless ``code`` is negative.

    Field and variance are read from the work space of the state at ``place``, slope and
    curvature are written there. The logarithm of the odds of +1 is written to the
    address ``odds_place`` unless that is 0.
    """
    table = table_at(place, SIZE)
    work = pointer_at(table[LABEL_WORK], LABEL_ROOM + 1)
    noise = pointer_at(table[NOISE], 1)[0]
    mean = work[0]
    variance = work[1] + pointer_at(table[NUMBERS], WIDTH + 1)[WIDTH]
    # With a step, and nothing of the input left, the label tells nothing.
    # The root and the reciprocal do not wait for each other.
    reciprocal = 1.0 / variance if variance > SMALLEST else 0.0
    inverse = math.sqrt(variance) * reciprocal
    u = mean * inverse
    inside = abs(u) < REACH
    # Times L(|u|), the probabilities of the likelier label and of the other one.
    ratio, density = 1.0, 0.0
    if inside:
        square = mean * reciprocal * mean
        ratio, density = ratio_and_density(abs(u), square, noise)
    likely, unlikely = (1.0 - noise) * ratio - density, noise * ratio + density
    if odds_place != 0:
        if inside:
            size = math.log(likely / unlikely)
            pointer_at(odds_place, 1)[0] = size if u > 0.0 else -size
        else:
            pointer_at(odds_place, 1)[0] = log_odds(mean, variance, noise)
    if code < 0:
        return
    statistics = pointer_at(table[LABELS], STATISTICS)
    label = 2.0 * code - 1.0
    u *= label
    if inside:
        own = likely if u > 0.0 else unlikely
        factor = density * ratio / own
        work[2] = label * factor * inverse
        work[3] = factor * (u + factor) * reciprocal
        product = work[LABEL_ROOM] * (own / ratio)
        if product < _SMALL:
            statistics[LOG_EVIDENCE] += math.log(product)
            product = 1.0
        work[LABEL_ROOM] = product
    else:
        log_z, work[2], work[3] = evidence(mean, variance, label, noise)
        statistics[LOG_EVIDENCE] += log_z
    statistics[MISTAKES] += 1.0 if u <= 0.0 else 0.0
    estimate(u, statistics)


@kernel(types.void, types.int64, types.int64, types.int64)
def learn_class(place: int, code: int, odds_place: int) -> None:
    """Predict and learn one row of several classes, as :func:`learn_label` does.

    The logarithm of the probability of each class is written to ``odds_place``.
    """
    table = table_at(place, SIZE)
    models = table[MODELS]
    work = doubles_at(table[LABEL_WORK], LABEL_ROOM * models)
    fields, variances = work[:models], work[models : 2 * models]
    slopes, curvatures = work[2 * models : 3 * models], work[3 * models : 4 * models]
    chances = work[4 * models :].reshape(2, models)
    width = pointer_at(table[NUMBERS], WIDTH + 1)[WIDTH]
    noise = pointer_at(table[NOISE], 1)[0]
    class_chances(fields, variances, width, noise, chances)
    if odds_place != 0:
        odds = pointer_at(odds_place, models)
        for k in range(models):
            odds[k] = math.log(max(chances[1, k], SMALLEST))
    if code < 0:
        return
    class_evidence(variances, width, code, noise, chances, slopes, curvatures)
    mistake = 0.0
    for k in range(models):
        if k != code and chances[0, k] >= chances[0, code]:
            mistake = 1.0
    statistics = pointer_at(table[LABELS], models * STATISTICS)
    statistics[LOG_EVIDENCE] += math.log(max(chances[1, code], SMALLEST))
    statistics[MISTAKES] += mistake
    estimate_from_class(fields, variances, width, code, chances, statistics)
    for i in range(STATISTICS, models * STATISTICS):
        statistics[i] = statistics[i - STATISTICS]


@inlined
def count_evidence(table: IntArray) -> None:
    """Count the probabilities of the last labels as a logarithm."""
    last = table[MODELS] * LABEL_ROOM
    work = pointer_at(table[LABEL_WORK], last + 1)
    statistics = pointer_at(table[LABELS], STATISTICS)
    statistics[LOG_EVIDENCE] += math.log(work[last])
    work[last] = 1.0


learn_label_at = function_at(
    types.FunctionType(types.void(types.int64, types.int64, types.int64))
)
