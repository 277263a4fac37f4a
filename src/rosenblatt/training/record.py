"""Record of a training run: batches are predicted, learned and counted.

For two classes, predictions are counted by class and by log-odds, in steps of 0.01.
AUC and calibration come from these counts; no prediction is stored.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rosenblatt.estimators import BayesPerceptron
from rosenblatt.system.progress import ProgressBar
from rosenblatt.tables.encoding import Encoded
from rosenblatt.tables.reading import Table

STEP = 0.01  # of log-odds; two predictions closer than this are a tie for the AUC
BINS = 4001  # from -20 to 20
_SMALL = 1e-300  # probabilities have no smaller logarithm
_SHOWN = 32  # classes with a confusion matrix
_FIRST = 16  # rows before the first point of the curve
_GROWTH = 1.5  # from one point of the curve to the next: about six a decade
_NAMED = 5  # bad rows


def check_probabilities(model: Any, name: str) -> None:
    """Raise ValueError if a model does not give the probabilities to decide by."""
    if not hasattr(model, "predict_proba"):
        raise ValueError(
            f"costs need probabilities, and {name} gives none; take the model bayes"
        )


def class_costs(
    costs: Mapping[str, float], classes: Sequence[Any], later: bool = False
) -> npt.NDArray[np.float64] | None:
    """Return the cost of a mistake on a row of each class; None if none is given.

    Labels that are no classes are an error, unless they may come ``later``.

    Examples
    --------
    >>> class_costs({"yes": 5}, ["no", "yes"])
    array([1., 5.])
    """
    names = [str(label) for label in classes]
    for label in costs if not later else ():
        if label not in names:
            raise ValueError(
                f"costs must be of the labels {', '.join(names)}, got {label!r}"
            )
    return np.array([costs.get(name, 1.0) for name in names]) if costs else None


def decide(
    probabilities: npt.NDArray[np.float64], costs: npt.NDArray[np.float64] | None
) -> npt.NDArray[np.int64]:
    """Return the class of each row of the least expected cost; ties go to the first.

    Examples
    --------
    >>> probabilities = np.array([[0.8, 0.2], [0.95, 0.05]])
    >>> decide(probabilities, None), decide(probabilities, np.array([1.0, 5.0]))
    (array([0, 0]), array([1, 0]))
    """
    weighed = probabilities if costs is None else probabilities * costs
    return np.asarray(weighed.argmax(axis=1), np.int64)


@dataclass
class Metrics:
    """Counts of predictions: labels, a confusion matrix, and bins of log-odds.

    ``confusion[i][j]`` rows of class i were predicted to be of class j; it is empty for
    many classes. ``bins[i]`` counts rows of class i by predicted log-odds of the second
    class; it is empty without probabilities, or for more than two classes.
    """

    labels: list[float] = field(default_factory=list)
    wrong: list[float] = field(default_factory=list)
    confusion: list[list[float]] = field(default_factory=list)
    bins: list[list[float]] = field(default_factory=list)
    log_loss: float | None = None  # summed

    @classmethod
    def of(
        cls,
        codes: npt.NDArray[np.int64],
        predicted: npt.NDArray[np.int64],
        classes: int,
        probabilities: npt.NDArray[np.float64] | None = None,
        weights: npt.NDArray[Any] | None = None,
    ) -> Self:
        """Return the counts of some predictions.

        Parameters
        ----------
        codes, predicted
            Labels and predictions, as numbers from 0.
        classes
            Number of classes.
        probabilities
            Predicted probabilities of all classes; 0 for a class that was not known,
            whose rows have no log-loss.
        weights
            How often each row counts; by default once.
        """

        def count(where: Any, size: int) -> npt.NDArray[Any]:
            return _whole(np.bincount(where, weights, size))

        times = np.ones(len(codes)) if weights is None else np.asarray(weights, float)
        missed = np.bincount(codes, times * (codes != predicted), classes)
        found = cls(count(codes, classes).tolist(), _whole(missed).tolist())
        if classes <= _SHOWN:
            table = count(classes * codes + predicted, classes**2)
            found.confusion = table.reshape(classes, classes).tolist()
        if probabilities is None:
            return found
        given = probabilities[np.arange(len(codes)), codes]
        logs = np.log(np.where(given > 0.0, np.maximum(given, _SMALL), 1.0))
        found.log_loss = -float(np.dot(logs, times))
        if classes == 2:
            odds = np.log(np.maximum(probabilities, _SMALL))
            place = np.rint((odds[:, 1] - odds[:, 0]) / STEP) + BINS // 2
            place = np.clip(place, 0, BINS - 1).astype(np.int64)
            found.bins = count(BINS * codes + place, 2 * BINS).reshape(2, -1).tolist()
        return found

    def check(self, classes: int) -> None:
        """Raise ValueError unless these are counts for this number of classes, or none.

        Examples
        --------
        >>> Metrics(labels=[3, 4], wrong=[1]).check(2)
        Traceback (most recent call last):
        ValueError: a record must count 2 classes, got wrong [1]
        """
        shape = (classes,)
        for name, wanted in (
            ("labels", shape),
            ("wrong", shape),
            ("confusion", 2 * shape),
            ("bins", (2, BINS)),
        ):
            counts = getattr(self, name)
            if counts and np.shape(counts) != wanted:
                raise ValueError(
                    f"a record must count {classes} classes, got {name} "
                    f"{str(counts)[:40]}"
                )

    def add(self, other: Metrics) -> None:
        """Add the counts of other predictions."""
        for name in ("labels", "wrong", "confusion", "bins"):
            setattr(self, name, added(getattr(self, name), getattr(other, name)))
        if other.log_loss is not None:
            self.log_loss = (self.log_loss or 0.0) + other.log_loss

    def spread(self, places: Sequence[int], classes: int) -> Self:
        """Return the same counts for more classes; log-odds are those of two only.

        Parameters
        ----------
        places
            The numbers that the present classes have among all.
        classes
            Number of all classes.

        Examples
        --------
        >>> Metrics([3, 4], [1, 0], [[2, 1], [0, 4]]).spread([0, 2], 3)
        Metrics(labels=[3, 0, 4], wrong=[1, 0, 0],
                confusion=[[2, 0, 1], [0, 0, 0], [0, 0, 4]], bins=[], log_loss=None)
        """

        def spread(counts: list[Any], axes: int) -> list[Any]:
            if not counts or (axes == 2 and classes > _SHOWN):
                return []
            found = np.zeros((classes,) * axes, np.asarray(counts).dtype)
            found[np.ix_(*(places,) * axes)] = counts
            return list(found.tolist())

        return type(self)(
            spread(self.labels, 1),
            spread(self.wrong, 1),
            spread(self.confusion, 2),
            [],
            self.log_loss,
        )

    @property
    def rows(self) -> float:
        """The number of predictions."""
        return sum(self.labels)

    @property
    def error(self) -> float | None:
        """The share of wrong predictions."""
        return sum(self.wrong) / self.rows if self.rows else None

    @property
    def majority_error(self) -> float | None:
        """The error of a model that always predicts the most frequent class."""
        return 1.0 - max(self.labels) / self.rows if self.rows else None

    @property
    def auc(self) -> float | None:
        """Probability that a row of the second class is ranked above one of the first.

        Examples
        --------
        >>> shares = np.array([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]])
        >>> Metrics.of(np.array([0, 1, 0]), shares.argmax(1), 2, shares).auc
        1.0
        """
        if not self.bins:
            return None
        bins = np.array(self.bins)
        no, yes = bins.sum(axis=1).tolist()
        if not no or not yes:
            return None
        below = np.cumsum(bins[0]) - 0.5 * bins[0]  # a tie counts half
        return float(np.dot(bins[1], below) / (no * yes))


def _whole(counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return counts as integers if all are whole: weights may be fractions."""
    return counts.astype(np.int64) if (counts == np.rint(counts)).all() else counts


