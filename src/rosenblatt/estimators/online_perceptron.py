r"""Any learning rule as a scikit-learn classifier that learns from a stream."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    check_X_y,
    validate_data,
)

from rosenblatt.core import Rule
from rosenblatt.core.arguments import whole
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.engines.dataset import learn
from rosenblatt.engines.learner import EXAMPLES, LABELS, MISTAKES, Learner
from rosenblatt.parts import ScheduleLike
from rosenblatt.rules import Perceptron
from rosenblatt.schedules import Constant

__all__ = ["OnlinePerceptron", "several"]


def several(name: str, classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the classes if there is something to tell apart."""
    if len(classes) < 2:
        raise ValueError(
            f"{name} must have more than one class, got {classes.tolist()}"
        )
    return classes


class OnlinePerceptron(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A linear classifier that learns by any rule, one example after the other.

    Weights start at zero, and an update adds ``gain * x``. Clocks count examples and
    mistakes per weight (the intercept is one of the N weights), and are part of the
    model: data in one piece or in many give the same weights, bit for bit. With more
    than two classes each has weights, mistakes and a clock of its own, and learns to
    tell itself from the rest.

    A ``sample_weight`` of k presents an example k times in succession; 0 skips it.
    If anything is wrong with the data, an error says so and the model stays as it was.

    Parameters
    ----------
    rule
        The learning rule; by default ``Perceptron()``.
    schedule
        The learning rate, or any function of the clock; by default ``Constant(1.0)``.
    fit_intercept
        Whether to learn an intercept, as the weight of a constant input 1.
    passes
        How many times ``fit`` goes through the data; ``partial_fit`` does so once.
    shuffle
        Whether each pass of ``fit`` has an order of its own; ``partial_fit`` keeps that
        of the rows.
    random_state
        Seed or generator for ``shuffle``.

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
    t_ : int
        The number of examples seen.
    mistakes_ : ndarray of shape (1 or n_classes,)
        The number of examples on whose wrong side the weights were, ties included.

    Notes
    -----
    Rules were made for inputs of squared length about 1. Without an intercept,
    ``Perceptron()`` and ``Hebb()`` do not care, since the weights follow the scale.

    What the start at zero means for some rules:

    * ``AdaTron()`` corrects in proportion to the field, which is zero: it never leaves
      the start, and ``fit`` warns of that.
    * ``Normalised(rule)`` gives the weights their length at the first update.
    * ``Shifted(rule)`` starts with the sum of ``label * x`` over the first examples, 20
      for each weight; its rule acts after that. With a uniform shift it learns no
      intercept to speak of, since a constant input is all shift, and ``fit`` warns if
      the labels are balanced; with ``AverageShift(uniform=False)`` neither matters.

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

    def __init__(
        self,
        rule: Rule | None = None,
        schedule: ScheduleLike | None = None,
        *,
        fit_intercept: bool = True,
        passes: int = 1,
        shuffle: bool = False,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.rule = rule
        self.schedule = schedule
        self.fit_intercept = fit_intercept
        self.passes = passes
        self.shuffle = shuffle
        self.random_state = random_state

    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: Any = None
    ) -> Self:
        """Forget everything and learn from these examples."""
        passes = whole("passes", self.passes, low=1)
        data, target = self._checked(X, y)
        classes, codes = np.unique(target, return_inverse=True)
        learners = self._beginners(len(several("y", classes)), data.shape[1])
        random = check_random_state(self.random_state)
        for _ in range(passes):
            order = random.permutation(len(data)) if self.shuffle else None
            learners = self._taught(learners, data, codes, sample_weight, order)
        validate_data(self, X, skip_check_array=True)  # sets names and n_features_in_
        self.classes_, self._learners = classes, learners
        self._warn_of_balance()
        if not any(learner.weights.any() for learner in learners):
            warnings.warn(
                f"all weights are zero after {self.t_} examples; rule {self.rule!r} "
                "may never leave the start at zero",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def partial_fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        classes: npt.ArrayLike | None = None,
        sample_weight: Any = None,
    ) -> Self:
        """Go on learning; the first call needs all the classes that will ever come."""
        first = not hasattr(self, "classes_")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit")
        data, target = self._checked(X, y)
        given = np.unique(self.classes_ if classes is None else classes)
        if first:
            known = several("classes", given)
            learners = self._beginners(len(known), data.shape[1])
        else:
            known, learners = self.classes_, self._learners
            validate_data(self, X, reset=False, skip_check_array=True)
        if not np.array_equal(given, known):
            raise ValueError(
                f"classes must be those of the first call, {known.tolist()}, "
                f"got {given.tolist()}"
            )
        for label in np.setdiff1d(target, known).tolist():
            raise ValueError(f"y must be among classes {known.tolist()}, got {label!r}")
        codes = np.searchsorted(known, target)
        learners = self._taught(learners, data, codes, sample_weight, None)
        if first:
            validate_data(self, X, skip_check_array=True)
        self.classes_, self._learners = known, learners
        self._warn_of_balance()
        return self

    def decision_function(self, X: npt.ArrayLike) -> FloatArray:
        """Return ``X @ coef_.T + intercept_``, a vector if there are two classes."""
        check_is_fitted(self)
        data = validate_data(self, X, reset=False, dtype=np.float64)
        scores: FloatArray = data @ self.coef_.T + self.intercept_
        return scores.ravel() if len(self.classes_) == 2 else scores

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the class on whose side each row is; ties go to the first."""
        scores = self.decision_function(X)
        best = scores > 0 if scores.ndim == 1 else scores.argmax(axis=1)
        chosen: npt.NDArray[Any] = self.classes_[best.astype(np.intp)]
        return chosen

    @property
    def coef_(self) -> FloatArray:
        """The weights of the features."""
        return np.stack([k.weights[: self.n_features_in_] for k in self._learners])

    @property
    def intercept_(self) -> FloatArray:
        """The weight of the constant input."""
        last = [k.weights[self.n_features_in_ :] for k in self._learners]
        return np.array([w[0] if w.size else 0.0 for w in last])

    @property
    def t_(self) -> int:
        """The number of examples seen."""
        return int(self._learners[0].counts[EXAMPLES])

    @property
    def mistakes_(self) -> IntArray:
        """The number of mistakes made."""
        return np.array([k.counts[MISTAKES] for k in self._learners])

    def _warn_of_balance(self) -> None:
        """Say so if the labels do not determine the shift that the rule asks for."""
        names = self.classes_.tolist() if len(self._learners) > 1 else [None]
        for name, learner in zip(names, self._learners, strict=True):
            if self.rule is not None and learner.balanced(self.rule):
                of = "" if name is None else f" of {name!r}"
                warnings.warn(
                    f"labels{of} are balanced: their mean over {self.t_} examples is "
                    f"{learner.counts[LABELS] / self.t_:.2g}, which does not determine "
                    "a uniform shift; take Shifted(rule, AverageShift(uniform=False))",
                    ConvergenceWarning,
                    stacklevel=3,
                )

    def _checked(self, X: Any, y: Any) -> tuple[FloatArray, npt.NDArray[Any]]:
        """Return the data as arrays; the engine finds what is not finite."""
        data, target = check_X_y(
            X, y, dtype=np.float64, order="C", ensure_all_finite=False, estimator=self
        )
        check_classification_targets(target)
        return data, target

    def _beginners(self, classes: int, features: int) -> list[Learner]:
        """Return one learner for two classes, else one for each."""
        dim = features + bool(self.fit_intercept)
        return [Learner.zero(dim) for _ in range(1 if classes == 2 else classes)]

    def _taught(
        self,
        learners: list[Learner],
        data: FloatArray,
        codes: IntArray,
        sample_weight: Any,
        order: IntArray | None,
    ) -> list[Learner]:
        """Return what the learners become; they themselves stay as they are."""
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, data, dtype=np.float64)
        positive = [1] if len(learners) == 1 else range(len(learners))
        return [
            learn(
                Perceptron() if self.rule is None else self.rule,
                Constant(1.0) if self.schedule is None else self.schedule,
                data,
                np.where(codes == code, 1.0, -1.0),
                learner,
                sample_weight=sample_weight,
                order=order,
            )
            for code, learner in zip(positive, learners, strict=True)
        ]
