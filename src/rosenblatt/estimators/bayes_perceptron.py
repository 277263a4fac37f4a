"""Bayesian learning of a linear classifier from a stream, for scikit-learn."""

from __future__ import annotations

from dataclasses import KW_ONLY
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from rosenblatt.bayes import experts
from rosenblatt.bayes.laplace import corrected
from rosenblatt.bayes.starting import HALF_LIFE, LABEL_NOISE
from rosenblatt.core.arguments import either, flag, whole
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators.bases.belief import BeliefClassifier, class_probabilities
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
    check_columns,
    in_format,
    learning_stages,
    set_columns,
    set_open,
    single_row_code,
    stream_examples,
)
from rosenblatt.estimators.inputs.frames import learning
from rosenblatt.estimators.inputs.labels import (
    class_counts,
    classes_used,
    counts_among,
    label_codes,
    running_class_counts,
)
from rosenblatt.estimators.inputs.new_classes import Stage
from rosenblatt.estimators.inputs.order import LabelRuns
from rosenblatt.estimators.locking import merging
from rosenblatt.estimators.merging import merge_beliefs
from rosenblatt.estimators.priors import COVARIANCE, prior_filters, with_classes

__all__ = ["BayesPerceptron"]

_HORIZON = either(None, partial(whole, low=1))


