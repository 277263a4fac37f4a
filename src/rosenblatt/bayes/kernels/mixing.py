"""The loop over rows of :mod:`rosenblatt.bayes.mixture`: predict, then learn.

Equations (1) and (2) are those of that module, and the record of rates is that of
:mod:`rosenblatt.bayes.forgetting`.
"""

from __future__ import annotations

import math

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.pointers import pointer_at, table_at
from rosenblatt.core.types import FloatArray, IntArray

__all__ = [
    "AGE",
    "CHANGES",
    "FARTHEST",
    "LAYERS",
    "LOG_EVIDENCE",
    "MISTAKES",
    "MOST_CHANGES",
    "MOST_POINTS",
    "POINTS",
    "PRECISION",
    "RATE",
    "REGIME",
    "ROWS",
    "SIZE",
    "STATISTICS",
    "STEP",
    "SUMMED",
    "learn_mixture",
]

# Entries of the statistics. The record of rates: rows so far, the sum of rates of rows
# that are not yet a point of the record and their number, rows in a point, points, the
# rate in force, and the number of changes that were noticed.
AGE, LOG_EVIDENCE, MISTAKES, ROWS, RATE, SUMMED, STEP, POINTS, REGIME = range(9)
CHANGES = 9
STATISTICS = 10
MOST_POINTS, MOST_CHANGES = 256, 64  # of the record, at most
_NOTICED = 0.99  # of the weight is with filters of another rate than the one in force
_FALSE = 0.05  # share of stationary streams in which a change may be noticed
LAYERS = 2  # of each filter: without offsets, and with them
PRECISION = 4.0  # slope and offsets have a prior standard deviation of 1/2
FARTHEST = 300.0  # log-odds beyond this are as good as certain, and exp overflows
_LEAST = 1e-15  # a layer that called the label impossible may have been unlucky
_TINY = 1e-300  # probabilities have no smaller logarithm
# Entries of the table of a mixture: addresses of its arrays, then sizes.
(
    _WEIGHTS,
    _SLOPES,
    _SLOPE_PRECISIONS,
    _OFFSETS,
    _OFFSET_PRECISIONS,
    _STATISTICS,
    _KEEP,
) = range(7)
_RATES, _RECORD, _CHANGED, _WORK, _FILTERS, _CLASSES = range(7, 13)
SIZE = 13


@inlined
def _probabilities(
    logits: FloatArray,
    slope: float,
    offsets: FloatArray,
    first: int,
    classes: int,
    p: FloatArray,
) -> None:
    """Write the probability of each class; offsets begin at ``first``, if not < 0."""
    top = -math.inf
    for k in range(classes):
        p[k] = slope * logits[k]
        if first >= 0:
            p[k] += offsets[first + k]
        top = max(top, p[k])
    total = 0.0
    for k in range(classes):
        p[k] = math.exp(p[k] - top) if p[k] < top else 1.0
        total += p[k]
    for k in range(classes):
        p[k] /= total


