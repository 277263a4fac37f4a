r"""Calibration layers on the log-odds of several filters, and the mixture of them all.

A layer has a slope a, and offsets b of the classes, which are zero in one of a filter's
two layers. From the log-odds :math:`o_k` of class k (of two classes the first has 0) it
makes probabilities :math:`p_k \propto \exp(a o_k + b_k)`. With prior mean a = 1, b = 0,
prior precision :math:`\Lambda_0`, :math:`\bar o` the mean under p, and y the class,

.. math::
    \Lambda_a \leftarrow \frac{t}{t + 1} \Lambda_a + \sum_k p_k (o_k - \bar o)^2, \qquad
    & a \leftarrow a + \frac{o_y - \bar o}{\Lambda_0 + \Lambda_a},   \\
    \Lambda_k \leftarrow \frac{t}{t + 1} \Lambda_k + 2 p_k (1 - p_k), \qquad
    & b_k \leftarrow b_k + \frac{\delta_{ky} - p_k}{\Lambda_0 + \Lambda_k}.   \tag{1}

The factor 2 is the sum of a row of the Hessian without signs. The offsets of the other
classes move too, and no step is too long.

What a layer corrects changes while its filter learns; row s of t counts s / t. The
prediction is the mean of all E layers with weights that follow their evidence,

.. math::
    w_e \leftarrow \Big(1 - \frac{1}{t + 2}\Big) \frac{w_e p_{e y}}{\sum w p_{\cdot y}}
      + \frac{1}{t + 2} \frac{1}{E},   \tag{2}

so that what was worse may become better. This is the fixed share of
:cite:t:`herbster1998`, with a share that falls with time. Against any sequence of
layers that changes n times in T rows, the logarithmic loss of the mixture is larger by
at most

.. math:: (n + 1) (\ln E + \ln T),   \tag{3}

for each change has at least the prior probability :math:`1 / (E T)`, the first layer
has 1 / E, and no change at all has at least :math:`\prod_t (1 - 1/(t + 2)) = 1 / T`.
With a half-life t counts what is not forgotten, and stops growing.

Filters differ in how fast they forget. The mixture keeps a record of the mean rate, for
:mod:`rosenblatt.bayes.experts`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.bayes.layout import Record
from rosenblatt.compiling import inlined, kernel
from rosenblatt.compiling.pointers import (
    array_address,
    pointer_at,
    pointer_to,
    structure,
    table_of,
)
from rosenblatt.compiling.types import (
    Matrix,
    Pointer,
    ReadMatrix,
    ReadVector,
    ReadWholes,
    Tensor,
)
from rosenblatt.core.schema import Array, Number, Relation, Schema, record
from rosenblatt.core.types import FloatArray, IntArray

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
_NONE = np.zeros(0, np.int64), np.zeros(0)
_TOGETHER = 1024  # rows that are predicted at once, in the second cache
_SLACK = 1e-6  # of a sum of weights that is 1 but for rounding
_LARGEST = 700.0  # exp is still finite


class _Arrays(NamedTuple):
    """Arrays and sizes of a mixture, from a table of addresses, and then of sizes."""

    weights: Pointer
    slopes: Pointer
    slope_precisions: Pointer
    offsets: Pointer
    offset_precisions: Pointer
    statistics: Pointer
    rates: Pointer
    record: Pointer
    changes: Pointer
    keep: Pointer
    work: int  # an address
    filters: int
    classes: int


_arrays_at = structure(_Arrays)


@inlined
def _probabilities(
    logits: FloatArray,
    slope: float,
    offsets: FloatArray,
    first: int,
    classes: int,
    p: FloatArray,
) -> None:
    """Write the probability of each class; a negative ``first`` means no offsets."""
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
def _to_power(chance: float, power: float) -> float:
    """Return a probability of a label, not too small, to a power."""
    likely = max(chance, _LEAST)
    return likely if power == 1.0 else likely**power


@inlined
def _change_regime(
    weights: FloatArray,
    rates: FloatArray,
    filters: int,
    layers: int,
    statistics: FloatArray,
    changed: FloatArray,
    sooner: bool,
) -> None:
    """Let the rate of the heaviest layer be in force, and note a faster one.

    A half-life that is longer than the stream so far is not noted.
    """
    heaviest = 0
    for layer in range(filters * layers):
        if weights[layer] > weights[heaviest]:
            heaviest = layer
    statistics[REGIME] = rates[heaviest // layers]
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
def note_rates(
    weights: FloatArray,
    rates: FloatArray,
    filters: int,
    layers: int,
    statistics: FloatArray,
    record: FloatArray,
    changed: FloatArray,
) -> None:
    """Count a row, and note how fast the mixture of all layers forgets."""
    rate = faster = slower = 0.0
    for layer in range(filters * layers):
        own = rates[layer // layers]
        rate += weights[layer] * own
        faster += weights[layer] if own > statistics[REGIME] else 0.0
        slower += weights[layer] if own < statistics[REGIME] else 0.0
    if slower > _NOTICED or (
        faster > _NOTICED
        and _FALSE * faster > (1.0 - faster) * math.log(statistics[ROWS] + 2.0) ** 2
    ):
        _change_regime(
            weights, rates, filters, layers, statistics, changed, faster > slower
        )
    statistics[ROWS] += 1.0
    statistics[RATE] += rate
    statistics[SUMMED] += 1.0
    if statistics[SUMMED] >= statistics[STEP]:
        _add_point(statistics, record)


@inlined
def _of_two(
    o: float, code: int, power: float, layer: int, fade: float, arrays: _Arrays
) -> tuple[float, float]:
    """Return the chances of two classes, and learn the code by eq. (1).

    One exponential is enough, and offsets differ in their sign only. A code below 0 is
    not learned.
    """
    slopes, slope_precisions = arrays.slopes, arrays.slope_precisions
    offsets, offset_precisions = arrays.offsets, arrays.offset_precisions
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
    both = power * large * small
    precision = fade * slope_precisions[layer] + both * o * o
    wrong = power * (other if code == 1 else -p)
    slope_precisions[layer] = precision
    slopes[layer] += wrong * o / (PRECISION + precision)
    if layer % LAYERS:
        precision = fade * offset_precisions[own] + 2.0 * both
        step = wrong / (PRECISION + precision)
        offset_precisions[own] = offset_precisions[own + 1] = precision
        offsets[own] -= step
        offsets[own + 1] += step
    return other, p


@kernel()
def learn_mixture(
    odds: Tensor,
    codes: ReadWholes,
    times: ReadVector,
    probabilities: Matrix,
    place: int,
) -> None:
    """Write the probabilities of each row, and learn rows whose ``times`` are above 0.

    ``times`` are powers of the likelihood, up to 1. Without them no row is learned.
    """
    arrays = _arrays_at(place)
    weights, slopes, slope_precisions = arrays[:3]
    offsets, offset_precisions, statistics, rates = arrays[3:7]
    keep, classes, models = arrays.keep[0], arrays.classes, odds.shape[2]
    layers = arrays.filters * LAYERS
    logits = pointer_at(arrays.work, 2 * classes)
    p = pointer_at(arrays.work + 8 * classes, classes)
    logits[0] = 0.0
    age = statistics[AGE]
    for row in range(len(probabilities)):
        learned = times.size > 0 and times[row] > 0
        code = codes[row] if learned else -1
        power = times[row] if learned else 1.0
        twice = 2.0 * power
        fade, total = age / (age + 1.0), 0.0
        for k in range(classes):
            probabilities[row, k] = 0.0
        for layer in range(layers if classes == 2 else 0):
            o = min(max(odds[layer // LAYERS, row, 0], -FARTHEST), FARTHEST)
            other, chance = _of_two(o, code, power, layer, fade, arrays)
            probabilities[row, 1] += weights[layer] * chance
            probabilities[row, 0] += weights[layer] * other
            if learned:
                weights[layer] *= _to_power(chance if code == 1 else other, power)
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
            weights[layer] *= _to_power(p[code], power)
            total += weights[layer]
            mean = news = 0.0
            for k in range(classes):
                mean += p[k] * logits[k]
            for k in range(classes):
                news += p[k] * (logits[k] - mean) ** 2
            if power != 1.0:  # a product here would be fused with the sum
                news *= power
            precision = fade * slope_precisions[layer] + news  # eq. (1)
            slope_precisions[layer] = precision
            slopes[layer] += power * (logits[code] - mean) / (PRECISION + precision)
            if first >= 0:
                for k in range(classes):
                    news = twice * p[k] * (1.0 - p[k])
                    precision = fade * offset_precisions[own + k] + news
                    right = 1.0 if k == code else 0.0
                    offset_precisions[own + k] = precision
                    offsets[own + k] += power * (right - p[k]) / (PRECISION + precision)
        if not learned:
            continue
        share = 1.0 / (age + 2.0)  # eq. (2)
        for layer in range(layers):
            weights[layer] *= (1.0 - share) / total
            weights[layer] += share / layers
        age = keep * age + 1.0
        note_rates(
            weights, rates, arrays.filters, LAYERS, statistics, arrays.record,
            arrays.changes
        )  # fmt: skip
        chance = max(probabilities[row, code], _TINY)
        statistics[LOG_EVIDENCE] += power * math.log(chance)
        for k in range(classes):  # a tie is a mistake too
            if k != code and probabilities[row, k] >= probabilities[row, code]:
                statistics[MISTAKES] += 1.0
                break
    statistics[AGE] = age


@kernel()
def _write_exponents(
    odds: ReadMatrix,
    slopes: ReadVector,
    offsets: ReadVector,
    first: int,
    exponents: Matrix,
) -> None:
    """Write the log-odds of the first class by each layer, from row ``first``.

    ``odds`` are those of the second class, of shape (filters, rows).
    """
    layers, some = exponents.shape
    o, result = pointer_to(odds), pointer_to(exponents)
    for layer in range(layers):
        slope, offset = slopes[layer], offsets[layer]
        at = layer // LAYERS * odds.shape[1] + first
        for row in range(some):
            x = min(max(o[at + row], -FARTHEST), FARTHEST)
            x = -slope * x - offset
            result[layer * some + row] = min(max(x, -_LARGEST), _LARGEST)


@kernel()
def _mix_layers(
    odds: Matrix, weights: ReadVector, first: int, room: Matrix, probabilities: Matrix
) -> None:
    """Write the mixed probabilities of two classes, from row ``first``.

    ``odds`` are those of the first class, of shape (layers, rows); ``room`` is for both
    probabilities of as many rows.
    """
    layers, some = odds.shape
    o, sums = pointer_to(odds), pointer_to(room)
    for i in range(2 * some):
        sums[i] = 0.0
    for layer in range(layers):
        weight = weights[layer]
        for row in range(some):
            other = o[layer * some + row]
            chance = weight / (1.0 + other)
            sums[row] += other * chance
            sums[some + row] += chance
    for row in range(some):
        probabilities[first + row, 0] = sums[row]
        probabilities[first + row, 1] = sums[some + row]


def _has_room(statistics: FloatArray) -> bool:
    """Return whether the counters of the record are possible: kernels trust them."""
    counters = statistics[ROWS:]
    return bool(
        (counters >= 0.0).all()
        and statistics[STEP] >= 1.0
        and statistics[POINTS] < MOST_POINTS
        and statistics[CHANGES] <= MOST_CHANGES
    )


POSSIBLE_RECORD = Relation(
    "a record with room for one more point, and changes that fit",
    lambda own, _: _has_room(own.statistics),
    values=True,
)
MIXTURE = Schema(
    "mixture",
    {
        "weights": Array((("filters", LAYERS),), low=0.0, high=1.0),
        "slopes": Array((("filters", LAYERS),)),
        "slope_precisions": Array((("filters", LAYERS),), low=0.0),
        "offsets": Array((("filters", "classes"),)),
        "offset_precisions": Array((("filters", "classes"),), low=0.0),
        "statistics": Array(((STATISTICS,),)),
        "keep": Number(low=0.0, high=1.0),
        "rates": Array((("filters",),), low=0.0),
        "record": Array(((MOST_POINTS,),), low=0.0),
        "changes": Array(((MOST_CHANGES, 2),), low=0.0),
    },
    (
        Relation(
            "weights whose sum is 1",
            lambda mixture, _: abs(mixture.weights.sum() - 1.0) < _SLACK,
            values=True,
        ),
        Relation(
            "an age and a number of mistakes at least 0",
            lambda mixture, _: bool((mixture.statistics[[AGE, MISTAKES]] >= 0.0).all()),
            values=True,
        ),
        POSSIBLE_RECORD,
    ),
)


@record(MIXTURE)
@dataclass
class Mixture(Record):
    """State of the layers and of their mixture."""

    weights: FloatArray  # (filters, layers), sum 1
    slopes: FloatArray  # a, (filters, layers)
    slope_precisions: FloatArray  # Lambda_a
    offsets: FloatArray  # b of the second layers, (filters, classes)
    offset_precisions: FloatArray  # Lambda_k
    statistics: FloatArray  # t, log evidence and mistakes of the mixed predictions
    keep: float  # what is left of t after one more row
    rates: FloatArray  # of forgetting, 1 / half-life, of each filter; 0 for none
    record: FloatArray  # mean rates of some rows each
    changes: FloatArray  # rows at which changes were noticed, and the rates since
    _table: tuple[Any, Any] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Check types and shapes, which kernels trust."""
        MIXTURE.check(self, values=False)

    @property
    def address(self) -> int:
        """The address of a table of addresses and sizes, for the kernel."""
        if self._table is None:
            self.make_writable()
            arrays = [getattr(self, name) for name in _Arrays._fields[:9]]
            arrays += [np.array([self.keep]), np.zeros(2 * self.offsets.shape[1])]
            self._table = table_of(*arrays, *self.offsets.shape), arrays
            assert len(self._table[0]) == len(_Arrays._fields)
        return array_address(self._table[0])

    @property
    def filter_weights(self) -> FloatArray:
        """The weight of each filter."""
        return np.asarray(self.weights.sum(axis=1))

    @property
    def log_evidence(self) -> float:
        """The logarithm of the probability of all labels, each before it was seen."""
        return float(self.statistics[LOG_EVIDENCE])

    @property
    def mistakes(self) -> int:
        """Number of labels that were not the likeliest."""
        return int(self.statistics[MISTAKES])


