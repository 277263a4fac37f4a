r"""Weights of filters for rows whose labels will not be seen.

The mixture of :mod:`rosenblatt.bayes.mixture` predicts the next row. Its weights
prefer filters that forget fast wherever the last labels tell much about the next one.
A model that is kept predicts rows far ahead, for which this is wrong. After h rows a
drifting weight with half-life H has the part :math:`2^{-h/H}` of its variance in
common with what is known now. So filter e has the weight

.. math::
    w_e \propto 2^{-h / H_e} \exp(n L_e), \qquad p = \sum_e w_e\, p_e,   \tag{1}

where :math:`L_e` is the mean log-probability that the filter gave to labels of rows
that came about h rows later, and :math:`p_e` is the layer without offsets: offsets
follow the base rates of the last rows.

:math:`L_e` is measured by copies. All filters and the slopes of their layers are copied
whenever the number of rows t has grown by 10%, at first more often. Between two
renewals up to 64 rows are predicted by the copies, one at a random place of each of so
many equal parts: no daily cycle is hit again and again. The places follow from t alone,
so that batches of any size give the same model. Each of these rows stands for all rows
of its part. So :math:`L_e` is a mean over all rows of the stream, t / 20 rows ahead on
average and t / 10 at most.

Without a given horizon h is t / 10. Rows that one copy scored are not independent: what
the copy does not know is missing in all of them. Together they count as
:math:`n = \min(64, t / 2)` rows. With a given h copies are made every h rows and
n = t / (2 h). With a half-life t counts what is not forgotten.

A filter that forgets is surer of rows ahead than it should be. So its layer has another
slope: a Gaussian with the mean :math:`a_e`, the slope for the next row, and with the
part :math:`1 - 2^{-h / H_e}` of the prior variance of slopes, times the likelihood of
the rows that were scored. From the slope :math:`a` of the copy, the log-odds
:math:`o_k`, their mean :math:`\bar o` and variance v under p, and the class y,

.. math:: a'_e = \frac{a_e + r\, \langle a v + o_y - \bar o \rangle}
    {1 + r\, \langle v \rangle}, \qquad
    r = \frac{n}{\Lambda_0} \big(1 - 2^{-h / H_e}\big).   \tag{2}

Copies have these slopes if h is given. Else they have those of the next row: how far
ahead rows are is not known, and being too sure of them tells that a filter forgets.

When the mixture notices a change, copies are renewed at the next half of the rows
between two renewals. The scores also tell how well rows up to 10% ahead were predicted:
:class:`Later`.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from scipy.special import softmax

from rosenblatt.bayes import mixture as mixtures
from rosenblatt.bayes.filter import PREDICTS_WITH, Filter
from rosenblatt.bayes.layout import Record
from rosenblatt.bayes.mixture import FARTHEST, LAYERS, Mixture
from rosenblatt.bayes.prediction import log_odds_of_all
from rosenblatt.bayes.row_loop import learn_doubles
from rosenblatt.compiling import inlined, kernel
from rosenblatt.compiling.pointers import (
    array_address,
    calling,
    doubles_at,
    kernel_address,
    pointer_at,
    structure,
    table_at,
    table_of,
    wholes_at,
)
from rosenblatt.compiling.types import (
    Pointer,
    ReadMatrix,
    ReadVector,
    ReadWholes,
    Tensor,
    Vector,
)
from rosenblatt.core.schema import Array, Relation, Schema, record
from rosenblatt.core.types import FloatArray, IntArray

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
_predict_at = calling(learn_doubles)


def rows_until_due(counters: FloatArray, clock: int) -> int:
    """Return the number of rows up to the next renewal, or to a look for a change.

    Examples
    --------
    >>> rows_until_due([1000.0, 100.0], 1000), rows_until_due([1e4, 1000.0], 10000)
    (100, 500)
    """
    renewed, gap = counters[RENEWED], counters[GAP]
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


def write_weights(
    scores: FloatArray,
    counters: FloatArray,
    rates: FloatArray,
    age: float,
    filters: int,
    weights: FloatArray,
) -> tuple[float, float]:
    """Write eq. (1) of the module of the equations, and return its h and n."""
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
    return ahead, count


_write_weights = inlined(write_weights)


class _Arrays(NamedTuple):
    """Arrays of a horizon and its mixture, routines, and sizes: entries of the table.

    Then come the table of each filter's copy, and each array of a filter and its size.
    Copies of these are one after another.
    """

    copies: int  # an address, as those of work, chances, room, codes and routines
    scores: Pointer
    slope_shifts: Pointer
    slope_precisions: Pointer
    weights: Pointer
    slopes: Pointer
    counters: Pointer
    rows: Pointer
    histogram: Pointer
    layer_slopes: Pointer
    statistics: Pointer
    changes: Pointer
    keep: Pointer
    rates: Pointer
    work: int
    chances: int
    room: int
    codes: int
    renew: int
    score: int
    predict: int
    filters: int
    classes: int
    arrays: int


_SIZE = len(_Arrays._fields)
_arrays_at = structure(_Arrays)


@inlined
def _find_layers(own: _Arrays, weights: FloatArray, slopes: FloatArray) -> None:
    """Write eqs. (1) and (2): weight and slope of each filter for later rows."""
    counters, rates, age = own.counters, own.rates, own.statistics[mixtures.AGE]
    ahead, count = _write_weights(
        own.scores, counters, rates, age, own.filters, weights
    )
    scored = counters[SCORED] if counters[SCORED] > 0.0 else 1.0
    for e in range(own.filters):
        new = count / scored / mixtures.PRECISION * (1.0 - 0.5 ** (ahead * rates[e]))
        slope = own.layer_slopes[e * LAYERS] + new * own.slope_shifts[e]
        slopes[e] = max(slope, 0.0) / (1.0 + new * own.slope_precisions[e])


@kernel()
def _write_layers(place: int, weights: Vector, slopes: Vector) -> None:
    _find_layers(_arrays_at(place), weights, slopes)


@kernel()
def _renew(place: int, clock: int) -> None:
    """Copy what predictions need of all filters, and choose the rows to score."""
    own = _arrays_at(place)
    filters, counters = own.filters, own.counters
    keep = own.keep[0] ** (clock - counters[RENEWED])
    counters[SCORED] *= keep
    for e in range(filters):
        own.scores[e] *= keep
        own.slope_shifts[e] *= keep
        own.slope_precisions[e] *= keep
    _find_layers(own, own.weights, own.slopes)
    for e in range(filters if counters[EVERY] == 0.0 else 0):
        own.slopes[e] = own.layer_slopes[e * LAYERS]
    copied = table_at(place + 8 * (_SIZE + filters), 2 * own.arrays)
    at = own.copies
    for i in range(own.arrays):
        size = copied[2 * i + 1]
        source, target = pointer_at(copied[2 * i], size), pointer_at(at, size)
        for j in range(size):
            target[j] = source[j]
        at += 8 * size
    _choose_rows(clock, own.statistics[mixtures.AGE], counters, own.rows)


@kernel()
def _score(odds: Tensor, codes: ReadWholes, powers: ReadVector, place: int) -> None:
    """Score rows by the log-odds that copies give to them."""
    own = _arrays_at(place)
    classes, models = own.classes, odds.shape[2]
    counters, slopes = own.counters, own.slopes
    p = pointer_at(own.work, classes)
    o = pointer_at(own.work + 8 * classes, classes)
    o[0] = 0.0  # of the first of two classes
    each = counters[GAP] / counters[SAMPLES]  # rows for each one that is scored
    for row in range(codes.size):
        code, stands_for = codes[row], each * powers[row]
        place = int(counters[SAMPLED]) + row
        mixed = pointer_at(own.chances + 8 * classes * place, classes)
        for k in range(classes):
            mixed[k] = 0.0
        for e in range(own.filters):
            top = 0.0 if models < classes else -math.inf
            for k in range(models):
                far = min(max(odds[e, row, k], -FARTHEST), FARTHEST)
                o[classes - models + k] = far
                top = max(top, slopes[e] * far)
            total = mean = spread = 0.0
            for k in range(classes):
                p[k] = math.exp(slopes[e] * o[k] - top)
                total += p[k]
            for k in range(classes):
                p[k] /= total
                mixed[k] += own.weights[e] * p[k]
                mean += p[k] * o[k]
            for k in range(classes):
                spread += p[k] * (o[k] - mean) ** 2
            own.scores[e] += stands_for * math.log(max(p[code], _LEAST))
            own.slope_shifts[e] += stands_for * (slopes[e] * spread + o[code] - mean)
            own.slope_precisions[e] += stands_for * spread
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
            own.histogram[code * BINS + min(max(bin_, 0), BINS - 1)] += stands_for
    counters[SAMPLED] += codes.size


_renew_at, _score_at = calling(_renew), calling(_score)


@kernel()
def follow(
    X: ReadMatrix, codes: ReadWholes, powers: ReadVector, clock: int, place: int
) -> None:
    """Score some rows, which were learned, and renew copies if it is time.

    ``clock`` is the number of rows before these, which are due at their end at most.
    """
    own = _arrays_at(place)
    filters, counters, rows = own.filters, own.counters, own.rows
    models = own.classes if own.classes > 2 else 1
    due = rows_until_due_in_kernels(counters, clock)
    first = int(counters[SAMPLED])
    last = first
    while last < counters[SAMPLES] and rows[last] < clock + len(X):
        last += 1
    if last > first:
        number, columns = last - first, X.shape[1]
        room = doubles_at(own.room, MOST_SAMPLES * (columns + filters * models))
        shown = room[: number * columns].reshape(number, columns)
        odds = room[number * columns : number * (columns + filters * models)]
        each = odds.reshape(filters, number, models)
        chosen = wholes_at(own.codes, MOST_SAMPLES)[:number]
        never = doubles_at(own.codes + 8 * MOST_SAMPLES, 2 * MOST_SAMPLES)
        never, weights = never[:number], never[MOST_SAMPLES:][:number]
        for i in range(number):
            at = int(rows[first + i]) - clock
            chosen[i], weights[i] = codes[at], powers[at]
            for j in range(columns):
                shown[i, j] = X[at, j]
        copies = table_at(place + 8 * _SIZE, filters)
        predict = _predict_at(own.predict)
        for e in range(filters):
            predict(shown, chosen, never, each[e], copies[e])
        _score_at(own.score)(each, chosen, weights, place)
    if len(X) >= due:
        changes = int(own.statistics[mixtures.CHANGES])
        changed = changes > 0 and own.changes[2 * changes - 2] >= counters[RENEWED]
        if changed or clock + due >= counters[RENEWED] + counters[GAP]:
            _renew_at(own.renew)(place, clock + due)


_NEGLIGIBLE = 1e-9  # weights that change no prediction


HORIZON = Schema(
    "horizon",
    {
        "copies": Array((("numbers",),)),
        "scores": Array((("filters",),), high=0.0),
        "slope_shifts": Array((("filters",),)),
        "slope_precisions": Array((("filters",),), low=0.0),
        "weights": Array((("filters",),), low=0.0, high=1.0),
        "slopes": Array((("filters",),)),
        "counters": Array(((COUNTERS,),), low=0.0, high=2.0**53),
        "samples": Array(((MOST_SAMPLES,),), low=0.0, high=2.0**53),
        "histogram": Array(((2, BINS),), low=0.0),
    },
    (
        Relation(
            "at most as many rows to score as there are places, after the renewal",
            lambda own, _: bool(
                own.counters[SAMPLED] <= own.counters[SAMPLES]
                and 1.0 <= own.counters[SAMPLES] <= MOST_SAMPLES
                and own.counters[GAP] >= 1.0
                and (
                    own.samples[: int(own.counters[SAMPLES])] >= own.counters[RENEWED]
                ).all()
            ),
            values=True,
        ),
    ),
)


class Later(NamedTuple):
    """Quality of predictions of rows up to 10% later, or up to the horizon.

    Each of some rows was predicted by the model of an earlier time, which had none of
    the labels in between. ``rows`` is how many rows they stand for. ``auc`` is the area
    under the ROC curve, NaN unless there are two classes.
    """

    rows: float
    error: float
    log_loss: float
    auc: float


@record(HORIZON)
@dataclass
class Horizon(Record):
    """Copies of filters, and how well they predicted rows that came later."""

    copies: FloatArray  # what each filter predicts with, one array after another
    slopes: FloatArray  # of the copies' layers, (filters,)
    weights: FloatArray  # of the copies, (filters,)
    scores: FloatArray  # sums of log-probabilities, (filters,)
    slope_shifts: FloatArray  # sums of terms of eq. (2), (filters,)
    slope_precisions: FloatArray
    counters: FloatArray
    samples: FloatArray  # numbers of the rows to score
    histogram: FloatArray  # of log-odds, for each of two classes
    _table: tuple[Any, ...] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Check types and shapes, which kernels trust."""
        HORIZON.check(self, values=False)

    @property
    def rows(self) -> int | None:
        """The given horizon, or None."""
        return int(self.counters[EVERY]) or None

    def later(self) -> Later:
        """Return how well later rows were predicted so far."""
        rows, lost, log_loss = self.counters[[LEARNED, LOST, LOG_LOSS]].tolist()
        if not rows:
            return Later(0.0, np.nan, np.nan, np.nan)
        none, some = self.histogram
        below = none.cumsum() - 0.5 * none
        both = none.sum() * some.sum()
        auc = float(some @ below / both) if both else np.nan
        return Later(rows, lost / rows, log_loss / rows, auc)

    def due(self, clock: int) -> int:
        """Return after how many rows copies may be renewed; batches are cut there."""
        return rows_until_due(self.counters, clock)

    @property
    def renewed(self) -> float:
        """The number of rows when the copies were made."""
        return float(self.counters[RENEWED])

    def fits(self, filters: Sequence[Filter], values: bool) -> bool:
        """Return whether copies are of these filters, before the last row if wanted."""
        renewed, gap = self.counters[[RENEWED, GAP]]
        due = values and not renewed <= filters[0].clock < renewed + gap
        return not due and self.copies.size == numbers_of(filters)

    def follow(
        self,
        filters: Sequence[Filter],
        mixture: Mixture,
        X: Any,
        codes: IntArray,
        powers: FloatArray,
        clock: int,
    ) -> None:
        """Score some of these rows, which were learned, and renew copies if it is time.

        Parameters
        ----------
        filters, mixture
            What has learned the rows.
        X, codes, powers
            Rows up to the next time that is :meth:`due` at most, their classes, and the
            powers of their likelihoods.
        clock
            The number of rows before these.
        """
        place = self.address(filters, mixture)
        if not filters[0].sparse:
            follow(np.ascontiguousarray(X, np.float64), codes, powers, clock, place)
            return
        chosen = self.scored(clock, len(codes))
        if chosen.size:
            odds = log_odds_of_all(self._copied(filters), X[chosen])
            _score(odds, codes[chosen], powers[chosen], place)
        follow(np.empty((len(codes), 0)), codes, powers, clock, place)

    def scored(self, clock: int, rows: int) -> IntArray:
        """Return which of the next rows will be scored, by their places."""
        number, samples = self.counters[[SAMPLED, SAMPLES]].astype(int)
        shown = self.samples[number:samples].astype(np.int64) - clock
        return np.asarray(shown[shown < rows])

    @property
    def next_sample(self) -> tuple[int, float]:
        """The number of the next row to score, and how many rows one stands for."""
        number, gap, samples = self.counters[[SAMPLED, GAP, SAMPLES]].tolist()
        return int(number), gap / samples

    def chances(self, first: int, number: int) -> FloatArray:
        """Return probabilities of rows that were scored, from the first one on."""
        assert self._table is not None
        return np.asarray(self._table[3][first : first + number])

    def layers(
        self, filters: Sequence[Filter], mixture: Mixture
    ) -> tuple[FloatArray, FloatArray]:
        """Return weights and slopes of filters for rows whose labels are not seen."""
        weights, slopes = np.empty((2, len(filters)))
        _write_layers(self.address(filters, mixture), weights, slopes)
        weights[weights < _NEGLIGIBLE] = 0.0
        return weights / weights.sum(), slopes

    def address(self, filters: Sequence[Filter], mixture: Mixture) -> int:
        """Return the address of a table of pointers, valid while its arrays live."""
        states = [filter.state for filter in filters]
        used = self._table
        if used is not None and used[1] is mixture and used[2] == states:
            return array_address(used[0])
        self.make_writable()
        mixture.make_writable()
        odds = len(filters) * len(filters[0].mean)
        chances = np.empty((MOST_SAMPLES, mixture.offsets.shape[1]))
        own = [
            *(getattr(self, name) for name in HORIZON.fields),
            mixture.slopes,
            mixture.statistics,
            mixture.changes,
            np.array([mixture.keep]),
            mixture.rates,
            np.zeros(2 * mixture.offsets.shape[1]),  # work space
            chances,
            np.empty(MOST_SAMPLES * (filters[0].center.size + odds)),
            np.zeros(3 * MOST_SAMPLES, np.int64),  # codes, zeros, powers
        ]
        assert self.copies.size == numbers_of(filters)
        copies = [state.table.copy() for state in states]  # work space is shared
        at, arrays = array_address(self.copies), []
        for filter, table in zip(filters, copies, strict=True):
            for name, place in PREDICTS_WITH.items():
                size = getattr(filter, name).size
                arrays += [int(table[place]), size]
                table[place], at = at, at + 8 * size
        routines = map(kernel_address, (_renew, _score, learn_doubles))
        sizes = len(filters), mixture.offsets.shape[1], len(arrays) // 2
        own += [*routines, *sizes, *copies]
        assert len(own) == _SIZE + len(copies)
        table = table_of(*own, *arrays)
        self._table = table, mixture, states, chances, own
        return array_address(table)

    def restarted(self, filters: Sequence[Filter], mixture: Mixture) -> Horizon:
        """Return a horizon with the same scores, and copies of other filters now."""
        other = start_horizon(filters, mixture, self.rows)
        kept = SCORED, LEARNED, LOST, LOG_LOSS
        other.counters[[*kept]] = self.counters[[*kept]]
        for name in ("scores", "slope_shifts", "slope_precisions"):
            getattr(other, name)[:] = getattr(self, name)
        if mixture.offsets.shape[1] == 2:
            other.histogram[:] = self.histogram
        return other

    def rescore(self, scores: Mapping[int, float]) -> None:
        """Take means of what was measured of some filters and of other scores."""
        for e, score in scores.items():
            self.scores[e] = 0.5 * (self.scores[e] + score * self.counters[SCORED])
            self.slope_shifts[e] = self.slope_precisions[e] = 0.0

    def mirrored(self, filters: Sequence[Filter]) -> Horizon:
        """Return the horizon with the two classes of these filters exchanged."""
        other = self.copy()
        for filter in other._copied(filters):
            np.negative(filter.mean, out=filter.mean)
        other.histogram[:] = self.histogram[::-1, ::-1]
        return other

    def _copied(self, filters: Sequence[Filter]) -> list[Filter]:
        """Return the filters of the time when they were copied, to predict with."""
        found, at = [], 0
        for filter in filters:
            copied = copy.copy(filter)
            for name in PREDICTS_WITH:
                own = getattr(filter, name)
                part = self.copies[at : at + own.size].reshape(own.shape)
                setattr(copied, name, part)
                at += own.size
            found.append(copied)
        return found


