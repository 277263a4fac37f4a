"""Bayesian learning of a linear classifier from a stream, for scikit-learn."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.utils.validation import validate_data

from rosenblatt.core.arguments import flag
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators.beginners import beginners
from rosenblatt.estimators.belief import BeliefClassifier, suited
from rosenblatt.estimators.class_weight import (
    ClassWeight,
    check_class_weight,
    class_factors,
    weighed,
)
from rosenblatt.estimators.examples import FLOATS, streamed
from rosenblatt.estimators.labels import (
    classes_of,
    coded,
    codes_of,
    counted,
    counted_before,
    known_classes,
    several,
)
from rosenblatt.estimators.locking import exclusive
from rosenblatt.estimators.merging import check_alike
from rosenblatt.filters import experts
from rosenblatt.filters.experts import Experts

__all__ = ["BayesPerceptron"]


class BayesPerceptron(BeliefClassifier):
    r"""A linear classifier that knows how sure it is, and has nothing to tune.

    It keeps a Gaussian belief about the weights, and moves it by Bayes' theorem after
    each example (:cite:t:`winther1997`, eq. 3): every example is seen once. Columns
    may have any scale: they are standardised as they come. A label is the side of the
    boundary on which the example is, blurred, and wrong with a probability that is
    estimated together with the length of the weights. Four such filters learn side by
    side: three with narrow, medium and wide priors, and one that forgets, for streams
    that change. Their odds are calibrated as the labels come, and mixed by how well
    each has predicted.

    Data in one piece or in many give the same model. With more than two classes each
    has weights of its own, and the label is the class of the largest field, blurred. A
    ``sample_weight`` of k presents an example k times in succession; 0 leaves it out.
    If anything is wrong with the data, an error says so and the model stays as it was.

    Parameters
    ----------
    covariance
        ``"auto"``: three filters with full covariances as long as those of all classes
        of a filter have at most 2^18 entries (two classes: up to 511 columns); with
        diagonal ones for more columns and for sparse data; and a diagonal one with a
        half-life of 100 examples. Anything else is a single filter of prior variance 1,
        neither calibrated nor mixed: three times as fast, and one definite belief. It
        keeps one variance for all weights (``"spherical"``), one for each
        (``"diagonal"``), or a covariance matrix (``"full"``), which is the most
        accurate and takes a time of the order of the square of the number of columns
        for each example.
    noise
        The probability of a wrong label, below 0.5; ``"auto"`` estimates it.
    half_life
        The number of examples after which what was learned counts half, for streams
        that change; None to keep everything, but for the filter that forgets.
    class_weight
        What a mistake on an example of each class costs: a dictionary, in which classes
        left out have weight 1; ``"balanced"``, in inverse proportion to how often each
        has come so far; or None. The odds of ``predict``, ``predict_proba``,
        ``decision_function`` and ``predict_then_learn`` are multiplied by it, as if the
        classes came that much more often. What is learned does not depend on it: an
        example that costs more does not tell more.
    warm_start
        Whether ``fit`` goes on as ``partial_fit`` does if something was learned before.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    coef_, coef_std_ : ndarray of shape (1 or n_classes, n_features)
        Mean and standard deviation of the weights, for inputs in their own units. Of
        several filters, the mean with the weights that they have in the mixture, and
        the standard deviation of the mixed beliefs.
    intercept_, intercept_std_ : ndarray of shape (1 or n_classes,)
        Mean and standard deviation of the intercept.
    covariance_ : str
        What is kept of the belief.
    noise_ : ndarray of shape (1 or n_classes,)
        The probability of a wrong label, the same for all classes.
    center_, scale_ : ndarray of shape (n_features,)
        What columns are standardised by, in the filters that keep everything.
    log_evidence_ : ndarray of shape (1,)
        The logarithm of the probability that the model gave to all labels, each before
        it was seen.
    mistakes_ : ndarray of shape (1,)
        How many labels were not the likeliest before they were seen; a tie counts.
    n_features_in_ : int
        The number of features.
    t_ : int
        The number of examples seen.

    Notes
    -----
    Inputs more than 3 standard deviations from the mean count as if they were there; up
    to this the fields are linear, with ``coef_`` and ``intercept_``. Columns of sparse
    data are not centred, and their scale is that of the entries that are not zero; with
    a covariance that is full or spherical sparse data are made dense.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rosenblatt.estimators import BayesPerceptron
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BayesPerceptron().fit(X[:400], y[:400])
    >>> round(model.score(X[400:], y[400:]), 2)
    0.97
    """

    def __init__(
        self,
        covariance: str = "auto",
        *,
        noise: float | str = "auto",
        half_life: float | None = None,
        class_weight: ClassWeight = None,
        warm_start: bool = False,
    ) -> None:
        self.covariance = covariance
        self.noise = noise
        self.half_life = half_life
        self.class_weight = class_weight
        self.warm_start = warm_start

    @exclusive
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget everything and learn from these examples; with warm_start, go on."""
        if flag("warm_start", self.warm_start) and hasattr(self, "classes_"):
            return self.partial_fit(X, y, sample_weight=sample_weight)
        data, target, times = streamed(self, X, y, sample_weight)
        used = target if times is None else target[times > 0]
        classes = several("y", classes_of(used))
        check_class_weight(self.class_weight, classes)
        found = self._beginners(data, classes)
        data = suited(found.first, data)
        codes = coded(target, classes, times)
        found = experts.learn(found, data, codes, times)
        self._adopt(X, classes, found)
        self._counts = counted(codes, len(classes), times)
        return self

    @exclusive
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Go on learning; the first call needs all the classes that will ever come."""
        code = self._single(X, y, classes, sample_weight)
        if code is None:
            self._learn(X, y, classes, sample_weight, wanted=False)
        else:
            experts.absorb(self._experts, X, code, wanted=False)
            self._counts[code[0]] += 1
        return self

    @exclusive
    def predict_then_learn(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> FloatArray:
        """Go on learning, and return what was predicted for each row before its label.

        This is the progressive, or prequential, pass in one go: the same as
        ``predict_proba`` and ``partial_fit`` in turn for each row, and as fast as
        ``partial_fit``. Columns are standardised by the inputs of all rows so far, the
        row itself included; its label is not known yet.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The probability of each class. That of a row of weight k is from before the
            first of its k presentations.
        """
        code = self._single(X, y, classes, sample_weight)
        if code is None:
            return self._learn(X, y, classes, sample_weight, wanted=True)
        shares = experts.absorb(self._experts, X, code, wanted=True)
        self._counts[code[0]] += 1
        return shares

    @exclusive
    def merge(self, other: Self) -> Self:
        """Add what another model has learned from other examples.

        Beliefs multiply, and the prior, which both have started from, counts once. The
        calibration and the weights of the mixture are averaged: they are about models
        that knew less. The columns are standardised by all examples together.
        ``log_evidence_`` of a single filter is that of all labels
        together, of a mixture that of the predictions made, each before merging.

        Parameters
        ----------
        other
            A model with the same parameters, classes and columns, with the same names
            if both have any. It stays as it is.
        """
        check_alike(self, other, names=("classes_",))
        if self._experts.first.sparse != other._experts.first.sparse:
            raise ValueError("other must be sparse if this model is, and only then")
        self._experts = experts.merge(self._experts, other._experts)
        self._counts = self._counts + other._counts
        return self

    def _beginners(self, data: Any, classes: npt.NDArray[Any]) -> Experts:
        """Return the filters that have seen nothing."""
        settings = self.covariance, self.noise, self.half_life
        return beginners(*settings, data.shape[1], len(classes), issparse(data))

    def _single(
        self, X: Any, y: Any, classes: Any, sample_weight: Any
    ) -> IntArray | None:
        """Return the class of a single plain row, if this is one."""
        own = vars(self)
        codes = own.get("_codes")
        if (
            not codes
            or own["class_weight"] is not None
            or classes is not None
            or sample_weight is not None
            or type(X) is not np.ndarray
            or X.shape != (1, own["n_features_in_"])
            or X.dtype not in FLOATS
            or not (X.flags.c_contiguous and X.flags.aligned)
            or type(y) not in (np.ndarray, list)
            or len(y) != 1
            or "feature_names_in_" in own
        ):
            return None
        try:
            code: IntArray = codes[y[0]]
        except (KeyError, TypeError):
            return None  # the usual way says what is wrong
        return code

    def _learn(
        self, X: Any, y: Any, classes: Any, sample_weight: Any, wanted: bool
    ) -> FloatArray:
        """Go on learning; return what was predicted, or nothing if it is not wanted."""
        known = getattr(self, "classes_", None)
        given = several("classes", known_classes(known, classes))
        check_class_weight(self.class_weight, given)
        data, target, times = streamed(self, X, y, sample_weight)
        if known is None:
            found = self._beginners(data, given)
        else:
            validate_data(self, X, reset=False, skip_check_array=True)
            found = self._experts
        shares = np.empty((data.shape[0] if wanted else 0, len(given)))
        codes = coded(target, given, times)
        found = experts.learn(found, suited(found.first, data), codes, times, shares)
        before = self._counts if known is not None else np.zeros(len(given), np.int64)
        if known is None:
            self._adopt(X, given, found)
        else:
            self._experts = found
        self._counts = before + counted(codes, len(given), times)
        if not wanted or self.class_weight is None:
            return shares
        running = before + counted_before(codes, len(given), times)
        return weighed(shares, class_factors(self.class_weight, given, running))

    def _adopt(self, X: Any, classes: npt.NDArray[Any], found: Experts) -> None:
        """Change the model, now that nothing can fail any more."""
        validate_data(self, X, skip_check_array=True)  # sets names and n_features_in_
        self.classes_, self._experts = classes, found
        self._derive()

    def _derive(self) -> None:
        """Set what follows from the state: the code of each label, for single rows."""
        sparse = self._experts.first.sparse
        self._codes = {} if sparse else codes_of(self.classes_)
