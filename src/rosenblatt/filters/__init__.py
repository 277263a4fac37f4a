"""Bayesian filters: Gaussian beliefs about the weights, learned row by row.

Beliefs are spherical, diagonal or full; columns are standardised; noise is estimated;
old rows may be forgotten; several filters are mixed.
Estimators, River and models may import it; it imports ``rows`` and below.
"""

from rosenblatt.filters.learning import (
    COVARIANCES,
    Filter,
    fields,
    learn,
    log_odds,
    merge,
    start,
)

__all__ = ["COVARIANCES", "Filter", "fields", "learn", "log_odds", "merge", "start"]
