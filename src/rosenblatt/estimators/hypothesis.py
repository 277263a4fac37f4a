"""Binary perceptrons with their thresholds, and the fields these were found from."""

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
from rosenblatt.estimators.class_weight import ClassWeight, whole_factors
from rosenblatt.estimators.memory import Coded, Memory

__all__ = [
    "ENDLESS",
    "HYPOTHESIS",
    "Hypothesis",
    "check_search",
    "fields_of",
    "hypothesis",
    "stacked",
]

HYPOTHESIS = Schema(
    "hypothesis",
    {
        "learned": Nested(INFLUENCE_WEIGHTS, size="models"),
        "fields": Array((("models", "classes", "fields"),), "int64", low=0, high=2**53),
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
    names={"learned": "weights", "fields": "histograms"},
)
SEARCHES = ("paper", "least error")
ENDLESS = (
    "above no threshold are more than {} of the examples positive: the printed search "
    "would never end, and was stopped at the largest, which no row is above; take "
    "threshold='least error' if labels may be wrong"
)


def check_search(threshold: str) -> None:
    """Raise an error if this is no way to search for a threshold."""
    if threshold not in SEARCHES:
        raise ValueError(
            f"threshold must be one of {', '.join(map(repr, SEARCHES))}, "
            f"got {threshold!r}"
        )


def stacked(learned: list[Weights]) -> IntArray:
    """Return the weights of all models as one array."""
    return np.stack([found.values for found in learned]).astype(np.int64)


class Hypothesis(NamedTuple):
    """What is concluded from the memory: one perceptron for each class."""

    learned: list[Weights]
    fields: IntArray  # histograms, of the examples that were seen with these weights:
    # (models, classes, fields)
    thresholds: list[Threshold] | None  # None if there were no such examples

    @property
    def endless(self) -> bool:
        """Whether a search has found no threshold that it wants."""
        return not all(found.found for found in self.thresholds or [])

    @property
    def known_thresholds(self) -> list[Threshold]:
        """The thresholds; to ask for them is an error if there are none."""
        if self.thresholds is None:
            raise NotFittedError(
                "threshold_ is not known, since weights have changed and no example "
                "has been seen with them; call fit_threshold(batches)"
            )
        return self.thresholds

    def guarantees(
        self, memory: Memory, eps: float, delta: float, printed: bool
    ) -> list[Guarantee]:
        """Return what the examples guarantee about each perceptron."""
        parts = zip(memory.told_apart, memory.counts, self.fields, strict=True)
        return [
            guarantee(
                counts,
                eps,
                delta,
                Searched(int(fields.sum()), int(fields[one].sum()), printed),
            )
            for one, counts, fields in parts
        ]

    def fields_with(self, learned: list[Weights]) -> IntArray:
        """Return the histograms if these are the weights, else empty ones."""
        same = np.array_equal(stacked(self.learned), stacked(learned))
        return self.fields if same else np.zeros_like(self.fields)


def fields_of(
    memory: Memory, learned: list[Weights], batches: Iterable[Coded]
) -> IntArray:
    """Return histograms of the fields of examples, for each model and class."""
    weights, classes = stacked(learned), len(memory.classes)
    models, columns = weights.shape
    total = np.zeros((models, classes, 2 * columns + 1), np.int64)
    for bits, codes, repeated in batches:
        total += histogram(bits, codes, classes, weights, repeated)
    return total


def hypothesis(
    memory: Memory,
    learned: list[Weights],
    fields: IntArray,
    search: str,
    eps: float,
    class_weight: ClassWeight,
) -> Hypothesis:
    """Find thresholds for all models, with classes weighed as in all examples.

    A constant perceptron needs no examples for that: its field is 0, and its threshold
    the least or the largest.
    """
    factors = whole_factors(class_weight, memory.classes, memory.tally.rows)
    told = against_rest(fields, memory.told_apart, factors)
    found = []
    for weights, counts in zip(learned, told, strict=True):
        columns = weights.values.size
        if weights.constant:
            value = columns if weights.constant < 0 else -columns - 1
            found.append(Threshold(value, True))
        elif not counts.any():
            return Hypothesis(learned, fields, None)
        elif search == "paper":
            found.append(printed_threshold(counts, eps))
        else:
            found.append(least_error_threshold(counts))
    return Hypothesis(learned, fields, found)
