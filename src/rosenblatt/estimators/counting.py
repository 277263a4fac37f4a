"""Binary weights from counts of examples: levels of columns, counts, and ClippedHebb.

The counts are the number of examples of each class in which each column is high. The
order of the examples does not matter, and a weight of k is k repetitions. Two models
that are merged equal one model of all examples, bit for bit.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.exceptions import DataConversionWarning
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rosenblatt.bits import Bits, Counts, pack, packed, unpack
from rosenblatt.core.arguments import either, flag, number
from rosenblatt.core.schema import (
    Array,
    Field,
    Labels,
    Nested,
    Relation,
    Schema,
    record,
)
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators import base, inputs
from rosenblatt.linear.counting import (
    CLASS_COUNTS,
    PACKED_WEIGHTS,
    PackedWeights,
    Tally,
    packed_weights,
    tally,
)
from rosenblatt.linear.influences import clipped_hebb_weights

Binarise = str | float | None
BINARISE = either("auto", either(None, number))  # its check
BoolArray = npt.NDArray[np.bool_]
LEVELS = Schema(
    "levels",
    {
        "low": Array((("columns",),)),
        "high": Array((("columns",),)),
        "cut": Array((("columns",),), gaps=True),
    },
    (
        Relation(
            "low values at most as large as high ones",
            lambda levels, _: bool((levels.low <= levels.high).all()),
            values=True,
        ),
    ),
)
_ENTRIES = 2**20  # that are compared at a time


def _blocks(table: Any) -> Iterator[npt.NDArray[Any]]:
    """Yield blocks of rows of a table, sparse rows as dense ones."""
    rows = max(1, _ENTRIES // max(1, table.shape[1]))
    for first in range(0, table.shape[0], rows):
        block: Any = table[first : first + rows]
        block = block.toarray() if sparse.issparse(table) else np.asarray(block)
        yield block.view(np.int8) if block.dtype == bool else block


def _ends(table: Any) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and the largest value of each column."""
    ends = [table.min(axis=0), table.max(axis=0)]
    if sparse.issparse(table):
        ends = [end.toarray() for end in ends]
    low, high = (np.asarray(end, dtype=np.float64).ravel() for end in ends)
    return low, high


