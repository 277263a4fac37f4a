"""Memory of classifiers that count."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.bits import Bits, Counts, pack
from rosenblatt.core.schema import Labels, Nested, Schema
from rosenblatt.core.types import IntArray
from rosenblatt.counting.binary_weights import CLASS_COUNTS, Tally
from rosenblatt.estimators.class_weight import ClassWeight, whole_factors
from rosenblatt.estimators.labels import coded
from rosenblatt.estimators.levels import LEVELS, Levels

__all__ = ["MEMORY", "Classes", "Coded", "Examples", "Memory"]

Classes = npt.NDArray[Any]
MEMORY = Schema(
    "counts",
    {
        "classes": Labels(),
        "tally": Nested(CLASS_COUNTS),
        "levels": Nested(LEVELS, optional=True),
    },
    names={"tally": "class_counts"},
)


class Examples(NamedTuple):
    """Examples as they are given, checked."""

    table: Any  # packed bits, an array, or a sparse matrix
    target: npt.NDArray[Any]
    weights: IntArray | None


class Coded(NamedTuple):
    """Examples as packed bits, with the numbers of their classes."""

    bits: Bits
    codes: npt.NDArray[np.intp]
    weights: IntArray | None


class Memory(NamedTuple):
    """All that learning goes on from."""

    classes: Classes
    tally: Tally
    levels: Levels | None  # None if the examples were packed bits

    @property
    def told_apart(self) -> range:
        """The classes that have a model: the second of two, or each of more."""
        return range(len(self.classes) == 2, len(self.classes))

    @property
    def counts(self) -> list[Counts]:
        """Counts for each class that has a model."""
        return [self.tally.against_rest(one) for one in self.told_apart]

    def weighed(self, class_weight: ClassWeight) -> Memory:
        """Return what would be remembered if classes had come as often as they weigh.

        Only proportions matter: they are kept, in whole numbers.
        """
        factors = whole_factors(class_weight, self.classes, self.tally.rows)
        return self._replace(tally=self.tally.weighed(factors))

    def bits(self, table: Any) -> Bits:
        """Return a table as packed bits."""
        if isinstance(table, Bits):
            return table
        return pack(table) if self.levels is None else self.levels.encode(table)

    def coded(self, examples: Examples) -> Coded:
        """Return examples as bits, with the numbers of their classes."""
        codes = coded(examples.target, self.classes)
        return Coded(self.bits(examples.table), codes, examples.weights)

    def joined(self, other: Memory) -> Memory:
        """Return what both remember together."""
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
            levels = self.levels.joined(other.levels)
        found = []
        for part in (self, other):
            counted = part.tally
            if part.levels is not None and levels is not None:
                counted = counted.exchanged(part.levels.exchanged(levels))
            places = np.searchsorted(classes, part.classes)
            found.append(counted.placed(places, len(classes)))
        return Memory(classes, found[0] + found[1], levels)