@with_parameters
class BayesPerceptron(BeliefClassifier):
    r"""A Bayesian linear classifier with calibrated probabilities and nothing to tune.

    The classifier has a Gaussian belief about its weights. Bayes' theorem updates the
    belief after each example (:cite:t:`winther1997`, eq. 3), and every example is seen
    once. Columns may have any scale: they are standardised as they come. The label
    noise and the length of the weights are estimated.

    By default five filters learn at the same time. Two have a narrow and a wide prior.
    Three believe that the weights drift, slowly, faster and fast. The log-odds
    of each filter are calibrated as labels come. The filters are mixed with weights
    that follow the quality of their predictions. The data choose how fast to forget,
    and may choose anew at any time.

    Predictions are for rows whose labels will not be seen: those of a test set, or of a
    model in use. A filter that forgets fast is often best for the next row and bad for
    later ones, so these have weights of their own. **To predict the next row of a
    stream and then learn its label, in a loop of your own, set** ``horizon=1`` **or
    call** :meth:`predict_then_learn`.

    Data in one batch or in many batches give the same model, up to rounding. With more
    than two classes each class has its own weights, and the label is the class of the
    largest noisy field. A ``sample_weight`` of k presents an example k times in
    succession; 0 leaves it out. After an error the model is as before.

    Parameters
    ----------
    covariance
        The form of the belief. ``"auto"`` uses the mixture of five filters. With dense
        data their covariance matrices are full while they are small. For two classes
        that is up to 511 columns in the first two, and 180, 63 and 63 in those with
        drift. Larger ones are diagonal. Any other value uses a single filter of prior
        variance 1, without calibration and mixture, which is much faster.
        ``"spherical"`` has one variance for all weights, ``"diagonal"`` one for each,
        ``"full"`` a covariance matrix. ``"full"`` is the most accurate; its time for an
        example grows with the square of the number of columns.
    noise
        The probability of a wrong label, below 0.5; ``"auto"`` estimates it.
    half_life
        The number of examples after which half of the variance of each weight is new.
        Rows count half in the standardisation of the columns after the same number.
        None: the data choose, if ``covariance`` is ``"auto"``; else nothing is
        forgotten.
    class_weight
        The cost of a mistake on an example of each class: a dictionary, ``"balanced"``
        or None. In a dictionary, classes left out have weight 1. ``"balanced"`` is in
        inverse proportion to the number of examples of each class so far. It multiplies
        the odds of all predictions. Learning does not depend on it.
    warm_start
        Whether ``fit`` goes on from the last call, as ``partial_fit`` does.
    horizon
        What ``predict``, ``predict_proba``, ``decision_function``, ``score``, ``coef_``
        and other properties of the weights are for. None: rows whose labels will not be
        seen. 1: the next row, whose label is learned at once. h: rows whose labels come
        h rows late. It can be changed between None and 1 at any time, and from h to 1.
        It makes no difference for a single filter.

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
    later_ : Later or None
        How well rows up to 10% ahead were predicted: error, log-loss, and area under
        the ROC curve. None for a single filter.
    forgetting_ : Forgetting
        Half-lives that the data chose, and changes of the stream that were noticed.
    log_evidence_ : ndarray of shape (1,)
        The sum of the log-probabilities of the labels, each before it was seen, as the
        next row.
    mistakes_ : ndarray of shape (1,)
        The number of labels that were not the likeliest, as the next row. A tie counts
        as a mistake.
    n_features_in_ : int
        The number of features.
    t_ : int
        The number of examples seen.

    Notes
    -----
    Inputs are clipped at 3 standard deviations from the mean. Sparse columns are not
    centred, and scaled by their nonzero entries; other covariances than diagonal ones
    make them dense.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rosenblatt.estimators import BayesPerceptron
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BayesPerceptron().fit(X[:400], y[:400])
    >>> round(model.score(X[400:], y[400:]), 2)
    0.98
    """

    covariance: str = parameter(COVARIANCE, default="auto")
    _: KW_ONLY
    noise: float | str = parameter(LABEL_NOISE, default="auto")
    half_life: float | None = parameter(HALF_LIFE, default=None)
    class_weight: ClassWeight = parameter(checked_class_weight, default=None)
    warm_start: bool = parameter(flag, default=False)
    horizon: int | None = parameter(_HORIZON, default=None)

    @learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these examples, after earlier ones if ``warm_start`` is set."""
        checked_parameters(self)
        if self.warm_start and hasattr(self, "classes_"):
            return self.partial_fit(X, y, sample_weight=sample_weight)
        data, target, times = stream_examples(self, X, y, sample_weight)
        classes = classes_used(target, times)
        codes = label_codes(target, classes, times)
        self._learn_rows(X, data, [Stage(classes, codes, 0, len(target))], times)
        if times is None and isinstance(data, np.ndarray) and len(classes) == 2:
            self._experts = corrected(self._experts, data, codes)
        LabelRuns().add(codes).warn(stacklevel=3)
        return self

    @learning
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Continue learning.

        If the first call is given ``classes``, no others may come. Without them,
        classes are learned from their first row on.
        """
        self._learn(X, y, classes, sample_weight, wanted=False)
        return self

    @learning
    def predict_then_learn(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> FloatArray:
        """Predict each row before its label is learned, and return the probabilities.

        This prequential pass is ``predict_proba`` of ``horizon=1`` and ``partial_fit``
        in turn for each row. Rows
        before which the standardisation changes are predicted after it.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The probability of each class, before the first presentation of a row. It is
            0 for a class that was not known, and for all classes in the first row.
        """
        return self._learn(X, y, classes, sample_weight, wanted=True)

    @merging
    def merge(self, other: Self) -> Self:
        """Merge the belief of a model that has learned from other examples.

        Beliefs multiply, and the common prior counts once. The calibration and the
        weights of the mixture are averaged. The columns are standardised by all
        examples together. ``log_evidence_`` of a single filter is that of all labels
        together, of a mixture that of the predictions made before merging.

        Parameters
        ----------
        other
            A model with the same parameters, columns and names of columns. It does not
            change. Classes may differ only if neither model was given any.
        """
        merge_beliefs(self, other, self._settings)
        self._derive()
        return self

    @property
    def _settings(self) -> tuple[str, float | str, float | None]:
        return self.covariance, self.noise, self.half_life

    def _ahead(self) -> experts.Experts:
        """Return the filters, and their mixture, for the horizon."""
        horizon, own = _HORIZON("horizon", self.horizon), self._experts.horizon
        if horizon == 1 or own is None:
            return self._experts
        if horizon != own.rows:
            raise ValueError(
                f"horizon must be 1 or {own.rows}, as it was when learning began, "
                f"got {horizon}"
            )
        return self._experts.later()

    def _learn(
        self, X: Any, y: Any, classes: Any, sample_weight: Any, wanted: bool
    ) -> FloatArray:
        """Continue learning; return the predictions if they are wanted."""
        code = single_row_code(self, X, y, classes, sample_weight)
        if code is not None:
            probabilities = experts.learn_row(self._experts, X, code, wanted=wanted)
            self._counts[code.item()] += 1
            return probabilities if len(self.classes_) > 1 else np.ones((1, 1))
        checked_parameters(self)
        known = getattr(self, "classes_", None)
        if known is not None:
            self._ahead()  # refuses another horizon
        data, target, times = stream_examples(self, X, y, sample_weight)
        if known is not None:
            check_columns(self, X)
        rows, later = learning_stages(self, classes, target, times)
        return self._learn_rows(X, data, rows, times, known, later, wanted)

    def _learn_rows(
        self,
        X: Any,
        data: Any,
        rows: list[Stage],
        times: IntArray | None,
        known: npt.NDArray[Any] | None = None,
        later: bool = False,
        wanted: bool = False,
    ) -> FloatArray:
        """Learn checked rows, from the prior if no class is known; change self last."""
        first, given = rows[0].classes, rows[-1].classes
        if self.class_weight is not None:
            check_class_weight(self.class_weight, given, later=later)
        if known is None:
            shape = data.shape[1], len(first), issparse(data)
            found = prior_filters(*self._settings, *shape, self.horizon)
        else:
            found, first = self._experts, known
        data = in_format(data, sparse=found.first.sparse)
        probabilities = np.zeros((data.shape[0] if wanted else 0, len(given)))
        found = self._learn_stages(found, first, data, rows, times, probabilities)
        if wanted and later and known is None:
            probabilities[0] = 0.0  # no class was known
        before = counts_among(getattr(self, "_counts", None), known, given)
        codes = np.concatenate([label_codes(s.classes, given)[s.codes] for s in rows])
        if known is None:
            set_columns(self, X)
            set_open(self, later)
        self.classes_, self._experts = given, found
        self._counts = before + class_counts(codes, len(given), times)
        if given is not known:
            self._derive()
        if not wanted or self.class_weight is None:
            return probabilities
        running = running_class_counts(codes, len(given), times)
        return self._reweighted(probabilities, before + running)

    def _learn_stages(
        self,
        found: experts.Experts,
        known: npt.NDArray[Any],
        data: Any,
        rows: list[Stage],
        times: IntArray | None,
        probabilities: FloatArray,
    ) -> experts.Experts:
        """Return the filters after all stages; write predictions where there is room.

        The class that a stage brings has probability 0 in its first row.
        """
        given = rows[-1].classes
        for classes, codes, first, stop in rows:
            before, old = found, known
            part = data if len(rows) == 1 else data[first:stop]  # sparse: a copy
            if len(known) < len(classes):
                found = with_classes(found, self._settings, known, classes)
                known = classes
            own = np.empty((len(probabilities[first:stop]), max(len(known), 2)))
            some = None if times is None else times[first:stop]
            found = experts.learn(found, part, codes, some, own)
            if not len(probabilities):
                continue
            if len(known) == 1:
                own[:, 0] = 1.0
            probabilities[first:stop, label_codes(known, given)] = own[:, : len(known)]
            if old is not known:
                predicted = class_probabilities(before, part[:1], len(old))
                probabilities[first] = 0.0
                probabilities[first, label_codes(old, given)] = predicted[0]
        return found