@inlined
def _change_regime(table: IntArray, sooner: bool) -> None:
    """Let the rate of the heaviest layer be in force, and note a faster one.

    A half-life that is longer than the stream so far is not noted.
    """
    layers = table[_FILTERS] * LAYERS
    weights = pointer_at(table[_WEIGHTS], layers)
    rates = pointer_at(table[_RATES], table[_FILTERS])
    statistics = pointer_at(table[_STATISTICS], STATISTICS)
    changed = pointer_at(table[_CHANGED], 2 * MOST_CHANGES)
    heaviest = 0
    for layer in range(layers):
        if weights[layer] > weights[heaviest]:
            heaviest = layer
    statistics[REGIME] = rates[heaviest // LAYERS]
    if not sooner or statistics[REGIME] * statistics[ROWS] < 1.0:
        return
    number = int(statistics[CHANGES])
    if number >= MOST_CHANGES:
        number = MOST_CHANGES - 1
        for i in range(2 * number):
            changed[i] = changed[i + 2]
    changed[2 * number] = statistics[ROWS]
    changed[2 * number + 1] = statistics[REGIME]
    statistics[CHANGES] = number + 1.0


@inlined
def _add_point(statistics: FloatArray, record: FloatArray) -> None:
    """Add the mean rate of the last rows; of too many points pairs become one."""
    points = int(statistics[POINTS])
    record[points] = statistics[RATE] / statistics[SUMMED]
    points += 1
    if points == MOST_POINTS:
        points //= 2
        statistics[STEP] *= 2.0
        for i in range(points):
            record[i] = 0.5 * (record[2 * i] + record[2 * i + 1])
    statistics[POINTS] = points
    statistics[RATE] = statistics[SUMMED] = 0.0


@inlined
def _of_two(
    o: float,
    code: int,
    layer: int,
    fade: float,
    slopes: FloatArray,
    slope_precisions: FloatArray,
    offsets: FloatArray,
    offset_precisions: FloatArray,
) -> tuple[float, float]:
    """Return the chances of two classes, and learn the code by eq. (1).

    One exponential is enough, and offsets differ in their sign only. A code below 0 is
    not learned.
    """
    own = (layer // LAYERS) * 2
    x = slopes[layer] * o
    if layer % LAYERS:
        x += offsets[own + 1] - offsets[own]
    small = math.exp(-abs(x))
    large = 1.0 / (1.0 + small)
    small *= large
    other, p = (small, large) if x > 0.0 else (large, small)
    if code < 0:
        return other, p
    both = large * small
    precision = fade * slope_precisions[layer] + both * o * o
    wrong = other if code == 1 else -p
    slope_precisions[layer] = precision
    slopes[layer] += wrong * o / (PRECISION + precision)
    if layer % LAYERS:
        precision = fade * offset_precisions[own] + 2.0 * both
        step = wrong / (PRECISION + precision)
        offset_precisions[own] = offset_precisions[own + 1] = precision
        offsets[own] -= step
        offsets[own + 1] += step
    return other, p


@kernel(
    types.void,
    types.Array(types.float64, 3, "C", readonly=True),
    types.Array(types.int64, 1, "C", readonly=True),
    types.Array(types.int64, 1, "C", readonly=True),
    types.float64[:, ::1],
    types.int64,
)
def learn_mixture(
    odds: FloatArray,
    codes: IntArray,
    times: IntArray,
    probabilities: FloatArray,
    place: int,
) -> None:
    """Write the probabilities of each row, and learn rows whose ``times`` are above 0.

    Without ``times`` no row is learned.
    """
    table = table_at(place, SIZE)
    filters, classes = table[_FILTERS], table[_CLASSES]
    layers, models = filters * LAYERS, odds.shape[2]
    weights = pointer_at(table[_WEIGHTS], layers)
    slopes = pointer_at(table[_SLOPES], layers)
    slope_precisions = pointer_at(table[_SLOPE_PRECISIONS], layers)
    offsets = pointer_at(table[_OFFSETS], filters * classes)
    offset_precisions = pointer_at(table[_OFFSET_PRECISIONS], filters * classes)
    statistics = pointer_at(table[_STATISTICS], STATISTICS)
    rates = pointer_at(table[_RATES], filters)
    keep = pointer_at(table[_KEEP], 1)[0]
    logits = pointer_at(table[_WORK], 2 * classes)
    p = pointer_at(table[_WORK] + 8 * classes, classes)
    logits[0] = 0.0
    age = statistics[AGE]
    for row in range(len(probabilities)):
        learned = times.size > 0 and times[row] > 0
        code = codes[row] if learned else -1
        fade, total = age / (age + 1.0), 0.0
        for k in range(classes):
            probabilities[row, k] = 0.0
        for layer in range(layers if classes == 2 else 0):
            o = min(max(odds[layer // LAYERS, row, 0], -FARTHEST), FARTHEST)
            other, chance = _of_two(
                o,
                code,
                layer,
                fade,
                slopes,
                slope_precisions,
                offsets,
                offset_precisions,
            )
            probabilities[row, 1] += weights[layer] * chance
            probabilities[row, 0] += weights[layer] * other
            if learned:
                weights[layer] *= max(chance if code == 1 else other, _LEAST)
                total += weights[layer]
        for layer in range(layers if classes > 2 else 0):
            e = layer // LAYERS
            own = e * classes
            first = own if layer % LAYERS else -1
            if first < 0:
                for k in range(models):  # of two classes the first has the logit 0
                    o = min(max(odds[e, row, k], -FARTHEST), FARTHEST)
                    logits[classes - models + k] = o
            _probabilities(logits, slopes[layer], offsets, first, classes, p)
            for k in range(classes):
                probabilities[row, k] += weights[layer] * p[k]
            if not learned:
                continue
            weights[layer] *= max(p[code], _LEAST)
            total += weights[layer]
            mean = news = 0.0
            for k in range(classes):
                mean += p[k] * logits[k]
            for k in range(classes):
                news += p[k] * (logits[k] - mean) ** 2
            slope_precisions[layer] = fade * slope_precisions[layer] + news  # eq. (1)
            slopes[layer] += (logits[code] - mean) / (
                PRECISION + slope_precisions[layer]
            )
            if first >= 0:
                for k in range(classes):
                    precision = fade * offset_precisions[own + k] + 2.0 * p[k] * (
                        1.0 - p[k]
                    )
                    right = 1.0 if k == code else 0.0
                    offset_precisions[own + k] = precision
                    offsets[own + k] += (right - p[k]) / (PRECISION + precision)
        if not learned:
            continue
        share = 1.0 / (age + 2.0)  # eq. (2)
        rate = faster = slower = 0.0
        for layer in range(layers):
            weights[layer] *= (1.0 - share) / total
            weights[layer] += share / layers
            own_rate = rates[layer // LAYERS]
            rate += weights[layer] * own_rate
            faster += weights[layer] if own_rate > statistics[REGIME] else 0.0
            slower += weights[layer] if own_rate < statistics[REGIME] else 0.0
        age = keep * age + 1.0
        if slower > _NOTICED or (
            faster > _NOTICED
            and _FALSE * faster > (1.0 - faster) * math.log(statistics[ROWS] + 2.0) ** 2
        ):
            _change_regime(table, faster > slower)
        statistics[ROWS] += 1.0
        statistics[RATE] += rate
        statistics[SUMMED] += 1.0
        if statistics[SUMMED] >= statistics[STEP]:
            _add_point(statistics, pointer_at(table[_RECORD], MOST_POINTS))
        statistics[LOG_EVIDENCE] += math.log(max(probabilities[row, code], _TINY))
        for k in range(classes):  # a tie is a mistake too
            if k != code and probabilities[row, k] >= probabilities[row, code]:
                statistics[MISTAKES] += 1.0
                break
    statistics[AGE] = age
