"""Weights and thresholds of binary perceptrons, one perceptron for each class."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import NotFittedError

from rosenblatt.core.schema import Array, Nested, Relation, Schema
from rosenblatt.core.types import IntArray
from rosenblatt.counting.binary_weights import INFLUENCE_WEIGHTS, Weights
from rosenblatt.counting.guarantee import Guarantee, Searched, guarantee
from rosenblatt.counting.thresholds import (
    THRESHOLD,
    Threshold,
    against_rest,
    histogram,
    least_error_threshold,
    printed_threshold,
)
from rosenblatt.estimators.bases.counted_examples import CountedExamples, PackedExamples
from rosenblatt.estimators.inputs.class_weight import ClassWeight, integer_factors

__all__ = [
    "BINARY_MODELS",
    "NO_THRESHOLD",
    "SEARCHES",
    "BinaryModels",
    "field_histograms",
    "find_thresholds",
    "stacked_weights",
]

BINARY_MODELS = Schema(
    "hypothesis",
    {
        "weights": Nested(INFLUENCE_WEIGHTS, size="models"),
        "histograms": Array(
            (("models", "classes", "fields"),), "int64", low=0, high=2**53
        ),
        "thresholds": Nested(THRESHOLD, optional=True, size="models"),
    },
    (
        Relation(
            "histograms with 2 columns + 1 fields",
            lambda _, sizes: sizes["fields"] == 2 * sizes["columns"] + 1,
        ),
        Relation(
            "two classes for one model, and else a model for each class",
            lambda _, sizes: sizes["classes"] == max(sizes["models"], 2),
        ),
    ),
)
SEARCHES = ("paper", "least error")
NO_THRESHOLD = (
    "the share of positive examples above a threshold never exceeds {}; the largest "
    "threshold is used, which no row exceeds. Take threshold='least error' if labels "
    "may be wrong"
)


def stacked_weights(weights: list[Weights]) -> IntArray:
    """Return the weights of all models as one array."""
    return np.stack([found.values for found in weights]).astype(np.int64)


class BinaryModels(NamedTuple):
    """One perceptron for each class, or one for two classes."""

    weights: list[Weights]
    # of the fields of examples seen with these weights: (models, classes, fields)
    histograms: IntArray
    thresholds: list[Threshold] | None  # None if there were no such examples

    @property
    def search_failed(self) -> bool:
        """True if the search for a threshold has failed for a class."""
        return not all(found.found for found in self.thresholds or [])

    @property
    def known_thresholds(self) -> list[Threshold]:
        """The thresholds; NotFittedError if there are none."""
        if self.thresholds is None:
            raise NotFittedError(
                "threshold_ is not known, since weights have changed and no example "
                "has been seen with them; call fit_threshold(batches)"
            )
        return self.thresholds

    def guarantees(
        self, counted: CountedExamples, eps: float, delta: float, printed: bool
    ) -> list[Guarantee]:
        """Return the guarantee for each perceptron."""
        parts = zip(
            counted.modelled_classes, counted.counts, self.histograms, strict=True
        )
        return [
            guarantee(
                counts,
                eps,
                delta,
                Searched(int(fields.sum()), int(fields[one].sum()), printed),
            )
            for one, counts, fields in parts
        ]

    def histograms_with(self, weights: list[Weights]) -> IntArray:
        """Return the histograms if these are the weights, else empty ones."""
        same = np.array_equal(stacked_weights(self.weights), stacked_weights(weights))
        return self.histograms if same else np.zeros_like(self.histograms)


def field_histograms(
    counted: CountedExamples, weights: list[Weights], batches: Iterable[PackedExamples]
) -> IntArray:
    """Return histograms of the fields of examples, for each model and class."""
    stacked, classes = stacked_weights(weights), len(counted.classes)
    models, columns = stacked.shape
    total = np.zeros((models, classes, 2 * columns + 1), np.int64)
    for bits, codes, repeated in batches:
        total += histogram(bits, codes, classes, stacked, repeated)
    return total


def find_thresholds(
    counted: CountedExamples,
    weights: list[Weights],
    histograms: IntArray,
    search: str,
    eps: float,
    class_weight: ClassWeight,
) -> BinaryModels:
    """Find thresholds for all models, with weights of classes from all examples.

    A constant perceptron needs no examples for that: its field is 0, and its threshold
    the least or the largest.
    """
    factors = integer_factors(class_weight, counted.classes, counted.tally.rows)
    both = against_rest(histograms, counted.modelled_classes, factors)
    found = []
    for one, counts in zip(weights, both, strict=True):
        columns = one.values.size
        if one.constant:
            value = columns if one.constant < 0 else -columns - 1
            found.append(Threshold(value, True))
        elif not counts.any():
            return BinaryModels(weights, histograms, None)
        elif search == "paper":
            found.append(printed_threshold(counts, eps))
        else:
            found.append(least_error_threshold(counts))
    return BinaryModels(weights, histograms, found)
