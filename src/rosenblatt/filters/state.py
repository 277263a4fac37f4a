"""State of a Gaussian filter: the belief about the weights, and its schema."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from rosenblatt.core.schema import Array, Nested, Number, Relation, Schema, Text, Whole
from rosenblatt.core.types import FloatArray
from rosenblatt.filters.kernels.layout import CHANGED, CLOCK, DONE, NEXT_CHANGE, WEIGHT
from rosenblatt.filters.kernels.table import KernelState
from rosenblatt.filters.label_law import LOG_EVIDENCE, STATISTICS, impossible
from rosenblatt.filters.standardisation import NEVER, STANDARDISATION, Standardisation

__all__ = ["COVARIANCES", "FILTER", "Filter"]

COVARIANCES = ("spherical", "diagonal", "full")
_ARRAYS = ("noise", "mean", "belief", "statistics", "center", "inverse_scale", "sums")
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
_NEAR = 1e-6  # of a covariance that is symmetric but for rounding


def _covariance(filter: Filter) -> bool:
    """Return whether a belief is symmetric, with a positive variance of every sum."""
    if filter.belief.ndim < 3:
        return bool((filter.belief > 0.0).all())
    deviations = np.diagonal(filter.belief, axis1=1, axis2=2)
    if not (deviations > 0.0).all():
        return False
    size = np.sqrt(deviations)
    correlations = filter.belief / size[:, :, None] / size[:, None, :]
    apart = correlations - correlations.transpose(0, 2, 1)
    near = np.abs(correlations).max() <= 1.0 + _NEAR
    return bool(near and np.abs(apart).max() <= _NEAR and _definite(correlations))


def _definite(matrices: FloatArray) -> bool:
    """Return whether all matrices are positive definite."""
    try:
        np.linalg.cholesky(matrices)
    except np.linalg.LinAlgError:
        return False
    return True


_MOST = 1e100  # of means and variances: no product with a row overflows

FILTER = Schema(
    "filter",
    {
        "covariance": Text(COVARIANCES),
        "prior": Number(low=0.0, above=True),
        "label_variance": Number(low=0.0),
        "clip": Number(low=0.0, above=True, infinite=True),
        "half_life": Number(low=0.0, above=True, optional=True),
        "input_half_life": Number(low=0.0, above=True, optional=True),
        "standardisation": Nested(STANDARDISATION),
        "mean": Array((("models", "weights"),), low=-_MOST, high=_MOST),
        "belief": Array(
            (
                ("models",),
                ("models", "weights"),
                ("models", "weights", "weights"),
            ),
            low=-_MOST,
            high=_MOST,
        ),
        "noise": Array((("models",),), low=0.0, high=float(np.nextafter(0.5, 0.0))),
        "statistics": Array((("models", STATISTICS),)),
        "clock": Whole(high=2**53),
        "last_change": Whole(high=2**53),
        "next_change": Whole(high=NEVER),
    },
    (
        Relation("a model", lambda _, sizes: sizes["models"] >= 1),
        Relation(
            "a weight for each column, and perhaps one more for the intercept",
            lambda _, sizes: 0 <= sizes["weights"] - sizes["columns"] <= 1,
        ),
        Relation(
            "a belief with as many dimensions as its covariance asks for",
            lambda filter, _: (
                filter.belief.ndim == 1 + COVARIANCES.index(filter.covariance)
            ),
        ),
        Relation(
            "a diagonal covariance if rows are sparse",
            lambda filter, _: (
                filter.covariance == "diagonal" or not filter.standardisation.sparse
            ),
        ),
        Relation(
            "a standardisation with sums if it ever changes",
            lambda filter, _: (
                filter.next_change == NEVER or filter.standardisation.sums.size > 0
            ),
        ),
        Relation(
            "last_change <= examples <= next_change",
            lambda filter, _: filter.last_change <= filter.clock <= filter.next_change,
        ),
        Relation(
            "positive variances, and covariances that are symmetric",
            lambda filter, _: _covariance(filter),
            values=True,
        ),
        Relation(
            "statistics that labels can have led to",
            lambda filter, _: not impossible(filter.statistics),
            values=True,
        ),
    ),
    names={"clock": "examples"},
)


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
        Statistics of the labels, see :mod:`rosenblatt.filters.label_law`.
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
