r"""Filters that learn the same examples, and the prediction of their mixture.

A single filter predicts by itself. Several filters differ in their prior, in the form
of their covariance, or in how fast they forget. Their predictions are combined by a
mixture of calibrated layers (:mod:`rosenblatt.bayes.mixture`), with other weights for
rows whose labels will not be seen (:mod:`rosenblatt.bayes.horizon`).

**Forgetting.** Filter e forgets at the rate :math:`1 / H_e`, with its half-life; 0 if
it never does. The mixture with weights :math:`w_e` forgets at the rate :math:`\sum_e
w_e / H_e`, whose reciprocal is its effective half-life. The record has the mean rate of
some rows in each of its points. When it is full, pairs of points become one.

One rate is in force, at first 0. Let :math:`R_t` be the weight of faster filters
divided by that of the others. When, at row t,

.. math:: R_t > 99 \quad\text{and}\quad R_t > \ln^2(t + 2) / 0.05,   \tag{1}

the rate of the heaviest filter comes into force. This is a change of the stream, unless
that half-life is longer than the stream so far. When slower filters hold 99%, the rate
of the heaviest comes into force too, without a change. The last 64 changes are kept.

At most 5% of the streams that do not change have a false notice, however long they
are, if the slow filters predict with the right probabilities. Then a factor of
likelihoods has the mean 1, and only fixed share raises :math:`R_t` on average. If half
of the filters forget, row t raises it by at most :math:`0.5 / (t + 1.5)`. The
inequality of Hajek and Renyi bounds the chance of eq. (1) by the sum of :math:`R_0` and
these increments, each divided by its threshold: 0.01 + 0.03.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit, softmax

from rosenblatt.bayes import filter as learning
from rosenblatt.bayes import horizon as horizons
from rosenblatt.bayes import mixture as mixtures
from rosenblatt.bayes import prediction
from rosenblatt.bayes.curved import CURVED, Curved
from rosenblatt.bayes.filter import FILTER, Filter
from rosenblatt.bayes.horizon import HORIZON, Horizon
from rosenblatt.bayes.layout import CLOCK, Record
from rosenblatt.bayes.mixture import MIXTURE, Mixture
from rosenblatt.bayes.row_loop import learn_doubles
from rosenblatt.bayes.standardisation import following_change
from rosenblatt.bayes.uncertainty import direction, own_intercepts, own_weights
from rosenblatt.compiling import kernel
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.compiling.pointers import calling, kernel_address, pointer_at, table_of
from rosenblatt.compiling.types import (
    Matrix,
    ReadMatrix,
    ReadVector,
    ReadWholes,
    Vector,
)
from rosenblatt.core.schema import Nested, Relation, Schema, record
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.linear.errors import check, explained

# So many log-odds of a filter are kept at once, but of so many rows at least, and
# copies of rows that are presented again take no more entries than this.
_ODDS, _ROWS, _ENTRIES = 2**18, 2**12, 2**22
_NOTHING = np.zeros((0, 0))
_CONVERTED = 2**12  # rows of single precision that are converted at once
# Rows, powers of their likelihoods, and which ones are new.
Piece = tuple[IntArray, FloatArray, npt.NDArray[np.bool_]]
_filter_at, _mixture_at, _follow_at = map(
    calling, (learn_doubles, mixtures.learn_mixture, horizons.follow)
)
# Entries of the table: the kernel of filters; of the mixture and of the horizon, the
# kernel and the place; counters of the horizon and of a filter; places of all filters.
_LEARN, _MIX, _MIXTURE, _FOLLOW, _HORIZON, _COUNTERS, _COUNTS, _FILTERS = range(8)
_MOST = 2**12  # rows whose log-odds are kept at once
_ONE = np.ones(1)


@kernel()
def _learn(
    X: ReadMatrix,
    codes: ReadWholes,
    once: ReadVector,
    probabilities: Matrix,
    models: int,
    room: Vector,
    table: ReadWholes,
) -> int:
    """Learn rows; return -1, or 0 if one is not finite.

    ``once`` has a 1 for each row, and ``room`` has space for the log-odds of all rows.
    """
    filters, learn = table.size - _FILTERS, _filter_at(table[_LEARN])
    counters = pointer_at(table[_COUNTERS], horizons.COUNTERS)
    counts = pointer_at(table[_COUNTS], CLOCK + 1)
    first = 0
    while first < len(X):
        clock = int(counts[CLOCK])
        due = horizons.rows_until_due_in_kernels(counters, clock)
        stop = min(len(X), first + min(due, once.size))
        rows, known = X[first:stop], codes[first:stop]
        size = filters * (stop - first) * models
        odds = room[:size].reshape(filters, stop - first, models)
        for e in range(filters):
            own = table[_FILTERS + e]
            fault = learn(rows, known, once[:0], odds[e], own)
            if fault >= 0:
                return 0
        mixed = probabilities[first:stop]
        times = once[: stop - first]
        _mixture_at(table[_MIX])(odds, known, times, mixed, table[_MIXTURE])
        _follow_at(table[_FOLLOW])(rows, known, times, clock, table[_HORIZON])
        first = stop
    return -1


_learn_one = np.errstate(all="ignore")(_learn) if PLAIN else _learn


class RowLearner:
    """The table of addresses for the kernel, as long as filters keep their arrays."""

    def __init__(
        self,
        filters: Sequence[Filter],
        mixture: Mixture,
        horizon: Horizon,
    ) -> None:
        self._in_use = [filter.state for filter in filters]
        self._table = table_of(
            kernel_address(learn_doubles),
            kernel_address(mixtures.learn_mixture),
            mixture.address,
            kernel_address(horizons.follow),
            horizon.address(filters, mixture),
            horizon.counters,
            filters[0].counts,
            *(filter.state.address for filter in filters),
        )
        self._models = len(filters[0].mean)
        self._room = np.empty(len(filters) * self._models)
        self.probabilities = np.empty((1, mixture.offsets.shape[1]))

    def learn(self, row: FloatArray, code: IntArray) -> int:
        """Learn a row; return -1, or 0 if it is not finite: then nothing changes."""
        own = self.probabilities, self._models, self._room, self._table
        return int(_learn_one(row, code, _ONE, *own))

    def learn_rows(
        self, X: FloatArray, codes: IntArray, probabilities: FloatArray
    ) -> int:
        """Learn rows; return -1, or 0 if one is not finite, after some are learned."""
        once = np.ones(min(len(X), _MOST))
        room = np.empty(self._room.size * once.size)
        own = self._models, room, self._table
        return int(_learn(X, codes, once, probabilities, *own))


def _alike(experts: Experts) -> bool:
    """Return whether filters have seen the same rows of the same kind."""
    kinds = {(filter.clock, filter.sparse) for filter in experts.filters}
    return len(kinds) == 1


EXPERTS = Schema(
    "filters",
    {
        "filters": Nested(FILTER, size="filters"),
        "mixture": Nested(MIXTURE, optional=True),
        "horizon": Nested(HORIZON, optional=True),
        "curved": Nested(CURVED, optional=True),
    },
    (
        Relation(
            "a mixture and a horizon if there are several filters, and only then",
            lambda experts, _: (
                (len(experts.filters) > 1)
                == bool(experts.mixture)
                == bool(experts.horizon)
            ),
        ),
        Relation(
            "copies of all filters",
            lambda experts, _: (
                experts.horizon is None or experts.horizon.fits(experts.filters, False)
            ),
        ),
        Relation(
            "copies that were made before the last row, and are not yet due",
            lambda experts, _: (
                experts.horizon is None or experts.horizon.fits(experts.filters, True)
            ),
            values=True,
        ),
        Relation(
            "filters that have seen the same examples, all sparse or none",
            lambda experts, _: _alike(experts),
        ),
        Relation(
            "two classes for one model, and else a model for each class",
            lambda experts, sizes: (
                sizes.setdefault("classes", max(sizes["models"], 2))
                == max(sizes["models"], 2)
            ),
        ),
        Relation(
            "a mixture and dense rows if boundaries are curved, and the same examples",
            lambda experts, _: (
                getattr(experts, "curved", None) is None
                or (
                    experts.mixture is not None
                    and not experts.filters[0].sparse
                    and experts.curved.clock == experts.filters[0].clock
                )
            ),
        ),
    ),
    missing=frozenset({"curved"}),
)


@record(EXPERTS)
@dataclass
class Experts(Record):
    """Filters that have learned the same examples; several have a mixture."""

    filters: list[Filter]
    mixture: Mixture | None = None
    horizon: Horizon | None = None
    curved: Curved | None = None  # functions that are mixed with the filters
    _row_learner: RowLearner | None = field(init=False, default=None)
    _later: Experts | None = field(init=False, default=None)

    @property
    def row_learner(self) -> RowLearner:
        """The addresses of all arrays; from now on they must not be replaced."""
        if self._row_learner is None:
            assert self.mixture is not None
            assert self.horizon is not None
            self._row_learner = RowLearner(self.filters, self.mixture, self.horizon)
        return self._row_learner

    def later(self) -> Experts:
        """Return the filters, and mixture, for rows whose labels will not be seen.

        They predict and do not learn. Filters without weight are left out.
        """
        mixture, horizon = self.mixture, self.horizon
        if mixture is None or horizon is None:
            return self
        if self._later is not None:
            return self._later
        weights, slopes = horizon.layers(self.filters, mixture)
        used = np.flatnonzero(weights)
        names = "weights slopes slope_precisions offsets offset_precisions rates"
        own = {name: getattr(mixture, name)[used] for name in names.split()}
        own["weights"][:, 0], own["weights"][:, 1] = weights[used], 0.0
        own["slopes"][:, 0] = slopes[used]
        mixed = replace(mixture, **own)
        curved = self.curved and self.curved.later()
        self._later = Experts([self.filters[e] for e in used], mixed, curved=curved)
        return self._later

    @property
    def first(self) -> Filter:
        """One of the filters, which all have the same clock, classes and columns."""
        return self.filters[0]

    @property
    def classes(self) -> int:
        """The number of classes."""
        return max(len(self.first.mean), 2)

    @property
    def last_mixture(self) -> Mixture | None:
        """The mixture whose predictions are those of the whole."""
        return self.mixture if self.curved is None else self.curved.mixture

    @property
    def filter_weights(self) -> FloatArray:
        """The weight of each filter in the mixture."""
        return np.ones(1) if self.mixture is None else self.mixture.filter_weights

    def together(
        self, moments: Callable[[Filter], tuple[FloatArray, FloatArray]]
    ) -> tuple[FloatArray, FloatArray]:
        """Return mean and variance in the mixture, from those of each filter."""
        each = [moments(filter) for filter in self.filters]
        if self.mixture is None:
            return each[0]
        mean = np.tensordot(self.filter_weights, [m for m, _ in each], axes=1)
        spreads = [v + (m - mean) ** 2 for m, v in each]
        return mean, np.tensordot(self.filter_weights, spreads, axes=1)

    def weights(self) -> tuple[FloatArray, FloatArray]:
        """Return mean and variance of each weight, for inputs in their own units."""
        return self.together(own_weights)

    def directions(self) -> tuple[FloatArray, FloatArray]:
        """Return mean and variance of each weight, relative to the length of all."""
        return self.together(direction)

    def intercepts(self) -> tuple[FloatArray, FloatArray]:
        """Return mean and variance of each model's field where all inputs are 0."""
        return self.together(own_intercepts)


