"""A Bayesian classifier with one bit for each weight, for scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, field
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rosenblatt.bits import Bits, pack
from rosenblatt.core.arguments import either, flag, number
from rosenblatt.core.schema import Flag, Labels, Nested
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators import base, inputs
from rosenblatt.linear.binary import (
    BINARY_LEARNER,
    DOUBT,
    INTERCEPT,
    MISTAKES,
    BinaryLearner,
    dense_blocks,
    learn_binary,
    noise_of,
)
from rosenblatt.linear.counting import packed_weights

# The least variance of a field whose square root can be divided by, and the least
# probability that has a logarithm here.
_TINY = 1e-200
_MOST = 1e150  # of a standardised feature: sums of its squares are finite
_LEAST = 0.1  # precision of an intercept, in those of its prior


def _standardised(
    block: FloatArray, center: FloatArray, factors: FloatArray
) -> FloatArray:
    """Return standardised features, limited to 1e150 standard deviations."""
    most = np.finfo(np.float64).max
    with np.errstate(over="ignore"):
        apart = np.clip(block - center, -most, most)  # 0 times infinity is NaN
        z = np.clip(apart * factors, -most, most)
    size = abs(z).max(axis=1, keepdims=True)
    return np.asarray(z * np.minimum(1.0, _MOST / np.maximum(size, 1.0)))


def merged(a: BinaryLearner, b: BinaryLearner) -> BinaryLearner:
    """Return the product of two beliefs, with the prior counted once.

    Natural parameters add up: ``artanh`` of the mean of a binary weight, precision and
    precision times mean of the Gaussian intercept. So do the moments of the features.
    """
    state = a.state + b.state
    mean = np.tanh(state)
    e = np.exp(-2.0 * np.minimum(np.abs(state), 350.0))
    count_a, count_b = float(a.examples), float(b.examples)
    total = max(count_a + count_b, 1.0)
    apart = b.center - a.center
    between = apart * np.sqrt(count_a * (count_b / total))
    numbers = a.numbers + b.numbers
    if (a.numbers[:, DOUBT] > 0.0).all():  # there are intercepts, whose variance is so
        sure = [1.0 / part.numbers[:, DOUBT] for part in (a, b)]
        pulls = [
            s * part.numbers[:, INTERCEPT] for s, part in zip(sure, (a, b), strict=True)
        ]
        precision = np.maximum(sum(sure) - 1.0, _LEAST)
        numbers[:, INTERCEPT] = sum(pulls) / precision
        numbers[:, DOUBT] = 1.0 / precision
    return BinaryLearner(
        state,
        mean,
        4.0 * e / (1.0 + e) ** 2,
        a.center + apart * (count_b / total),
        np.hypot(np.hypot(a.spread, b.spread), between),
        numbers,
    )


@base.with_parameters
class BinaryBayesPerceptron(base.Classifier):
    """A Bayesian linear classifier with weights -1 and +1.

    It learns in one pass, without a learning rate, by the rule of
    :class:`~rosenblatt.rules.BinaryBayes` with the variance of the input. For each
    weight it has the probability of +1; the sign of the mean weight is one bit. The
    intercept has a Gaussian prior of variance 1, in units in which the sum of weights
    and features has variance 1.

    Features are standardised by the mean and the variance of all rows so far. Data in
    one batch or in many batches give the same model, bit for bit. Packed bits are used
    as they are, -1 and +1.

    With more than two classes each class learns to separate itself from the rest. A
    ``sample_weight`` of k presents an example k times in succession; 0 leaves it out. A
    remaining fraction f adds a presentation with f times the step.
    If an error is raised, the model does not change.

    Parameters
    ----------
    noise
        Probability of a wrong label; ``"auto"`` estimates it. Data that no weights -1
        and +1 explain have some noise.
    hard
        Whether predictions use the signs of the weights, one bit each, instead of the
        mean weights. Learning is the same.
    standardise
        Whether features are standardised; otherwise they should have mean 0 and
        variance about 1.
    fit_intercept
        Whether to learn an intercept.
    floor
        The least variance of a field, in units of one undecided weight.
    class_weight
        The cost of a mistake on an example of each class, see :class:`BayesPerceptron`.
        Probabilities and predictions depend on it, learning does not.
    warm_start
        Whether ``fit`` goes on from the last call, as ``partial_fit`` does.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    means_ : ndarray of shape (1 or n_classes, n_features)
        The mean weights, from -1 to 1.
    signs_ : ndarray of int8
        Their signs; 0 counts as negative.
    bits_ : Bits
        The signs as packed bits, a row for each model, for :func:`rosenblatt.bits`.
    coef_, intercept_ : ndarray
        Weights and intercept for features in their own units.
    noise_ : ndarray of shape (1 or n_classes,)
        The label noise, assumed or estimated.
    t_ : int or float
        The number of examples seen, the sum of their weights.
    mistakes_ : ndarray of shape (1 or n_classes,)
        The number of examples on the wrong side of the mean weights, ties included.
    n_features_in_ : int
        The number of features.

    Notes
    -----
    Rows are converted to double precision, a few at a time. Sparse rows are converted
    to dense ones, since centred features are not sparse; they take the same time.

    The order of the examples matters, since a belief of product form has no
    correlations between weights. Merging models is therefore not the same as learning
    from all examples. It adds the natural parameters of both beliefs (``artanh`` of the
    means), as if their examples were independent, and counts no example twice.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BinaryBayesPerceptron().fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9)
    True
    >>> model.bits_
    Bits(1 rows, 30 columns)
    """

    _state = base.fitted_state(
        "BinaryBayesPerceptron",
        {
            "classes_": Labels(),
            "_learner": Nested(BINARY_LEARNER),
            "_counts": base.CLASS_COUNTS,
            "_packed": Flag(),
        },
    )
    noise: float | str = base.parameter(
        either("auto", partial(number, low=0.0, high=0.5)), default="auto"
    )
    _: KW_ONLY
    hard: bool = base.parameter(flag, default=False)
    standardise: bool = base.parameter(flag, default=True)
    fit_intercept: bool = base.parameter(flag, default=True)
    floor: float = base.parameter(partial(number, above=0.0), default=1.0)
    class_weight: Any = base.parameter(inputs.checked_class_weight, default=None)
    warm_start: bool = base.parameter(flag, default=False)

    classes_: npt.NDArray[Any] = field(init=False)
    _learner: BinaryLearner = field(init=False)
    _packed: bool = field(init=False)
    _counts: FloatArray = field(init=False)

    @base.learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these examples, after earlier ones if ``warm_start`` is set."""
        base.checked_parameters(self)
        if self.warm_start and hasattr(self, "classes_"):
            return self.partial_fit(X, y, sample_weight=sample_weight)
        rows = inputs.examples(self, X, y, sample_weight, packed=True)
        target, times = rows.target, rows.weights
        classes = inputs.classes_used(target, times)
        inputs.check_class_weight(self.class_weight, classes)
        self._replace_model(X, classes, *self._learn(None, rows, classes))
        inputs.LabelRuns().add(inputs.label_codes(target, classes, times)).warn(
            stacklevel=3
        )
        return self

    @base.learning
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Continue learning from these examples; the first call needs all classes."""
        base.checked_parameters(self)
        known = getattr(self, "classes_", None)
        given = inputs.known_classes(known, classes)
        inputs.check_class_weight(self.class_weight, given)
        rows = inputs.examples(self, X, y, sample_weight, packed=True)
        if known is None:
            self._replace_model(X, given, *self._learn(None, rows, given))
            return self
        self._check_kind(X)
        inputs.check_columns(self, X)
        self._learner, counts = self._learn(self._learner, rows, given)
        self._counts = self._counts + counts
        return self

    @base.merging
    def merge(self, other: Self) -> Self:
        """Multiply the belief by that of a model that has learned from other examples.

        It must have the same parameters, classes and columns, with the same names if
        both have any, and does not change.
        """
        base.check_mergeable(self, other, names=("classes_",))
        if self._packed != other._packed:
            raise ValueError(
                "other must have learned from the same kind of rows, packed bits or "
                "numbers"
            )
        self._learner = merged(self._learner, other._learner)
        self._counts = self._counts + other._counts
        return self

    @base.predicting
    def decision_function(self, X: Any) -> FloatArray:
        """Return ``X @ coef_.T + intercept_``, a vector if there are two classes.

        With a ``class_weight`` it is the logarithm of the odds of each class against
        the rest; of two classes, of the second against the first.
        """
        rows = self._rows(X)
        if self.class_weight is not None:
            return base.log_odds(self._probabilities(rows), _TINY)
        scores = self._scores(rows)
        return scores.ravel() if len(self.classes_) == 2 else scores

    @base.predicting
    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class.

        For two classes it is eq. (7) of :cite:t:`winther1997` with label noise, without
        the floor. For more, it is that of each class against the rest, divided by the
        sum over classes. Noise and variance are the means over all classes.
        """
        return self._probabilities(self._rows(X))

    @property
    def means_(self) -> FloatArray:
        """The mean weights."""
        return self._learner.mean.copy()

    @property
    def signs_(self) -> npt.NDArray[np.int8]:
        """The signs of the mean weights."""
        return np.where(self._learner.mean > 0, 1, -1).astype(np.int8)

    @property
    def bits_(self) -> Bits:
        """The signs as packed bits."""
        return pack(self._learner.mean > 0)

    @property
    @base.exclusive
    def coef_(self) -> FloatArray:
        """The weights for features in their own units."""
        base.checked_parameters(self)
        scale = np.sqrt(self.n_features_in_)
        return np.asarray(self._weights() * self._factors() / scale)

    @property
    @base.exclusive
    def intercept_(self) -> FloatArray:
        """The intercept for features in their own units."""
        return self._intercepts() - self.coef_ @ self._learner.center

    @property
    def noise_(self) -> FloatArray:
        """The label noise."""
        return noise_of(self._learner, base.checked_parameters(self)["noise"])

    @property
    def t_(self) -> float:
        """The number of examples seen."""
        return self._learner.examples

    @property
    def mistakes_(self) -> FloatArray:
        """The number of mistakes made."""
        return self._learner.numbers[:, MISTAKES].copy()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Few features leave few perceptrons with weights -1 and +1.
        tags.classifier_tags.poor_score = True
        return tags

    def _learn(
        self,
        learner: BinaryLearner | None,
        rows: inputs.Examples,
        classes: npt.NDArray[Any],
    ) -> tuple[BinaryLearner, FloatArray]:
        """Return the learner after these examples, and the examples of each class."""
        table, target, times = rows
        codes = inputs.label_codes(target, classes, times)
        if learner is None:
            models = 1 if len(classes) == 2 else len(classes)
            learner = BinaryLearner.prior(table.shape[1], self.fit_intercept, models)
        learner = learn_binary(
            learner,
            table,
            codes,
            noise=self.noise,
            floor=self.floor,
            standardise=self.standardise and not isinstance(table, Bits),
            repeats=times,
        )
        return learner, inputs.class_counts(codes, len(classes), times)

    def _replace_model(
        self,
        X: Any,
        classes: npt.NDArray[Any],
        learner: BinaryLearner,
        counts: FloatArray,
    ) -> None:
        """Replace the model, after all that may fail."""
        inputs.set_columns(self, X)
        self.classes_, self._learner, self._counts = classes, learner, counts
        self._packed = isinstance(X, Bits)

    def _check_kind(self, X: Any) -> None:
        if isinstance(X, Bits) != self._packed:
            raise TypeError(
                "X must be Bits in all calls or in none, got both Bits and numbers"
            )

    def _rows(self, X: Any) -> Any:
        """Return rows to predict: packed bits, an array or a sparse matrix."""
        check_is_fitted(self)
        base.checked_parameters(self)
        self._check_kind(X)
        return inputs.rows_to_predict(self, X, packed=True, dtype=inputs.FLOATS)

    def _factors(self) -> FloatArray:
        """Return one over the scale of each feature; 0 for constant features."""
        if self._packed or not self.standardise:
            return np.ones(self.n_features_in_)
        scale = self._learner.scale
        return np.divide(1.0, scale, out=np.zeros_like(scale), where=scale > 0)

    def _weights(self) -> npt.NDArray[Any]:
        return self.signs_ if self.hard else self._learner.mean

    def _intercepts(self) -> FloatArray:
        return self._learner.numbers[:, INTERCEPT].copy()

    def _in_blocks(
        self, rows: Any, width: int, function: Callable[[FloatArray], FloatArray]
    ) -> FloatArray:
        """Apply a function to standardised features, some rows at a time."""
        found = np.empty((rows.shape[0], width))
        center, factors = self._learner.center, self._factors()
        for part, block in dense_blocks(rows):
            found[part] = function(_standardised(block, center, factors))
        return found

    def _scores(self, rows: Any) -> FloatArray:
        """Return the fields of all models, a column for each."""
        if self._packed and self.hard:
            return self._scaled(packed_weights(self.signs_).fields(rows))
        width = len(self._learner.mean)
        return self._in_blocks(rows, width, self._fields)

    def _fields(self, features: FloatArray) -> FloatArray:
        return self._scaled(features @ self._weights().T)

    def _scaled(self, sums: Any) -> FloatArray:
        return np.asarray(sums / np.sqrt(self.n_features_in_) + self._intercepts())

    def _probabilities(self, rows: Any) -> FloatArray:
        """Return the probability of each class, with class weights."""
        probabilities = self._in_blocks(rows, len(self.classes_), self._chances)
        if self.class_weight is None:
            return probabilities
        inputs.check_class_weight(self.class_weight, self.classes_)
        factors = inputs.class_factors(self.class_weight, self.classes_, self._counts)
        return inputs.reweighted(probabilities, factors)

    def _chances(self, z: FloatArray) -> FloatArray:
        """Return the probability of each class, given standardised features."""
        learner = self._learner
        spread = (z * z) @ learner.variance.mean(axis=0) / self.n_features_in_
        spread += learner.numbers[:, DOUBT].mean()
        width = np.sqrt(np.maximum(spread, _TINY))[:, None]
        noise = float(self.noise_.mean())
        chances = noise + (1 - 2 * noise) * ndtr(self._fields(z) / width)
        if len(self.classes_) == 2:
            return np.hstack([1 - chances, chances])
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))
