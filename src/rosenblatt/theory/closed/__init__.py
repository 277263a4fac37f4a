"""Closed forms for N to infinity, one file per rule; isotropic inputs if not said."""

from rosenblatt.theory.closed import (
    adatron,
    binary_error,
    clipped_hebb,
    hebb,
    influences,
    noisy_perceptron,
    perceptron,
    shifted_perceptron,
    spherical_bayes,
)

__all__ = [
    "adatron",
    "binary_error",
    "clipped_hebb",
    "hebb",
    "influences",
    "noisy_perceptron",
    "perceptron",
    "shifted_perceptron",
    "spherical_bayes",
]