def added(one: Sequence[Any], two: Sequence[Any]) -> list[Any]:
    """Return the sum of two lists of counts, of which one may be empty.

    Examples
    --------
    >>> added([1, 2], [3, 4]), added([], [3, 4])
    ([4, 6], [3, 4])
    """
    if not one or not two:
        return list(one or two)
    total: list[Any] = (np.array(one) + np.array(two)).tolist()
    return total


Point = tuple[float, float, float, float | None]


@dataclass
class Record:
    """Counts of a training run.

    ``rows`` is the number of rows learned. ``metrics`` has the counts
    of the predictions made before learning. ``curve`` has the numbers of rows, of
    predictions and of mistakes, and the sum of log-losses, at several times.
    ``skipped`` counts bad rows by kind, and ``first_skipped`` describes the first ones.
    ``missing`` and ``other`` count gaps and unknown values by column. ``labels`` counts
    the labels learned, by class; ``test`` has the metrics of rows held out.
    """

    rows: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    first_skipped: list[str] = field(default_factory=list)
    missing: dict[str, int] = field(default_factory=dict)
    other: dict[str, int] = field(default_factory=dict)
    curve: list[Point] = field(default_factory=list)
    labels: list[float] = field(default_factory=list)
    metrics: Metrics = field(default_factory=Metrics)
    test: Metrics | None = None

    @property
    def majority_error(self) -> float | None:
        """The error of a model that always predicts the most frequent class."""
        return Metrics(self.labels).majority_error

    @property
    def error(self) -> float | None:
        """The share of mistakes among the predictions before learning."""
        return self.metrics.error

    @property
    def mean_log_loss(self) -> float | None:
        """The mean of minus the logarithm of the probability of the labels."""
        loss, rows = self.metrics.log_loss, self.metrics.rows
        return None if loss is None or not rows else loss / rows

    def found(self, batch: Encoded, table: Table) -> None:
        """Count bad rows, and missing and unknown values, of a batch."""
        said = map(str, map(table.error, batch.bad[:_NAMED]))
        self.first_skipped = [*self.first_skipped, *said][:_NAMED]
        self.count(Counter(one.kind for one in batch.bad), batch.missing, batch.other)

    def count(self, *counts: Mapping[str, int]) -> None:
        """Add counts of skipped rows by kind, and of gaps and unknown values."""
        names = ("skipped", "missing", "other")
        for name, more in zip(names, counts, strict=False):
            setattr(self, name, dict(Counter(getattr(self, name)) + Counter(more)))

    @property
    def point(self) -> Point:
        """The point of the curve after all rows so far."""
        known = self.metrics
        return self.rows, known.rows, sum(known.wrong), known.log_loss

    @property
    def mark(self) -> int:
        """Number of rows at the next point of the curve."""
        last = int(self.curve[-1][0]) if self.curve else 0
        return max(_FIRST, math.ceil(_GROWTH * last))

    def learned(self, rows: int, labels: Sequence[float], metrics: Metrics) -> None:
        """Count rows that have been learned, and what was predicted before."""
        self.rows += rows
        self.labels = added(self.labels, labels)
        self.metrics.add(metrics)
        if self.rows >= self.mark:
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
            total.learned(one.rows, one.labels, one.metrics)
            total.first_skipped = [*total.first_skipped, *one.first_skipped][:_NAMED]
            total.count(one.skipped, one.missing, one.other)
        total.curve.clear()
        return total

    def spread(self, places: Sequence[int], classes: int) -> None:
        """Count more classes; ``places`` are the numbers of the present ones."""
        self.labels = Metrics(self.labels).spread(places, classes).labels
        self.metrics = self.metrics.spread(places, classes)
        self.test = None if self.test is None else self.test.spread(places, classes)

    def check(self, classes: int) -> None:
        """Raise ValueError unless the counts are those of this number of classes."""
        for each in (Metrics(self.labels), self.metrics, self.test or Metrics()):
            each.check(classes)