def blank_record() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return statistics, the record of rates, and changes, before any row."""
    statistics = np.zeros(STATISTICS)
    statistics[STEP] = 1.0
    return statistics, np.zeros(MOST_POINTS), np.zeros((MOST_CHANGES, 2))


def start_mixture(
    filters: int,
    models: int,
    half_life: float | None = None,
    rates: FloatArray | None = None,
) -> Mixture:
    """Return the mixture before any example: the mean of the filters.

    ``rates`` are those of forgetting, of each filter; None if none forgets.

    Examples
    --------
    >>> mixture = start_mixture(filters=2, models=1)
    >>> odds = np.array([[[2.0]], [[0.0]]])  # of two filters, for one row
    >>> predict(mixture, odds).round(3)
    array([[0.31, 0.69]])
    >>> learn(mixture, odds, np.array([1]), np.ones(1)).round(3)
    array([[0.31, 0.69]])
    >>> mixture.filter_weights.round(3)
    array([0.569, 0.431])
    """
    classes = max(models, 2)
    statistics, record, changes = blank_record()
    return Mixture(
        weights=np.full((filters, LAYERS), 1.0 / (filters * LAYERS)),
        slopes=np.ones((filters, LAYERS)),
        slope_precisions=np.zeros((filters, LAYERS)),
        offsets=np.zeros((filters, classes)),
        offset_precisions=np.zeros((filters, classes)),
        statistics=statistics,
        keep=1.0 if half_life is None else float(0.5 ** (1.0 / half_life)),
        rates=np.zeros(filters) if rates is None else rates,
        record=record,
        changes=changes,
    )


def learn(
    mixture: Mixture, odds: FloatArray, codes: IntArray, times: FloatArray
) -> FloatArray:
    """Predict and learn row by row, in place; return each row's probabilities.

    Parameters
    ----------
    mixture
        Mixture to start from; it changes in place.
    odds
        The log-odds that filters gave to rows before they learned them, of the shape
        (filters, rows, models).
    codes
        The class of each row.
    times
        The power of the likelihood with which a row is learned, up to 1; 0 for rows to
        predict only.
    """
    probabilities = np.empty((odds.shape[1], mixture.offsets.shape[1]))
    learn_mixture(odds, codes, times, probabilities, mixture.address)
    return probabilities


def before_first(each: FloatArray, new: Any, last: FloatArray) -> FloatArray:
    """Return the odds before the first presentation of each row, for all of them.

    A filter that forgets fast predicts best what it has just learned. Odds before later
    presentations would make the mixture prefer it. ``last`` are the odds of the piece
    before, which may end within the presentations of a row.
    """
    odds = np.concatenate([last[:, -1:], each], axis=1)
    first = np.where(new, np.arange(1, len(new) + 1), 0)
    return np.ascontiguousarray(odds[:, np.maximum.accumulate(first)])


def predict(mixture: Mixture, odds: FloatArray) -> FloatArray:
    """Return the probabilities of each class; nothing is learned."""
    odds = np.ascontiguousarray(odds)
    if mixture.offsets.shape[1] > 2:
        return learn(mixture, odds, *_NONE)
    offsets = np.zeros(mixture.slopes.shape)
    offsets[:, 1] = mixture.offsets[:, 1] - mixture.offsets[:, 0]
    own = mixture.slopes.reshape(-1), offsets.reshape(-1)
    each, weights = odds[:, :, 0], mixture.weights.reshape(-1)
    probabilities = np.empty((odds.shape[1], 2))
    for first in range(0, len(probabilities), _TOGETHER):
        some = min(_TOGETHER, len(probabilities) - first)
        against, room = np.empty((weights.size, some)), np.empty((2, some))
        _write_exponents(each, *own, first, against)
        _mix_layers(np.exp(against, out=against), weights, first, room, probabilities)
    return probabilities
