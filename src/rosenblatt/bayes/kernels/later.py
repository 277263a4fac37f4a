"""Loops of :mod:`rosenblatt.bayes.horizon`: renew copies, and score rows by them."""

from __future__ import annotations

import math

from rosenblatt.bayes.kernels.mixing import (
    AGE,
    CHANGES,
    FARTHEST,
    LAYERS,
    MOST_CHANGES,
    STATISTICS,
)
from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.pointers import (
    doubles_at,
    function_at,
    pointer_at,
    table_at,
    wholes_at,
)
from rosenblatt.core.types import FloatArray, IntArray

__all__ = [
    "BINS",
    "COUNTERS",
    "EVERY",
    "GAP",
    "LEARNED",
    "LOG_LOSS",
    "LOST",
    "MOST_SAMPLES",
    "RENEWED",
    "SAMPLED",
    "SAMPLES",
    "SCORED",
    "SIZE",
    "choose_rows",
    "follow",
    "renew",
    "rows_until_due",
    "rows_until_due_in_kernels",
    "score",
    "write_weights",
]

# Entries of the counters: the number of rows when the copies were made, and until the
# next ones; samples of these rows, and how many of them were scored; the weight of all
# scores; the given horizon, or 0; rows, mistakes and log-loss of copies so far.
RENEWED, GAP, SAMPLES, SAMPLED, SCORED, EVERY, LEARNED, LOST, LOG_LOSS = range(9)
COUNTERS = 9
MOST_SAMPLES = 64  # between renewals
BINS = 128  # of log-odds, for the area under the ROC curve
_WIDTH = 0.125  # of a bin; the first and the last one have all that is beyond
_GROWTH = 10  # copies are renewed when the number of rows has grown by one part of it
# The first copies are renewed when rows have doubled, then after so many rows at least:
# to renew them takes the time of some rows.
_FIRST, _FEWEST = 8, 64
_SPARSE = 4  # of so many rows at most one is sampled
_MOST = 64.0  # scores count as so many rows, see the module of the equations
_LEAST = 1e-15  # a copy that called a label impossible may have been unlucky
_CHECKED = 256  # rows between renewals from which a change is looked for halfway
# Entries of the table: addresses, then sizes; then the kernel and the table of each
# filter's copy; then each array of a filter, and its size. Copies of these arrays are
# one after another.
(
    _COPIES,
    _SCORES,
    _WEIGHTS,
    _SLOPES,
    _COUNTERS,
    _ROWS,
    _HISTOGRAM,
    _WORK,
    _LAYER_SLOPES,
    _STATISTICS,
    _CHANGES,
    _ROOM,
    _CODES,
    _KEEP,
    _RATES,
    _RENEW,
    _SCORE,
    _FILTERS,
    _CLASSES,
    _ARRAYS,
) = range(20)
SIZE = 20
_rows = types.Array(types.float64, 2, "C", readonly=True)
_codes = types.Array(types.int64, 1, "C", readonly=True)
_odds = types.Array(types.float64, 3, "C", readonly=True)
_filter_at = function_at(
    types.FunctionType(
        types.int64(_rows, _codes, _codes, types.float64[:, ::1], types.int64)
    )
)
_renew_at = function_at(types.FunctionType(types.void(types.int64, types.int64)))
_score_at = function_at(types.FunctionType(types.void(_odds, _codes, types.int64)))


def rows_until_due(renewed: float, gap: float, clock: int) -> int:
    """Return the number of rows up to the next renewal, or to a look for a change.

    Examples
    --------
    >>> rows_until_due(1000.0, 100.0, 1000), rows_until_due(10000.0, 1000.0, 10000)
    (100, 500)
    """
    half = int(renewed) + int(gap) // 2
    if gap >= _CHECKED and clock < half:
        return half - clock
    return int(renewed + gap) - clock


rows_until_due_in_kernels = inlined(rows_until_due)


