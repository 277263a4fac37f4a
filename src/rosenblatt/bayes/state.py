"""State of a Gaussian filter: the belief about the weights, and a table for kernels."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from rosenblatt.bayes.kernels.changing import change_columns, change_independent
from rosenblatt.bayes.kernels.labels import learn_class, learn_label
from rosenblatt.bayes.kernels.layout import (
    BELIEF,
    BLOCK_ROWS,
    CENTER,
    CHANGED,
    CLOCK,
    DONE,
    INVERSE_SCALE,
    LABEL_ROOM,
    MATRICES,
    MEAN,
    NEXT_CHANGE,
    NOISE,
    PIECES,
    RATIOS,
    ROW_COPY,
    SIZE,
    WEIGHT,
)
from rosenblatt.bayes.kernels.small import MOST_WEIGHTS, padded_size
from rosenblatt.bayes.kernels.turning import turn_full
from rosenblatt.bayes.label_law import LOG_EVIDENCE, STATISTICS
from rosenblatt.bayes.schema import FILTER
from rosenblatt.bayes.standardisation import Standardisation
from rosenblatt.compiling.blas import dgemm
from rosenblatt.compiling.pointers import kernel_address
from rosenblatt.compiling.vectors import aligned_table
from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["Filter", "KernelState"]

_ARRAYS = ("noise", "mean", "belief", "statistics", "center", "inverse_scale", "sums")
_PLACES = {
    "center": CENTER,
    "inverse_scale": INVERSE_SCALE,
    "noise": NOISE,
    "mean": MEAN,
    "belief": BELIEF,
}
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
_ROWS = 32.0  # of a piece of the columns' half-life: a change takes longer than a row


class Filter:
    """A Gaussian belief about the weights, and all that learning goes on from.

    There is one model for two classes, else one for each class. All have the same
    noise, statistics of the labels and standardisation of the columns.

    Parameters
    ----------
    covariance
        ``"spherical"``, ``"diagonal"`` or ``"full"``.
    prior
        The variance of each weight before any example.
    label_variance
        The variance of the label law's own noise: 0 for a step, 1 for the probit law.
    clip
        The largest standardised input, in absolute value.
    half_life
        The number of examples after which half of a weight's variance is new, or None
        for weights that do not change.
    input_half_life
        The number of examples after which a row counts half in the standardisation of
        the columns, or None.
    noise
        The probability of a wrong label, for each model.
    mean
        Mean of the weights, of shape (models, weights); an intercept comes last.
    belief
        One variance, variances, or a covariance matrix, for each model.
    statistics
        Statistics of the labels, see :mod:`rosenblatt.bayes.label_law`.
    standardisation
        Standardisation of the columns.
    clock
        The number of examples so far.
    last_change, next_change
        The number of examples at which the standardisation last changed, and next does.
    """

    _fields: ClassVar = tuple(FILTER.fields)  # a record, for model files

    def __init__(
        self,
        *,
        covariance: str,
        prior: float,
        label_variance: float,
        clip: float,
        half_life: float | None,
        input_half_life: float | None,
        noise: FloatArray,
        mean: FloatArray,
        belief: FloatArray,
        statistics: FloatArray,
        standardisation: Standardisation,
        clock: int,
        last_change: int,
        next_change: int,
    ) -> None:
        self.covariance, self.prior = covariance, prior
        self.label_variance, self.clip = label_variance, clip
        self.half_life, self.input_half_life = half_life, input_half_life
        self.noise, self.mean, self.belief = noise, mean, belief
        self.statistics = statistics
        self.center, self.inverse_scale, self.sums, weight, self.sparse = (
            standardisation
        )
        given = {WEIGHT: weight, CLOCK: clock, CHANGED: last_change}
        self.counts = np.zeros(DONE + 1)  # kernels write here
        for place, value in (given | {NEXT_CHANGE: next_change}).items():
            self.counts[place] = value
        self._state: KernelState | None = None
        FILTER.check(self, values=False)  # kernels are given the addresses of arrays

    @property
    def clock(self) -> int:
        """The number of examples so far."""
        return int(self.counts[CLOCK])

    @property
    def last_change(self) -> int:
        """The number of examples at which the standardisation last changed."""
        return int(self.counts[CHANGED])

    @property
    def next_change(self) -> int:
        """The number of examples at which the standardisation changes next."""
        return int(self.counts[NEXT_CHANGE])

    @property
    def standardisation(self) -> Standardisation:
        """The standardisation of the columns; its arrays are the filter's own."""
        weight = float(self.counts[WEIGHT])
        own = self.center, self.inverse_scale, self.sums
        return Standardisation(*own, weight, self.sparse)

    @property
    def rate(self) -> float:
        """The rate of forgetting, 1 / half-life."""
        return 1.0 / self.half_life if self.half_life else 0.0

    @property
    def piece(self) -> float:
        """The number of examples after which sums are forgotten; 0 for no half-life."""
        half_life = self.input_half_life
        return max(_ROWS, half_life // PIECES) if half_life else 0.0

    @property
    def state(self) -> KernelState:
        """The table that kernels are given; from now on arrays must not be replaced."""
        if self._state is None:
            state = KernelState(self)
            if not state.writable:  # a file that is only to be read, for instance
                vars(self).update(vars(self.copy()))
                state = KernelState(self)
            self._state = state
        return self._state

    def __getstate__(self) -> dict[str, Any]:
        """Leave out addresses: copies have others."""
        return {**vars(self), "_state": None}

    def copy(self) -> Filter:
        """Return a filter that shares nothing with this one."""
        other = Filter.__new__(Filter)
        vars(other).update(self.__getstate__())
        for name in (*_ARRAYS, "counts"):
            setattr(other, name, getattr(self, name).copy())
        return other

    def replaced(self, **fields: Any) -> Filter:
        """Return a copy with other values of some fields."""
        own = self.copy()
        given = {name: getattr(own, name) for name in FILTER.fields}
        return Filter(**(given | fields))

    def replaced_in_part(self, **arrays: FloatArray) -> Filter:
        """Return a filter to predict with, that shares all other fields with this."""
        other = Filter.__new__(Filter)
        vars(other).update(self.__getstate__() | arrays)
        return other

    def table(self, X: Any) -> Any:
        """Return rows as kernels take them."""
        features = self.center.size
        if self.sparse:
            if not X.has_canonical_format:
                X = X.copy()
                X.sum_duplicates()
        elif not (
            isinstance(X, np.ndarray) and X.dtype in _FLOATS and X.flags.c_contiguous
        ):
            X = np.ascontiguousarray(X, dtype=np.float64)
        if X.ndim != 2 or X.shape[1] != features:
            raise ValueError(f"X must have {features} columns, got shape {X.shape}")
        return X

    @property
    def variances(self) -> FloatArray:
        """The variance of each weight, for standardised inputs."""
        if self.belief.ndim == 3:
            return np.diagonal(self.belief, axis1=1, axis2=2).copy()
        if self.belief.ndim == 1:
            return np.repeat(self.belief[:, None], self.mean.shape[1], axis=1)
        return self.belief

    def field_variance(self, row: FloatArray) -> FloatArray:
        """Return the variance of each model's field for a standardised row."""
        if self.belief.ndim == 3:
            return np.asarray(self.belief @ row @ row)
        return np.asarray(self.variances @ (row * row))

    @property
    def log_evidence(self) -> FloatArray:
        """The logarithm of the probability of all labels, the same for each model."""
        return self.statistics[:, LOG_EVIDENCE].copy()


class KernelState:
    """The table of a filter for kernels, which are given its address.

    To pass an array to a kernel takes a tenth of a microsecond, and a filter has many.
    To learn a row of a few columns takes not much longer. The filter has checked types
    and shapes. The table stays valid as long as the filter has the same arrays, and in
    one process. A change reads ``row``, and leaves ``shifts`` and ``ratios`` of the
    columns.
    """

    def __init__(self, filter: Filter) -> None:
        models, weights = filter.mean.shape
        features = filter.center.size
        full = filter.covariance == "full"
        matrices = turning = 0  # numbers in the work space of full covariances
        if full:
            own = 2 * weights + BLOCK_ROWS + 3  # for each model and row
            matrices = BLOCK_ROWS * (weights + models * own + BLOCK_ROWS + 6) + 3
            turning = weights * (3 * BLOCK_ROWS + 5)
            if weights <= MOST_WEIGHTS:  # learned row by row
                small = padded_size(weights) * (models * (weights + 1) + 1)
                matrices = max(matrices, small)
        lives = filter.half_life or 0.0, filter.input_half_life or 0.0
        given = filter.clip, filter.label_variance, filter.prior
        numbers = (*given, *lives, filter.piece)
        self._arrays = (
            filter.center,
            filter.inverse_scale,
            filter.sums,
            filter.noise,
            filter.mean,
            filter.belief,
            filter.statistics,
            np.array(numbers, dtype=np.float64),
            filter.counts,
            np.ones((LABEL_ROOM + 10) * models + 5),
            np.zeros(features),
            np.zeros(features),
            np.zeros(features),
            aligned_table(matrices),
            np.zeros(turning),
            np.zeros(0 if full else 2 * (models * weights + features), np.float32),
        )
        assert filter.statistics.shape == (models, STATISTICS)
        addresses = [array.ctypes.data for array in self._arrays]
        sizes = (features, weights, models, filter.sums.size)
        kind = filter.covariance == "spherical", filter.sparse
        changes = change_columns, turn_full if full else change_independent
        calls = (
            dgemm() if full else 0,
            kernel_address(learn_class if models > 1 else learn_label),
            *(map(kernel_address, changes) if filter.sums.size else (0, 0)),
        )
        self._table = np.array([*addresses, *sizes, *kind, *calls], dtype=np.int64)
        assert self._table.size == SIZE
        self.address: int = self._table.ctypes.data

        self.row, self.shifts, self.ratios = self._arrays[ROW_COPY : RATIOS + 1]
        self.matrices = self._arrays[MATRICES]

    def place(self, name: str) -> int:
        """Return the address of an array that predictions need."""
        return int(self._table[_PLACES[name]])

    def table_with(self, places: dict[str, int]) -> IntArray:
        """Return the table with other arrays, to predict with: the rest is shared."""
        table = self._table.copy()
        for name, place in places.items():
            table[_PLACES[name]] = place
        return table

    @property
    def writable(self) -> bool:
        """True if kernels may read and write the arrays where they are."""
        return all(array.flags.carray for array in self._arrays)
