"""Closed forms for N to infinity, one file per rule; isotropic inputs throughout."""

from rosenblatt.theory.closed import adatron, hebb, perceptron, spherical_bayes

__all__ = ["adatron", "hebb", "perceptron", "spherical_bayes"]
