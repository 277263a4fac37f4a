"""The two tasks, classes and numbers: how a model learns them, and what is measured.

A task codes the targets of a batch, lets a model predict and then learn them, and makes
columns of predictions. Its metrics are sums over rows, which add up. For two classes
predictions are counted by class and by log-odds, in steps of 0.01: AUC and calibration
come from these counts. No prediction is stored.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from rosenblatt.estimators import BayesPerceptron
from rosenblatt.tables.encoding import Coded, Encoded
from rosenblatt.tables.reading import (
    INFINITE,
    LABEL,
    LONG_LABEL,
    LONGEST_LABEL,
    NO_LABEL,
    Table,
    Texts,
)

STEP = 0.01  # of log-odds; two predictions closer than this are a tie for the AUC
BINS = 4001  # from -20 to 20
LEVEL = 0.9  # of the intervals of numbers
_GROUPS = 10  # of equal width in probability, for calibration
_SMALL = 1e-300  # probabilities have no smaller logarithm
_SHOWN = 32  # classes with a confusion matrix
_MOST_CLASSES = 1000  # of more a target is taken for something else than a label
_SURE = 0.995  # AUC, or rank correlation, of a column that tells the target
_ENOUGH = 30  # rows of a class before a column is suspected
_MANY = 20  # classes, too many to try
_MOST = 2**53  # whole numbers below are doubles
_FIRST = 16  # rows before the first point of the curve
_GROWTH = 1.5  # from one point of the curve to the next: about six a decade
_NAMED = 5  # bad rows

_NAMES = {
    "error": "error {:.4f}",
    "majority_error": "majority error {:.4f}",
    "rmse": "RMSE {:.4g}",
    "mean_rmse": "RMSE of the mean {:.4g}",
    "cost": "cost of a row {:.4f}",
    "log_loss": "log-loss {:.4f}",
    "coverage": "coverage of 90% intervals {:.3f}",
    "auc": "AUC {:.4f}",
    "precision": "precision {:.4f}",
    "recall": "recall {:.4f}",
    "f1": "F1 {:.4f}",
}
FloatArray = npt.NDArray[np.float64]
Sums = tuple[float, float, float | None]  # rows, mistakes or squares, log-loss


_NOT_WHILE_LEARNING = ("majority_error", "log_loss", "precision", "recall", "f1")


def metric_text(known: Mapping[str, Any], *without: str) -> str:
    """Return the metrics of an evaluation in one line, but for some.

    Examples
    --------
    >>> metric_text({"rows": 8, "error": 0.25, "auc": None, "f1": 0.9}, "f1")
    'error 0.2500'
    """
    return ", ".join(
        form.format(known[name])
        for name, form in _NAMES.items()
        if known.get(name) is not None and name not in without
    )


def how_far(model: Any) -> str:
    """Return how far ahead later rows are, in words."""
    horizon = getattr(model, "horizon", None)
    return "10% ahead" if horizon in (None, 1) else f"{horizon} rows ahead"


def whole_counts(counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return counts as integers if all are whole: weights may be fractions."""
    return counts.astype(np.int64) if (counts == np.rint(counts)).all() else counts


def added(one: Any, two: Any) -> Any:
    """Return the sum of two counts or lists of counts, of which one may be missing.

    Examples
    --------
    >>> added([1, 2], [3, 4]), added([], [3, 4]), added(None, 0.5)
    ([4, 6], [3, 4], 0.5)
    """
    if one in (None, []) or two in (None, []):
        return two if one in (None, []) else one
    return (np.array(one) + np.array(two)).tolist()


