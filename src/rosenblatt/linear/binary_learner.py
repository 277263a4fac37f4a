"""State of the binary learner, and the noise that it estimates."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.core.schema import Array, Relation, Schema
from rosenblatt.core.types import FloatArray

__all__ = [
    "BINARY_LEARNER",
    "DOUBT",
    "EXAMPLES",
    "INTERCEPT",
    "MISTAKES",
    "WRONG",
    "BinaryLearner",
    "estimated_noise",
    "noise_of",
]

EXAMPLES, MISTAKES, WRONG, INTERCEPT, DOUBT = range(5)  # columns of ``numbers``
_ROUNDING = 1 + 1e-9  # of a sum of probabilities


def _possible(numbers: FloatArray) -> bool:
    """Return whether labels can have led to such numbers: few are more than all."""
    least = numbers[:, [EXAMPLES, MISTAKES, WRONG, DOUBT]] >= 0.0
    most = numbers[:, [MISTAKES, WRONG]] <= _ROUNDING * numbers[:, [EXAMPLES]]
    exact = numbers[:, EXAMPLES] <= 2**53  # beyond, the noise would round to 1
    return bool(least.all() and most.all() and exact.all())


BINARY_LEARNER = Schema(
    "binary-belief",
    {
        "state": Array((("models", "columns"),)),
        "mean": Array((("models", "columns"),), low=-1.0, high=1.0),
        "variance": Array((("models", "columns"),), low=0.0, high=1.0),
        "center": Array((("columns",),)),
        "spread": Array((("columns",),), low=0.0),
        "numbers": Array((("models", 5),)),
    },
    (
        Relation("a model", lambda _, sizes: sizes["models"] >= 1),
        Relation(
            "numbers of examples, of mistakes and of wrong labels, and the variance of "
            "the intercept, at least 0",
            lambda learner, _: _possible(learner.numbers),
            values=True,
        ),
    ),
    names={"state": "atanh_mean", "numbers": "statistics"},
)


class BinaryLearner(NamedTuple):
    """State of the binary learner: one model for two classes, else one for each."""

    state: FloatArray  # (models, features), artanh of the means
    mean: FloatArray
    variance: FloatArray
    center: FloatArray  # (features,), their means
    spread: FloatArray  # roots of the sums of their squared deviations
    numbers: FloatArray  # (models, 5): examples, mistakes, wrong labels, intercept and
    # its variance

    @classmethod
    def prior(cls, features: int, intercept: bool, models: int = 1) -> BinaryLearner:
        """Return the learner before any example."""
        shape = (models, features)
        numbers = np.zeros((models, 5))
        numbers[:, DOUBT] = float(intercept)
        return cls(
            np.zeros(shape),
            np.zeros(shape),
            np.ones(shape),
            np.zeros(features),
            np.zeros(features),
            numbers,
        )

    @property
    def examples(self) -> int:
        """Number of examples seen."""
        return int(self.numbers[0, EXAMPLES])

    @property
    def scale(self) -> FloatArray:
        """Standard deviations of the features."""
        return np.asarray(self.spread / math.sqrt(max(self.examples, 1)))


@inlined
def estimated_noise(wrong: Any, examples: Any) -> Any:
    """Return k of :mod:`rosenblatt.linear.binary`, eq. (2)."""
    return (0.5 + wrong) / (2.0 + examples)


def noise_of(learner: BinaryLearner, noise: float | str) -> FloatArray:
    """Return the noise that each model assumes."""
    if noise != "auto":
        return np.full(len(learner.numbers), float(noise))
    wrong, examples = learner.numbers[:, WRONG], learner.numbers[:, EXAMPLES]
    return np.asarray(estimated_noise(wrong, examples))
