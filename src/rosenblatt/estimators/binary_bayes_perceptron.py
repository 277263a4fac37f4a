"""A Bayesian classifier with one bit for each weight, for scikit-learn."""

from __future__ import annotations

from dataclasses import KW_ONLY
from functools import partial
from typing import Any, Self

import numpy.typing as npt

from rosenblatt.bits import Bits
from rosenblatt.core.arguments import either, flag, number
from rosenblatt.core.types import IntArray
from rosenblatt.estimators.bases.binary_belief import BinaryBeliefClassifier, merged
from rosenblatt.estimators.bases.parameters import (
    checked_parameters,
    parameter,
    with_parameters,
)
from rosenblatt.estimators.inputs.class_weight import (
    ClassWeight,
    check_class_weight,
    checked_class_weight,
)
from rosenblatt.estimators.inputs.examples import (
    Examples,
    check_columns,
    set_columns,
    stream_examples,
)
from rosenblatt.estimators.inputs.frames import learning
from rosenblatt.estimators.inputs.labels import (
    class_counts,
    classes_used,
    known_classes,
    label_codes,
    two_or_more,
)
from rosenblatt.estimators.inputs.order import LabelRuns
from rosenblatt.estimators.locking import merging
from rosenblatt.estimators.merging import check_mergeable
from rosenblatt.linear.binary import learn_binary
from rosenblatt.linear.binary_learner import BinaryLearner

__all__ = ["BinaryBayesPerceptron"]


@with_parameters
class BinaryBayesPerceptron(BinaryBeliefClassifier):
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
    ``sample_weight`` of k presents an example k times in succession; 0 leaves it out.
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
    t_ : int
        The number of examples seen.
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

    noise: float | str = parameter(
        either("auto", partial(number, low=0.0, high=0.5)), default="auto"
    )
    _: KW_ONLY
    hard: bool = parameter(flag, default=False)
    standardise: bool = parameter(flag, default=True)
    fit_intercept: bool = parameter(flag, default=True)
    floor: float = parameter(partial(number, above=0.0), default=1.0)
    class_weight: ClassWeight = parameter(checked_class_weight, default=None)
    warm_start: bool = parameter(flag, default=False)

    @learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these examples, after earlier ones if ``warm_start`` is set."""
        checked_parameters(self)
        if self.warm_start and hasattr(self, "classes_"):
            return self.partial_fit(X, y, sample_weight=sample_weight)
        examples = stream_examples(self, X, y, sample_weight, packed=True)
        target, times = examples.target, examples.weights
        classes = classes_used(target, times)
        check_class_weight(self.class_weight, classes)
        self._replace_model(X, classes, *self._learn(None, examples, classes))
        LabelRuns().add(label_codes(target, classes, times)).warn(stacklevel=3)
        return self

    @learning
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Continue learning from these examples; the first call needs all classes."""
        checked_parameters(self)
        known = getattr(self, "classes_", None)
        given = two_or_more("classes", known_classes(known, classes))
        check_class_weight(self.class_weight, given)
        examples = stream_examples(self, X, y, sample_weight, packed=True)
        if known is None:
            self._replace_model(X, given, *self._learn(None, examples, given))
            return self
        self._check_kind(X)
        check_columns(self, X)
        self._learner, counts = self._learn(self._learner, examples, given)
        self._counts = self._counts + counts
        return self

    @merging
    def merge(self, other: Self) -> Self:
        """Multiply the belief by that of a model that has learned from other examples.

        Parameters
        ----------
        other
            A model with the same parameters, classes and columns, with the same names
            if both have any. It does not change.
        """
        check_mergeable(self, other, names=("classes_",))
        if self._packed != other._packed:
            raise ValueError(
                "other must have learned from the same kind of rows, packed bits or "
                "numbers"
            )
        self._learner = merged(self._learner, other._learner)
        self._counts = self._counts + other._counts
        return self

    def _learn(
        self,
        learner: BinaryLearner | None,
        examples: Examples,
        classes: npt.NDArray[Any],
    ) -> tuple[BinaryLearner, IntArray]:
        """Return the learner after these examples, and the examples of each class."""
        table, target, times = examples
        codes = label_codes(target, classes, times)
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
        return learner, class_counts(codes, len(classes), times)

    def _replace_model(
        self,
        X: Any,
        classes: npt.NDArray[Any],
        learner: BinaryLearner,
        counts: IntArray,
    ) -> None:
        """Replace the model, after all that may fail."""
        set_columns(self, X)
        self.classes_, self._learner, self._counts = classes, learner, counts
        self._packed = isinstance(X, Bits)
