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

When the mixture notices a change, copies are renewed at the next half of the rows
between two renewals. The scores also tell how well rows up to 10% ahead were predicted:
:class:`Later`.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.bayes.kernels.later import (
    BINS,
    COUNTERS,
    EVERY,
    GAP,
    LEARNED,
    LOG_LOSS,
    LOST,
    MOST_SAMPLES,
    RENEWED,
    SAMPLED,
    SAMPLES,
    SCORED,
    SIZE,
    choose_rows,
    follow,
    renew,
    rows_until_due,
    score,
    write_weights,
)
from rosenblatt.bayes.kernels.mixing import AGE, LAYERS
from rosenblatt.bayes.learning import kernel_for
from rosenblatt.bayes.mixture import Mixture
from rosenblatt.bayes.prediction import log_odds_of_all
from rosenblatt.bayes.state import Filter
from rosenblatt.compiling.pointers import kernel_address
from rosenblatt.core.schema import Array, Relation, Schema
from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["HORIZON", "Horizon", "Later", "not_due", "numbers_of", "start_horizon"]

_NEGLIGIBLE = 1e-9  # weights that change no prediction


# What a filter predicts with.
_COPIED = "noise", "mean", "belief", "center", "inverse_scale"

HORIZON = Schema(
    "horizon",
    {
        "copies": Array((("numbers",),)),
        "slopes": Array((("filters",),)),
        "weights": Array((("filters",),), low=0.0, high=1.0),
        "scores": Array((("filters",),), high=0.0),
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
    """How well rows were predicted that came up to 10% later, or up to the horizon.

    Each of some rows was predicted by the model of an earlier time, which had none of
    the labels in between. ``rows`` is how many rows they stand for. ``auc`` is the area
    under the ROC curve, NaN unless there are two classes.
    """

    rows: float
    error: float
    log_loss: float
    auc: float


@dataclass
class Horizon:
    """Copies of filters, and how well they predicted rows that came later."""

    copies: FloatArray  # what each filter predicts with, one array after another
    slopes: FloatArray  # of the copies' layers, (filters,)
    weights: FloatArray  # of the copies, (filters,)
    scores: FloatArray  # sums of log-probabilities, (filters,)
    counters: FloatArray
    samples: FloatArray  # numbers of the rows to score
    histogram: FloatArray  # of log-odds, for each of two classes

    def __post_init__(self) -> None:
        """Check types and shapes, which kernels trust."""
        self._table: tuple[Any, ...] | None = None
        HORIZON.check(self, values=False)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out addresses: copies have others."""
        return {**vars(self), "_table": None}

    def copy(self) -> Horizon:
        """Return a horizon that shares nothing with this one."""
        other = copy.copy(self)
        for name, own in vars(self).items():
            if isinstance(own, np.ndarray):
                setattr(other, name, own.copy())
        return other

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
        renewed, gap = self.counters[[RENEWED, GAP]].tolist()
        return rows_until_due(renewed, gap, clock)

    def follow(
        self,
        filters: Sequence[Filter],
        mixture: Mixture,
        X: Any,
        codes: IntArray,
        clock: int,
    ) -> None:
        """Score some of these rows, which were learned, and renew copies if it is time.

        Parameters
        ----------
        filters, mixture
            What has learned the rows.
        X, codes
            Rows up to the next time that is :meth:`due` at most, and their classes.
        clock
            The number of rows before these.
        """
        place = self.address(filters, mixture)
        if not filters[0].sparse:
            follow(np.ascontiguousarray(X, np.float64), codes, clock, place)
            return
        number, samples = self.counters[[SAMPLED, SAMPLES]].astype(int)
        shown = self.samples[number:samples]
        chosen = shown[shown < clock + len(codes)].astype(np.int64) - clock
        if chosen.size:
            odds = log_odds_of_all(self._copied(filters), X[chosen])
            score(odds, codes[chosen], place)
        follow(np.empty((len(codes), 0)), codes, clock, place)

    def layers(self, filters: Sequence[Filter], mixture: Mixture) -> FloatArray:
        """Return the weights of all layers for rows whose labels will not be seen."""
        weights = np.zeros((len(filters), LAYERS))
        own = np.empty(len(filters))
        write_weights(self.address(filters, mixture), own)
        own[own < _NEGLIGIBLE] = 0.0
        weights[:, 0] = own / own.sum()
        return weights

    def address(self, filters: Sequence[Filter], mixture: Mixture) -> int:
        """Return the address of the table for kernels, as long as arrays stay."""
        states = [filter.state for filter in filters]
        used = self._table
        if used is not None and used[1] is mixture and used[2] == states:
            return int(used[0].ctypes.data)
        for name, array in vars(self).items():
            if isinstance(array, np.ndarray) and not array.flags.carray:
                setattr(self, name, array.copy())  # it was only to be read
        odds = len(filters) * len(filters[0].mean)
        own = [
            self.copies,
            self.scores,
            self.weights,
            self.slopes,
            self.counters,
            self.samples,
            self.histogram,
            np.zeros(2 * mixture.offsets.shape[1]),  # work space
            mixture.slopes,
            mixture.statistics,
            mixture.changes,
            np.empty(MOST_SAMPLES * (filters[0].center.size + odds)),
            np.zeros(2 * MOST_SAMPLES, np.int64),
            np.array([mixture.keep]),
            mixture.rates,
        ]
        assert self.copies.size == numbers_of(filters)
        places = [array.ctypes.data for array in own]
        at, arrays, tables, calls = places[0], [], [], []
        for filter, state in zip(filters, states, strict=True):
            copied = {}
            for name in _COPIED:
                size = getattr(filter, name).size
                arrays += [state.place(name), size]
                copied[name] = at
                at += 8 * size
            tables.append(state.table_with(copied))
            calls += [kernel_address(kernel_for(filter)), tables[-1].ctypes.data]
        routines = kernel_address(renew), kernel_address(score)
        sizes = len(filters), mixture.offsets.shape[1], len(arrays) // 2
        assert len(own) + len(routines) + len(sizes) == SIZE
        table = np.array([*places, *routines, *sizes, *calls, *arrays], np.int64)
        self._table = table, mixture, states, own, tables
        return int(table.ctypes.data)

    def restarted(self, filters: Sequence[Filter], mixture: Mixture) -> Horizon:
        """Return a horizon with the same scores, and copies of other filters now."""
        other = start_horizon(filters, mixture, self.rows)
        kept = SCORED, LEARNED, LOST, LOG_LOSS
        other.counters[[*kept]] = self.counters[[*kept]]
        other.scores[:] = self.scores
        return other

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
            arrays = {}
            for name in _COPIED:
                own = getattr(filter, name)
                arrays[name] = self.copies[at : at + own.size].reshape(own.shape)
                at += own.size
            found.append(filter.replaced_in_part(**arrays))
        return found


def numbers_of(filters: Sequence[Filter]) -> int:
    """Return how many numbers the copies of filters have."""
    return sum(
        filter.noise.size
        + filter.mean.size
        + filter.belief.size
        + 2 * filter.standardisation.center.size
        for filter in filters
    )


def not_due(counters: FloatArray, clock: int) -> bool:
    """Return whether copies are of an earlier row, and not renewed before the next."""
    renewed, gap = counters[[RENEWED, GAP]]
    return bool(renewed <= clock < renewed + gap)


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
    copied = [getattr(filter, name).ravel() for filter in filters for name in _COPIED]
    own = Horizon(
        copies=np.concatenate(copied),
        slopes=mixture.slopes[:, 0].copy(),
        weights=np.full(number, 1.0 / number),
        scores=np.zeros(number),
        counters=np.zeros(COUNTERS),
        samples=np.zeros(MOST_SAMPLES),
        histogram=np.zeros((2, BINS)),
    )
    own.counters[EVERY] = rows or 0
    age = float(mixture.statistics[AGE])
    choose_rows(filters[0].clock, age, own.counters, own.samples)
    return own
