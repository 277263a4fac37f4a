"""Any learning rule as a scikit-learn classifier that learns from a stream."""

from __future__ import annotations

import functools
import warnings
from abc import abstractmethod
from dataclasses import KW_ONLY
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from rosenblatt.core import AverageShift, Rule
from rosenblatt.core.arguments import either, flag, instance, number, whole
from rosenblatt.core.schema import Field, Flag, Labels, Nested, Relation, Schema, Whole
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators import base, inputs
from rosenblatt.linear.learner import LEARNER, MISTAKES, Learner, prepared
from rosenblatt.linear.learning import AS_GIVEN, Order, learn_classes, learn_row
from rosenblatt.rules import Normalised, Perceptron, Shifted
from rosenblatt.schedules import Constant, Power
from rosenblatt.specification.parts import SCHEDULE, ScheduleLike

PASSES = partial(whole, low=1)  # the check of a number of passes
_STEADY = Constant(1.0)


class LinearClassifier(base.Classifier):
    """Base of classifiers with linear weights.

    A leaf has the parameters that are declared here. Its method ``_parts`` returns the
    rule and the schedule.
    """

    schedule: ScheduleLike | None
    class_weight: Any = None  # for leaves without this parameter
    _in_place = ("_learner",)
    _one_by_one: bool = True  # False if all rows of a call are learned at once
    fit_intercept: bool
    max_iter: int
    shuffle: bool
    random_state: inputs.RandomState
    warm_start: bool
    classes_: npt.NDArray[Any]
    n_features_in_: int
    _learner: Learner

    @abstractmethod
    def _parts(self) -> tuple[Rule, ScheduleLike]:
        """Return the rule and the schedule."""

    @base.learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these examples, after earlier ones if ``warm_start`` is set."""
        given = base.checked_parameters(self)
        classes, learner, rows = self._start(X, y, sample_weight)
        with inputs.drawing(given["random_state"]) as random:
            for _ in range(given["max_iter"]):
                order = AS_GIVEN
                if given["shuffle"]:
                    order = Order(random.permutation(len(rows.target)))
                learner = self._learn(learner, rows, order)
        self._replace_model(X, classes, learner)
        self.n_iter_ = given["max_iter"]
        self._warn_of_balance()
        if self._one_by_one and not given["shuffle"]:
            inputs.LabelRuns().add(rows.target).warn(stacklevel=3)
        if not learner.weights.any():
            warnings.warn(
                f"all weights are zero after {self.t_} examples; rule "
                f"{self._parts()[0]!r} may never leave the start at zero",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    @base.learning
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Continue learning from these examples.

        If the first call is given ``classes``, no others may come. Without them,
        classes are learned from their first row on.
        """
        code = inputs.single_row_code(self, X, y, classes, sample_weight)
        if code is not None:
            plan = prepared(*self._parts(), self._learner.weights.shape[1])
            learn_row(plan, self._learner, X, code)
            return self
        base.checked_parameters(self)
        if hasattr(self, "classes_"):
            inputs.check_columns(self, X)
        data, target, weights = inputs.examples(self, X, y, sample_weight)
        rows, later = inputs.learning_stages(
            self, classes, target, weights, split=self._one_by_one
        )
        learner = self._learn_stages(data, rows, weights, later)
        self._replace_model(X, rows[-1].classes, learner, later)
        self._warn_of_balance()
        return self

    def _learn_stages(
        self, data: Any, rows: list[inputs.Stage], weights: Any, later: bool
    ) -> Learner:
        """Return the learner after all stages; the model stays as it is."""
        known, learner = None, None
        if hasattr(self, "classes_"):
            known, learner = self.classes_, self._learner
        for classes, codes, first, stop in rows:
            own = None if weights is None else weights[first:stop]
            own = inputs.row_weights(
                self.class_weight, own, codes, classes, later=later
            )
            part = data if len(rows) == 1 else data[first:stop]  # sparse: a copy
            if learner is None or known is None:
                learner = self._start_learner(len(classes), data.shape[1])
            elif len(known) < len(classes):
                for count, place in enumerate(
                    inputs.places(known, classes), len(known)
                ):
                    learner = learner.with_class(place, count)
            learner = self._learn(learner, inputs.Examples(part, codes, own))
            known = classes
        assert learner is not None  # there is a row or more
        return learner

    @base.predicting
    def decision_function(self, X: Any) -> FloatArray:
        """Return ``X @ coef_.T + intercept_``, a vector if there are two classes."""
        check_is_fitted(self)
        data = inputs.rows_to_predict(self, X, dtype=inputs.FLOATS)
        weights = self._learner.weights[:, : self.n_features_in_].T.astype(data.dtype)
        scores: FloatArray = np.asarray(data @ weights) + self.intercept_
        return scores.ravel() if len(self.classes_) == 2 else scores

    @property
    @base.exclusive
    def coef_(self) -> FloatArray:
        """The weights of the features."""
        return self._learner.weights[:, : self.n_features_in_].copy()

    @property
    @base.exclusive
    def intercept_(self) -> FloatArray:
        """The weight of the constant input."""
        return np.asarray(self._learner.weights[:, self.n_features_in_ :].sum(axis=1))

    @property
    def t_(self) -> float:
        """The number of examples seen."""
        return self._learner.examples

    @property
    @base.exclusive
    def mistakes_(self) -> FloatArray:
        """The number of mistakes made."""
        return self._learner.counts[:, MISTAKES].copy()

    def _schedule(self) -> ScheduleLike:
        return _STEADY if self.schedule is None else self.schedule

    def _start(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[npt.NDArray[Any], Learner, inputs.Examples]:
        """Return classes, learner and coded examples that ``fit`` begins with."""
        again = self.warm_start and hasattr(self, "classes_")
        if again:
            inputs.check_columns(self, X)
        data, target, weights = inputs.examples(self, X, y, sample_weight)
        classes = self.classes_ if again else inputs.classes_used(target, weights)
        codes = inputs.label_codes(target, classes, weights)
        weights = inputs.row_weights(self.class_weight, weights, codes, classes)
        fresh = self._start_learner(len(classes), data.shape[1])
        learner = self._learner if again else fresh
        return classes, learner, inputs.Examples(data, codes, weights)

    def _start_learner(self, classes: int, features: int) -> Learner:
        """Return a learner before any example; two classes have one model."""
        dim = features + bool(self.fit_intercept)
        return Learner.zero(dim, models=1 if classes == 2 else classes)

    def _learn(
        self, learner: Learner, rows: inputs.Examples, order: Order = AS_GIVEN
    ) -> Learner:
        """Return the learner after one pass; the one given stays as it is."""
        plan = prepared(*self._parts(), learner.weights.shape[1])
        data, codes, weights = rows
        return learn_classes(plan, data, codes, learner, weights=weights, order=order)

    def _replace_model(
        self, X: Any, classes: npt.NDArray[Any], learner: Learner, later: bool = False
    ) -> None:
        """Replace the model; everything that can fail comes before the replacement."""
        if not hasattr(self, "classes_") or self.classes_ is not classes:
            if not (later and hasattr(self, "classes_")):
                inputs.set_columns(self, X)
                inputs.set_open(self, later)
            self.classes_ = classes
            self._derive()
        self._learner = learner

    def _derive(self) -> None:
        """Set attributes that follow from the state: the code of each label."""
        self._codes = inputs.codes_by_label(self.classes_)

    def _warn_of_balance(self) -> None:
        """Warn if the labels are balanced and the rule has a uniform shift."""
        rule = self._parts()[0]
        for text in self._learner.balance_warnings(rule, self.classes_):
            warnings.warn(text, ConvergenceWarning, stacklevel=4)


_PLAIN = Perceptron()


def linear_state(name: str, **more: Field) -> Schema:
    """Return the description of what a classifier with linear weights has learned."""
    fields = {
        "classes_": Labels(),
        "_open": Flag(),  # classes may appear later
        "_learner": Nested(LEARNER),
        "n_iter_": Whole(),
    }
    intercept = Relation(
        "a weight for each column, and perhaps one more for the intercept",
        lambda _, sizes: 0 <= sizes["weights"] - sizes["columns"] <= 1,
    )
    return base.fitted_state(name, {**fields, **more}, intercept)


@base.with_parameters
class OnlinePerceptron(LinearClassifier):
    """A linear classifier that learns by any rule, one example after the other.

    The weights start at zero, and an update adds ``gain * x``. The clock counts
    examples and mistakes per weight; the intercept is one of the N weights. The clock
    is part of the model. Data in one batch or in many batches give the same weights,
    bit for bit (sparse data and a rule with decay: to rounding). With more than two
    classes each class has its own weights, mistakes and clock. It learns to separate
    itself from the rest.

    A ``sample_weight`` of k presents an example k times in succession; 0 leaves it out.
    For a weight that is not a whole number, the fraction f is one more presentation. It
    makes f times the update, and counts as f examples. If an error is raised, the model
    does not change.

    Parameters
    ----------
    rule
        The learning rule; by default ``Perceptron()``.
    schedule
        The learning rate, or any function of the clock; by default ``Constant(1.0)``.
    fit_intercept
        Whether to learn an intercept, as the weight of a constant input 1.
    max_iter
        The number of passes of ``fit`` over the data; ``partial_fit`` makes one pass.
    shuffle
        Whether each pass of ``fit`` has its own random order. ``partial_fit`` takes the
        rows in their order.
    random_state
        Seed or generator for ``shuffle``.
    class_weight
        A dictionary from labels to weights that multiply ``sample_weight``; classes
        left out have weight 1. ``"balanced"`` weighs classes in inverse proportion to
        their number of examples, for ``fit`` only. None: 1 for all.
    warm_start
        Whether ``fit`` goes on from the weights and the clock of the last call.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    coef_ : ndarray of shape (1 or n_classes, n_features)
        The weights.
    intercept_ : ndarray of shape (1 or n_classes,)
        The intercepts, zero without ``fit_intercept``.
    n_features_in_ : int
        The number of features.
    n_iter_ : int
        The number of passes of the last ``fit``.
    t_ : int or float
        The number of examples seen, the sum of their weights.
    mistakes_ : ndarray of shape (1 or n_classes,)
        The number of examples that were on the wrong side of the boundary, ties
        included.

    Notes
    -----
    The rules are meant for inputs of squared length about 1. Without an intercept,
    ``Perceptron()`` and ``Hebb()`` do not depend on the scale of the inputs.

    Dense rows of single precision are learned in single precision, without a copy; the
    intercept is learned in double precision. A decay that changes weights by less than
    1e-7 of their size is lost there. Sparse rows (CSR; other formats are converted) and
    rules with a shift are learned in double precision. A shift makes rows dense, a few
    at a time. ``Perceptron()`` learns the weights of scikit-learn's ``Perceptron``
    without penalty and shuffling, exactly, unless rounding decides on a tie.

    Some rules need more than weights of zero to start from:

    * ``AdaTron()`` corrects in proportion to the field, which is zero. It never leaves
      the start, and ``fit`` warns of that.
    * ``Normalised(rule)`` gives the weights their length at the first update.
    * ``Shifted(rule)`` starts with the sum of ``label * x`` over the first examples, 20
      for each weight. Its rule acts after that. With a uniform shift the intercept
      stays near zero, and ``fit`` warns if the labels are balanced. Neither holds for
      ``AverageShift(uniform=False)``.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from rosenblatt.estimators import OnlinePerceptron
    >>> from rosenblatt.rules import PassiveAggressive
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), OnlinePerceptron(PassiveAggressive()))
    >>> round(model.fit(X, y).score(X, y), 2)
    0.97
    """

    _state = linear_state("OnlinePerceptron")
    rule: Rule | None = base.parameter(either(None, instance(Rule)), default=None)
    schedule: ScheduleLike | None = base.parameter(SCHEDULE, default=None)
    _: KW_ONLY
    fit_intercept: bool = base.parameter(flag, default=True)
    max_iter: int = base.parameter(PASSES, default=1)
    shuffle: bool = base.parameter(flag, default=False)
    random_state: int | np.random.RandomState | None = base.parameter(
        inputs.checked_random_state, default=None
    )
    class_weight: Any = base.parameter(inputs.checked_class_weight, default=None)
    warm_start: bool = base.parameter(flag, default=False)

    def _parts(self) -> tuple[Rule, ScheduleLike]:
        """Return the rule and the schedule."""
        return _PLAIN if self.rule is None else self.rule, self._schedule()


# Rates go on where the Hebbian start of 20 examples per weight ends, and fall as 1 / t:
# all three conditions of stochastic approximation are met.
_FALLING = Power(10.0, 1.0, offset=20.0)
_OPENING = functools.partial(number, low=0.0)  # its check


@functools.lru_cache(maxsize=64)
def _rule(uniform: bool, opening: float) -> Rule:
    return Shifted(Normalised(Perceptron()), AverageShift(uniform), opening)


@base.with_parameters
class ShiftedPerceptron(LinearClassifier):
    r"""A perceptron for data in which some labels are wrong at random.

    The perceptron rule adds misclassified examples. Wrong labels are mistakes even of
    the best weights. If the inputs are not symmetric around the boundary, these
    mistakes add up and move the weights away from it; more examples do not help.
    This classifier moves along :math:`x - T` instead. The shift T is learned from all
    examples so far and cancels this bias (:cite:t:`barkai1995`; see
    :class:`~rosenblatt.rules.Shifted`). The share of wrong labels need not be known.

    It is :class:`OnlinePerceptron` with the rule ``Shifted(Normalised(Perceptron()))``
    and shares its clocks, classes, weights, ``partial_fit``, sparse data and errors. It
    starts with the sum of ``label * x`` over the first 20 examples per weight, and
    takes small steps from there.

    Parameters
    ----------
    schedule
        The learning rate, or any function of the clock; by default
        ``Power(10, offset=20)``, for inputs of squared length about 1. It falls with
        the number of examples per weight, so that the weights converge.
    uniform
        Whether the shift is the same for all inputs, which needs labels that are not
        balanced. Otherwise the shift is proportional to the field.
    opening
        The number of examples per weight that the start sums over.
    fit_intercept
        Whether to learn an intercept. With a uniform shift it stays near zero.
    max_iter, shuffle, random_state, warm_start
        As in :class:`OnlinePerceptron`.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    coef_ : ndarray of shape (1 or n_classes, n_features)
        The weights; with the intercept, their squared length is their number.
    intercept_ : ndarray of shape (1 or n_classes,)
        The intercepts, zero without ``fit_intercept``.
    n_features_in_, n_iter_, t_
        As of :class:`OnlinePerceptron`.
    mistakes_ : ndarray of shape (1 or n_classes,)
        The number of mistakes after the start.

    Examples
    --------
    Inputs that are not symmetric around the boundary, and one label in five wrong:

    >>> import numpy as np
    >>> import rosenblatt as rb
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((20_000, 10)) / 10**0.5
    >>> X[:, 1] += X[:, 0] > 0.4
    >>> right = X[:, 0] > 0
    >>> y = right ^ (rng.random(20_000) < 0.2)
    >>> round(rb.ShiftedPerceptron().fit(X, y).score(X, right), 2)
    0.99
    >>> rule = rb.rules.Normalised(rb.rules.Perceptron())
    >>> plain = rb.OnlinePerceptron(rule, rb.schedules.Power(10, offset=20))
    >>> round(plain.fit(X, y).score(X, right), 2)
    0.91
    """

    _state = linear_state("ShiftedPerceptron")
    schedule: ScheduleLike | None = base.parameter(SCHEDULE, default=None)
    _: KW_ONLY
    uniform: bool = base.parameter(flag, default=False)
    opening: float = base.parameter(_OPENING, default=20.0)
    fit_intercept: bool = base.parameter(flag, default=True)
    max_iter: int = base.parameter(PASSES, default=1)
    shuffle: bool = base.parameter(flag, default=False)
    random_state: int | np.random.RandomState | None = base.parameter(
        inputs.checked_random_state, default=None
    )
    warm_start: bool = base.parameter(flag, default=False)

    def _parts(self) -> tuple[Rule, ScheduleLike]:
        """Return the rule and the schedule."""
        schedule = _FALLING if self.schedule is None else self.schedule
        uniform = flag("uniform", self.uniform)  # single rows have no other check
        return _rule(uniform, _OPENING("opening", self.opening)), schedule
