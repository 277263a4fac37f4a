"""Base of classifiers that learn linear weights by a rule."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rosenblatt.core import Rule
from rosenblatt.core.arguments import whole
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators.bases.decisions import best_classes
from rosenblatt.estimators.bases.parameters import checked_parameters
from rosenblatt.estimators.inputs.class_weight import row_weights
from rosenblatt.estimators.inputs.examples import (
    FLOATS,
    CodedExamples,
    check_columns,
    learning_stages,
    rows_and_labels,
    set_columns,
    set_open,
    single_row_code,
)
from rosenblatt.estimators.inputs.frames import learning, predicting
from rosenblatt.estimators.inputs.labels import (
    classes_in,
    codes_by_label,
    label_codes,
    own_label_codes,
    two_or_more,
)
from rosenblatt.estimators.inputs.new_classes import Stage, places
from rosenblatt.estimators.inputs.order import LabelRuns
from rosenblatt.estimators.inputs.random_state import RandomState, drawing
from rosenblatt.estimators.inputs.rows import checked_weights, rows_to_predict
from rosenblatt.estimators.locking import exclusive, shallow_copy, state
from rosenblatt.linear.learner import MISTAKES, Learner
from rosenblatt.linear.learning import (
    AS_GIVEN,
    Order,
    learn_classes,
    learn_row,
    portions,
    prepared,
)
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import ScheduleLike

__all__ = ["PASSES", "LinearClassifier"]

PASSES = partial(whole, low=1)  # the check of a number of passes
_STEADY = Constant(1.0)


class LinearClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base of classifiers with linear weights.

    A leaf has the parameters that are declared here. Its method ``_parts`` returns the
    rule and the schedule.
    """

    schedule: ScheduleLike | None
    class_weight: Any = None  # for leaves without this parameter
    _one_by_one: bool = True  # False if all rows of a call are learned at once
    fit_intercept: bool
    max_iter: int
    shuffle: bool
    random_state: RandomState
    warm_start: bool
    classes_: npt.NDArray[Any]
    n_features_in_: int
    _learner: Learner

    @abstractmethod
    def _parts(self) -> tuple[Rule, ScheduleLike]:
        """Return the rule and the schedule."""

    @learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these examples, after earlier ones if ``warm_start`` is set."""
        given = checked_parameters(self)
        classes, learner, examples = self._start(X, y, sample_weight)
        with drawing(given["random_state"]) as random:
            for _ in range(given["max_iter"]):
                order = AS_GIVEN
                if given["shuffle"]:
                    order = Order(random.permutation(len(examples.codes)))
                learner = self._learn(learner, examples, order)
        self._replace_model(X, classes, learner)
        self.n_iter_ = given["max_iter"]
        self._warn_of_balance()
        if self._one_by_one and not given["shuffle"]:
            LabelRuns().add(examples.codes).warn(stacklevel=3)
        if not learner.weights.any():
            warnings.warn(
                f"all weights are zero after {self.t_} examples; rule "
                f"{self._parts()[0]!r} may never leave the start at zero",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    @learning
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Continue learning from these examples.

        If the first call is given ``classes``, no others may come. Without them,
        classes are learned from their first row on.
        """
        code = single_row_code(self, X, y, classes, sample_weight)
        if code is not None:
            plan = prepared(*self._parts(), self._learner.weights.shape[1])
            learn_row(plan, self._learner, X, code)
            return self
        checked_parameters(self)
        if hasattr(self, "classes_"):
            check_columns(self, X)
        data, target = rows_and_labels(self, X, y)
        if sample_weight is not None:  # one number is for all rows
            sample_weight = checked_weights(sample_weight, data)
        rows, later = learning_stages(
            self, classes, target, sample_weight, split=self._one_by_one
        )
        learner = self._learn_stages(data, rows, sample_weight, later)
        self._replace_model(X, rows[-1].classes, learner, later)
        self._warn_of_balance()
        return self

    def _learn_stages(
        self, data: Any, rows: list[Stage], sample_weight: Any, later: bool
    ) -> Learner:
        """Return the learner after all stages; the model stays as it is."""
        known, learner = None, None
        if hasattr(self, "classes_"):
            known, learner = self.classes_, self._learner
        for classes, codes, first, stop in rows:
            own = None if sample_weight is None else sample_weight[first:stop]
            part = data if len(rows) == 1 else data[first:stop]  # sparse: a copy
            examples = self._weighted(
                part, codes, classes, own, whole=False, later=later
            )
            if learner is None or known is None:
                learner = self._start_learner(len(classes), data.shape[1])
            elif len(known) < len(classes):
                for count, place in enumerate(places(known, classes), len(known)):
                    learner = learner.with_class(place, count)
            learner, known = self._learn(learner, examples), classes
        assert learner is not None  # there is a row or more
        return learner

    @predicting
    def decision_function(self, X: Any) -> FloatArray:
        """Return ``X @ coef_.T + intercept_``, a vector if there are two classes."""
        check_is_fitted(self)
        data = rows_to_predict(self, X, dtype=FLOATS)
        weights = self._learner.weights[:, : self.n_features_in_].T.astype(data.dtype)
        scores: FloatArray = np.asarray(data @ weights) + self.intercept_
        return scores.ravel() if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class of each row; ties go to the first class."""
        return best_classes(self.decision_function(X), self.classes_)

    @property
    @exclusive
    def coef_(self) -> FloatArray:
        """The weights of the features."""
        return self._learner.weights[:, : self.n_features_in_].copy()

    @property
    @exclusive
    def intercept_(self) -> FloatArray:
        """The weight of the constant input."""
        return np.asarray(self._learner.weights[:, self.n_features_in_ :].sum(axis=1))

    @property
    def t_(self) -> float:
        """The number of examples seen."""
        return self._learner.examples

    @property
    @exclusive
    def mistakes_(self) -> FloatArray:
        """The number of mistakes made."""
        return self._learner.counts[:, MISTAKES].copy()

    @exclusive
    def __copy__(self) -> Self:
        """Return a copy with its own state: single rows are learned in place."""
        other = shallow_copy(self)
        if hasattr(self, "_learner"):
            other._learner = self._learner.copy()
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickles and deep copies."""
        return state(self)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _schedule(self) -> ScheduleLike:
        return _STEADY if self.schedule is None else self.schedule

    def _start(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[npt.NDArray[Any], Learner, CodedExamples]:
        """Return classes, learner and examples that ``fit`` begins with."""
        again = self.warm_start and hasattr(self, "classes_")
        if again:
            check_columns(self, X)
        data, target = rows_and_labels(self, X, y)
        if sample_weight is not None:  # rows of weight 0 are not there
            sample_weight = checked_weights(sample_weight, data)
            used = portions(sample_weight) > 0
            if not used.any():
                raise ValueError("sample_weight must not be zero for all examples")
            target = np.where(used, target, target[used][0])
        classes = self.classes_ if again else two_or_more("y", classes_in(target))
        codes = (label_codes if again else own_label_codes)(target, classes)
        examples = self._weighted(data, codes, classes, sample_weight, whole=True)
        fresh = self._start_learner(len(classes), data.shape[1])
        return classes, self._learner if again else fresh, examples

    def _weighted(
        self,
        data: Any,
        codes: IntArray,
        classes: npt.NDArray[Any],
        sample_weight: Any,
        *,
        whole: bool,
        later: bool = False,
    ) -> CodedExamples:
        """Return examples with weights, in the form that kernels take."""
        if self.class_weight is None and sample_weight is None:
            return CodedExamples(data, codes, None)
        given = self.class_weight, sample_weight, data, codes, classes
        weights = row_weights(*given, whole=whole, later=later)
        own = None if weights is None else portions(weights)
        return CodedExamples(data, codes, own)

    def _start_learner(self, classes: int, features: int) -> Learner:
        """Return a learner before any example; two classes have one model."""
        dim = features + bool(self.fit_intercept)
        return Learner.zero(dim, models=1 if classes == 2 else classes)

    def _learn(
        self, learner: Learner, examples: CodedExamples, order: Order = AS_GIVEN
    ) -> Learner:
        """Return the learner after one pass; the one given stays as it is."""
        plan = prepared(*self._parts(), learner.weights.shape[1])
        data, codes, weights = examples
        return learn_classes(plan, data, codes, learner, weights=weights, order=order)

    def _replace_model(
        self, X: Any, classes: npt.NDArray[Any], learner: Learner, later: bool = False
    ) -> None:
        """Replace the model, after all that may fail."""
        if not hasattr(self, "classes_") or self.classes_ is not classes:
            if not (later and hasattr(self, "classes_")):
                set_columns(self, X)
                set_open(self, later)
            self.classes_ = classes
            self._derive()
        self._learner = learner

    def _derive(self) -> None:
        """Set attributes that follow from the state: the code of each label."""
        self._codes = codes_by_label(self.classes_)

    def _warn_of_balance(self) -> None:
        """Warn if the labels are balanced and the rule has a uniform shift."""
        rule = self._parts()[0]
        for text in self._learner.balance_warnings(rule, self.classes_):
            warnings.warn(text, ConvergenceWarning, stacklevel=4)
