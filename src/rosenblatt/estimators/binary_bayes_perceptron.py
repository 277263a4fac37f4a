"""A Bayesian classifier that ends with one bit for each weight."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from rosenblatt.core.arguments import flag, number
from rosenblatt.core.bits import Bits, pack, unpack
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.engines.binary_dataset import (
    DOUBT,
    EXAMPLES,
    INTERCEPT,
    MISTAKES,
    BinaryLearner,
    learn_binary,
    noise_of,
)
from rosenblatt.engines.thresholds import packed_weights
from rosenblatt.estimators.examples import checked
from rosenblatt.estimators.merging import merged
from rosenblatt.estimators.online_perceptron import several

__all__ = ["BinaryBayesPerceptron"]

_TINY = 1e-200  # the least variance of a field whose square root can be divided by


class BinaryBayesPerceptron(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A linear classifier whose weights are -1 and +1, with what is believed of them.

    It learns in one pass, without a learning rate, by the rule of
    :class:`~rosenblatt.rules.BinaryBayes`, whose variance knows the input. For each
    weight it keeps the probability that it is +1; in the end its sign is one bit. An
    intercept is a Gaussian number of prior variance 1, in units in which the sum of
    weights and features has variance 1.

    Features are standardised by the mean and the variance of all rows so far, so that
    nothing need be known of them beforehand, and data in one piece or in many give the
    same model, bit for bit. Packed bits are taken as they are, -1 and +1.

    With more than two classes each learns to tell itself from the rest. A
    ``sample_weight`` of k presents an example k times in succession. If anything is
    wrong with the data, an error says so and the model stays as it was.

    Parameters
    ----------
    noise
        Probability of a wrong label. By default it is estimated along the way: data
        that no weights -1 and +1 explain have some.
    hard
        Whether decisions come from the signs alone, one bit for each weight, instead of
        the mean weights. Learning is the same.
    standardise
        Whether features are standardised; otherwise they should have about unit
        variance and mean 0.
    fit_intercept
        Whether to learn an intercept.
    floor
        The least variance of a field, in weights that are still open.

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
        What features as they are given are multiplied by, and what is added.
    noise_ : ndarray of shape (1 or n_classes,)
        The label noise, assumed or estimated.
    t_ : int
        The number of examples seen.
    mistakes_ : ndarray of shape (1 or n_classes,)
        The number of examples on whose wrong side the mean weights were.
    n_features_in_ : int
        The number of features.

    Notes
    -----
    The order of the examples matters, since a belief of product form forgets what they
    tell together. So merging models is not the same as learning from all examples: it
    adds up what both have learned (``artanh`` of the means, as if the examples of one
    were independent of the other's), which counts no example twice.

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

    def __init__(
        self,
        noise: float | None = None,
        *,
        hard: bool = False,
        standardise: bool = True,
        fit_intercept: bool = True,
        floor: float = 1.0,
    ) -> None:
        self.noise = noise
        self.hard = hard
        self.standardise = standardise
        self.fit_intercept = fit_intercept
        self.floor = floor

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget everything and learn from these examples."""
        self._check_parameters()
        table, target, weights = checked(self, X, y, sample_weight, sparse=False)
        classes, codes = np.unique(target, return_inverse=True)
        learners = self._beginners(len(several("y", classes)), table.shape[1])
        learners = self._taught(learners, table, codes, weights)
        validate_data(self, X, skip_check_array=True)  # sets names and n_features_in_
        self.classes_, self._learners = classes, learners
        self._packed = isinstance(X, Bits)
        return self

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Go on learning; the first call needs all the classes that will ever come."""
        self._check_parameters()
        first = not hasattr(self, "classes_")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit")
        table, target, weights = checked(self, X, y, sample_weight, sparse=False)
        given = np.unique(self.classes_ if classes is None else classes)
        if first:
            known = several("classes", given)
            learners = self._beginners(len(known), table.shape[1])
        else:
            known, learners = self.classes_, self._learners
            self._check_kind(X)
            validate_data(self, X, reset=False, skip_check_array=True)
        if not np.array_equal(given, known):
            raise ValueError(
                f"classes must be those of the first call, {known.tolist()}, "
                f"got {given.tolist()}"
            )
        for label in np.setdiff1d(target, known).tolist():
            raise ValueError(f"y must be among classes {known.tolist()}, got {label!r}")
        codes = np.searchsorted(known, target)
        learners = self._taught(learners, table, codes, weights)
        if first:
            validate_data(self, X, skip_check_array=True)
            self._packed = isinstance(X, Bits)
        self.classes_, self._learners = known, learners
        return self

    def merge(self, other: Self) -> Self:
        """Add what another model has learned from other examples.

        Parameters
        ----------
        other
            A model with the same parameters, features and classes; it stays as it is.
        """
        check_is_fitted(self)
        if type(other) is not type(self) or other.get_params() != self.get_params():
            raise ValueError(f"other must be a model like {self!r}, got {other!r}")
        check_is_fitted(other)
        mine, its = (
            (part.n_features_in_, part.classes_.tolist(), part._packed)
            for part in (self, other)
        )
        if mine != its:
            raise ValueError(
                "other must have the same number of features, classes and kind of "
                f"data, {mine}, got {its}"
            )
        pairs = zip(self._learners, other._learners, strict=True)
        self._learners = [merged(a, b) for a, b in pairs]
        return self

    def decision_function(self, X: Any) -> FloatArray:
        """Return ``X @ coef_.T + intercept_``, a vector if there are two classes."""
        scores = self._fields(self._features(X))
        return scores.ravel() if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class on whose side each row is; ties go to the first."""
        scores = self.decision_function(X)
        best = scores > 0 if scores.ndim == 1 else scores.argmax(axis=1)
        chosen: npt.NDArray[Any] = self.classes_[best.astype(np.intp)]
        return chosen

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class.

        Of two classes it is eq. (7) of :cite:t:`winther1997`, label noise included (the
        floor is for learning only, and is not in it). Of more, each against the rest
        has one, with the noise and the variance that they have on average; these are
        divided by their sum.
        """
        features = self._features(X)
        z = unpack(features, np.float64) if isinstance(features, Bits) else features
        scale = self.n_features_in_
        spread = (z * z) @ np.mean([k.variance for k in self._learners], axis=0) / scale
        spread += np.mean([k.numbers[DOUBT] for k in self._learners])
        width = np.sqrt(np.maximum(spread, _TINY))[:, None]
        noise = float(self.noise_.mean())
        chances = noise + (1 - 2 * noise) * ndtr(self._fields(features) / width)
        if len(self.classes_) == 2:
            return np.hstack([1 - chances, chances])
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

    @property
    def means_(self) -> FloatArray:
        """The mean weights."""
        return np.stack([k.mean for k in self._learners])

    @property
    def signs_(self) -> npt.NDArray[np.int8]:
        """The signs of the mean weights."""
        return np.where(self.means_ > 0, 1, -1).astype(np.int8)

    @property
    def bits_(self) -> Bits:
        """The signs as packed bits."""
        return pack(self.means_ > 0)

    @property
    def coef_(self) -> FloatArray:
        """The weights of features as they are given."""
        scale = np.sqrt(self.n_features_in_)
        return np.asarray(self._weights() * self._factors() / scale)

    @property
    def intercept_(self) -> FloatArray:
        """What is added to the sum of weights and features."""
        return self._intercepts() - self.coef_ @ self._learners[0].center

    @property
    def noise_(self) -> FloatArray:
        """The label noise."""
        return np.array([noise_of(k, self.noise) for k in self._learners])

    @property
    def t_(self) -> int:
        """The number of examples seen."""
        return int(self._learners[0].numbers[EXAMPLES])

    @property
    def mistakes_(self) -> npt.NDArray[np.int64]:
        """The number of mistakes made."""
        found = [k.numbers[MISTAKES] for k in self._learners]
        return np.array(found, dtype=np.int64)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Few features leave few perceptrons with weights -1 and +1.
        tags.classifier_tags.poor_score = True
        return tags

    def _check_parameters(self) -> None:
        if self.noise is not None:
            number("noise", self.noise, low=0, high=0.5)
        number("floor", self.floor, above=0)
        for name in ("hard", "standardise", "fit_intercept"):
            flag(name, getattr(self, name))

    def _check_kind(self, X: Any) -> None:
        if isinstance(X, Bits) != self._packed:
            raise TypeError("X must be Bits always or never, got both Bits and numbers")

    def _beginners(self, classes: int, features: int) -> list[BinaryLearner]:
        """Return one learner for two classes, else one for each."""
        return [
            BinaryLearner.prior(features, self.fit_intercept)
            for _ in range(1 if classes == 2 else classes)
        ]

    def _taught(
        self, learners: list[BinaryLearner], table: Any, codes: Any, weights: Any
    ) -> list[BinaryLearner]:
        """Return what the learners become; they themselves stay as they are."""
        packed = isinstance(table, Bits)
        data = unpack(table, np.float64) if packed else np.asarray(table, np.float64)
        positive = [1] if len(learners) == 1 else range(len(learners))
        return [
            learn_binary(
                learner,
                data,
                np.where(codes == code, 1.0, -1.0),
                noise=self.noise,
                floor=self.floor,
                standardise=self.standardise and not packed,
                sample_weight=weights,
            )
            for code, learner in zip(positive, learners, strict=True)
        ]

    def _features(self, X: Any) -> Any:
        """Return what weights are multiplied by: packed bits, or standardised."""
        check_is_fitted(self)
        self._check_kind(X)
        if self._packed:
            if X.shape[1] != self.n_features_in_:
                raise ValueError(
                    f"X has {X.shape[1]} features, but {type(self).__name__} is "
                    f"expecting {self.n_features_in_} features as input"
                )
            return X
        data = validate_data(self, X, reset=False, dtype=np.float64)
        return (data - self._learners[0].center) * self._factors()

    def _factors(self) -> FloatArray:
        """Return what standardises the features; 0 for those that never varied."""
        if self._packed or not self.standardise:
            return np.ones(self.n_features_in_)
        scale = self._learners[0].scale
        return np.divide(1.0, scale, out=np.zeros_like(scale), where=scale > 0)

    def _weights(self) -> npt.NDArray[Any]:
        return self.signs_ if self.hard else self.means_

    def _intercepts(self) -> FloatArray:
        return np.array([k.numbers[INTERCEPT] for k in self._learners])

    def _fields(self, features: Any) -> FloatArray:
        """Return the fields of all models, a column for each."""
        if isinstance(features, Bits) and self.hard:
            sums: Any = packed_weights(self.signs_).fields(features)
        else:
            if isinstance(features, Bits):
                features = unpack(features, np.float64)
            sums = features @ self._weights().T
        return np.asarray(sums / np.sqrt(self.n_features_in_) + self._intercepts())
