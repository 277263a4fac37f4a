"""Estimators: scikit-learn classifiers that learn from a stream of examples."""

from rosenblatt.estimators.online_perceptron import OnlinePerceptron

__all__ = ["OnlinePerceptron"]
