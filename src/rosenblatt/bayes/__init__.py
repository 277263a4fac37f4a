"""Bayesian filters: Gaussian beliefs about the weights, learned row by row.

Beliefs are spherical, diagonal or full; columns are standardised; noise is estimated;
old rows may be forgotten; several filters are mixed.
Estimators, River and models may import it; it imports ``linear`` and below.
"""

from rosenblatt.bayes.covariances import COVARIANCES
from rosenblatt.bayes.filter import Filter, learn, start
from rosenblatt.bayes.growing import merge
from rosenblatt.bayes.prediction import fields, log_odds

__all__ = ["COVARIANCES", "Filter", "fields", "learn", "log_odds", "merge", "start"]
