"""Bayesian filters: Gaussian beliefs about the weights, learned row by row.

Beliefs are spherical, diagonal or full; columns are standardised; noise is estimated;
old rows may be forgotten; several filters are mixed.
Estimators, River and models may import it; it imports ``rows`` and below.
"""

from rosenblatt.filters.learning import learn
from rosenblatt.filters.merging import merge
from rosenblatt.filters.prediction import fields, log_odds
from rosenblatt.filters.schema import COVARIANCES
from rosenblatt.filters.starting import start
from rosenblatt.filters.state import Filter

__all__ = ["COVARIANCES", "Filter", "fields", "learn", "log_odds", "merge", "start"]
