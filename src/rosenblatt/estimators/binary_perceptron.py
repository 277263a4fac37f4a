"""Perceptrons with binary weights on any product distribution, for scikit-learn."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, field
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.validation import check_is_fitted

from rosenblatt.core.arguments import choice, flag
from rosenblatt.core.schema import Array, Nested, Relation, Schema, record
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators import base, inputs
from rosenblatt.estimators.counting import (
    BINARISE,
    COUNTING_STATE,
    Binarise,
    CountedExamples,
    CountingClassifier,
)
from rosenblatt.linear.counting import (
    THRESHOLD,
    ChosenThreshold,
    against_rest,
    histogram,
    least_error_threshold,
    printed_threshold,
)
from rosenblatt.linear.influences import (
    INFLUENCE_WEIGHTS,
    Guarantee,
    Searched,
    Weights,
    fraction,
    guarantee,
    influence_intervals,
    influence_weights,
)

BINARY_MODELS = Schema(
    "hypothesis",
    {
        "weights": Nested(INFLUENCE_WEIGHTS, size="models"),
        "histograms": Array(
            (("models", "classes", "fields"),), "int64", low=0, high=2**53
        ),
        "thresholds": Nested(THRESHOLD, optional=True, size="models"),
    },
    (
        Relation(
            "histograms with 2 columns + 1 fields",
            lambda _, sizes: sizes["fields"] == 2 * sizes["columns"] + 1,
        ),
        Relation(
            "two classes for one model, and else a model for each class",
            lambda _, sizes: sizes["classes"] == max(sizes["models"], 2),
        ),
    ),
)
SEARCHES = ("paper", "least error")
NO_THRESHOLD = (
    "the share of positive examples above a threshold never exceeds {}; the largest "
    "threshold is used, which no row exceeds. Take threshold='least error' if labels "
    "may be wrong"
)


def stacked_weights(weights: list[Weights]) -> IntArray:
    """Return the weights of all models as one array."""
    return np.stack([found.values for found in weights]).astype(np.int64)


@record(BINARY_MODELS)
class BinaryModels(NamedTuple):
    """One perceptron for each class, or one for two classes."""

    weights: list[Weights]
    # of the fields of examples seen with these weights: (models, classes, fields)
    histograms: IntArray
    thresholds: list[ChosenThreshold] | None  # None if there were no such examples

    @property
    def known_thresholds(self) -> list[ChosenThreshold]:
        """The thresholds; NotFittedError if there are none."""
        if self.thresholds is None:
            raise NotFittedError(
                "threshold_ is not known, since weights have changed and no example "
                "has been seen with them; call fit_threshold(batches)"
            )
        return self.thresholds

    def histograms_with(self, weights: list[Weights]) -> IntArray:
        """Return the histograms if the weights are still the same, else empty ones."""
        same = np.array_equal(stacked_weights(self.weights), stacked_weights(weights))
        return self.histograms if same else np.zeros_like(self.histograms)


def field_histograms(
    counted: CountedExamples, weights: list[Weights], batches: Iterable[inputs.Examples]
) -> IntArray:
    """Return histograms of the fields of examples, for each model and class."""
    stacked, classes = stacked_weights(weights), len(counted.classes)
    models, columns = stacked.shape
    total = np.zeros((models, classes, 2 * columns + 1), np.int64)
    for bits, codes, repeated in batches:
        total += histogram(bits, codes, classes, stacked, repeated)
    return total


@base.with_parameters
class BinaryPerceptron(CountingClassifier):
    r"""A perceptron with weights -1, 0 and +1, learned from influences.

    This is the algorithm of :cite:t:`golea1993`, figure 1. It learns perceptrons with
    binary weights and any threshold if the columns are independent, each with its own
    probability of the high level. Columns that hardly ever change are neglected. A
    weight is the sign of the influence of its column on the label, or 0 if the
    influence is small. The threshold is then searched for with these weights.

    The weights need one pass over the examples, the threshold a second one. Both passes
    only count, so the order of the examples does not matter. With more than two classes
    each class has a perceptron that separates it from the rest.

    A ``sample_weight`` of k counts an example k times. An error changes nothing.

    Parameters
    ----------
    eps
        The largest error of the learned perceptron that is wanted, above 0 and below 1.
    delta
        The probability that the error may be larger, and that one of
        ``influence_intervals_`` may be wrong. The perceptron does not depend on it.
    threshold
        The search for the threshold. ``"paper"``: the least threshold above which more
        than ``1 - eps/4`` of the examples are positive. If more than ``eps/4`` of the
        labels are wrong, there may be no such threshold, or only an extreme one.
        ``"least error"``: the least of the thresholds with the fewest mistakes.
    binarise
        The conversion of numbers to two levels. ``"auto"``: the larger of the two
        values of a column is high. A column with more values is cut in the middle
        between its smallest and its largest value, with a warning. ``partial_fit``
        takes these values from the first batch. ``None``: more than two
        values are an error. A number: larger values are high. Packed bits
        (``rb.bits.pack``) are used as they are.
    class_weight
        The weight of an example of each class: a dictionary, ``"balanced"`` or None. In
        a dictionary, classes left out have weight 1. ``"balanced"`` gives all classes
        the same total weight. The counts of all examples so far are multiplied by it,
        without rounding, before weights and thresholds are found. ``influences_``,
        ``influence_intervals_`` and ``guarantee_`` do not depend on it.
    warm_start
        Whether ``fit`` goes on from the last call, as ``partial_fit`` does.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    coef_ : ndarray of shape (1 or n_classes, n_features)
        The weights of inputs -1 and +1.
    threshold_ : ndarray of shape (1 or n_classes,)
        A row is positive if its sum of weights times inputs is above this.
    intercept_ : ndarray of shape (1 or n_classes,)
        ``-threshold_``.
    threshold_found_ : ndarray of shape (1 or n_classes,)
        Whether the search has found a threshold. If not, there is a warning, and the
        threshold is the largest, which no row exceeds.
    threshold_examples_ : int
        The number of examples that the threshold was learned from.
    influences_ : ndarray of shape (1 or n_classes, n_features)
        Twice the difference between the frequencies of the positive label for high and
        for low entries of the column. NaN if the column has one level only.
    influence_intervals_ : ndarray of shape (1 or n_classes, n_features, 2)
        Simultaneous confidence intervals of the influences of a class, of level
        ``1 - delta``: exact (Clopper-Pearson) intervals for both frequencies, with a
        Bonferroni correction for all columns.
    neglected_ : list of dict
        For each model, the columns that are neglected because they hardly change, with
        the reason. Other columns of weight 0 have too little influence.
    guarantee_ : list of Guarantee
        For each model, the number of examples required, whether there are that many,
        and the accuracy that the given examples guarantee. This is theorem 1, for
        independent columns, labels without noise, and ``threshold="paper"``. It counts
        the examples that the threshold was searched on. With three or more classes each
        guarantee is for one class against the rest; ``predict``, which compares the
        models, has none.
    n_features_in_ : int
        The number of features.
    t_ : int
        The number of examples seen.

    Notes
    -----
    **Examples in batches.** ``partial_fit`` sees each batch once. Its weights are those
    of all examples so far. Its threshold is that of the ``threshold_examples_``
    examples since the last change of weights. ``fit_threshold`` makes the second pass,
    after which the model is that of ``fit``. The same holds for :meth:`merge`. If
    merging changes the weights, call ``fit_threshold`` before ``predict``.

    Examples
    --------
    If columns are mostly high, or mostly low, influences find the weights and the
    clipped Hebb rule does not:

    >>> import numpy as np
    >>> from rosenblatt.estimators import BinaryPerceptron, ClippedHebb
    >>> X = np.random.default_rng(0).random((1000, 3)) < [0.1, 0.9, 0.9]
    >>> y = X.sum(axis=1) >= 2
    >>> model = BinaryPerceptron().fit(X, y)
    >>> model.coef_, model.score(X, y)
    (array([[1, 1, 1]]), 1.0)
    >>> ClippedHebb().fit(X, y).coef_
    array([[-1,  1,  1]])
    >>> model.guarantee_[0].met
    False
    """

    _state = base.fitted_state(
        "BinaryPerceptron", {**COUNTING_STATE, "_models": Nested(BINARY_MODELS)}
    )
    _models: BinaryModels = field(init=False)

    eps: float = base.parameter(fraction, default=0.1)
    delta: float = base.parameter(fraction, default=0.05)
    threshold: str = base.parameter(choice(*SEARCHES), default="paper")
    _: KW_ONLY
    binarise: Binarise = base.parameter(BINARISE, default="auto")
    class_weight: Any = base.parameter(inputs.checked_class_weight, default=None)
    warm_start: bool = base.parameter(flag, default=False)

    @base.exclusive
    def fit_threshold(self, batches: Iterable[tuple[Any, ...]]) -> Self:
        """Learn the threshold for the weights as they are.

        Parameters
        ----------
        batches
            Pairs of examples and classes, or triples with weights, each as in ``fit``.
            These may be the examples that the weights were learned from, or others.
        """
        check_is_fitted(self)
        base.checked_parameters(self)
        learned = self._models.weights
        fields = field_histograms(self._counted, learned, self._packed_parts(batches))
        if not fields.any():
            raise ValueError("batches must have one example or more, got none")
        self.__dict__.update(self._models_of(self._counted, learned, fields))
        return self

    @base.merging
    def merge_threshold(self, other: Self) -> Self:
        """Add the examples that the threshold of another model was learned from.

        It must have the same parameters, classes and weights, and does not change. Its
        :meth:`fit_threshold` was called with other examples.
        """
        check_is_fitted(self)
        same = base.same_parameters(self, other)
        if not same or not np.array_equal(getattr(other, "coef_", 0), self.coef_):
            raise ValueError(f"other must be {self!r} with the same weights")
        fields = self._models.histograms + other._models.histograms
        learned = self._models.weights
        self.__dict__.update(self._models_of(self._counted, learned, fields))
        return self

    @property
    def coef_(self) -> IntArray:
        """The weights."""
        return stacked_weights(self._models.weights)

    @property
    def threshold_(self) -> IntArray:
        """The threshold that the sum of weights times inputs must exceed."""
        return np.array([found.value for found in self._models.known_thresholds])

    @property
    def threshold_found_(self) -> npt.NDArray[np.bool_]:
        """True for each model whose search has found a threshold."""
        return np.array([found.found for found in self._models.known_thresholds])

    @property
    def threshold_examples_(self) -> int:
        """The number of examples that the threshold is learned from."""
        return int(self._models.histograms[0].sum())

    @property
    def influences_(self) -> FloatArray:
        """The influence of each column on each label."""
        return np.stack([counts.influence for counts in self._counted.counts])

    @property
    def influence_intervals_(self) -> FloatArray:
        """The confidence interval of each influence."""
        return np.stack(
            [influence_intervals(c, self.delta) for c in self._counted.counts]
        )

    @property
    def neglected_(self) -> list[dict[int, str]]:
        """The columns that are neglected, and why."""
        return [found.neglected for found in self._models.weights]

    @property
    def guarantee_(self) -> list[Guarantee]:
        """The guarantee of each model."""
        printed = base.checked_parameters(self)["threshold"] == "paper"
        counted, histograms = self._counted, self._models.histograms
        parts = zip(counted.modelled_classes, counted.counts, histograms, strict=True)
        return [
            guarantee(
                counts,
                self.eps,
                self.delta,
                Searched(int(fields.sum()), int(fields[one].sum()), printed),
            )
            for one, counts, fields in parts
        ]

    def _learned(self, counted: CountedExamples) -> list[Weights]:
        """Return weights for each model."""
        counts = counted.weighted(self.class_weight).counts
        return [influence_weights(one, self.eps) for one in counts]

    def _packed_parts(
        self, batches: Iterable[tuple[Any, ...]]
    ) -> Iterator[inputs.Examples]:
        """Yield batches as packed bits, without empty ones."""
        for X, y, *weights in batches:
            if len(y):
                examples = self._checked(X, y, *weights or [None])
                inputs.check_columns(self, X)
                yield self._counted.packed(examples)

    def _weights(self) -> IntArray:
        return self.coef_

    def _models_of(
        self, counted: CountedExamples, learned: list[Weights], fields: IntArray
    ) -> dict[str, Any]:
        """Return the model of these weights and fields, as attributes.

        Classes weigh as all examples say. A constant perceptron needs no examples: its
        field is 0, and its threshold the least or the largest.
        """
        factors = inputs.integer_factors(
            self.class_weight, counted.classes, counted.tally.rows
        )
        both = against_rest(fields, counted.modelled_classes, factors)
        found: list[ChosenThreshold] = []
        for one, counts in zip(learned, both, strict=True):
            columns = one.values.size
            if one.constant:
                value = columns if one.constant < 0 else -columns - 1
                found.append(ChosenThreshold(value, True))
            elif not counts.any():
                return {"_models": BinaryModels(learned, fields, None)}
            elif self.threshold == "paper":
                found.append(printed_threshold(counts, self.eps))
            else:
                found.append(least_error_threshold(counts))
        if not all(one.found for one in found):
            share = f"1 - eps/4 = {1 - self.eps / 4:g}"
            warnings.warn(NO_THRESHOLD.format(share), ConvergenceWarning, stacklevel=4)
        return {"_models": BinaryModels(learned, fields, found)}

    def _attributes(
        self,
        counted: CountedExamples,
        examples: inputs.Examples,
        known: CountedExamples | None,
    ) -> dict[str, Any]:
        learned = self._learned(counted)
        fields = field_histograms(counted, learned, [examples])
        if known is not None:
            fields += self._models.histograms_with(learned)
        return self._models_of(counted, learned, fields)

    def _merged(self, counted: CountedExamples, other: Self) -> dict[str, Any]:
        learned = self._learned(counted)
        fields = field_histograms(counted, learned, [])
        for part in (self, other):
            if np.array_equal(part.classes_, counted.classes):
                fields += part._models.histograms_with(learned)
        return self._models_of(counted, learned, fields)