@dataclass
class Metrics:
    """Counts of predicted classes: labels, a confusion matrix, and bins of log-odds.

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
        probabilities: FloatArray | None = None,
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
            return whole_counts(np.bincount(where, weights, size))

        times = np.ones(len(codes)) if weights is None else np.asarray(weights, float)
        missed = whole_counts(np.bincount(codes, times * (codes != predicted), classes))
        found = cls(count(codes, classes).tolist(), missed.tolist())
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
        wanted = {"labels": (classes,), "wrong": (classes,), "bins": (2, BINS)}
        for name, shape in (wanted | {"confusion": (classes, classes)}).items():
            counts = getattr(self, name)
            if counts and np.shape(counts) != shape:
                raise ValueError(
                    f"a record must count {classes} classes, got {name} "
                    f"{str(counts)[:40]}"
                )
            if not all(0 <= one < _MOST for one in np.array(counts, object).ravel()):
                raise ValueError(f"a record must have counts below {_MOST} in {name}")

    def add(self, other: Metrics) -> None:
        """Add the counts of other predictions."""
        for name, value in vars(other).items():
            setattr(self, name, added(getattr(self, name), value))

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

        every = spread(self.labels, 1), spread(self.wrong, 1), spread(self.confusion, 2)
        return type(self)(*every, [], self.log_loss)

    @property
    def rows(self) -> float:
        """The number of predictions."""
        return sum(self.labels)

    @property
    def sums(self) -> Sums:
        """Predictions, mistakes, and the sum of log-losses."""
        return self.rows, sum(self.wrong), self.log_loss

    @property
    def error(self) -> float | None:
        """The share of wrong predictions."""
        return sum(self.wrong) / self.rows if self.rows else None

    @property
    def auc(self) -> float | None:
        """Probability that a row of the second class is ranked above one of the first.

        Examples
        --------
        >>> shares = np.array([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]])
        >>> Metrics.of(np.array([0, 1, 0]), shares.argmax(1), 2, shares).auc
        1.0
        """
        bins = np.array(self.bins or [[0], [0]])
        no, yes = bins.sum(axis=1).tolist()
        if not no or not yes:
            return None
        below = np.cumsum(bins[0]) - 0.5 * bins[0]  # a tie counts half
        return float(np.dot(bins[1], below) / (no * yes))

    def evaluation(
        self, classes: Sequence[Any] = (), costs: npt.ArrayLike | None = None
    ) -> dict[str, Any]:
        """Return all metrics that can be computed from the counts, by name.

        Precision, recall and F1 are of the second of two classes, or the mean over the
        classes if there are more.

        Examples
        --------
        >>> codes, predicted = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
        >>> found = Metrics.of(codes, predicted, 2).evaluation(["no", "yes"])
        >>> found["error"], found["majority_error"], round(found["f1"], 2)
        (0.25, 0.5, 0.8)
        """
        rows, error = self.rows, self.error
        if error is None:
            return {"rows": rows}
        known = {"rows": rows, "error": error}
        known["majority_error"] = 1.0 - max(self.labels) / rows
        if costs is not None:
            known["cost"] = float(np.dot(self.wrong, costs)) / rows
        if self.log_loss is not None:
            known["log_loss"] = self.log_loss / rows
        found: dict[str, Any] = known
        if self.bins:
            found |= {"auc": self.auc, "calibration": self._calibration()}
        if self.confusion:
            table = np.array(self.confusion)
            right, two = np.diag(table).astype(float), len(table) == 2
            shown, there = table.sum(axis=0), table.sum(axis=1)
            for name, rate in (
                ("precision", right / np.maximum(shown, 1)),
                ("recall", right / np.maximum(there, 1)),
                ("f1", 2.0 * right / np.maximum(shown + there, 1)),
            ):
                found[name] = float(rate[1] if two else rate[there > 0].mean())
            names = list(map(str, classes or range(len(table))))
            each = (dict(zip(names, row, strict=True)) for row in self.confusion)
            found["confusion"] = dict(zip(names, each, strict=True))
        return found

    def _calibration(self) -> list[dict[str, float]]:
        """Return groups of predictions: rows, mean probability, share of the class."""
        bins = np.array(self.bins)
        share = 1.0 / (1.0 + np.exp(-STEP * (np.arange(BINS) - BINS // 2)))
        group = np.minimum((share * _GROUPS).astype(int), _GROUPS - 1)
        sums = (bins.sum(axis=0), bins.sum(axis=0) * share, bins[1])
        rows, predicted, observed = (np.bincount(group, s, _GROUPS) for s in sums)
        return [
            {"rows": whole_counts(rows)[k].item(), "predicted": predicted[k] / rows[k]}
            | {"observed": observed[k] / rows[k]}
            for k in np.flatnonzero(rows).tolist()
        ]


@dataclass
class Numbers:
    """Sums over predicted numbers: squared errors, log-loss, intervals that were right.

    ``mean`` is that of the targets, and ``spread`` the sum of their squared distances
    from it: what predicting the mean costs.
    """

    rows: float = 0.0
    mean: float = 0.0
    spread: float = 0.0
    squares: float = 0.0
    log_loss: float | None = None
    covered: float = 0.0

    @classmethod
    def of(
        cls,
        y: FloatArray,
        mean: FloatArray,
        log_density: FloatArray,
        below: FloatArray,
        weights: npt.NDArray[Any] | None = None,
    ) -> Self:
        """Return the sums of predictions; those that know nothing are left out."""
        times = np.ones(len(y)) if weights is None else np.asarray(weights, float)
        times = np.where(np.isfinite(log_density), times, 0.0)
        if not (rows := float(times.sum())):
            return cls()
        used = times > 0.0
        y, times, mean = y[used], times[used], mean[used]
        center = float(times @ y) / rows
        inside = np.abs(below[used] - 0.5) <= 0.5 * LEVEL
        return cls(
            rows,
            center,
            float(times @ (y - center) ** 2),
            float(times @ (y - mean) ** 2),
            -float(times @ log_density[used]),
            float(times @ inside),
        )

    def check(self, classes: int) -> None:
        """Raise ValueError for sums that none are; there are no classes."""
        if min(self.rows, self.spread, self.squares, self.covered) < 0.0:
            raise ValueError(f"a record must have sums from 0 on, got {self}")

    def add(self, other: Numbers) -> None:
        """Add the sums of other predictions."""
        rows = self.rows + other.rows
        if not other.rows:
            return
        away, share = other.mean - self.mean, other.rows / rows
        self.spread += other.spread + away**2 * share * self.rows
        self.mean += away * share
        self.rows, self.log_loss = rows, added(self.log_loss, other.log_loss)
        self.squares += other.squares
        self.covered += other.covered

    @property
    def sums(self) -> Sums:
        """Predictions, and the sums of squared errors and log-losses."""
        return self.rows, self.squares, self.log_loss

    def evaluation(self, *_: Any) -> dict[str, Any]:
        """Return all metrics by name.

        ``rmse`` is the root of the mean squared error, ``mean_rmse`` that of the mean
        of all targets, ``coverage`` the share of targets in their 90% intervals.

        Examples
        --------
        >>> Numbers(4.0, 0.0, 16.0, 1.0, 2.0, 3.0).evaluation()
        {'rows': 4.0, 'rmse': 0.5, 'mean_rmse': 2.0, 'log_loss': 0.5, 'coverage': 0.75}
        """
        if not (rows := self.rows):
            return {"rows": rows}
        return {
            "rows": rows,
            "rmse": math.sqrt(self.squares / rows),
            "mean_rmse": math.sqrt(self.spread / rows),
            "log_loss": (self.log_loss or 0.0) / rows,
            "coverage": self.covered / rows,
        }


def _is_whole(label: str) -> bool:
    """Return whether a label is a whole number that fits into an array."""
    try:
        return str(np.int64(label)) == label
    except (ValueError, OverflowError):
        return False


def sorted_labels(labels: Collection[str]) -> tuple[str, ...]:
    """Return distinct labels in the order of :func:`class_array`.

    Examples
    --------
    >>> sorted_labels(["10", "9", "10"]), sorted_labels(["10", "9", str(2**63)])
    (('9', '10'), ('10', '9', '9223372036854775808'))
    """
    key = int if all(map(_is_whole, labels)) else None
    return tuple(sorted(set(labels), key=key))


def class_array(classes: Sequence[str]) -> npt.NDArray[Any]:
    """Return labels as an array: whole numbers if all are, and fit into an array.

    Examples
    --------
    >>> class_array(("0", "1")), class_array(("-1", str(2**63)))
    (array([0, 1]), array(['-1', '9223372036854775808'], dtype='<U19'))
    """
    whole = all(map(_is_whole, classes))
    return np.array(list(map(int, classes)), np.int64) if whole else np.array(classes)


def check_labels(where: str, found: Collection[str]) -> None:
    """Raise ValueError if labels are too many, or cannot be learned."""
    if len(found) > _MOST_CLASSES:
        raise ValueError(
            f"{where} must have at most {_MOST_CLASSES} different values to be "
            "classes, got more; task regress takes numbers"
        )
    for label in sorted(label for label in found if label.endswith("\0")):
        raise ValueError(
            f"{where} must not have labels that end in a NUL character, got {label!r}"
        )


@dataclass(frozen=True)
class Classify:
    """The task of predicting labels.

    Parameters
    ----------
    classes
        The labels that are known.
    costs
        Cost of a mistake on a row of each class; 1 for others.
    open
        Whether new labels become classes when they come.
    """

    name: ClassVar[str] = "classify"
    metrics: ClassVar[Any] = Metrics
    classes: tuple[str, ...] = ()
    costs: Mapping[str, float] = field(default_factory=dict)
    open: bool = False

    def code(self, labels: Texts) -> Coded:
        """Return labels as an array; if all classes are whole, so must new ones be."""
        whole, new = all(map(_is_whole, self.classes)), list[str]()
        known = set(self.classes)
        for label in labels.present if self.open else ():
            if len(label) <= LONGEST_LABEL and (_is_whole(label) or not whole):
                new += [label] if label not in known else []
        known.update(new)
        # the last one stands for a missing label
        wrong = np.array([*(value not in known for value in labels.values), True])
        first = self.classes[0]
        values = [*(v if v in known else first for v in labels.values), first]
        every = np.array(list(map(int, values)) if whole else values)
        return Coded(every[labels.codes], wrong[labels.codes], tuple(new))

    def fault(self, labels: Texts, row: int) -> tuple[str, str | None]:
        """Return what is wrong with the label of a row, and the label."""
        if labels.codes[row] < 0:
            return NO_LABEL, None
        label = labels.values[labels.codes[row]]
        return (LABEL if len(label) <= LONGEST_LABEL else LONG_LABEL), label

    def check(self, model: Any, place: str) -> None:
        """Raise ValueError if the model of a place cannot decide by these costs."""
        if not self.costs:
            return
        if not hasattr(model, "predict_proba"):
            raise ValueError(
                f"costs need probabilities, and {place} gives none; take the model "
                "bayes"
            )
        for label in self.costs:
            if label not in self.classes:
                raise ValueError(
                    f"costs must be of the labels {', '.join(self.classes)}, got "
                    f"{label!r}"
                )

    @property
    def factors(self) -> FloatArray | None:
        """The cost of each class; None if all are 1."""
        return self._factors(self.classes)

    def _factors(self, classes: Sequence[Any]) -> FloatArray | None:
        each = [self.costs.get(str(label), 1.0) for label in classes]
        return np.array(each) if self.costs else None

    def learn(self, model: Any, rows: Encoded) -> Metrics:
        """Let a model learn rows; return the metrics of predictions made before.

        A Bayesian perceptron predicts each row just before it learns it. Others predict
        all rows and then learn them; a new one predicts nothing.
        """
        new, weights = not hasattr(model, "classes_"), rows.weights
        law: Any = None
        more: dict[str, Any] = {} if weights is None else {"sample_weight": weights}
        if new and len(self.classes) > 1:
            more["classes"] = class_array(self.classes)
        if isinstance(model, BayesPerceptron):
            law = model.predict_then_learn(rows.X, rows.labels, **more)
        else:
            law = None if new else self.law(model, rows.X)
            model.partial_fit(rows.X, rows.labels, **more)
        return self.measured(model, law, rows.labels, weights)

    def law(self, model: Any, X: Any) -> Any:
        """Return probabilities, or labels of a model that has none."""
        return (getattr(model, "predict_proba", None) or model.predict)(X)

    def later(self, model: Any) -> dict[str, Any]:
        """Return the metrics of rows up to 10% ahead; empty if there are none."""
        found = getattr(model, "later_", None)
        if found is None or not found.rows:
            return {}
        known = found._asdict() | ({"error": None} if self.costs else {})
        return {k: v if v == v else None for k, v in known.items()}  # no AUC is NaN

    def measured(self, model: Any, law: Any, labels: Any, weights: Any) -> Metrics:
        """Return the metrics of predictions."""
        if law is None:
            return Metrics()
        known = model.classes_
        shares = law if law.ndim == 2 else None
        codes, chosen = np.searchsorted(known, labels), self._decided(known, law)
        return Metrics.of(codes, chosen, len(known), shares, weights)

    def _decided(self, known: npt.NDArray[Any], law: Any) -> npt.NDArray[Any]:
        """Return the class of each row of the least expected cost; of equal, the first.

        Examples
        --------
        >>> task, law = Classify(("n", "y"), {"y": 5}), np.array([[0.8, 0.2]])
        >>> task._decided(np.array(["n", "y"]), law)
        array([1])
        """
        if law.ndim == 1:
            return np.asarray(np.searchsorted(known, law))
        costs = self._factors(known.tolist())
        return np.asarray((law if costs is None else law * costs).argmax(axis=1))

    def names(self, proba: bool) -> list[str]:
        """Return the names of columns of predictions."""
        return ["prediction", *(f"p({c})" for c in self.classes if proba)]

    def columns(self, model: Any, law: Any) -> Iterator[Any]:
        """Yield columns of predictions."""
        yield model.classes_[self._decided(model.classes_, law)]
        yield from law.T if law.ndim == 2 else ()

    def tells(self, scores: FloatArray, labels: Texts) -> bool:
        """Return whether scores tell one class from all others."""
        use = np.isfinite(scores) & (labels.codes >= 0)
        codes, scores = labels.codes[use], scores[use]
        counts = np.bincount(codes, minlength=2)
        if len(counts) > _MANY or counts.min() < _ENOUGH:  # chance, or too many to try
            return False
        ranks = np.bincount(codes, rankdata(scores)) - counts * (counts + 1) / 2
        areas = ranks / (counts * (len(codes) - counts))
        return bool(max(areas.max(), 1.0 - areas.min()) >= _SURE)

    def levels(self, labels: Texts) -> FloatArray:
        """Return what differs between levels of a category: being the last label."""
        return np.asarray(labels.codes == np.max(labels.codes, initial=0), float)


@dataclass(frozen=True)
class Regress:
    """The task of predicting numbers."""

    name: ClassVar[str] = "regress"
    metrics: ClassVar[Any] = Numbers
    classes: ClassVar[tuple[str, ...]] = ()
    factors: ClassVar[None] = None
    open: ClassVar[bool] = False

    def code(self, targets: FloatArray | Texts) -> Coded:
        """Return targets, and which are none."""
        numbers = targets.numbers if isinstance(targets, Texts) else targets
        return Coded(numbers, ~np.isfinite(numbers))

    def fault(self, numbers: Any, row: int) -> tuple[str, str | None]:
        """Return what is wrong with the target of a row; nothing that is worth naming.

        Examples
        --------
        >>> Regress().fault(np.array([np.nan, np.inf]), 1)
        ('infinite', None)
        """
        if isinstance(numbers, Texts):
            numbers = numbers.numbers
        return (NO_LABEL if np.isnan(numbers[row]) else INFINITE), None

    def check(self, model: Any, place: str) -> None:
        """Do nothing: every model of numbers is fine."""

    def learn(self, model: Any, rows: Encoded) -> Numbers:
        """Let a model learn rows; return the metrics of predictions made before."""
        given = rows.X, rows.labels, rows.weights
        mean, log, below = model.predict_then_learn(*given, return_scores=True)
        return Numbers.of(rows.labels, mean, log, below, rows.weights)

    def later(self, model: Any) -> dict[str, Any]:
        """Return the metrics of rows up to 10% ahead; empty if there are none."""
        rows, squares, loss = model.later_
        known = {"rows": rows, "rmse": math.sqrt(squares), "log_loss": loss}
        return known if rows else {}

    def measured(self, model: Any, law: Any, targets: Any, weights: Any) -> Numbers:
        """Return the metrics of predictions."""
        log, below = law.scores(targets)
        return Numbers.of(targets, law.moments()[0], log, below, weights)

    def law(self, model: Any, X: Any) -> Any:
        """Return the laws of targets."""
        return model.predict_law(X)

    def names(self, proba: bool) -> list[str]:
        """Return the names of columns of predictions."""
        return ["prediction", "low", "high"]

    def columns(self, model: Any, law: Any) -> Iterator[Any]:
        """Yield mean, and the ends of the 90% interval, of each row."""
        yield law.moments()[0]
        yield from law.interval(LEVEL).T

    def tells(self, scores: FloatArray, numbers: FloatArray) -> bool:
        """Return whether scores have the order of the targets, or the reverse."""
        use = np.isfinite(scores) & np.isfinite(numbers)
        scores, numbers = scores[use], numbers[use]
        if len(scores) < _ENOUGH or not np.ptp(scores) * np.ptp(numbers):
            return False
        ranks = np.corrcoef(rankdata(scores), rankdata(numbers))
        return bool(abs(ranks[0, 1]) >= _SURE)

    def levels(self, numbers: FloatArray) -> FloatArray:
        """Return what differs between levels of a category."""
        return np.nan_to_num(numbers)


Task = Classify | Regress
Point = tuple[float, float, float, float | None]


@dataclass
class Record:
    """Counts of a training run.

    ``rows`` is the number of rows learned. ``metrics`` has the sums over predictions
    made before learning. ``curve`` has the numbers of rows and of predictions, and the
    sums of mistakes, or of squared errors, and of log-losses, at several times.
    ``skipped`` counts bad rows by kind, and ``first_skipped`` describes the first ones.
    ``missing`` and ``other`` count gaps and unknown values by column. ``test`` has the
    metrics of rows held out.
    """

    metrics: Metrics | Numbers
    rows: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    first_skipped: list[str] = field(default_factory=list)
    missing: dict[str, int] = field(default_factory=dict)
    other: dict[str, int] = field(default_factory=dict)
    curve: list[Point] = field(default_factory=list)
    test: Metrics | Numbers | None = None

    @property
    def text(self) -> str:
        """The metrics so far, in a few words."""
        return metric_text(self.metrics.evaluation(), *_NOT_WHILE_LEARNING)

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
    def mark(self) -> int:
        """Number of rows at the next point of the curve."""
        last = int(self.curve[-1][0]) if self.curve else 0
        return max(_FIRST, math.ceil(_GROWTH * last))

    def learned(self, rows: int, metrics: Any) -> None:
        """Count rows that have been learned, and what was predicted before."""
        self.rows += rows
        self.metrics.add(metrics)
        if self.rows >= self.mark:
            self.curve.append((self.rows, *self.metrics.sums))

    def add(self, other: Record) -> None:
        """Add the counts of other rows; no curve is left."""
        self.learned(other.rows, other.metrics)
        self.first_skipped = [*self.first_skipped, *other.first_skipped][:_NAMED]
        self.count(other.skipped, other.missing, other.other)
        self.curve.clear()

    def spread(self, places: Sequence[int], classes: int) -> None:
        """Count more classes; ``places`` are the numbers of the present ones."""
        for name in ("metrics", "test"):
            if isinstance(one := getattr(self, name), Metrics):
                setattr(self, name, one.spread(places, classes))