def start(
    filters: Sequence[Filter],
    half_life: float | None = None,
    rows: int | None = None,
) -> Experts:
    """Return experts before any example.

    Parameters
    ----------
    filters
        Filters that have seen nothing, for the same classes and columns.
    half_life
        The number of examples after which it counts half how well a filter has
        predicted; None for ever.
    rows
        How many rows late labels will come, if it is known.

    Examples
    --------
    >>> from rosenblatt import bayes
    >>> each = [bayes.start(2, prior=p, label_variance=1.0) for p in (0.1, 1.0)]
    >>> predict(start(each), np.ones((1, 2)))
    array([[0.5, 0.5]])
    """
    if len(filters) == 1:
        return Experts(list(filters))
    models, rates = len(filters[0].mean), np.array([each.rate for each in filters])
    own = mixtures.start_mixture(len(filters), models, half_life, rates)
    each = list(filters)
    return Experts(each, own, horizons.start_horizon(each, own, rows))


def learn(
    experts: Experts,
    X: Any,
    codes: IntArray,
    repeats: FloatArray | None = None,
    probabilities: FloatArray = _NOTHING,
) -> None:
    """Learn examples in place; after an error nothing has changed.

    Parameters
    ----------
    experts
        Experts to start from.
    X, codes, repeats
        As for :func:`rosenblatt.bayes.filter.learn`.
    probabilities
        Array for the probabilities of each class before the row was learned, if they
        are wanted.
    """
    before = experts.copy()
    experts._later = None
    try:
        if experts.curved is None:
            _learn_lines(experts, X, codes, repeats, probabilities)
        else:
            _learn_curved(experts, X, codes, repeats, probabilities)
    except BaseException as fault:
        experts._row_learner = None
        vars(experts).update(vars(before))
        if experts.mixture is None or not isinstance(fault, ValueError):
            raise
        check(X)  # its error has the row's number among all
        raise explained(X, _farthest(X)) from None


