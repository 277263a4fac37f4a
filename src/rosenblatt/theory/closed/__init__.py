"""Closed forms for N to infinity, one file per rule; isotropic inputs if not said.

Those for binary weights, ``binary_error``, ``clipped_hebb`` and ``influences``, are
exact at finite N, with inputs -1 and +1. Theory, papers and the laboratory import them.
"""

from rosenblatt.theory.closed import (
    binary_error,
    clipped_hebb,
    influences,
    noisy_perceptron,
    perceptron,
    shifted_perceptron,
    spherical_bayes,
)

__all__ = [
    "binary_error",
    "clipped_hebb",
    "influences",
    "noisy_perceptron",
    "perceptron",
    "shifted_perceptron",
    "spherical_bayes",
]
