"""Metrics of predictions, from counts that are added up batch by batch.

For two classes, predictions are counted by class and by log-odds, in steps of 0.01.
AUC and calibration come from these counts; no prediction is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import numpy.typing as npt

__all__ = ["Metrics", "added", "auc", "report"]

_STEP = 0.01  # of log-odds; two predictions closer than this are a tie for the AUC
_BINS = 4001  # from -20 to 20
_COARSE, _WIDER = 401, 5  # bins of older files, from -10 to 10, and their width
_SMALL = 1e-300  # probabilities have no smaller logarithm
_SHOWN = 32  # classes with a confusion matrix
_GROUPS = 10  # of equal width in probability, for calibration


@dataclass
class Metrics:
    """Counts of predictions: labels, a confusion matrix, and bins of log-odds.

    ``confusion[i][j]`` rows of class i were predicted to be of class j; it is empty for
    many classes. ``bins[i]`` counts rows of class i by predicted log-odds of the second
    class; it is empty without probabilities, or for more than two classes.
    """

    labels: list[int] = field(default_factory=list)
    wrong: list[int] = field(default_factory=list)
    confusion: list[list[int]] = field(default_factory=list)
    bins: list[list[int]] = field(default_factory=list)
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
            Predicted probabilities of all classes.
        weights
            How often each row counts; by default once.
        """

        def count(where: Any, size: int) -> npt.NDArray[np.int64]:
            return np.bincount(where, weights, size).astype(np.int64)

        pairs = classes * codes + predicted
        wrong = np.ones(len(codes)) if weights is None else np.asarray(weights, float)
        missed = np.bincount(codes, wrong * (codes != predicted), classes)
        found = cls(count(codes, classes).tolist(), missed.astype(np.int64).tolist())
        if classes <= _SHOWN:
            table = count(pairs, classes**2).reshape(classes, classes)
            found.confusion = table.tolist()
        if probabilities is None:
            return found
        given = np.maximum(probabilities[np.arange(len(codes)), codes], _SMALL)
        found.log_loss = -float(np.dot(np.log(given), wrong))
        if classes == 2:
            odds = np.log(np.maximum(probabilities, _SMALL))
            place = np.rint((odds[:, 1] - odds[:, 0]) / _STEP) + _BINS // 2
            place = np.clip(place, 0, _BINS - 1).astype(np.int64)
            found.bins = count(_BINS * codes + place, 2 * _BINS).reshape(2, -1).tolist()
        return found

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """Return the counts in plain values, such as those of a file.

        Types are checked before. Counts must have one entry for each class, or none.

        Examples
        --------
        >>> Metrics.from_dict({"labels": [3, 4], "wrong": [1]})
        Traceback (most recent call last):
        ValueError: counts of predictions must be of 2 classes, got wrong of length 1
        """
        found = cls(**plain)
        found.bins = [_refined(row) for row in found.bins]
        many = len(found.labels)
        for name, high, width in (
            ("labels", many, None),
            ("wrong", many, None),
            ("confusion", many, many),
            ("bins", 2 if many == 2 else 0, _BINS),
        ):
            counts = getattr(found, name)
            if len(counts) not in {0, high}:
                raise ValueError(
                    f"counts of predictions must be of {many} classes, got {name} of "
                    f"length {len(counts)}"
                )
            rows = counts if width is not None else [counts]
            if any(
                width not in (None, len(row)) or min(row, default=0) < 0 for row in rows
            ):
                raise ValueError(
                    "counts of predictions must be tables of numbers from 0, got "
                    f"{name} {str(counts)[:40]}..."
                )
        return found

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
            found = np.zeros((classes,) * axes, np.int64)
            found[np.ix_(*(places,) * axes)] = counts
            return list(found.tolist())

        table = spread(self.confusion, 2) if self.confusion else []
        return type(self)(
            spread(self.labels, 1) if self.labels else [],
            spread(self.wrong, 1) if self.wrong else [],
            table if classes <= _SHOWN else [],
            [],
            self.log_loss,
        )

    @property
    def rows(self) -> int:
        """The number of predictions."""
        return sum(self.labels)

    @property
    def majority_error(self) -> float | None:
        """The error of a model that always predicts the most frequent class."""
        return 1.0 - max(self.labels) / self.rows if self.rows else None


def _refined(coarse: list[int]) -> list[int]:
    """Return counts in the present bins; those of older files were wider."""
    if len(coarse) != _COARSE:
        return coarse
    fine = [0] * _BINS
    first = _BINS // 2 - _WIDER * (_COARSE // 2)
    fine[first : first + _WIDER * _COARSE : _WIDER] = coarse
    return fine


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


def report(
    found: Metrics, classes: Sequence[Any], costs: npt.ArrayLike | None = None
) -> dict[str, Any]:
    """Return all metrics that can be computed, by name.

    Precision, recall and F1 are of the second of two classes, or the mean over the
    classes if there are more.

    Examples
    --------
    >>> codes, predicted = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> found = report(Metrics.of(codes, predicted, 2), ["no", "yes"])
    >>> found["error"], found["majority_error"], round(found["f1"], 2)
    (0.25, 0.5, 0.8)
    """
    known: dict[str, Any] = {"rows": found.rows}
    if not found.rows:
        return known
    known["error"] = sum(found.wrong) / found.rows
    known["majority_error"] = found.majority_error
    if costs is not None:
        known["cost"] = float(np.dot(found.wrong, costs)) / found.rows
    if found.log_loss is not None:
        known["log_loss"] = found.log_loss / found.rows
    if found.bins:
        known["auc"] = auc(found)
        known["calibration"] = _calibration(np.array(found.bins))
    if found.confusion:
        known |= _rates(np.array(found.confusion))
        names = [str(label) for label in classes]
        known["confusion"] = {
            label: dict(zip(names, row, strict=True))
            for label, row in zip(names, found.confusion, strict=True)
        }
    return known


def _rates(table: npt.NDArray[np.int64]) -> dict[str, float]:
    """Return precision, recall and F1 from a confusion matrix."""
    right = np.diag(table).astype(float)
    shown, there = table.sum(axis=0), table.sum(axis=1)
    rates = {
        "precision": right / np.maximum(shown, 1),
        "recall": right / np.maximum(there, 1),
        "f1": 2.0 * right / np.maximum(shown + there, 1),
    }
    two = len(table) == 2
    return {k: float(v[1] if two else v[there > 0].mean()) for k, v in rates.items()}


def auc(found: Metrics) -> float | None:
    """Return the probability that the second class is ranked above the first."""
    if not found.bins:
        return None
    bins = np.array(found.bins)
    no, yes = bins.sum(axis=1).tolist()
    if not no or not yes:
        return None
    below = np.cumsum(bins[0]) - 0.5 * bins[0]  # a tie counts half
    return float(np.dot(bins[1], below) / (no * yes))


def _calibration(bins: npt.NDArray[np.int64]) -> list[dict[str, float]]:
    """Return groups of predictions: rows, mean probability, and share of the class."""
    odds = (np.arange(_BINS) - _BINS // 2) * _STEP
    share = 1.0 / (1.0 + np.exp(-odds))
    group = np.minimum((share * _GROUPS).astype(int), _GROUPS - 1)
    both = bins.sum(axis=0)
    found = []
    for k in range(_GROUPS):
        rows = int(both[group == k].sum())
        if rows:
            mean = float(np.dot(both[group == k], share[group == k])) / rows
            hits = float(bins[1][group == k].sum()) / rows
            found.append({"rows": rows, "predicted": mean, "observed": hits})
    return found