def _learn_lines(
    experts: Experts,
    X: Any,
    codes: IntArray,
    repeats: FloatArray | None,
    probabilities: FloatArray,
) -> None:
    """Learn examples in place by filters; after an error some are learned."""
    filters, mixture, horizon = experts.filters, experts.mixture, experts.horizon
    models = len(experts.first.mean)
    if mixture is None:
        odds = np.empty((len(probabilities), models))
        experts.filters = [learning.learn(experts.first, X, codes, repeats, odds)]
        probabilities[:] = _normalised(odds)
        return
    assert horizon is not None
    with np.errstate(all="ignore"), learning.threads(filters):
        if not filters[0].sparse and repeats is None:
            found = probabilities
            if not found.size:
                found = np.empty((len(codes), experts.classes))
            X, some = filters[0].table(X), _CONVERTED
            if X.dtype == np.float64:
                some = max(len(X), 1)
            for first in range(0, len(X), some):
                part = slice(first, first + some)
                bad = experts.row_learner.learn_rows(
                    X[part].astype(np.float64, copy=False), codes[part], found[part]
                )
                if bad >= 0:
                    raise explained(X[part], _farthest(X[part]))
            return
        last = np.empty((len(filters), 1, models))
        powers = np.ones(len(codes)) if repeats is None else repeats
        for number, times, new in _pieces(X, powers, experts):
            piece, known, clock = X[number], codes[number], experts.first.clock
            each = np.empty((len(filters), len(known), models))
            for filter, odds in zip(filters, each, strict=True):
                learning.learn_rows(filter, piece, known, times, odds)
            each = last = mixtures.before_first(each, new, last)
            found = mixtures.learn(mixture, each, known, times)
            if probabilities.size:
                probabilities[number[new]] = found[new]
            shown = times > 0
            piece, known, times = piece[shown], known[shown], times[shown]
            horizon.follow(filters, mixture, piece, known, times, clock)


