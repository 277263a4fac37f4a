"""Classifiers for River, with features by name, one example at a time.

``classifier`` is the base class; ``columns`` and ``labels`` convert features and labels
to numbers, ``frames`` converts them back. Nothing else in the package imports it; it
imports ``estimators``, ``filters`` and ``rows``.
"""

from rosenblatt.river.bayes_perceptron import BayesPerceptron
from rosenblatt.river.online_perceptron import OnlinePerceptron

__all__ = ["BayesPerceptron", "OnlinePerceptron"]
