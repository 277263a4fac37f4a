"""The classifiers for River: features by name, one example at a time."""

from rosenblatt.river.bayes_perceptron import BayesPerceptron
from rosenblatt.river.online_perceptron import OnlinePerceptron

__all__ = ["BayesPerceptron", "OnlinePerceptron"]