def _learn_curved(
    experts: Experts,
    X: FloatArray,
    codes: IntArray,
    repeats: FloatArray | None,
    probabilities: FloatArray,
) -> None:
    """Learn examples in place by filters and functions; after an error some are.

    Batches end where columns change their units, and where copies are renewed.
    """
    filter, horizon = experts.first, experts.horizon
    assert horizon is not None
    powers = np.ones(len(codes)) if repeats is None else repeats
    ends, first = filter.clock + np.cumsum(np.ceil(powers)), 0
    found = probabilities
    if not found.size:
        found = np.empty((len(codes), experts.classes))
    while first < len(codes):
        due = max(filter.next_change, filter.clock)
        if due == filter.clock:
            due = following_change(filter.clock, filter.piece)
        due = min(due, filter.clock + horizon.due(filter.clock))
        stop = max(int(np.searchsorted(ends, due, side="right")), first + 1)
        part = slice(first, stop)
        some = None if repeats is None else powers[part]
        given = X[part], codes[part], some, found[part]
        _learn_functions(experts, *given, powers[part], ends[part])
        first = stop


def _learn_functions(
    experts: Experts,
    X: FloatArray,
    codes: IntArray,
    repeats: FloatArray | None,
    probabilities: FloatArray,
    powers: FloatArray,
    ends: FloatArray,
) -> None:
    """Learn rows in place, all in one standardisation, and write predictions.

    Copies of the functions score some rows before, and are renewed when those of the
    filters are. Row i is presented up to the number ``ends[i]`` of the stream.
    """
    horizon, curved, clock = experts.horizon, experts.curved, experts.first.clock
    assert horizon is not None
    assert curved is not None
    (first, each), renewed = horizon.next_sample, horizon.renewed
    chosen = clock + horizon.scored(clock, int(ends[-1]) - clock)
    _learn_lines(experts, X, codes, repeats, probabilities)
    if chosen.size:
        rows = np.searchsorted(ends, chosen, side="right")
        weights = np.minimum(powers[rows], 1.0) * each
        chances = horizon.chances(first, len(rows))
        curved.score(np.asarray(X[rows], np.float64), codes[rows], weights, chances)
    units = experts.first.standardisation[:2]
    curved.learn(X, codes, powers, probabilities, *units)
    if horizon.renewed > renewed:
        curved.renew(horizon.renewed - renewed)


