"""Naive versions: short, slow, obviously right; NumPy only, nothing of ours."""

from tests.references.beliefs import (
    binary_bayes,
    binary_bayes_stream,
    evidence,
    gaussian_filter,
    normal_cdf,
)
from tests.references.counting import (
    clipped_hebb,
    counts,
    frequency,
    influences,
    learn_binary_perceptron,
    least_error,
    pack,
    product_bits,
)
from tests.references.rules import (
    adatron,
    decayed_perceptron,
    delta_tanh,
    hebb,
    normalised_perceptron,
    passive_aggressive,
    perceptron,
    presentations,
    residual_logistic,
    stream,
    teacher_student,
)
from tests.references.separability import (
    exactly_separates,
    hulls_meet,
    perceptron_mistakes,
)
from tests.references.smooth import classes, descend, machine

__all__ = [
    "adatron",
    "binary_bayes",
    "binary_bayes_stream",
    "classes",
    "clipped_hebb",
    "counts",
    "decayed_perceptron",
    "delta_tanh",
    "descend",
    "evidence",
    "exactly_separates",
    "frequency",
    "gaussian_filter",
    "hebb",
    "hulls_meet",
    "influences",
    "learn_binary_perceptron",
    "least_error",
    "machine",
    "normal_cdf",
    "normalised_perceptron",
    "pack",
    "passive_aggressive",
    "perceptron",
    "perceptron_mistakes",
    "presentations",
    "product_bits",
    "residual_logistic",
    "stream",
    "teacher_student",
]
