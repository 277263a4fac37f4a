"""The classifiers for River: features by name, one example at a time."""

from rosenblatt.river.online_perceptron import OnlinePerceptron

__all__ = ["OnlinePerceptron"]
