"""Counts of examples that classifiers with binary weights learn from."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.bits import Bits, Counts, pack
from rosenblatt.core.schema import Labels, Nested, Schema
from rosenblatt.core.types import IntArray
from rosenblatt.counting.class_counts import CLASS_COUNTS, Tally
from rosenblatt.estimators.inputs.class_weight import ClassWeight, integer_factors
from rosenblatt.estimators.inputs.examples import Examples
from rosenblatt.estimators.inputs.labels import label_codes
from rosenblatt.estimators.inputs.levels import LEVELS, Levels

__all__ = ["COUNTED_EXAMPLES", "Classes", "CountedExamples", "PackedExamples"]

Classes = npt.NDArray[Any]
COUNTED_EXAMPLES = Schema(
    "counts",
    {
        "classes": Labels(),
        "tally": Nested(CLASS_COUNTS),
        "levels": Nested(LEVELS, optional=True),
    },
    names={"tally": "class_counts"},
)


class PackedExamples(NamedTuple):
    """Examples as packed bits, with the numbers of their classes."""

    bits: Bits
    codes: npt.NDArray[np.intp]
    weights: IntArray | None


class CountedExamples(NamedTuple):
    """Counts of all examples so far, with the classes and the levels of columns."""

    classes: Classes
    tally: Tally
    levels: Levels | None  # None if the examples were packed bits

    @property
    def modelled_classes(self) -> range:
        """The classes that have a model, the second of two or each of more."""
        return range(len(self.classes) == 2, len(self.classes))

    @property
    def counts(self) -> list[Counts]:
        """Counts for each class that has a model."""
        return [self.tally.against_rest(one) for one in self.modelled_classes]

    def weighted(self, class_weight: ClassWeight) -> CountedExamples:
        """Return counts in which each class is multiplied by its weight.

        Factors are whole numbers in the proportions of the weights.
        """
        factors = integer_factors(class_weight, self.classes, self.tally.rows)
        return self._replace(tally=self.tally.weighed(factors))

    def bits(self, table: Any) -> Bits:
        """Return a table as packed bits."""
        if isinstance(table, Bits):
            return table
        return pack(table) if self.levels is None else self.levels.encode(table)

    def packed(self, examples: Examples) -> PackedExamples:
        """Return examples as bits, with the numbers of their classes."""
        codes = label_codes(examples.target, self.classes)
        return PackedExamples(self.bits(examples.table), codes, examples.weights)

    def merged(self, other: CountedExamples) -> CountedExamples:
        """Return the counts of the examples of both."""
        if (self.levels is None) != (other.levels is None):
            raise TypeError("X must be Bits always or never, got both Bits and numbers")
        words = [part.classes.dtype.kind in "OSU" for part in (self, other)]
        if words[0] != words[1]:
            raise TypeError(
                "classes must be numbers always or never, "
                f"got {self.classes.tolist()} and {other.classes.tolist()}"
            )
        classes = np.union1d(self.classes, other.classes)
        levels = self.levels
        if self.levels is not None and other.levels is not None:
            levels = self.levels.merged(other.levels)
        found = []
        for part in (self, other):
            tally = part.tally
            if part.levels is not None and levels is not None:
                tally = tally.exchanged(part.levels.exchanged(levels))
            places = np.searchsorted(classes, part.classes)
            found.append(tally.placed(places, len(classes)))
        return CountedExamples(classes, found[0] + found[1], levels)
