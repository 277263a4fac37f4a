"""Estimators: scikit-learn classifiers that learn from a stream of examples."""

from rosenblatt.estimators.binary_perceptron import BinaryPerceptron
from rosenblatt.estimators.clipped_hebb import ClippedHebb
from rosenblatt.estimators.gradient_perceptron import GradientPerceptron
from rosenblatt.estimators.online_perceptron import OnlinePerceptron

__all__ = ["BinaryPerceptron", "ClippedHebb", "GradientPerceptron", "OnlinePerceptron"]
