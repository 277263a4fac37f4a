"""Order of labels: a warning for data that are sorted by class.

Models that learn each example once, in the given order, end with a belief about the
last class if data are sorted. Nothing else shows it: such labels are easy to predict.
"""

from __future__ import annotations

import warnings
from typing import Self

import numpy as np

from rosenblatt.core.types import IntArray

__all__ = ["LabelRuns"]

_FEW = 100  # rows of which the order is left to chance
_SHARE = 0.05  # of the changes in random order, below which a warning is given


class LabelRuns:
    """Runs of equal labels in a stream.

    Examples
    --------
    >>> runs = LabelRuns().add(np.array([0, 0, 1])).add(np.array([1, 0]))
    >>> runs.changes, runs.expected
    (2, 2.4)
    """

    def __init__(self) -> None:
        self.changes = 0
        self._counts = np.zeros(0, np.int64)
        self._last: int | None = None

    def add(self, codes: IntArray) -> Self:
        """Count the next class codes."""
        if not codes.size:
            return self
        counts = np.bincount(codes, minlength=self._counts.size)
        counts[: self._counts.size] += self._counts
        self._counts = counts
        self.changes += int(np.count_nonzero(codes[1:] != codes[:-1]))
        self.changes += self._last not in (None, int(codes[0]))
        self._last = int(codes[-1])
        return self

    @property
    def expected(self) -> float:
        """Mean number of changes of the same labels in random order."""
        total = int(self._counts.sum())
        pairs = np.sum(self._counts * (self._counts - 1.0)) / max(total, 1)
        return float(total - 1 - pairs)

    def warn(self, stacklevel: int) -> None:
        """Warn if there are far fewer changes than in random order."""
        total = int(self._counts.sum())
        if total >= _FEW and self.changes < _SHARE * self.expected:
            warnings.warn(
                f"labels come in long runs; changes in {total:,} rows: "
                f"{self.changes:,}, in random order {self.expected:,.0f}; shuffle rows "
                "that are sorted, because they are learned in the given order",
                stacklevel=stacklevel + 1,
            )