def _farthest(X: Any) -> int:
    """Return the row with the largest entry."""
    return int(np.abs(X).max(axis=1).argmax())


def _pieces(X: Any, powers: FloatArray, found: Experts) -> Iterator[Piece]:
    """Yield the presentations, in pieces; of rows left out there is one, not learned.

    Rows are copied, since the layers need the odds before each presentation. A piece
    ends where the horizon of what has been ``found`` so far is due.
    """
    assert found.horizon is not None
    first, most = 0, max(_ODDS // len(found.first.mean), _ROWS)
    times = np.maximum(np.ceil(powers), 1).astype(np.int64)
    ends = np.cumsum(times)
    if isinstance(X, np.ndarray):
        most = max(min(most, _ENTRIES // X.shape[1]), 1)
    total = int(times.sum())
    while first < total:
        stop = first + min(most, found.horizon.due(found.first.clock))
        shown = np.arange(first, min(stop, total))
        number = np.searchsorted(ends, shown, side="right")
        done = shown - (ends[number] - times[number])
        yield number, np.minimum(powers[number] - done, 1.0), done == 0
        first += len(shown)


def learn_row(
    experts: Experts, row: FloatArray, code: IntArray, wanted: bool
) -> FloatArray:
    """Learn one row in place; return its prediction if wanted.

    If the row is not finite, nothing changes. It has the shape (1, features).
    """
    experts._later = None
    if experts.mixture is None:
        odds = np.empty((1, len(experts.first.noise))) if wanted else _NOTHING
        learning.learn_in_place(experts.first, row, code, odds)
        return _normalised(odds) if wanted else odds
    row = row.astype(np.float64, copy=False)
    if experts.curved is not None:
        probabilities = np.empty((1, experts.classes))
        _learn_curved(experts, row, code, None, probabilities)
        return probabilities
    learner = experts.row_learner
    if learner.learn(row, code) >= 0:
        raise explained(row, 0)
    return learner.probabilities.copy() if wanted else learner.probabilities


def fields(experts: Experts, X: Any) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of the field, for each row and model."""
    return experts.together(lambda filter: prediction.fields(filter, X))


def predict(experts: Experts, X: Any) -> FloatArray:
    """Return the probability of each class, for each row."""
    if experts.mixture is None:
        return _normalised(prediction.log_odds(experts.first, X))
    probabilities = np.empty((X.shape[0], experts.classes))
    for first in range(0, len(probabilities), _ROWS):
        rows = slice(first, first + _ROWS)
        odds = prediction.log_odds_of_all(experts.filters, X[rows])
        probabilities[rows] = mixtures.predict(experts.mixture, odds)
    if experts.curved is not None:
        return experts.curved.predict(X, probabilities)
    return probabilities


def mean_probabilities(experts: Experts, X: Any) -> tuple[FloatArray, FloatArray]:
    """Return the mean probability of each class over rows, and its deviation.

    Boundaries must be curved.
    """
    assert experts.curved is not None
    linear = predict(replace(experts, curved=None), X)
    return experts.curved.mean_probabilities(X, linear)


def _normalised(odds: FloatArray) -> FloatArray:
    """Return the probability of each class from the log-odds of a filter."""
    if odds.shape[1] == 1:
        return np.asarray(expit(np.hstack([-odds, odds])))
    return np.asarray(softmax(odds, axis=1))


class Change(NamedTuple):
    """A change of the stream: the row where it was noticed, and the half-life since."""

    row: int
    half_life: float


class Forgetting(NamedTuple):
    """Half-lives that the data chose, in examples; infinite where nothing is forgotten.

    ``half_life[i]`` is the effective one of the rows from ``rows[i - 1]`` (at first 0)
    up to ``rows[i]``, ``current`` that of the next row.
    """

    rows: IntArray
    half_life: FloatArray
    changes: tuple[Change, ...]
    current: float


def _half_lives(rates: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(1.0 / rates)


def forgetting(experts: Any) -> Forgetting:
    """Return how fast experts, or those of a regression, have forgotten so far.

    Examples
    --------
    >>> from rosenblatt import bayes
    >>> from rosenblatt.bayes import experts
    >>> settings = {"label_variance": 1.0, "covariance": "diagonal"}
    >>> some = [bayes.start(1, half_life=life, **settings) for life in (None, 50.0)]
    >>> found = experts.start(some)
    >>> experts.learn(found, np.ones((4, 1)), np.ones(4, int))
    >>> known = forgetting(found)
    >>> known.rows, known.half_life.round(), known.changes
    (array([1, 2, 3, 4]), array([100., 100., 100., 100.]), ())
    """
    mixture = experts.mixture
    if mixture is None:
        clock = experts.first.clock
        life = _half_lives(np.array([experts.first.rate]))
        rows = np.array([clock] if clock else [], np.int64)
        return Forgetting(rows, np.repeat(life, len(rows)), (), float(life[0]))
    statistics = mixture.statistics
    points, step = int(statistics[mixtures.POINTS]), int(statistics[mixtures.STEP])
    rows = step * np.arange(1, points + 1)
    rates = mixture.record[:points]
    if statistics[mixtures.SUMMED]:
        rows = np.append(rows, int(statistics[mixtures.ROWS]))
        total, number = statistics[[mixtures.RATE, mixtures.SUMMED]]
        rates = np.append(rates, total / number)
    noticed = mixture.changes[: int(statistics[mixtures.CHANGES])]
    changes = tuple(Change(int(row), float(1.0 / rate)) for row, rate in noticed)
    now = float(_half_lives(np.array([mixture.filter_weights @ mixture.rates]))[0])
    return Forgetting(rows, _half_lives(rates), changes, now)