def _alike(values: FloatArray, block: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Convert values to the type of a block if that is exact, for fast comparisons."""
    with np.errstate(invalid="ignore"):
        cast = values.astype(block.dtype)
    return cast if np.array_equal(cast, values) else values


@record(LEVELS)
@dataclass(frozen=True, eq=False)
class Levels:
    """The levels of each column, as far as they are known.

    Parameters
    ----------
    low, high
        The smallest and the largest value seen.
    cut
        Values of a column above this are high; NaN if the column must have two levels.
    """

    low: FloatArray
    high: FloatArray
    cut: FloatArray

    @property
    def two(self) -> BoolArray:
        """Columns of which both levels are known, and no others are allowed."""
        return np.asarray(np.isnan(self.cut) & (self.low < self.high))

    @property
    def single(self) -> BoolArray:
        """Columns of which one level is known."""
        return np.asarray(np.isnan(self.cut) & (self.low == self.high))

    def others(self, block: npt.NDArray[Any]) -> BoolArray:
        """Return a mask of entries between the smallest and the largest value."""
        low, high = _alike(self.low, block), _alike(self.high, block)
        return np.asarray((block != low) & (block != high))

    def takes(self, table: Any) -> BoolArray:
        """Return a mask of the rows that can be encoded."""
        two = self.two
        wrong = [(self.others(block) & two).any(axis=1) for block in _blocks(table)]
        return ~np.concatenate([np.zeros(0, np.bool_), *wrong])

    def encode(self, table: Any) -> Bits:
        """Return a table as bits.

        In a column of one known level every other value is the other level.
        """
        edge = np.where(np.isnan(self.cut), self.low, self.cut)
        two, single, high_alone = self.two, self.single, self.low > 0
        words = []
        for block in _blocks(table):
            wrong = (self.others(block) & two).any(axis=0)
            for column in np.flatnonzero(wrong)[:1].tolist():
                raise ValueError(self._message(column, block[:, column]))
            high = block > _alike(edge, block)
            if single.any():
                same = block[:, single] == self.low[single]
                high[:, single] = same == high_alone[single]
            words.append(packed(high))
        return Bits(np.concatenate(words), table.shape[1])

    def _message(self, column: int, values: npt.NDArray[Any]) -> str:
        known = [float(self.low[column]), float(self.high[column])]
        other = float(np.setdiff1d(values, known)[0])
        return (
            f"X must have two levels in each column, got {other:g} in column {column} "
            f"beside {known[0]:g} and {known[1]:g}; binarise=t makes entries above t "
            "high"
        )

    def merged(self, other: Levels) -> Levels:
        """Return the levels of two sets of examples together."""
        if not np.array_equal(self.cut, other.cut, equal_nan=True):
            raise ValueError(
                "both models must have cut columns at the same values; binarise=t "
                "cuts all columns at t"
            )
        ends = ((self.low, other.low), (self.high, other.high))
        if all(np.array_equal(mine, its) for mine, its in ends):
            return self
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        both = Levels(low, high, self.cut)
        values = np.stack([self.low, self.high, other.low, other.high])
        wrong = (both.others(values) & both.two).any(axis=0)
        for column in np.flatnonzero(wrong)[:1].tolist():
            raise ValueError(both._message(column, values[:, column]))
        return both

    def exchanged(self, later: Levels) -> BoolArray:
        """Return the columns whose only level turned out to be the other one."""
        return np.asarray(
            self.single & later.two & ((self.low > 0) != (self.low == later.high))
        )


def find_levels(table: Any, binarise: Binarise, known: Levels | None) -> Levels:
    """Return the levels of a table, together with those known before."""
    columns = table.shape[1]
    if binarise is not None and not isinstance(binarise, str):
        cut = np.full(columns, float(binarise))
        return known or Levels(cut, cut, cut)
    low, high = _ends(table)
    if known is not None:
        return known.merged(Levels(low, high, known.cut))
    found = Levels(low, high, np.full(columns, np.nan))
    many = np.zeros(columns, bool)
    for block in _blocks(table):
        many |= found.others(block).any(axis=0)
    if binarise is None or not many.any():
        return found  # encoding complains of columns with more than two levels
    warnings.warn(
        f"{np.count_nonzero(many)} of {columns} columns of X have more than two "
        f"values, the first is column {int(many.argmax())}: each is cut in the middle "
        "between its smallest and its largest value. Take binarise=t to make entries "
        "above t high, or binarise=None to refuse such columns",
        DataConversionWarning,
        stacklevel=4,
    )
    return Levels(low, high, np.where(many, low / 2 + high / 2, np.nan))


Classes = npt.NDArray[Any]
COUNTED_EXAMPLES = Schema(
    "counts",
    {
        "classes": Labels(),
        "tally": Nested(CLASS_COUNTS),
        "levels": Nested(LEVELS, optional=True),
    },
)


COUNTING_STATE: dict[str, Field] = {
    "_counted": Nested(COUNTED_EXAMPLES),
    "_packed": Nested(PACKED_WEIGHTS),
}


@record(COUNTED_EXAMPLES)
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

    def weighted(self, class_weight: inputs.ClassWeight) -> CountedExamples:
        """Return counts in which each class is multiplied by its weight.

        Factors are whole numbers in the proportions of the weights.
        """
        factors = inputs.integer_factors(class_weight, self.classes, self.tally.rows)
        return self._replace(tally=self.tally.weighed(factors))

    def bits(self, table: Any) -> Bits:
        """Return a table as packed bits."""
        if isinstance(table, Bits):
            return table
        return pack(table) if self.levels is None else self.levels.encode(table)

    def packed(self, examples: inputs.Examples) -> inputs.Examples:
        """Return examples as bits, with the numbers of their classes."""
        codes = inputs.label_codes(examples.target, self.classes)
        return inputs.Examples(self.bits(examples.table), codes, examples.weights)

    def merged(self, other: CountedExamples) -> CountedExamples:
        """Return the counts of the examples of both."""
        if (self.levels is None) != (other.levels is None):
            raise TypeError(
                "X must be Bits in all calls or in none, got both Bits and numbers"
            )
        classes = inputs.joined_classes(self.classes, other.classes)
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
        together = found[0] + found[1]
        if together.total > inputs.MOST_COUNTED:
            raise ValueError(
                f"sample_weight must have a sum of at most {inputs.MOST_COUNTED} in "
                f"all calls, got {together.total}"
            )
        return CountedExamples(classes, together, levels)


class CountingClassifier(base.Classifier):
    """Base of classifiers with binary weights, which learn from counts of examples.

    A leaf has ``coef_`` and ``threshold_``. Its ``_attributes`` finds them from counts.
    """

    binarise: Binarise
    class_weight: inputs.ClassWeight
    warm_start: bool
    _counted: CountedExamples
    _packed: PackedWeights  # coef_ as bits, kept since it is needed at every prediction

    @base.learning
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
        base.checked_parameters(self)
        if self.warm_start and hasattr(self, "_counted"):
            return self.partial_fit(X, y, sample_weight=sample_weight)
        examples = self._checked(X, y, sample_weight)
        classes = inputs.two_or_more("y", inputs.unique_labels("y", examples.target))
        inputs.check_class_weight(self.class_weight, classes)
        counted, packed = self._count(examples, None, classes)
        self._update(counted, self._attributes(counted, packed, None), X)
        return self

    @base.learning
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Continue learning from these examples; the first call needs all classes."""
        known: CountedExamples | None = getattr(self, "_counted", None)
        given = inputs.known_classes(known.classes if known else None, classes)
        examples = self._checked(X, y, sample_weight)
        if known is not None:
            inputs.check_columns(self, X)
        inputs.check_class_weight(self.class_weight, given)
        counted, packed = self._count(examples, known, given)
        attributes = self._attributes(counted, packed, known)
        self._update(counted, attributes, X if known is None else None)
        return self

    @base.merging
    def merge(self, other: Self) -> Self:
        """Add the counts of another model, which has learned from other examples.

        Parameters
        ----------
        other
            A model of the same class and parameters, on the same columns, with the same
            names if both have any. It does not change. Each may have seen classes and
            levels that the other has not.
        """
        base.check_mergeable(self, other)
        counted = self._counted.merged(other._counted)
        inputs.check_class_weight(self.class_weight, counted.classes)
        self._update(counted, self._merged(counted, other))
        return self

    def decision_function(self, X: Any) -> FloatArray:
        """Return the sum of weights and inputs minus the threshold.

        High inputs are +1, low ones -1. A vector for two classes, else a column each.
        """
        # whole numbers; what calibrates classifiers takes floats only
        return self._scores(X).astype(np.float64)

    @base.predicting
    def _scores(self, X: Any) -> npt.NDArray[np.int32]:
        """Return the decisions as whole numbers."""
        table = self._table(X)
        scores = self._packed.fields(self._counted.bits(table), self.threshold_)
        return scores.ravel() if len(self.classes_) == 2 else scores

    def _table(self, X: Any) -> Any:
        """Return rows to be predicted, checked."""
        check_is_fitted(self)
        return inputs.rows_to_predict(self, X, packed=True)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class of each row.

        For two classes it is the second if the decision is above 0. For more it is the
        class of the largest decision; ties go to the first.
        """
        return base.best_classes(self._scores(X), self.classes_)

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
        examples: inputs.Examples,
        known: CountedExamples | None,
    ) -> dict[str, Any]:
        """Return the attributes that follow from the counts and these examples.

        ``known`` is what was known before these examples came. By default none follow.
        """
        return {}

    @abstractmethod
    def _weights(self) -> IntArray:
        """Return the weights that follow from the counts and the attributes."""

    def _merged(self, counted: CountedExamples, other: Self) -> dict[str, Any]:
        """Return the attributes that follow from the counts of two models."""
        return {}

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Real-valued inputs are cut into two levels, which loses most of them.
        tags.classifier_tags.poor_score = True
        return tags

    def _checked(self, X: Any, y: Any, sample_weight: Any) -> inputs.Examples:
        """Check the parameters and the examples."""
        base.checked_parameters(self)
        found = inputs.examples(self, X, y, sample_weight, packed=True, counted=True)
        if found.weights is None:
            return found
        used = np.flatnonzero(found.weights)
        if not used.size:
            raise ValueError("sample_weight must not be 0 everywhere")
        return inputs.Examples(
            found.table[used], found.target[used], found.weights[used]
        )

    def _count(
        self,
        examples: inputs.Examples,
        known: CountedExamples | None,
        classes: Classes,
    ) -> tuple[CountedExamples, inputs.Examples]:
        """Count these examples; return all counts so far, and the examples packed."""
        none = Tally(np.zeros((0, 0), np.int64), np.zeros(0, np.int64))
        levels = None
        if not isinstance(examples.table, Bits):
            before = known.levels if known else None
            levels = find_levels(examples.table, self.binarise, before)
        here = CountedExamples(classes, none, levels)
        packed = here.packed(examples)
        tallied = tally(packed.table, packed.target, len(classes), packed.weights)
        counted = here._replace(tally=tallied)
        return counted if known is None else known.merged(counted), packed

    def _update(
        self, counted: CountedExamples, attributes: dict[str, Any], X: Any = None
    ) -> None:
        """Set counts, attributes and weights; of a new model the columns of X, too."""
        if X is not None:
            inputs.set_columns(self, X)
        self.__dict__.update(attributes, _counted=counted)
        self._packed = packed_weights(self._weights())


@base.with_parameters
class ClippedHebb(CountingClassifier):
    r"""A perceptron whose weights are the signs of the sums of label times input.

    With inputs and labels :math:`\pm 1` the weights are
    :math:`w_i = \mathrm{sgn} \sum y x_i`, where :math:`\mathrm{sgn}(0) = -1`, and the
    threshold is 0 (:cite:t:`golea1993`, eq. 11). All examples are read once and only
    counted. Their order does not matter, and models of parts of them can be merged
    (:meth:`merge`). With more than two classes each class has a perceptron that
    separates it from the rest.

    The rule is right if every column is high half of the time, independently of the
    others, and the threshold is 0. If columns are rarely high or rarely low, it may
    never find the weights, for any number of examples. :class:`BinaryPerceptron` does,
    and finds a threshold too.

    A ``sample_weight`` of k counts an example k times. If an error is raised, the model
    does not change.

    Parameters
    ----------
    binarise
        The conversion of numbers to two levels, see :class:`BinaryPerceptron`.
    class_weight, warm_start
        See :class:`BinaryPerceptron`.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    coef_ : ndarray of shape (1 or n_classes, n_features)
        The weights, -1 or +1.
    threshold_, intercept_ : ndarray of shape (1 or n_classes,)
        Zero.
    n_features_in_ : int
        The number of features.
    t_ : int
        The number of examples seen.

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt.estimators import ClippedHebb
    >>> X = np.random.default_rng(0).choice([-1, 1], (400, 21))
    >>> y = X @ np.repeat([1, -1], [11, 10]) > 0
    >>> ClippedHebb().fit(X, y).coef_
    array([[ 1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1, -1, -1, -1, -1, -1,
            -1, -1, -1, -1, -1]])
    """

    _state = base.fitted_state("ClippedHebb", COUNTING_STATE)
    _: KW_ONLY
    binarise: Binarise = base.parameter(BINARISE, default="auto")
    class_weight: Any = base.parameter(inputs.checked_class_weight, default=None)
    warm_start: bool = base.parameter(flag, default=False)

    @property
    def coef_(self) -> IntArray:
        """The weights."""
        return unpack(self._packed.signs, np.int64)

    @property
    def threshold_(self) -> IntArray:
        """Zero for every model."""
        return np.zeros(len(self._counted.modelled_classes), np.int64)

    def _weights(self) -> IntArray:
        counts = self._counted.weighted(self.class_weight).counts
        return np.stack([clipped_hebb_weights(one) for one in counts])
