"""Learners for River, with features by name, one example at a time.

Nothing else in the package imports it; it imports ``estimators``, ``bayes`` and
``linear``.
"""

from rosenblatt.river.classifiers import BayesPerceptron, OnlinePerceptron
from rosenblatt.river.regressor import BayesRegressor

__all__ = ["BayesPerceptron", "BayesRegressor", "OnlinePerceptron"]
