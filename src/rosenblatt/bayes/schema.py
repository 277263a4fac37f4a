"""Schema of a filter: the shapes and values that its fields may have."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.bayes.label_law import STATISTICS, impossible
from rosenblatt.bayes.standardisation import NEVER, STANDARDISATION
from rosenblatt.core.schema import Array, Nested, Number, Relation, Schema, Text, Whole
from rosenblatt.core.types import FloatArray

__all__ = ["COVARIANCES", "FILTER"]

COVARIANCES = ("spherical", "diagonal", "full")
_NEAR = 1e-6  # of a covariance that is symmetric but for rounding


def _covariance(filter: Any) -> bool:
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
        "prior": Number(low=1 / _MOST, high=_MOST),
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
