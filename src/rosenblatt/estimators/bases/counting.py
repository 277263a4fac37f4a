"""Base of classifiers with binary weights, which learn from counts of examples.

The counts are the number of examples of each class in which each column is high. The
order of the examples does not matter, and a weight of k is k repetitions. Two models
that are merged equal one model of all examples, bit for bit.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rosenblatt.bits import Bits
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.counting.class_counts import Tally, tally
from rosenblatt.counting.thresholds import PackedWeights, packed_weights
from rosenblatt.estimators.bases.counted_examples import (
    Classes,
    CountedExamples,
    PackedExamples,
)
from rosenblatt.estimators.bases.decisions import best_classes
from rosenblatt.estimators.bases.parameters import checked_parameters
from rosenblatt.estimators.inputs.class_weight import ClassWeight, check_class_weight
from rosenblatt.estimators.inputs.examples import (
    Batches,
    Examples,
    check_columns,
    checked_batches,
    checked_examples,
    set_columns,
)
from rosenblatt.estimators.inputs.frames import learning, predicting
from rosenblatt.estimators.inputs.labels import (
    known_classes,
    two_or_more,
    unique_labels,
)
from rosenblatt.estimators.inputs.levels import Binarise, find_levels
from rosenblatt.estimators.inputs.rows import bits_to_predict, rows_to_predict
from rosenblatt.estimators.locking import exclusive, merging, shallow_copy, state
from rosenblatt.estimators.merging import check_mergeable

__all__ = ["CountingClassifier"]


class CountingClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base of classifiers with binary weights, which learn from counts of examples.

    A leaf has ``coef_`` and ``threshold_``. Its ``_attributes`` finds them from counts.
    """

    binarise: Binarise
    class_weight: ClassWeight
    warm_start: bool
    _counted: CountedExamples
    _packed: PackedWeights  # coef_ as bits, kept since it is needed at every prediction
    _twice = False  # whether learning goes through the examples twice

    @learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these examples, after earlier ones if ``warm_start`` is set.

        Parameters
        ----------
        X
            The examples: numbers, with two levels in each column; a sparse matrix; or
            packed bits.
        y
            Their classes.
        sample_weight
            How many times each example counts: whole numbers.
        """
        checked_parameters(self)
        if self.warm_start and hasattr(self, "_counted"):
            return self.partial_fit(X, y, sample_weight=sample_weight)
        examples = self._checked(X, y, sample_weight)
        classes = two_or_more("y", unique_labels("y", examples.target))
        check_class_weight(self.class_weight, classes)
        counted, packed = self._count(examples, None, classes)
        self._update(counted, self._attributes(counted, [packed], None), X)
        return self

    @exclusive
    def fit_batches(self, batches: Batches) -> Self:
        """Learn from examples that come in batches, from the start.

        One batch at a time is in memory, besides the first. The result is that of
        ``fit``.

        Parameters
        ----------
        batches
            Pairs of examples and classes, or triples with weights, each as in ``fit``.
            They are given as a collection, or as a function without arguments that
            returns an iterator, such as ``lambda: rb.bits.read(path, target="won")``.
            Empty batches are skipped; one at least must have examples.
        """
        if self._twice and not callable(batches) and iter(batches) is batches:
            raise TypeError(
                "batches must be a collection, or a function that returns an iterator, "
                f"since they are read twice, got an iterator: {batches!r}"
            )
        first, counted = self._count_batches(batches)
        two_or_more("labels in batches", counted.classes)
        check_class_weight(self.class_weight, counted.classes)
        packed = (
            counted.packed(some) for _, some in checked_batches(clone(self), batches)
        )
        self._update(counted, self._attributes(counted, packed, None), first)
        return self

    @learning
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Continue learning from these examples; the first call needs all classes."""
        known: CountedExamples | None = getattr(self, "_counted", None)
        given = known_classes(known.classes if known else None, classes)
        examples = self._checked(X, y, sample_weight)
        if known is not None:
            check_columns(self, X)
        check_class_weight(self.class_weight, two_or_more("classes", given))
        counted, packed = self._count(examples, known, given)
        attributes = self._attributes(counted, [packed], known)
        self._update(counted, attributes, X if known is None else None)
        return self

    @merging
    def merge(self, other: Self) -> Self:
        """Add the counts of another model, which has learned from other examples.

        Parameters
        ----------
        other
            A model of the same class and parameters, on the same columns, with the same
            names if both have any. It does not change. Each may have seen classes and
            levels that the other has not.
        """
        check_mergeable(self, other)
        counted = self._counted.merged(other._counted)
        check_class_weight(self.class_weight, counted.classes)
        self._update(counted, self._merged(counted, other))
        return self

    def decision_function(self, X: Any) -> FloatArray:
        """Return the sum of weights and inputs minus the threshold.

        High inputs are +1, low ones -1. A vector for two classes, else a column each.
        """
        # whole numbers; what calibrates classifiers takes floats only
        return self._scores(X).astype(np.float64)

    @predicting
    def _scores(self, X: Any) -> npt.NDArray[np.int32]:
        """Return the decisions as whole numbers."""
        table = self._table(X)
        scores = self._packed.fields(self._counted.bits(table), self._subtracted())
        return scores.ravel() if len(self.classes_) == 2 else scores

    def _table(self, X: Any) -> Any:
        """Return rows to be predicted, checked."""
        if not hasattr(self, "_counted"):  # asked first, since it is much quicker
            check_is_fitted(self)
        if isinstance(X, Bits):
            return bits_to_predict(self, X)
        return rows_to_predict(self, X)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class of each row.

        For two classes it is the second if the decision is above 0. For more it is the
        class of the largest decision; ties go to the first.
        """
        return best_classes(self._scores(X), self.classes_)

    def takes(self, X: Any) -> npt.NDArray[np.bool_]:
        """Return a mask of the rows that can be learned: their levels are known."""
        table, levels = self._table(X), self._counted.levels
        if levels is None or isinstance(table, Bits):
            return np.ones(table.shape[0], np.bool_)
        return levels.takes(table)

    @property
    @abstractmethod
    def coef_(self) -> IntArray:
        """The weights."""

    @property
    @abstractmethod
    def threshold_(self) -> IntArray:
        """The threshold that the sum of weights times inputs must exceed."""

    @property
    def classes_(self) -> Classes:
        """The labels, sorted."""
        return self._counted.classes

    @property
    def t_(self) -> int:
        """The number of examples seen."""
        return self._counted.tally.total

    @property
    def intercept_(self) -> IntArray:
        """The intercept, ``-threshold_``."""
        return -self.threshold_

    def _attributes(
        self,
        counted: CountedExamples,
        batches: Iterable[PackedExamples],
        known: CountedExamples | None,
    ) -> dict[str, Any]:
        """Return the attributes that follow from the counts and a pass over batches.

        ``known`` is what was known before these batches came. By default none follow.
        """
        return {}

    @abstractmethod
    def _weights(self) -> IntArray:
        """Return the weights that follow from the counts and the attributes."""

    def _merged(self, counted: CountedExamples, other: Self) -> dict[str, Any]:
        """Return the attributes that follow from the counts of two models."""
        return {}

    @exclusive
    def __copy__(self) -> Self:
        """Return a model with the same state, which learning replaces."""
        return shallow_copy(self)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickles and deep copies."""
        return state(self)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        # Real-valued inputs are cut into two levels, which loses most of them.
        tags.classifier_tags.poor_score = True
        return tags

    def _subtracted(self) -> IntArray | None:
        """Return the thresholds, or None if they are zero."""
        return self.threshold_

    def _checked(self, X: Any, y: Any, sample_weight: Any) -> Examples:
        """Check the parameters and the examples."""
        checked_parameters(self)
        return checked_examples(self, X, y, sample_weight)

    def _count(
        self,
        examples: Examples,
        known: CountedExamples | None,
        classes: Classes | None = None,
    ) -> tuple[CountedExamples, PackedExamples]:
        """Count these examples; return all counts so far, and the examples packed."""
        found = unique_labels("y", examples.target) if classes is None else classes
        none = Tally(np.zeros((0, 0), np.int64), np.zeros(0, np.int64))
        levels = None
        if not isinstance(examples.table, Bits):
            before = known.levels if known else None
            levels = find_levels(examples.table, self.binarise, before)
        here = CountedExamples(found, none, levels)
        packed = here.packed(examples)
        tallied = tally(packed.bits, packed.codes, len(found), packed.weights)
        counted = here._replace(tally=tallied)
        return counted if known is None else known.merged(counted), packed

    def _count_batches(self, batches: Batches) -> tuple[Any, CountedExamples]:
        """Count all batches; return the first batch as given, and the counts."""
        checked_parameters(self)
        counted, first = None, None
        for X, examples in checked_batches(clone(self), batches):
            first = X if first is None else first
            counted, _ = self._count(examples, counted)
        if counted is None:
            raise ValueError("batches must be one or more with examples, got none")
        return first, counted

    def _update(
        self, counted: CountedExamples, attributes: dict[str, Any], X: Any = None
    ) -> None:
        """Set counts, attributes and weights; of a new model the columns of X, too."""
        if X is not None:
            set_columns(self, X)
        self.__dict__.update(attributes, _counted=counted)
        self._packed = packed_weights(self._weights())
