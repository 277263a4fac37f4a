"""Estimators: scikit-learn classifiers that learn from a stream of examples."""

from rosenblatt.estimators.bayes_perceptron import BayesPerceptron
from rosenblatt.estimators.binary_bayes_perceptron import BinaryBayesPerceptron
from rosenblatt.estimators.binary_perceptron import BinaryPerceptron
from rosenblatt.estimators.clipped_hebb import ClippedHebb
from rosenblatt.estimators.gradient_perceptron import GradientPerceptron
from rosenblatt.estimators.online_perceptron import OnlinePerceptron
from rosenblatt.estimators.shifted_perceptron import ShiftedPerceptron

__all__ = [
    "BayesPerceptron",
    "BinaryBayesPerceptron",
    "BinaryPerceptron",
    "ClippedHebb",
    "GradientPerceptron",
    "OnlinePerceptron",
    "ShiftedPerceptron",
]
