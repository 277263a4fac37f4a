"""Binary perceptrons with their thresholds, and the fields these were found from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.core.jit import IntArray
from rosenblatt.engines.counts import Weights
from rosenblatt.engines.thresholds import (
    Threshold,
    least_error_threshold,
    printed_threshold,
)

__all__ = ["SEARCHES", "Hypothesis", "hypothesis", "stacked"]

SEARCHES = ("paper", "least error")


def stacked(learned: list[Weights]) -> IntArray:
    """Return the weights of all models as one array."""
    return np.stack([found.values for found in learned]).astype(np.int64)


class Hypothesis(NamedTuple):
    """What is concluded from the memory: one perceptron for each class."""

    learned: list[Weights]
    fields: IntArray  # histograms, of the examples that were seen with these weights:
    # (models, classes, fields)
    thresholds: list[Threshold] | None  # None if there were no such examples

    def fields_of(self, learned: list[Weights]) -> IntArray:
        """Return the histograms if these are the weights, else empty ones."""
        same = np.array_equal(stacked(self.learned), stacked(learned))
        return self.fields if same else np.zeros_like(self.fields)


def hypothesis(
    learned: list[Weights], fields: IntArray, told: IntArray, search: str, eps: float
) -> Hypothesis:
    """Find thresholds for all models, given what histograms tell of each label.

    A constant perceptron needs no examples for that: its field is 0, and its threshold
    the least or the largest.
    """
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