def learn_batch(
    model: Any,
    X: Any,
    labels: npt.NDArray[Any],
    weights: npt.NDArray[Any] | None = None,
    classes: npt.NDArray[Any] | None = None,
    costs: Mapping[str, float] | None = None,
) -> tuple[list[float], Metrics]:
    """Let a model learn a batch; return the labels learned and metrics of predictions.

    A Bayesian perceptron predicts each row just before it learns it. Others predict the
    whole batch and then learn it; a new one predicts nothing.

    Parameters
    ----------
    weights
        How often each row counts.
    classes
        The classes of a new model, if there are two or more.
    costs
        Costs of mistakes by label, for decisions.
    """
    if weights is not None and not weights.any():
        return [], Metrics()
    new = not hasattr(model, "classes_")
    more: dict[str, Any] = {} if weights is None else {"sample_weight": weights}
    if new and classes is not None and len(classes) > 1:
        more["classes"] = classes
    predicted = probabilities = None
    if isinstance(model, BayesPerceptron):
        probabilities = model.predict_then_learn(X, labels, **more)
    else:
        if not new and hasattr(model, "predict_proba"):
            probabilities = model.predict_proba(X)
        elif not new:
            predicted = model.predict(X)
        model.partial_fit(X, labels, **more)
    known = model.classes_
    codes = np.searchsorted(known, labels)
    seen = _whole(np.bincount(codes, weights, len(known))).tolist()
    if probabilities is not None:
        guessed = decide(probabilities, class_costs(costs or {}, known, later=True))
    elif predicted is not None:
        guessed = np.asarray(np.searchsorted(known, predicted), np.int64)
    else:
        return seen, Metrics()
    return seen, Metrics.of(codes, guessed, len(known), probabilities, weights)


class TrainingBar(ProgressBar):
    """Progress bar of training; ``shown`` is None for terminals only."""

    def __init__(self, shown: bool | None) -> None:
        super().__init__(1.0, shown=shown, counted=False, keep=True)
        self._first: tuple[int, float] | None = None  # rows and time at the start

    def update_record(
        self,
        record: Record,
        rows: int,
        done: float | None,
        before: str = "",
        model: Any = None,
    ) -> None:
        """Show error and AUC of the next row and of later ones, after some rows."""
        if not self.shown:
            return
        now = time.perf_counter()
        if self._first is None:  # rows before this start are no speed
            self._first = rows, now
        speed = (rows - self._first[0]) / max(now - self._first[1], 1e-9)
        text = f"{before}{rows:,} rows, {speed:,.0f}/s"
        known = [("next row", record.error, record.metrics.auc)]
        later = getattr(model, "later_", None) if hasattr(model, "classes_") else None
        if later is not None and later.rows:
            known.append(("10% ahead", later.error, later.auc))
        for what, error, auc in known:
            if error is not None:
                text += f"; {what}: error {error:.4f}"
                text += "" if auc is None or math.isnan(auc) else f", AUC {auc:.4f}"
        self.update(done, text)
