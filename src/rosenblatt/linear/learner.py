"""State of linear learners on real examples."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.core import Rule, starts
from rosenblatt.core.schema import Array, Schema
from rosenblatt.core.shifts import NO_AVERAGE, UNIFORM, shift_kind
from rosenblatt.core.types import FloatArray

__all__ = [
    "COUNTED",
    "EXAMPLES",
    "LABELS",
    "LEARNER",
    "MISTAKES",
    "Learner",
    "hebbian_start",
]

# Entries of a learner's counts: the last is the sum of the labels.
EXAMPLES, MISTAKES, LABELS = range(3)
COUNTED = 3
LEARNER = Schema(
    "linear-weights",
    {
        "weights": Array((("models", "weights"),)),
        "sums": Array((("models", "weights"),)),
        "counts": Array((("models", COUNTED),)),
    },
)


def hebbian_start(rule: Rule, dim: int) -> tuple[int, float]:
    """Return the number of examples of a Hebbian start, and w.w after it."""
    learned = shift_kind(rule.shift) != NO_AVERAGE
    if not learned or not isinstance(rule.start, starts.Hebbian):
        return 0, 0.0
    return rule.start.examples(dim), dim * rule.start.norm**2


class Learner(NamedTuple):
    """All that learning goes on from: one model, or several in rows of the arrays.

    Two classes have one model, more have one for each. Counts are whole numbers in
    double precision unless examples have weights that are not.
    """

    weights: FloatArray  # an intercept comes last
    sums: FloatArray  # of label * input, for rules with an average shift
    counts: FloatArray

    @classmethod
    def zero(cls, dim: int, models: int | None = None) -> Learner:
        """Return one model, or several, before any example."""
        several = () if models is None else (models,)
        weights, sums = (np.zeros((*several, dim)) for _ in range(2))
        return cls(weights, sums, np.zeros((*several, COUNTED)))

    def balanced(self, rule: Rule) -> npt.NDArray[np.bool_]:
        """Return for each model if labels do not determine the rule's uniform shift.

        The mean label is then within three standard errors of 0.
        """
        hebbian, _ = hebbian_start(rule, self.weights.shape[-1])
        examples, labels = self.counts[..., EXAMPLES], self.counts[..., LABELS]
        determined = (examples <= hebbian) | (labels**2 > 9 * examples)
        return np.asarray(~determined & (shift_kind(rule.shift) == UNIFORM))

    def balance_warnings(self, rule: Rule, classes: npt.NDArray[Any]) -> list[str]:
        """Return a text for each model whose labels do not determine the shift."""
        if rule.shift is None:
            return []
        found, texts = self.balanced(rule), []
        for k in np.flatnonzero(found):
            of = f" of {classes.tolist()[k]!r}" if len(found) > 1 else ""
            mean = self.counts[k, LABELS] / self.examples
            texts.append(
                f"labels{of} are balanced: their mean over {self.examples} examples is "
                f"{mean:.2g}, which does not determine a uniform shift; take "
                "Shifted(rule, AverageShift(uniform=False))"
            )
        return texts

    @property
    def examples(self) -> float:
        """Number of examples seen, an integer unless they had other weights."""
        seen = float(self.counts[..., EXAMPLES].flat[0])
        return int(seen) if seen.is_integer() else seen

    def copy(self) -> Learner:
        """Return a learner that shares nothing with this one."""
        return Learner(*(array.copy() for array in self))

    def grown(self, columns: int, *, intercept: bool) -> Learner:
        """Return the learner with more columns, which were all zero so far.

        Their weights are zero, as those of columns that were always zero are, and the
        intercept stays last. The counts stay, but clocks count examples per weight, and
        there are more weights now. Rates that fall with time go back to what they were
        at fewer examples. Constant rates and rules without decay do not change: the
        learner is what it would be if it had known the columns before.

        Parameters
        ----------
        columns
            The new number of columns, the intercept not among them.
        intercept
            Whether the last weight is that of a constant input.

        Examples
        --------
        >>> learner = Learner.zero(2)._replace(weights=np.array([3.0, 1.0]))
        >>> learner.grown(3, intercept=True).weights
        array([3., 0., 0., 1.])
        """
        before = self.weights.shape[-1] - intercept
        if columns < before:
            raise ValueError(f"columns must not be below {before}, got {columns}")
        places = np.full(columns - before, before)
        weights, sums = (np.insert(a, places, 0.0, axis=-1) for a in self[:2])
        return Learner(weights, sums, self.counts.copy())

    def with_class(self, place: int, classes: int) -> Learner:
        """Return the learner with one more class, of which no example was seen.

        The old classes keep their models. One model for two classes becomes two of
        opposite sign, which is what each class against the other would have learned.
        The new class has weights of zero and no mistakes; all models have one clock.

        Parameters
        ----------
        place
            The index of the new class among all.
        classes
            The number of classes before. A single class is the first of two, and the
            second has the same model.

        Examples
        --------
        >>> learner = Learner.zero(1, models=1)._replace(weights=np.array([[2.0]]))
        >>> learner.with_class(0, 1).weights.tolist()
        [[-2.0]]
        >>> learner.with_class(2, 2).weights.tolist()
        [[-2.0], [2.0], [0.0]]
        """
        opposite = Learner(-self.weights, -self.sums, self.counts * [1.0, 1.0, -1.0])
        if classes == 1:
            return self.copy() if place else opposite
        old: tuple[Learner, ...] = (opposite, self) if classes == 2 else (self,)
        arrays = (np.concatenate(each) for each in zip(*old, strict=True))
        found = Learner(*(np.insert(array, place, 0.0, axis=0) for array in arrays))
        found.counts[place, EXAMPLES] = self.counts[0, EXAMPLES]
        return found
