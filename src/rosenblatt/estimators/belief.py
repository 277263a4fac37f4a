"""What a classifier with a Gaussian belief about its weights can tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, issparse
from scipy.special import expit, ndtri, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from rosenblatt.core.arguments import number
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.engines import filtering
from rosenblatt.engines.filter_row import MISTAKES
from rosenblatt.engines.filtering import Filter

__all__ = ["FLOATS", "BeliefClassifier", "shares", "suited"]

FLOATS = [np.float64, np.float32]  # the numbers that kernels take as they are


class BeliefClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base of classifiers with a Gaussian belief: predictions and attributes.

    A leaf learns, and keeps ``classes_`` and the belief ``_filter``.
    """

    classes_: npt.NDArray[Any]
    _filter: Filter

    def decision_function(self, X: Any) -> FloatArray:
        """Return how sure the model is, a vector if there are two classes.

        Of two classes it is the logarithm of the odds of the second, of more the
        logarithm of the probability of each.
        """
        odds = self._odds(X)
        return odds.ravel() if len(self.classes_) == 2 else odds

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the likeliest class of each row; ties go to the first."""
        scores = self.decision_function(X)
        best = scores > 0 if scores.ndim == 1 else scores.argmax(axis=1)
        chosen: npt.NDArray[Any] = self.classes_[best.astype(np.intp)]
        return chosen

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class, averaged over the belief.

        With more than two classes, that each is right and all others are not.
        """
        return shares(self._odds(X))

    def predict_std(self, X: Any) -> FloatArray:
        """Return the standard deviation of the field, as far as weights are unknown.

        It is in units of the blur of the boundary: where it is much smaller than 1,
        more examples would hardly change the probabilities. A vector if there are two
        classes.
        """
        deviation = np.sqrt(self._fields(X)[1])
        return deviation.ravel() if len(self.classes_) == 2 else deviation

    def coef_interval(self, level: float = 0.95) -> FloatArray:
        """Return lower and upper ends for each weight that it is between.

        Parameters
        ----------
        level
            The probability that the weight is between them.

        Returns
        -------
        ndarray of shape (1 or n_classes, n_features, 2)
        """
        level = number("level", level, low=0.0, high=1.0)
        reach = ndtri(0.5 + 0.5 * level) * self.coef_std_
        return np.stack([self.coef_ - reach, self.coef_ + reach], axis=2)

    @property
    def coef_(self) -> FloatArray:
        """The mean of the weights."""
        return self._filter.mean[:, :-1] * self._filter.frame.inverse_scale

    @property
    def coef_std_(self) -> FloatArray:
        """The standard deviation of the weights."""
        deviation = np.sqrt(self._filter.variances[:, :-1])
        return deviation * self._filter.frame.inverse_scale

    @property
    def intercept_(self) -> FloatArray:
        """The mean of the intercept."""
        return np.asarray(self._filter.mean @ self._origin())

    @property
    def intercept_std_(self) -> FloatArray:
        """The standard deviation of the intercept."""
        belief, origin = self._filter.belief, self._origin()
        if belief.ndim == 3:
            return np.asarray(np.linalg.norm(origin @ belief, axis=1))
        return np.sqrt(self._filter.variances @ (origin * origin))

    @property
    def covariance_(self) -> str:
        """What is kept of the belief."""
        return self._filter.covariance

    @property
    def noise_(self) -> FloatArray:
        """The probability of a wrong label."""
        return self._filter.noise.copy()

    @property
    def center_(self) -> FloatArray:
        """The centre of each column."""
        return self._filter.frame.center.copy()

    @property
    def scale_(self) -> FloatArray:
        """The scale of each column; infinite if nothing is known of it."""
        with np.errstate(divide="ignore"):
            return 1.0 / self._filter.frame.inverse_scale

    @property
    def log_evidence_(self) -> FloatArray:
        """The logarithm of the probability of all labels."""
        return self._filter.log_evidence

    @property
    def mistakes_(self) -> IntArray:
        """The number of mistakes made."""
        return self._filter.tally[:, MISTAKES].astype(np.int64)

    @property
    def t_(self) -> int:
        """The number of examples seen."""
        return self._filter.clock

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _origin(self) -> FloatArray:
        """Return the row in which all inputs are 0, in the frame."""
        frame = self._filter.frame
        return np.append(-frame.center * frame.inverse_scale, 1.0)

    def _odds(self, X: Any) -> FloatArray:
        """Return log-odds of the second of two classes, or log-probabilities of all."""
        check_is_fitted(self)
        data = validate_data(
            self, X, reset=False, dtype=FLOATS, order="C", accept_sparse="csr"
        )
        return filtering.log_odds(self._filter, suited(self._filter, data))

    def _fields(self, X: Any) -> tuple[FloatArray, FloatArray]:
        """Return mean and variance of the field for each row and model."""
        check_is_fitted(self)
        data = validate_data(
            self, X, reset=False, dtype=FLOATS, order="C", accept_sparse="csr"
        )
        return filtering.fields(self._filter, suited(self._filter, data))


def suited(filter: Filter, data: Any) -> Any:
    """Return rows in the form that the filter takes."""
    if filter.frame.sparse == issparse(data):
        return data
    return csr_matrix(data) if filter.frame.sparse else data.toarray()


def shares(odds: FloatArray) -> FloatArray:
    """Return the probability of each class from what a filter tells."""
    if odds.shape[1] == 1:
        return np.asarray(expit(np.hstack([-odds, odds])))
    return np.asarray(softmax(odds, axis=1))
