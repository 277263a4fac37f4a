"""Base of classifiers with a Gaussian belief about their weights."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rosenblatt.bayes import experts
from rosenblatt.bayes.experts import Experts
from rosenblatt.bayes.forgetting import Forgetting, forgetting
from rosenblatt.bayes.horizon import Later
from rosenblatt.bayes.label_law import MISTAKES
from rosenblatt.bayes.uncertainty import weight_law
from rosenblatt.core.arguments import flag, number
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators.bases.decisions import best_classes, log_odds
from rosenblatt.estimators.inputs.class_weight import (
    ClassWeight,
    check_class_weight,
    class_factors,
    reweighted,
)
from rosenblatt.estimators.inputs.examples import FLOATS, in_format
from rosenblatt.estimators.inputs.frames import predicting
from rosenblatt.estimators.inputs.labels import codes_by_label
from rosenblatt.estimators.inputs.rows import rows_to_predict
from rosenblatt.estimators.locking import exclusive, shallow_copy, state
from rosenblatt.numerics.special import central_interval

__all__ = ["BeliefClassifier", "class_probabilities"]

_TINY = 1e-300  # probabilities have no smaller logarithm


class BeliefClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base of classifiers with a Gaussian belief: predictions and attributes.

    A leaf learns, and keeps ``classes_``, the beliefs ``_experts``, and how many
    examples of each class there were, ``_counts``.
    """

    class_weight: ClassWeight
    classes_: npt.NDArray[Any]
    _experts: Experts
    _counts: IntArray

    @predicting
    def decision_function(self, X: Any) -> FloatArray:
        """Return how sure the model is, a vector if there are two classes.

        It is the logarithm of the odds of each class against the rest; of two classes,
        of the second against the first. Of two classes and a single filter it is the
        mean field in units of its uncertainty, unless classes are weighed.
        """
        data = self._rows(X)
        two = len(self.classes_) == 2
        found = self._experts
        if two and found.mixture is None and self.class_weight is None:
            mean, variance = experts.fields(found, data)
            certainty = mean / np.sqrt(variance + found.first.label_variance)
            return np.asarray(certainty.ravel())
        probabilities = self._probabilities(data)
        if len(self.classes_) == 1:
            return np.zeros_like(probabilities)
        return log_odds(probabilities, _TINY)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the likeliest class of each row; ties go to the first."""
        return best_classes(self.decision_function(X), self.classes_)

    @predicting
    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class, averaged over the belief."""
        return self._probabilities(self._rows(X))

    @predicting
    def predict_std(self, X: Any) -> FloatArray:
        """Return the standard deviation of the field, as far as weights are unknown.

        It is in units of the blur of the boundary: where it is much smaller than 1,
        more examples would hardly change the probabilities. A vector if there are two
        classes.
        """
        data = self._rows(X)
        deviation = np.sqrt(experts.fields(self._ahead(), data)[1])
        return deviation.ravel() if len(self.classes_) == 2 else deviation

    @exclusive
    def coef_interval(
        self, level: float = 0.95, *, relative: bool = False
    ) -> FloatArray:
        """Return the credible interval of each weight.

        The length of the weights and the noise of the labels are hard to tell apart.
        Intervals allow for what is unknown about both, and for the start of the
        estimates (:mod:`rosenblatt.bayes.uncertainty`). So they are wider than
        ``coef_std_`` says, and not symmetric. At a level of 0.95, with a full
        covariance and an estimated noise, they held 94.7 to 98.0% of the weights in
        fifteen settings. These had 270 to 830 rows a column, and up to a quarter of the
        labels wrong. In nine of these they held more than 97%, so they are a little too
        wide. They held 78 to 92% with 80 rows a column, and with 5 columns or fewer and
        a quarter or more of the labels wrong. Relative weights do not depend on the
        length. The guide on :doc:`Bayesian classifiers </bayes>` has tables of both.

        Parameters
        ----------
        level
            The probability that the weight is between them.
        relative
            If True, the intervals are of ``w * scale_ / norm(w * scale_)``: the weights
            of standardised columns, divided by their length. Such a weight is between
            -1 and 1, has no unit, and compares a column with all others.

        Returns
        -------
        ndarray of shape (1 or n_classes, n_features, 2)
        """
        level = number("level", level, low=0.0, high=1.0)
        if not flag("relative", relative):
            found = self._ahead()
            laws = zip(*map(weight_law, found.filters), strict=True)
            mean, deviation, s = (np.stack(each) for each in laws)
            return central_interval(level, mean, deviation, s, found.filter_weights)
        mean, variance = self._ahead().directions()
        reach = ndtri(0.5 + 0.5 * level) * np.sqrt(variance)
        return np.clip(np.stack([mean - reach, mean + reach], axis=2), -1.0, 1.0)

    @exclusive
    def coef_belief(self, columns: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Return mean and covariance of the weights of some columns, for joint tests.

        They are those of the filter of most weight, with its slope and noise taken as
        known. An unknown length of the weights does not matter if they vanish.

        Parameters
        ----------
        columns
            Numbers of the columns, from 0.

        Returns
        -------
        tuple of ndarray
            Mean of shape (1 or n_classes, n_columns), and covariance with one more
            axis of n_columns.
        """
        chosen = list(columns)
        found = self._ahead()
        filter = found.filters[int(found.filter_weights.argmax())]
        inverse = filter.inverse_scale[chosen]
        if filter.belief.ndim == 3:
            belief = filter.belief[:, chosen][:, :, chosen]
        else:
            belief = filter.variances[:, chosen][:, :, None] * np.eye(len(chosen))
        return filter.mean[:, chosen] * inverse, belief * np.outer(inverse, inverse)

    @property
    @exclusive
    def coef_(self) -> FloatArray:
        """The mean of the weights."""
        return self._ahead().weights()[0]

    @property
    @exclusive
    def coef_std_(self) -> FloatArray:
        """The standard deviation of the weights."""
        return np.sqrt(self._ahead().weights()[1])

    @property
    @exclusive
    def intercept_(self) -> FloatArray:
        """The mean of the intercept."""
        return self._ahead().intercepts()[0]

    @property
    @exclusive
    def intercept_std_(self) -> FloatArray:
        """The standard deviation of the intercept."""
        return np.sqrt(self._ahead().intercepts()[1])

    @property
    def covariance_(self) -> str:
        """The form of the covariance, which is full, diagonal or spherical."""
        return self._experts.first.covariance

    @property
    @exclusive
    def noise_(self) -> FloatArray:
        """The probability of a wrong label."""
        found = self._ahead()
        each = [filter.noise for filter in found.filters]
        return np.asarray(found.filter_weights @ np.stack(each))

    @property
    @exclusive
    def later_(self) -> Later | None:
        """How well rows that came later were predicted, by models of earlier times."""
        horizon = self._experts.horizon
        return None if horizon is None else horizon.later()

    @property
    @exclusive
    def forgetting_(self) -> Forgetting:
        """Half-lives that the data chose so far, and changes that were noticed."""
        return forgetting(self._experts)

    @property
    @exclusive
    def center_(self) -> FloatArray:
        """The centre of each column."""
        return self._experts.first.center.copy()

    @property
    @exclusive
    def scale_(self) -> FloatArray:
        """The scale of each column; infinite if nothing is known of it."""
        with np.errstate(divide="ignore"):
            return 1.0 / self._experts.first.inverse_scale

    @property
    @exclusive
    def log_evidence_(self) -> FloatArray:
        """The logarithm of the probability of all labels."""
        mixture = self._experts.mixture
        if mixture is None:
            return self._experts.first.log_evidence[:1]
        return np.array([mixture.log_evidence])

    @property
    @exclusive
    def mistakes_(self) -> IntArray:
        """The number of mistakes made."""
        mixture = self._experts.mixture
        if mixture is None:
            return self._experts.first.statistics[:1, MISTAKES].astype(np.int64)
        return np.array([mixture.mistakes])

    @property
    def t_(self) -> int:
        """The number of examples seen."""
        return self._experts.first.clock

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @exclusive
    def __copy__(self) -> Self:
        """Return a model of its own: single rows are learned in place."""
        other = shallow_copy(self)
        if hasattr(self, "_experts"):
            own = self._experts, self._counts
            other._experts, other._counts = copy.deepcopy(own)
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickles and deep copies."""
        return state(self)

    def _ahead(self) -> Experts:
        """Return the filters, and their mixture, that predict."""
        return self._experts

    def _derive(self) -> None:
        """Set what follows from the state: the code of each label, for single rows."""
        sparse = self._experts.first.sparse
        self._codes = {} if sparse else codes_by_label(self.classes_)

    def _probabilities(self, data: Any) -> FloatArray:
        """Return the probability of each class, classes weighed as is wanted."""
        probabilities = class_probabilities(self._ahead(), data, len(self.classes_))
        if self.class_weight is None:
            return probabilities
        later = "_open" in vars(self)
        check_class_weight(self.class_weight, self.classes_, later=later)
        return self._reweighted(probabilities, self._counts)

    def _reweighted(self, probabilities: FloatArray, counts: IntArray) -> FloatArray:
        """Return probabilities times class weights, for these counts of examples."""
        factors = class_factors(self.class_weight, self.classes_, counts)
        return reweighted(probabilities, factors)

    def _rows(self, X: Any) -> Any:
        """Return rows to predict as filters take them."""
        check_is_fitted(self)
        data = rows_to_predict(self, X, dtype=FLOATS, order="C")
        return in_format(data, sparse=self._experts.first.sparse)


def class_probabilities(found: Experts, data: Any, classes: int) -> FloatArray:
    """Return the probability of each class; a class that is the only one has all."""
    if classes == 1:
        return np.ones((data.shape[0], 1))
    return experts.predict(found, data)