def softmax_of_odds(odds: FloatArray, slopes: FloatArray) -> FloatArray:
    """Return probabilities from log-odds of filters, (filters, rows, models)."""
    logits = slopes[:, None, None] * np.clip(odds, -FARTHEST, FARTHEST)
    if odds.shape[2] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=2)
    return np.asarray(softmax(logits, axis=2))


def numbers_of(filters: Sequence[Filter]) -> int:
    """Return how many numbers the copies of filters have."""
    return sum(
        filter.noise.size
        + filter.mean.size
        + filter.belief.size
        + 2 * filter.standardisation.center.size
        for filter in filters
    )


def start_horizon(
    filters: Sequence[Filter], mixture: Mixture, rows: int | None = None
) -> Horizon:
    """Return copies of filters, without scores.

    Parameters
    ----------
    filters, mixture
        Filters and their mixture, which do not change.
    rows
        The horizon, if it is given.
    """
    number = len(filters)
    copied = [
        getattr(filter, name).ravel() for filter in filters for name in PREDICTS_WITH
    ]
    own = Horizon(
        copies=np.concatenate(copied),
        slopes=mixture.slopes[:, 0].copy(),
        weights=np.full(number, 1.0 / number),
        scores=np.zeros(number),
        slope_shifts=np.zeros(number),
        slope_precisions=np.zeros(number),
        counters=np.zeros(COUNTERS),
        samples=np.zeros(MOST_SAMPLES),
        histogram=np.zeros((2, BINS)),
    )
    own.counters[EVERY] = rows or 0
    age = float(mixture.statistics[mixtures.AGE])
    choose_rows(filters[0].clock, age, own.counters, own.samples)
    return own
