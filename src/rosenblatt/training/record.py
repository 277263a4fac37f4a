"""Counts of a training run: rows, mistakes, gaps, and the learning curve."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from rosenblatt.tables import Bad, Encoded
from rosenblatt.training.evaluation.metrics import Metrics, added
from rosenblatt.training.models import Evaluation

__all__ = ["Record"]

_FIRST = 16  # rows before the first point of the curve
_STEP = 1.5  # from one point of the curve to the next: about six a decade


@dataclass
class Record:
    """Counts of a training run.

    ``rows`` were learned in the first pass; of these ``judged`` were predicted before,
    ``mistakes`` of them wrongly and with the sum of logarithms ``log_loss``, None if
    there are no probabilities. ``curve`` has the same four as they were every now and
    then. ``labels`` counts the labels learned, by class; ``metrics`` has the counts of
    the predictions made before learning, and ``test`` those of rows held out.
    """

    rows: int = 0
    judged: int = 0
    mistakes: int = 0
    log_loss: float | None = None
    skipped: dict[str, int] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    other: dict[str, int] = field(default_factory=dict)
    curve: list[list[float | None]] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)
    metrics: Metrics = field(default_factory=Metrics)
    test: Metrics | None = None

    @property
    def majority_error(self) -> float | None:
        """The error of a model that always predicts the most frequent class."""
        return Metrics(self.labels).majority_error

    @property
    def error(self) -> float | None:
        """The share of mistakes."""
        return self.mistakes / self.judged if self.judged else None

    @property
    def mean_log_loss(self) -> float | None:
        """The mean of minus the logarithm of the probability of the labels."""
        if self.log_loss is None or not self.judged:
            return None
        return self.log_loss / self.judged

    def skip(self, bad: Iterable[Bad]) -> None:
        """Count rows that are left out."""
        _add(self.skipped, ((one.kind, 1) for one in bad))

    def found(self, batch: Encoded) -> None:
        """Count what is missing or unknown in a batch."""
        _add(self.missing, batch.missing.items())
        _add(self.other, batch.other.items())

    @property
    def point(self) -> list[float | None]:
        """The point of the curve after all rows so far."""
        return [self.rows, self.judged, self.mistakes, self.log_loss]

    @property
    def mark(self) -> int:
        """Number of rows at the next point of the curve."""
        last = int(self.curve[-1][0] or 0) if self.curve else 0
        return max(_FIRST, math.ceil(_STEP * last))

    def learned(self, rows: int, judged: Evaluation) -> None:
        """Count rows that have been learned."""
        self.rows += rows
        self.judged += judged.rows
        self.mistakes += judged.mistakes
        if judged.log_loss is not None:
            self.log_loss = (self.log_loss or 0.0) + judged.log_loss
        self.labels = added(self.labels, judged.labels)
        if judged.metrics is not None:
            self.metrics.add(judged.metrics)
        if self.judged and self.rows >= self.mark:
            self.curve.append(self.point)

    def check_classes(self, classes: int) -> None:
        """Raise an error unless labels are counted for this number of classes, or not.

        Examples
        --------
        >>> Record(labels=[1, 2, 3]).check_classes(2)
        Traceback (most recent call last):
        ValueError: a record must count labels of 2 classes, got [1, 2, 3]
        """
        test = [] if self.test is None else self.test.labels
        for counts in (self.labels, self.metrics.labels, test):
            if len(counts) not in (0, classes):
                raise ValueError(
                    f"a record must count labels of {classes} classes, got "
                    f"{str(counts)[:80]}"
                )

    def as_dict(self) -> dict[str, Any]:
        """Return the record as plain values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """Return the record that ``as_dict`` has written; types are checked before.

        Examples
        --------
        >>> Record.from_dict({"rows": 1, "judged": 2})
        Traceback (most recent call last):
        ValueError: a record must have 0 <= mistakes <= judged <= rows, got [1, 2, 0...
        """
        found = cls(**plain)
        for name in ("metrics", "test"):
            if isinstance(plain.get(name), dict):
                setattr(found, name, Metrics.from_dict(plain[name]))
        before = 0
        for point in [*found.curve, found.point]:
            _check_point(point, before)
            before = int(point[0] or 0)
        for counts in (found.skipped, found.missing, found.other):
            if min(counts.values(), default=0) < 0:
                raise ValueError(f"counts must not be negative, got {counts}")
        return found


def _check_point(point: list[float | None], before: int) -> None:
    """Raise an error unless counts are possible after that many rows."""
    if [type(n) for n in point[:-1]] == [int, int, int]:
        rows, judged, mistakes = (int(n or 0) for n in point[:-1])
        if 0 <= mistakes <= judged <= rows and before <= rows:
            return
    raise ValueError(
        "a record must have 0 <= mistakes <= judged <= rows, "
        f"got {point} after {before} rows"
    )


def _add(counts: dict[str, int], found: Iterable[tuple[str, int]]) -> None:
    for key, count in found:
        counts[key] = counts.get(key, 0) + count
