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
:mod:`rosenblatt.bayes.forgetting`.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.bayes.kernels.mixing import (
    AGE,
    CHANGES,
    LAYERS,
    LOG_EVIDENCE,
    MISTAKES,
    MOST_CHANGES,
    MOST_POINTS,
    POINTS,
    ROWS,
    SIZE,
    STATISTICS,
    STEP,
    learn_mixture,
)
from rosenblatt.bayes.kernels.predicting import mix_layers, write_exponents
from rosenblatt.core.schema import Array, Number, Relation, Schema
from rosenblatt.core.types import FloatArray, IntArray

__all__ = [
    "MIXTURE",
    "Mixture",
    "before_first",
    "blank_record",
    "learn",
    "predict",
    "start_mixture",
]

_NONE = np.zeros(0, np.int64)
_TOGETHER = 1024  # rows that are predicted at once, in the second cache
_ARRAYS = (
    "weights",
    "slopes",
    "slope_precisions",
    "offsets",
    "offset_precisions",
    "statistics",
)
_RECORD = "rates", "record", "changes"
_SLACK = 1e-6  # of a sum of weights that is 1 but for rounding


def _has_room(statistics: FloatArray) -> bool:
    """Return whether the counters of the record are possible: kernels trust them."""
    counters = statistics[ROWS:]
    return bool(
        (counters >= 0.0).all()
        and statistics[STEP] >= 1.0
        and statistics[POINTS] < MOST_POINTS
        and statistics[CHANGES] <= MOST_CHANGES
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
        Relation(
            "a record with room for one more point, and changes that fit",
            lambda mixture, _: _has_room(mixture.statistics),
            values=True,
        ),
    ),
)


@dataclass
class Mixture:
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

    def __post_init__(self) -> None:
        """Check types and shapes, which kernels trust."""
        self._table: tuple[Any, Any] | None = None
        MIXTURE.check(self, values=False)

    @property
    def address(self) -> int:
        """The address of a table of addresses and sizes, for the kernel."""
        if self._table is None:
            names = (*_ARRAYS, *_RECORD)
            arrays = [getattr(self, name) for name in names]
            if not all(array.flags.carray for array in arrays):  # only to be read
                arrays = [array.copy() for array in arrays]
                vars(self).update(zip(names, arrays, strict=True))
            own = [np.array([self.keep]), np.zeros(2 * self.offsets.shape[1])]
            arrays = [*arrays[: len(_ARRAYS)], own[0], *arrays[len(_ARRAYS) :], own[1]]
            addresses = [array.ctypes.data for array in arrays]
            sizes = self.offsets.shape
            self._table = np.array([*addresses, *sizes], np.int64), own
            assert self._table[0].size == SIZE
        return int(self._table[0].ctypes.data)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out addresses: copies have others."""
        return {**vars(self), "_table": None}

    def copy(self) -> Mixture:
        """Return a mixture that shares nothing with this one."""
        other = copy.copy(self)
        for name in (*_ARRAYS, *_RECORD):
            setattr(other, name, getattr(self, name).copy())
        return other

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
    >>> learn(mixture, odds, np.array([1]), np.array([1])).round(3)
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
    mixture: Mixture, odds: FloatArray, codes: IntArray, times: IntArray
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
        1 for rows to learn, 0 for those to predict only.
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
        return learn(mixture, odds, _NONE, _NONE)
    offsets = np.zeros(mixture.slopes.shape)
    offsets[:, 1] = mixture.offsets[:, 1] - mixture.offsets[:, 0]
    own = mixture.slopes.reshape(-1), offsets.reshape(-1)
    each, weights = odds[:, :, 0], mixture.weights.reshape(-1)
    probabilities = np.empty((odds.shape[1], 2))
    for first in range(0, len(probabilities), _TOGETHER):
        some = min(_TOGETHER, len(probabilities) - first)
        against, room = np.empty((weights.size, some)), np.empty((2, some))
        write_exponents(each, *own, first, against)
        mix_layers(np.exp(against, out=against), weights, first, room, probabilities)
    return probabilities