def choose_rows(clock: int, age: float, counters: FloatArray, rows: FloatArray) -> None:
    """Write when copies made now are renewed, and the rows until then to score.

    One row of each of some equal parts is scored. Its place in the part looks random,
    so that no cycle of the stream is hit, and depends on the clock only.
    """
    gap = max(_FIRST, min(int(age), _FEWEST), int(age) // _GROWTH)
    if counters[EVERY] > 0.0:
        gap = int(counters[EVERY])
    samples = min(MOST_SAMPLES, max(gap // _SPARSE, 1))
    for i in range(samples):
        first, last = gap * i // samples, gap * (i + 1) // samples
        mixed = (clock * 2654435761 + i * 40503 + 12345) & 0xFFFFFFFF
        for _ in range(2):  # steps of xorshift
            mixed ^= (mixed << 13) & 0xFFFFFFFF
            mixed ^= mixed >> 17
            mixed ^= (mixed << 5) & 0xFFFFFFFF
        rows[i] = clock + first + int((last - first) * (mixed / 4294967296.0))
    counters[RENEWED], counters[GAP] = clock, gap
    counters[SAMPLES], counters[SAMPLED] = samples, 0.0


_choose_rows = inlined(choose_rows)


@inlined
def _write_weights(
    scores: FloatArray,
    counters: FloatArray,
    rates: FloatArray,
    age: float,
    filters: int,
    weights: FloatArray,
) -> None:
    """Write eq. (1) of the module of the equations."""
    ahead, count = age / _GROWTH, min(_MOST, 0.5 * age)
    if counters[EVERY] > 0.0:
        ahead, count = counters[EVERY], 0.5 * age / counters[EVERY]
    top = -math.inf
    for e in range(filters):
        weights[e] = -math.log(2.0) * ahead * rates[e]
        if counters[SCORED] > 0.0:
            weights[e] += count * scores[e] / counters[SCORED]
        top = max(top, weights[e])
    total = 0.0
    for e in range(filters):
        weights[e] = math.exp(weights[e] - top)
        total += weights[e]
    for e in range(filters):
        weights[e] /= total


@kernel(types.void, types.int64, types.float64[::1])
def write_weights(place: int, weights: FloatArray) -> None:
    """Write the weight of each filter for rows whose labels will not be seen."""
    table = table_at(place, SIZE)
    filters = table[_FILTERS]
    _write_weights(
        pointer_at(table[_SCORES], filters),
        pointer_at(table[_COUNTERS], COUNTERS),
        pointer_at(table[_RATES], filters),
        pointer_at(table[_STATISTICS], STATISTICS)[AGE],
        filters,
        weights,
    )


@kernel(types.void, types.int64, types.int64)
def renew(place: int, clock: int) -> None:
    """Copy what predictions need of all filters, and choose the rows to score."""
    table = table_at(place, SIZE)
    filters, arrays = table[_FILTERS], table[_ARRAYS]
    scores = pointer_at(table[_SCORES], filters)
    weights = pointer_at(table[_WEIGHTS], filters)
    counters = pointer_at(table[_COUNTERS], COUNTERS)
    rows = pointer_at(table[_ROWS], MOST_SAMPLES)
    age = pointer_at(table[_STATISTICS], STATISTICS)[AGE]
    keep = pointer_at(table[_KEEP], 1)[0] ** (clock - counters[RENEWED])
    counters[SCORED] *= keep
    for e in range(filters):
        scores[e] *= keep
    _write_weights(
        scores, counters, pointer_at(table[_RATES], filters), age, filters, weights
    )
    slopes = pointer_at(table[_SLOPES], filters)
    layers = pointer_at(table[_LAYER_SLOPES], filters * LAYERS)
    for e in range(filters):
        slopes[e] = layers[e * LAYERS]
    own = table_at(place + 8 * (SIZE + 2 * filters), 2 * arrays)
    at = table[_COPIES]
    for i in range(arrays):
        size = own[2 * i + 1]
        source, target = pointer_at(own[2 * i], size), pointer_at(at, size)
        for j in range(size):
            target[j] = source[j]
        at += 8 * size
    _choose_rows(clock, age, counters, rows)


@kernel(types.void, _odds, _codes, types.int64)
def score(odds: FloatArray, codes: IntArray, place: int) -> None:
    """Score rows by the log-odds that copies give to them."""
    table = table_at(place, SIZE)
    filters, classes = table[_FILTERS], table[_CLASSES]
    models = odds.shape[2]
    scores = pointer_at(table[_SCORES], filters)
    weights = pointer_at(table[_WEIGHTS], filters)
    slopes = pointer_at(table[_SLOPES], filters)
    counters = pointer_at(table[_COUNTERS], COUNTERS)
    histogram = pointer_at(table[_HISTOGRAM], 2 * BINS)
    mixed = pointer_at(table[_WORK], classes)
    p = pointer_at(table[_WORK] + 8 * classes, classes)
    stands_for = counters[GAP] / counters[SAMPLES]  # rows for each one that is scored
    for row in range(codes.size):
        code = codes[row]
        for k in range(classes):
            mixed[k] = 0.0
        for e in range(filters):
            top = 0.0 if models < classes else -math.inf
            p[0] = 0.0  # the logit of the first of two classes
            for k in range(models):
                o = min(max(odds[e, row, k], -FARTHEST), FARTHEST)
                p[classes - models + k] = slopes[e] * o
                top = max(top, slopes[e] * o)
            total = 0.0
            for k in range(classes):
                p[k] = math.exp(p[k] - top)
                total += p[k]
            for k in range(classes):
                mixed[k] += weights[e] * p[k] / total
            scores[e] += stands_for * math.log(max(p[code] / total, _LEAST))
        counters[SCORED] += stands_for
        counters[LEARNED] += stands_for
        counters[LOG_LOSS] -= stands_for * math.log(max(mixed[code], _LEAST))
        for k in range(classes):  # a tie is a mistake too
            if k != code and mixed[k] >= mixed[code]:
                counters[LOST] += stands_for
                break
        if classes == 2:
            high = math.log(max(mixed[1], _LEAST) / max(mixed[0], _LEAST))
            bin_ = math.floor(high / _WIDTH) + BINS // 2
            histogram[code * BINS + min(max(bin_, 0), BINS - 1)] += stands_for
    counters[SAMPLED] += codes.size


@kernel(types.void, _rows, _codes, types.int64, types.int64)
def follow(X: FloatArray, codes: IntArray, clock: int, place: int) -> None:
    """Score some rows, which were learned, and renew copies if it is time.

    ``clock`` is the number of rows before these, which are due at their end at most.
    """
    table = table_at(place, SIZE)
    filters, classes = table[_FILTERS], table[_CLASSES]
    counters = pointer_at(table[_COUNTERS], COUNTERS)
    rows = pointer_at(table[_ROWS], MOST_SAMPLES)
    models = classes if classes > 2 else 1
    due = rows_until_due_in_kernels(counters[RENEWED], counters[GAP], clock)
    first = int(counters[SAMPLED])
    last = first
    while last < counters[SAMPLES] and rows[last] < clock + len(X):
        last += 1
    if last > first:
        number, columns = last - first, X.shape[1]
        room = doubles_at(table[_ROOM], MOST_SAMPLES * (columns + filters * models))
        shown = room[: number * columns].reshape(number, columns)
        odds = room[number * columns : number * (columns + filters * models)]
        each = odds.reshape(filters, number, models)
        chosen = wholes_at(table[_CODES], MOST_SAMPLES)[:number]
        never = wholes_at(table[_CODES] + 8 * MOST_SAMPLES, MOST_SAMPLES)[:number]
        for i in range(number):
            at = int(rows[first + i]) - clock
            chosen[i] = codes[at]
            for j in range(columns):
                shown[i, j] = X[at, j]
        calls = table_at(place + 8 * SIZE, 2 * filters)
        for e in range(filters):
            predict = _filter_at(calls[2 * e])
            predict(shown, never, never, each[e], calls[2 * e + 1])
        _score_at(table[_SCORE])(each, chosen, place)
    if len(X) >= due:
        changes = int(pointer_at(table[_STATISTICS], STATISTICS)[CHANGES])
        noticed = pointer_at(table[_CHANGES], 2 * MOST_CHANGES)
        changed = changes > 0 and noticed[2 * changes - 2] >= counters[RENEWED]
        if changed or clock + due >= counters[RENEWED] + counters[GAP]:
            _renew_at(table[_RENEW])(place, clock + due)
