"""Bayesian learning of a linear classifier from a stream, for scikit-learn."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from rosenblatt.core.arguments import flag
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators.appearing import learn_stages, with_classes
from rosenblatt.estimators.bases.belief import BeliefClassifier
from rosenblatt.estimators.bases.parameters import (
    checked_parameters,
    parameter,
    with_parameters,
)
from rosenblatt.estimators.inputs.class_weight import (
    ClassWeight,
    check_class_weight,
    checked_class_weight,
    class_factors,
    reweighted,
)
from rosenblatt.estimators.inputs.examples import (
    check_columns,
    in_format,
    set_columns,
    single_row_code,
    stream_examples,
)
from rosenblatt.estimators.inputs.labels import (
    class_counts,
    classes_used,
    codes_by_label,
    counts_among,
    label_codes,
    running_class_counts,
)
from rosenblatt.estimators.inputs.new_classes import (
    announced,
    may_appear,
    set_open,
    stages,
)
from rosenblatt.estimators.locking import exclusive, merging
from rosenblatt.estimators.merging import merged_classes
from rosenblatt.estimators.priors import COVARIANCE, Settings, prior_filters
from rosenblatt.filters import experts
from rosenblatt.filters.experts import Experts
from rosenblatt.filters.merging import merge_experts
from rosenblatt.filters.starting import HALF_LIFE, LABEL_NOISE

__all__ = ["BayesPerceptron"]


@with_parameters
class BayesPerceptron(BeliefClassifier):
    r"""A Bayesian linear classifier with calibrated probabilities and nothing to tune.

    The classifier has a Gaussian belief about its weights. Bayes' theorem updates the
    belief after each example (:cite:t:`winther1997`, eq. 3), and every example is seen
    once. Columns may have any scale: they are standardised as they come. The label
    noise and the length of the weights are estimated.

    By default six filters learn at the same time: three with narrow, medium and wide
    priors, and three that believe that the weights drift, slowly, faster and fast, for
    streams that change. The log-odds of each filter are calibrated as labels come. The
    filters are then mixed, with weights that follow the quality of their predictions:
    the data choose how fast to forget, and may choose anew at any time.

    Data in one batch or in many batches give the same model, up to rounding. With more
    than two classes each class has its own weights, and the label is the class of the
    largest noisy field. A ``sample_weight`` of k presents an example k times in
    succession; 0 leaves it out. If an error is raised, the model does not change.

    Parameters
    ----------
    covariance
        The form of the belief. ``"auto"`` uses the mixture of six filters. Its first
        three filters have full covariance matrices if those of all classes of a filter
        have at most 2^18 entries (two classes: up to 511 columns) and the data are
        dense; otherwise they have diagonal ones. Filters with drift have full ones up
        to 2^12 entries (two classes: 63 columns), the slowest up to 2^15 (180). Any
        other value uses a single filter of prior variance 1, without calibration and
        mixture, which is much faster:
        ``"spherical"`` has one variance for all weights, ``"diagonal"`` one for each
        weight, ``"full"`` a covariance matrix. ``"full"`` is the most accurate; its
        time for an example grows with the square of the number of columns.
    noise
        The probability of a wrong label, below 0.5; ``"auto"`` estimates it.
    half_life
        The number of examples after which half of the variance of each weight is new,
        if you know how fast the weights drift. Rows count half in the standardisation
        of the columns after the same number. None: the data choose, if ``covariance``
        is ``"auto"``; else nothing is forgotten.
    class_weight
        The cost of a mistake on an example of each class: a dictionary, in which
        classes left out have weight 1; ``"balanced"``, in inverse proportion to the
        number of examples of each class so far; or None. It multiplies the odds in
        ``predict``, ``predict_proba``, ``decision_function`` and
        ``predict_then_learn``. Learning does not depend on it.
    warm_start
        Whether ``fit`` goes on from the last call, as ``partial_fit`` does.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    coef_, coef_std_ : ndarray of shape (1 or n_classes, n_features)
        Mean and standard deviation of the weights, for inputs in their own units. For
        several filters, those of the mixture of their beliefs.
    intercept_, intercept_std_ : ndarray of shape (1 or n_classes,)
        Mean and standard deviation of the intercept.
    covariance_ : str
        The form of the covariance: full, diagonal or spherical.
    noise_ : ndarray of shape (1 or n_classes,)
        The probability of a wrong label, the same for all classes.
    center_, scale_ : ndarray of shape (n_features,)
        Centre and scale of each column, in the filters that do not forget.
    forgetting_ : Forgetting
        Half-lives that the data chose: ``half_life`` up to each of ``rows``, the
        ``current`` one, and ``changes`` of the stream, each with the ``row`` where it
        was noticed and the ``half_life`` since.
    log_evidence_ : ndarray of shape (1,)
        The sum of the logarithms of the probabilities that the model gave to the
        labels, each before the label was seen.
    mistakes_ : ndarray of shape (1,)
        The number of labels that were not the most probable before they were seen.
        A tie counts as a mistake.
    n_features_in_ : int
        The number of features.
    t_ : int
        The number of examples seen.

    Notes
    -----
    Inputs are clipped at 3 standard deviations from the mean. Up to there the fields
    are linear, with ``coef_`` and ``intercept_``. Columns of sparse data are not
    centred, and their scale is that of the nonzero entries. With a full or spherical
    covariance, sparse data are made dense.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rosenblatt.estimators import BayesPerceptron
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BayesPerceptron().fit(X[:400], y[:400])
    >>> round(model.score(X[400:], y[400:]), 2)
    0.97
    """

    covariance: str = parameter(COVARIANCE, default="auto")
    _: KW_ONLY
    noise: float | str = parameter(LABEL_NOISE, default="auto")
    half_life: float | None = parameter(HALF_LIFE, default=None)
    class_weight: ClassWeight = parameter(checked_class_weight, default=None)
    warm_start: bool = parameter(flag, default=False)

    @exclusive
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these examples, after earlier ones if ``warm_start`` is set."""
        checked_parameters(self)
        if self.warm_start and hasattr(self, "classes_"):
            return self.partial_fit(X, y, sample_weight=sample_weight)
        data, target, times = stream_examples(self, X, y, sample_weight)
        classes = classes_used(target, times)
        check_class_weight(self.class_weight, classes)
        found = self._prior(data, classes)
        data = in_format(data, sparse=found.first.sparse)
        codes = label_codes(target, classes, times)
        found = experts.learn(found, data, codes, times)
        self._replace_model(X, classes, found)
        self._counts = class_counts(codes, len(classes), times)
        return self

    @exclusive
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Continue learning.

        If the first call is given ``classes``, no others may come. Without them,
        classes are learned from their first row on.
        """
        self._learn(X, y, classes, sample_weight, wanted=False)
        return self

    @exclusive
    def predict_then_learn(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> FloatArray:
        """Predict each row before its label is learned, and return the probabilities.

        This is the progressive, or prequential, pass in one go: the same as
        ``predict_proba`` and ``partial_fit`` in turn for each row, and as fast as
        ``partial_fit``. Columns are standardised by the inputs of all rows so far, the
        row itself included; its label is not known yet.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The probability of each class. That of a row of weight k is from before the
            first of its k presentations. A class that was not known before a row has
            probability 0 there; in the very first row of all, every class has.
        """
        return self._learn(X, y, classes, sample_weight, wanted=True)

    @merging
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
            if both have any. It stays as it is. If neither was told its classes, they
            may differ: the result has those of both.
        """
        classes = merged_classes(self, other)
        if self._experts.first.sparse != other._experts.first.sparse:
            raise ValueError("other must be sparse if this model is, and only then")
        mine, its = (
            with_classes(model._experts, self._settings, model.classes_, classes)
            for model in (self, other)
        )
        own, more = (
            counts_among(model._counts, model.classes_, classes)
            for model in (self, other)
        )
        self._experts = merge_experts(mine, its)
        self.classes_, self._counts = classes, own + more
        self._derive()
        return self

    def _prior(self, data: Any, classes: npt.NDArray[Any]) -> Experts:
        """Return the filters that have seen nothing."""
        shape = data.shape[1], len(classes), issparse(data)
        return prior_filters(*self._settings, *shape)

    @property
    def _settings(self) -> Settings:
        return self.covariance, self.noise, self.half_life

    def _learn(
        self, X: Any, y: Any, classes: Any, sample_weight: Any, wanted: bool
    ) -> FloatArray:
        """Continue learning; return the predictions if they are wanted."""
        code = single_row_code(self, X, y, classes, sample_weight)
        if code is not None:
            shares = experts.learn_row(self._experts, X, code, wanted=wanted)
            self._counts[code[0]] += 1
            return shares if len(self.classes_) > 1 else np.ones((1, 1))
        checked_parameters(self)
        known = getattr(self, "classes_", None)
        later = may_appear(self, classes)
        data, target, times = stream_examples(self, X, y, sample_weight)
        if known is not None:
            check_columns(self, X)
        if later:
            rows = stages(known, target, times)
        else:
            rows = announced(known, classes, target, times)
        given = rows[-1].classes
        check_class_weight(self.class_weight, given, later=later)
        found = vars(self).get("_experts") or self._prior(data, rows[0].classes)
        data = in_format(data, sparse=found.first.sparse)
        shares = np.zeros((data.shape[0] if wanted else 0, len(given)))
        old = rows[0].classes if known is None else known
        found = learn_stages(found, old, self._settings, data, rows, times, shares)
        if wanted and later and known is None:
            shares[0] = 0.0  # no class was known
        before = counts_among(vars(self).get("_counts"), known, given)
        self._replace_model(X, given, found, known, later)
        codes = np.concatenate([label_codes(s.classes, given)[s.codes] for s in rows])
        self._counts = before + class_counts(codes, len(given), times)
        if not wanted or self.class_weight is None:
            return shares
        running = before + running_class_counts(codes, len(given), times)
        return reweighted(shares, class_factors(self.class_weight, given, running))

    def _replace_model(
        self,
        X: Any,
        classes: npt.NDArray[Any],
        found: Experts,
        known: npt.NDArray[Any] | None = None,
        later: bool = False,
    ) -> None:
        """Replace the model, after all that may fail."""
        if known is None:
            set_columns(self, X)
            set_open(self, later)
        self.classes_, self._experts = classes, found
        if classes is not known:
            self._derive()

    def _derive(self) -> None:
        """Set what follows from the state: the code of each label, for single rows."""
        sparse = self._experts.first.sparse
        self._codes = {} if sparse else codes_by_label(self.classes_)
