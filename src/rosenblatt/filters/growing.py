"""Filters whose inputs grow: more columns, or a smaller kind of belief for them."""

from __future__ import annotations

import numpy as np

from rosenblatt.core.arguments import whole
from rosenblatt.core.types import FloatArray
from rosenblatt.filters.standardisation import Standardisation
from rosenblatt.filters.state import Filter

__all__ = ["diagonal", "grown"]


def grown(filter: Filter, columns: int) -> Filter:
    """Return the filter with more columns, which have been zero in all rows so far.

    The belief about their weights is the prior, and the sums of the columns are those
    of as many zeros as rows. Only a variance for all weights would have learned
    something else from rows with more columns: a spherical filter cannot grow. An
    intercept stays last.

    Examples
    --------
    >>> from rosenblatt.filters import learn, start
    >>> filter = learn(start(1, covariance="diagonal"), [[1.0]], [1])
    >>> grown(filter, 2).mean.round(4), grown(filter, 2).variances.round(4)
    (array([[0.7979, 0.    ]]), array([[0.3634, 1.    ]]))
    """
    features = filter.center.size
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
        belief = np.tile(
            filter.prior / filter.prior_left * np.eye(known), (len(mean), 1, 1)
        )
        belief[:, old[:, None], old] = filter.belief
    else:
        belief = np.full((len(mean), known), filter.prior)
        belief[:, old] = filter.belief
    wider = _with_zeros(filter, more)
    return filter.replaced(mean=mean, belief=belief, standardisation=wider)


def _with_zeros(filter: Filter, more: int) -> Standardisation:
    """Return the standardisation with columns that have been zero."""
    own = filter.standardisation
    summed = own.sums.size > 0
    # a dense column of zeros has the scale 1, a sparse one none before its first entry
    seen = not summed or (filter.clock > 0 and not own.sparse)
    return own._replace(
        center=_longer(own.center, more, 0.0),
        inverse_scale=_longer(own.inverse_scale, more, float(seen)),
        sums=np.pad(own.sums, ((0, 0), (0, more if summed else 0))),
    )


def _longer(numbers: FloatArray, more: int, value: float) -> FloatArray:
    """Return numbers with more of one value behind."""
    return np.append(numbers, np.full(more, value))


def diagonal(filter: Filter) -> Filter:
    """Return the filter that keeps the variances of a full one, and no covariances."""
    return filter.replaced(covariance="diagonal", belief=filter.variances.copy())
