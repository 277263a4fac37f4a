"""What a learner on real examples goes on from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.core import Rule, starts
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.engines.problem import NO_AVERAGE, UNIFORM, averaging

__all__ = ["EXAMPLES", "LABELS", "MISTAKES", "Learner", "opening"]

# Entries of a learner's counts: the last is the sum of the labels.
EXAMPLES, MISTAKES, LABELS = range(3)


def opening(rule: Rule, dim: int) -> tuple[int, int, float]:
    """Return the kind of shift, and examples and w.w of a Hebbian start."""
    kind = averaging(rule)
    if kind == NO_AVERAGE or not isinstance(rule.start, starts.Hebbian):
        return kind, 0, 0.0
    return kind, rule.start.examples(dim), dim * rule.start.norm**2


class Learner(NamedTuple):
    """All that learning goes on from."""

    weights: FloatArray  # an intercept comes last
    sums: FloatArray  # of label * input, for rules with an average shift
    counts: IntArray

    @classmethod
    def zero(cls, dim: int) -> Learner:
        """Return the learner that has seen nothing."""
        return cls(np.zeros(dim), np.zeros(dim), np.zeros(3, np.int64))

    def balanced(self, rule: Rule) -> bool:
        """Whether a rule needs a uniform shift that these labels do not determine.

        Their mean is then not told from 0 by three standard errors, or vanishes.
        """
        kind, hebbian, _ = opening(rule, self.weights.size)
        examples, labels = int(self.counts[EXAMPLES]), int(self.counts[LABELS])
        return kind == UNIFORM and examples > hebbian and labels**2 <= 9 * examples

    def copy(self) -> Learner:
        """Return a learner that shares nothing with this one."""
        return Learner(self.weights.copy(), self.sums.copy(), self.counts.copy())
