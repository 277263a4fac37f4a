"""Record of a training run: a batch is predicted, learned and counted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from rosenblatt.estimators import BayesPerceptron, OnlinePerceptron
from rosenblatt.estimators.inputs import may_appear
from rosenblatt.tables import Bad, Encoded
from rosenblatt.training.evaluation.decisions import decide
from rosenblatt.training.evaluation.metrics import Metrics, added

__all__ = ["Evaluation", "Record", "evaluates_rows", "learn_batch"]

_FIRST = 16  # rows before the first point of the curve
_STEP = 1.5  # from one point of the curve to the next: about six a decade


class Evaluation(NamedTuple):
    """Evaluation of predictions that were made before learning."""

    rows: int
    mistakes: int
    log_loss: float | None  # summed; None without probabilities
    labels: Sequence[int] = ()  # how often each class was learned
    metrics: Metrics | None = None


@dataclass
class Record:
    """Counts of a training run.

    ``rows`` were learned in the first pass. Of these ``judged`` were predicted before,
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
        """Count missing and unknown values of a batch."""
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

    def __add__(self, other: Record) -> Record:
        """Return the sum of two records, without their learning curves.

        Examples
        --------
        >>> Record(rows=3, missing={"a": 1}) + Record(rows=4, missing={"a": 2})
        Record(rows=7, ..., missing={'a': 3}, ...)
        """
        total = Record()
        for one in (self, other):
            total.rows += one.rows
            total.judged += one.judged
            total.mistakes += one.mistakes
            if one.log_loss is not None:
                total.log_loss = (total.log_loss or 0.0) + one.log_loss
            for name in ("skipped", "missing", "other"):
                _add(getattr(total, name), getattr(one, name).items())
            total.labels = added(total.labels, one.labels)
            total.metrics.add(one.metrics)
        return total

    def spread(self, places: Sequence[int], classes: int) -> None:
        """Count more classes; ``places`` are the numbers of the present ones."""
        self.labels = Metrics(self.labels).spread(places, classes).labels
        self.metrics = self.metrics.spread(places, classes)
        self.test = None if self.test is None else self.test.spread(places, classes)

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
        most = max(found.rows, sum(found.labels))  # a row of weight 2 is judged twice
        before: list[float | None] = [0, 0, 0, None]
        for point in [*found.curve, found.point]:
            _check_point(point, before, most)
            before = point
        for counts in (found.skipped, found.missing, found.other):
            if min(counts.values(), default=0) < 0:
                raise ValueError(f"counts must not be negative, got {counts}")
        return found


def _check_point(
    point: list[float | None], before: list[float | None], most: int
) -> None:
    """Raise an error unless counts are possible after those before."""
    if [type(n) for n in point[:-1]] == [int, int, int]:
        rows, judged, mistakes = (int(n or 0) for n in point[:-1])
        rises = rows >= int(before[0] or 0) and judged >= int(before[1] or 0)
        if rises and 0 <= mistakes <= judged <= most:
            return
    raise ValueError(
        "a record must have 0 <= mistakes <= judged <= rows, and counts that rise, "
        f"got {point} after {before}"
    )


def _add(counts: dict[str, int], found: Iterable[tuple[str, int]]) -> None:
    for key, count in found:
        counts[key] = counts.get(key, 0) + count


def evaluates_rows(model: Any, classes: int) -> bool:
    """Return whether a model is evaluated row by row, not batch by batch."""
    later = hasattr(model, "classes_") and may_appear(model, None)
    counts = isinstance(model, OnlinePerceptron) and classes == 2 and not later
    return counts or isinstance(model, BayesPerceptron)


def learn_batch(
    model: Any,
    X: Any,
    codes: npt.NDArray[np.int64],
    classes: npt.NDArray[Any],
    weights: npt.NDArray[Any] | None = None,
    factors: npt.NDArray[np.float64] | None = None,
    opened: bool = False,
) -> Evaluation:
    """Let a model learn a batch; return the evaluation of its predictions before.

    A Bayesian perceptron predicts each row just before it learns it; a perceptron with
    two classes counts its mistakes likewise. Others predict the whole batch and then
    learn it. They are judged by what they knew a batch ago, and on the first not at
    all.

    Parameters
    ----------
    weights
        How often each row counts.
    factors
        Factors of the probabilities of classes, for decisions.
    opened
        Whether classes may appear later; then predictions are not counted by class.
    """
    if weights is not None and not weights.any():
        return Evaluation(0, 0, None)
    new = not hasattr(model, "classes_")
    more: dict[str, Any] = {"classes": classes} if new and len(classes) > 1 else {}
    if weights is not None:
        more["sample_weight"] = weights
    labels = classes[codes]
    count = len(codes) if weights is None else int(weights.sum())
    if opened and not evaluates_rows(model, len(classes)):
        wrong = [] if new else model.predict(X) != labels
        mistakes = int(np.sum(wrong if weights is None or new else weights[wrong]))
        model.partial_fit(X, labels, **more)
        return Evaluation(0 if new else count, mistakes, None)
    if opened:
        before = (0, 0.0) if new else _counted(model)
        model.partial_fit(X, labels, **more)
        wrong, evidence = _counted(model)
        bayes = isinstance(model, BayesPerceptron)
        loss = before[1] - evidence if bayes else None
        return Evaluation(count, wrong - before[0], loss)
    seen = np.bincount(codes, weights, len(classes)).astype(np.int64).tolist()
    if isinstance(model, BayesPerceptron):
        probabilities = model.predict_then_learn(X, labels, **more)
        return _judged(codes, probabilities, weights, factors, seen)
    if evaluates_rows(model, len(classes)):  # it counts what it did not know before
        mistakes = 0 if new else _counted(model)[0]
        model.partial_fit(X, labels, **more)
        return Evaluation(sum(seen), _counted(model)[0] - mistakes, None, seen)
    judged = Evaluation(0, 0, None, seen)
    if not new:
        if hasattr(model, "predict_proba"):
            probabilities = model.predict_proba(X)
            judged = _judged(codes, probabilities, weights, factors, seen)
        else:
            predicted = np.searchsorted(classes, model.predict(X))
            found = Metrics.of(codes, predicted, len(classes), None, weights)
            judged = Evaluation(found.rows, sum(found.wrong), None, seen, found)
    model.partial_fit(X, labels, **more)
    return judged


def _counted(model: Any) -> tuple[int, float]:
    """Return mistakes and log-evidence so far; not all models have the latter."""
    evidence = getattr(model, "log_evidence_", np.zeros(1))
    return int(model.mistakes_[0]), float(evidence[0])


def _judged(
    codes: npt.NDArray[np.int64],
    probabilities: npt.NDArray[np.float64],
    weights: npt.NDArray[Any] | None,
    factors: npt.NDArray[np.float64] | None,
    seen: list[int],
) -> Evaluation:
    """Return the evaluation of probabilities."""
    predicted = decide(probabilities, factors)
    found = Metrics.of(codes, predicted, probabilities.shape[1], probabilities, weights)
    return Evaluation(found.rows, sum(found.wrong), found.log_loss, seen, found)
