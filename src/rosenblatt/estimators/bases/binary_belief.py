"""Base of classifiers with beliefs about binary weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rosenblatt.bits import Bits, pack
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.counting.thresholds import packed_weights
from rosenblatt.estimators.bases.decisions import best_classes, log_odds
from rosenblatt.estimators.bases.parameters import checked_parameters
from rosenblatt.estimators.inputs.class_weight import (
    ClassWeight,
    check_class_weight,
    class_factors,
    reweighted,
)
from rosenblatt.estimators.inputs.examples import FLOATS
from rosenblatt.estimators.inputs.frames import predicting
from rosenblatt.estimators.inputs.rows import bits_to_predict, rows_to_predict
from rosenblatt.estimators.locking import exclusive, shallow_copy, state
from rosenblatt.linear.batches import dense_blocks
from rosenblatt.linear.binary_learner import (
    DOUBT,
    INTERCEPT,
    MISTAKES,
    BinaryLearner,
    noise_of,
)

__all__ = ["BinaryBeliefClassifier", "merged"]

# The least variance of a field whose square root can be divided by, and the least
# probability that has a logarithm here.
_TINY = 1e-200
_MOST = 1e150  # of a standardised feature: sums of its squares are finite
_LEAST = 0.1  # precision of an intercept, in those of its prior


class BinaryBeliefClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base of classifiers with beliefs about binary weights.

    A leaf learns. It has ``classes_``, the beliefs ``_learner``, whether examples were
    packed bits, ``_packed``, and the number of examples of each class, ``_counts``.
    """

    noise: float | str
    hard: bool
    standardise: bool
    class_weight: ClassWeight
    classes_: npt.NDArray[Any]
    _learner: BinaryLearner
    _packed: bool
    _counts: IntArray

    @predicting
    def decision_function(self, X: Any) -> FloatArray:
        """Return ``X @ coef_.T + intercept_``, a vector if there are two classes.

        With a ``class_weight`` it is the logarithm of the odds of each class against
        the rest; of two classes, of the second against the first.
        """
        rows = self._rows(X)
        if self.class_weight is not None:
            return log_odds(self._probabilities(rows), _TINY)
        scores = self._scores(rows)
        return scores.ravel() if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class of each row; ties go to the first class."""
        return best_classes(self.decision_function(X), self.classes_)

    @predicting
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
    @exclusive
    def coef_(self) -> FloatArray:
        """The weights for features in their own units."""
        checked_parameters(self)
        scale = np.sqrt(self.n_features_in_)
        return np.asarray(self._weights() * self._factors() / scale)

    @property
    @exclusive
    def intercept_(self) -> FloatArray:
        """The intercept for features in their own units."""
        return self._intercepts() - self.coef_ @ self._learner.center

    @property
    def noise_(self) -> FloatArray:
        """The label noise."""
        return noise_of(self._learner, checked_parameters(self)["noise"])

    @property
    def t_(self) -> int:
        """The number of examples seen."""
        return self._learner.examples

    @property
    def mistakes_(self) -> npt.NDArray[np.int64]:
        """The number of mistakes made."""
        return self._learner.numbers[:, MISTAKES].astype(np.int64)

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
        # Few features leave few perceptrons with weights -1 and +1.
        tags.classifier_tags.poor_score = True
        return tags

    def _check_kind(self, X: Any) -> None:
        if isinstance(X, Bits) != self._packed:
            raise TypeError("X must be Bits always or never, got both Bits and numbers")

    def _rows(self, X: Any) -> Any:
        """Return rows to predict: packed bits, an array or a sparse matrix."""
        check_is_fitted(self)
        checked_parameters(self)
        self._check_kind(X)
        if self._packed:
            return bits_to_predict(self, X)
        return rows_to_predict(self, X, dtype=FLOATS)

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
        check_class_weight(self.class_weight, self.classes_)
        factors = class_factors(self.class_weight, self.classes_, self._counts)
        return reweighted(probabilities, factors)

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


def _standardised(
    block: FloatArray, center: FloatArray, factors: FloatArray
) -> FloatArray:
    """Return standardised features; rows beyond 1e150 deviations are scaled to that."""
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
