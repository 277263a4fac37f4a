"""Filters whose inputs grow: more columns, or a smaller kind of belief for them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rosenblatt.core.arguments import whole
from rosenblatt.core.types import FloatArray
from rosenblatt.filters.standardisation import Frame
from rosenblatt.filters.state import Filter

__all__ = ["diagonal", "grown"]


def grown(filter: Filter, columns: int) -> Filter:
    """Return the filter with more columns, which have been zero in all rows so far.

    The belief about their weights is the prior, and the frame knows as many zeros as
    rows. Only a variance for all weights would have learned something else from rows
    with more columns: a spherical filter cannot grow. An intercept stays last.

    Examples
    --------
    >>> from rosenblatt.filters.learning import learn, start
    >>> filter = learn(start(1, covariance="diagonal"), [[1.0]], [1])
    >>> grown(filter, 2).mean.round(4), grown(filter, 2).variances.round(4)
    (array([[0.7979, 0.    ]]), array([[0.3634, 1.    ]]))
    """
    features = filter.frame.center.size
    columns = whole("columns", columns, low=features)
    if filter.covariance == "spherical":
        raise ValueError(
            "covariance must be 'diagonal' or 'full' for a filter to grow, "
            "got 'spherical'"
        )
    more = columns - features
    known = filter.mean.shape[1] + more
    old = np.r_[:features, columns:known]
    mean = np.zeros((len(filter.mean), known))
    mean[:, old] = filter.mean
    if filter.belief.ndim == 3:
        belief = np.tile(filter.prior * np.eye(known), (len(mean), 1, 1))
        belief[:, old[:, None], old] = filter.belief
    else:
        belief = np.full((len(mean), known), filter.prior)
        belief[:, old] = filter.belief
    return replace(
        filter.copy(), mean=mean, belief=belief, frame=_grown_frame(filter, more)
    )


def _grown_frame(filter: Filter, more: int) -> Frame:
    """Return the frame with columns that have been zero."""
    frame = filter.frame
    framed = frame.sums.size > 0
    # a dense column of zeros has the scale 1, a sparse one none before its first entry
    seen = not framed or (filter.clock > 0 and not frame.sparse)
    return frame._replace(
        center=_longer(frame.center, more, 0.0),
        inverse_scale=_longer(frame.inverse_scale, more, float(seen)),
        sums=np.pad(frame.sums, ((0, 0), (0, more if framed else 0))),
    )


def _longer(numbers: FloatArray, more: int, value: float) -> FloatArray:
    """Return numbers with more of one value behind."""
    return np.append(numbers, np.full(more, value))


def diagonal(filter: Filter) -> Filter:
    """Return the filter that keeps the variances of a full one, and no covariances."""
    return replace(filter.copy(), covariance="diagonal", belief=filter.variances.copy())
