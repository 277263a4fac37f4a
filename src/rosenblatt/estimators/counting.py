"""What the classifiers that count have in common.

They remember how often each column is high in each class, and nothing else of the
examples. So the order of the examples does not matter, a weight of k is k repetitions,
and what two models have learned apart can be merged into what one would have learned
from all examples, to the bit.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
    check_X_y,
    column_or_1d,
    validate_data,
)

from rosenblatt.core.bits import Bits, Counts, pack
from rosenblatt.core.jit import IntArray
from rosenblatt.engines.counts import Tally, tally
from rosenblatt.engines.dataset import repeats
from rosenblatt.engines.thresholds import binary_fields
from rosenblatt.estimators.levels import Binarise, Levels, learned
from rosenblatt.estimators.online_perceptron import several

__all__ = ["Batches", "Coded", "CountingClassifier", "Memory"]

Classes = npt.NDArray[Any]
Batches = Iterable[tuple[Any, ...]] | Callable[[], Iterable[tuple[Any, ...]]]


class Examples(NamedTuple):
    """Examples as they are given, checked; those of weight 0 are left out."""

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
    def counts(self) -> list[Counts]:
        """Counts for the second of two classes, or for each of more."""
        ones = [1] if len(self.classes) == 2 else range(len(self.classes))
        return [self.tally.against_rest(one) for one in ones]

    def positive(self, codes: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
        """Return the labels of examples, for each of these counts."""
        count = len(self.classes)
        ones = np.array([1]) if count == 2 else np.arange(count)
        return np.asarray(codes == ones[:, None])

    def bits(self, table: Any) -> Bits:
        """Return a table as packed bits."""
        if isinstance(table, Bits):
            return table
        return pack(table) if self.levels is None else self.levels.encode(table)

    def coded(self, examples: Examples) -> Coded:
        """Return examples as bits, with the numbers of their classes."""
        for label in np.setdiff1d(examples.target, self.classes).tolist():
            raise ValueError(
                f"y must be among classes {self.classes.tolist()}, got {label!r}"
            )
        codes = np.searchsorted(self.classes, examples.target)
        return Coded(self.bits(examples.table), codes, examples.weights)

    def joined(self, other: Memory) -> Memory:
        """Return what both remember together."""
        if (self.levels is None) != (other.levels is None):
            raise TypeError("X must be Bits always or never, got both Bits and numbers")
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


class CountingClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the classifiers that count.

    A leaf has the parameter ``binarise``, says in ``_conclude`` what follows from the
    memory, and provides ``coef_`` and ``threshold_``.
    """

    binarise: Binarise
    _memory: Memory
    _twice = False  # whether learning goes through the examples twice

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget everything and learn from these examples.

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
        examples = self._checked(X, y, sample_weight)
        several("y", np.unique(examples.target))
        memory, coded = self._counted(examples, None)
        self._adopt(X, memory, self._conclude(memory, [coded], None))
        return self

    def fit_batches(self, batches: Batches) -> Self:
        """Forget everything and learn from examples that come in batches.

        Only one batch at a time is in memory. The result is that of ``fit`` with all
        examples together.

        Parameters
        ----------
        batches
            Pairs of examples and classes, or triples with weights, each as in ``fit``:
            a list or other collection, or a function without arguments that returns an
            iterator over them, such as ``lambda: rb.bits.read(path, target="won")``.
        """
        if self._twice and not callable(batches) and iter(batches) is batches:
            raise TypeError(
                "batches must be a collection, or a function that returns an iterator, "
                f"since they are read twice, got an iterator: {batches!r}"
            )
        memory, first = None, None
        for X, examples in self._each(batches):
            first = X if first is None else first
            memory, _ = self._counted(examples, memory)
        if memory is None:
            raise ValueError("batches must be one or more, got none")
        several("labels in batches", memory.classes)
        coded = self._coded(batches, memory)
        self._adopt(first, memory, self._conclude(memory, coded, None))
        return self

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Go on learning; the first call needs all the classes that will ever come."""
        known: Memory | None = getattr(self, "_memory", None)
        if known is None and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit")
        examples = self._checked(X, y, sample_weight)
        if known is not None:
            validate_data(self, X, reset=False, skip_check_array=True)
        given = np.unique(known.classes if known and classes is None else classes)
        if known is not None and not np.array_equal(given, known.classes):
            raise ValueError(
                f"classes must be those of the first call, {known.classes.tolist()}, "
                f"got {given.tolist()}"
            )
        several("classes", given)
        for label in np.setdiff1d(examples.target, given).tolist():
            raise ValueError(f"y must be among classes {given.tolist()}, got {label!r}")
        if not len(examples.target):
            return self  # all weights are 0
        memory, coded = self._counted(examples, known, given)
        self._adopt(X, memory, self._conclude(memory, [coded], known))
        return self

    def merge(self, other: Self) -> Self:
        """Add what another model has learned from other examples.

        Parameters
        ----------
        other
            A model of the same kind and parameters, on the same columns. It stays as it
            is. Each may have seen classes and levels that the other has not.
        """
        check_is_fitted(self)
        if type(other) is not type(self) or other.get_params() != self.get_params():
            raise ValueError(f"other must be a model like {self!r}, got {other!r}")
        check_is_fitted(other)
        if other.n_features_in_ != self.n_features_in_:
            raise ValueError(
                f"other must have {self.n_features_in_} columns, "
                f"got {other.n_features_in_}"
            )
        memory = self._memory.joined(other._memory)
        self.__dict__.update(self._merged(memory, other), _memory=memory)
        return self

    def decision_function(self, X: Any) -> IntArray:
        """Return the sum of weights and inputs minus the threshold, in whole numbers.

        High inputs count as +1, low ones as -1. A vector if there are two classes, else
        one column for each class.
        """
        check_is_fitted(self)
        if isinstance(X, Bits):
            validate_data(self, X, reset=False, skip_check_array=True)
            table: Any = X
        else:
            table = validate_data(self, X, reset=False, accept_sparse="csr")
        bits = self._memory.bits(table)
        scores: IntArray = binary_fields(bits, self.coef_) - self.threshold_
        return scores.ravel() if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class of each row.

        Of two classes it is the second where the decision is above 0. Of more it is the
        one whose decision is the largest, and the first of several.
        """
        scores = self.decision_function(X)
        best = scores > 0 if scores.ndim == 1 else scores.argmax(axis=1)
        chosen: npt.NDArray[Any] = self.classes_[best.astype(np.intp)]
        return chosen

    @property
    @abstractmethod
    def coef_(self) -> IntArray:
        """The weights."""

    @property
    @abstractmethod
    def threshold_(self) -> IntArray:
        """What the sum of weights and inputs must exceed."""

    @property
    def classes_(self) -> Classes:
        """The labels, sorted."""
        return self._memory.classes

    @property
    def t_(self) -> int:
        """The number of examples seen."""
        return self._memory.tally.total

    @property
    def intercept_(self) -> IntArray:
        """What is added to the sum of weights and inputs."""
        return -self.threshold_

    @abstractmethod
    def _conclude(
        self, memory: Memory, batches: Iterable[Coded], known: Memory | None
    ) -> dict[str, Any]:
        """Return the attributes that follow from the memory and a pass over batches.

        ``known`` is what was known before these batches came.
        """

    @abstractmethod
    def _merged(self, memory: Memory, other: Self) -> dict[str, Any]:
        """Return the attributes that follow from the memory of two models."""

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        # Real-valued inputs are cut into two levels, which loses most of them.
        tags.classifier_tags.poor_score = True
        return tags

    def _checked(self, X: Any, y: Any, sample_weight: Any) -> Examples:
        """Return examples that are there, finite, and as many as labels."""
        if isinstance(X, Bits):
            if y is None:
                raise ValueError(
                    "fit requires y to be passed, but the target y is None"
                )
            table: Any = X
            target = column_or_1d(y, warn=True)
            check_consistent_length(table, target)
            if not all(table.shape):
                raise ValueError(f"X must have a row and a column or more, got {X!r}")
        else:
            table, target = check_X_y(X, y, accept_sparse="csr", estimator=self)
        check_classification_targets(target)
        if sample_weight is None:
            return Examples(table, target, None)
        given = _check_sample_weight(sample_weight, table, dtype=np.float64)
        weights = repeats(given)
        used = np.flatnonzero(weights)
        return Examples(table[used], target[used], weights[used])

    def _counted(
        self, examples: Examples, known: Memory | None, classes: Classes | None = None
    ) -> tuple[Memory, Coded]:
        """Return what is remembered after these examples, and the examples coded."""
        found = np.unique(examples.target) if classes is None else classes
        none = Tally(np.zeros((0, 0), np.int64), np.zeros(0, np.int64))
        if isinstance(examples.table, Bits):
            here = Memory(found, none, None)
        else:
            levels = learned(
                examples.table, self.binarise, known.levels if known else None
            )
            here = Memory(found, none, levels)
        coded = here.coded(examples)
        counted = tally(coded.bits, coded.codes, len(found), coded.weights)
        memory = here._replace(tally=counted)
        return memory if known is None else known.joined(memory), coded

    def _each(self, batches: Batches) -> Iterator[tuple[Any, Examples]]:
        """Return the examples of each batch, as given and checked."""
        columns = None
        for i, batch in enumerate(batches() if callable(batches) else batches):
            if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
                raise TypeError(
                    "batches must be pairs of examples and classes, or triples with "
                    f"weights, got {type(batch).__name__} as batch {i}"
                )
            X, y, weights = (*batch, None)[:3]
            examples = self._checked(X, y, weights)
            columns = columns or examples.table.shape[1]
            if examples.table.shape[1] != columns:
                raise ValueError(
                    f"batches must have {columns} columns as the first has, "
                    f"got {examples.table.shape[1]} in batch {i}"
                )
            if len(examples.target):
                yield X, examples

    def _coded(self, batches: Batches, memory: Memory) -> Iterator[Coded]:
        """Return batches with the levels and classes that are known now."""
        for _, examples in self._each(batches):
            yield memory.coded(examples)

    def _adopt(self, X: Any, memory: Memory, attributes: dict[str, Any]) -> None:
        """Change the model, now that nothing can fail any more."""
        validate_data(self, X, skip_check_array=True)  # sets names and n_features_in_
        self.__dict__.update(attributes, _memory=memory)
