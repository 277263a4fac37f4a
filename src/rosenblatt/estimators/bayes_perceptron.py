"""Bayesian learning of a linear classifier from a stream, for scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, field
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from scipy.special import ndtri
from sklearn.utils.validation import check_is_fitted

from rosenblatt.bayes import COVARIANCES, curved, experts, growing, start
from rosenblatt.bayes.cosines import COSINES
from rosenblatt.bayes.experts import EXPERTS, Experts, Forgetting, forgetting
from rosenblatt.bayes.filter import HALF_LIFE, LABEL_NOISE
from rosenblatt.bayes.growing import merge_experts
from rosenblatt.bayes.horizon import Later
from rosenblatt.bayes.label_law import MISTAKES
from rosenblatt.bayes.laplace import corrected
from rosenblatt.bayes.uncertainty import weight_law
from rosenblatt.core.arguments import choice, either, flag, number, whole
from rosenblatt.core.schema import Flag, Labels, Nested, Relation
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators import base, inputs
from rosenblatt.estimators.columns import column_report, dependence
from rosenblatt.numerics.special import central_interval

COVARIANCE = choice("auto", *COVARIANCES)  # its check
BOUNDARY = choice("linear", "curved")
NUMBER_OF_COSINES = partial(whole, low=1)

Settings = tuple[str, float | str, float | None]  # covariance, noise, half-life
_MOST_FULL = 2**18  # entries of all covariances together that are kept by default
# Variances of a weight, for inputs of variance 1: of a single filter, and of two.
_ALONE, _TOGETHER = [1.0], [1 / 16, 9.0]
# Others believe that weights drift, with such half-lives and prior variances: a
# geometric ladder, from changes that a few thousand examples hardly show to those that
# leave a dozen to learn from. Weights found from few examples are long. Last comes the
# number of entries up to which covariances are full: the more examples a filter
# remembers, the more entries they determine.
_DRIFTS = (4096.0, 4.0, 2**15), (256.0, 16.0, 2**12), (16.0, 16.0, 2**12)
# Sparse columns drift in pieces, and every piece takes the time of all columns: only
# the first two have long ones.
_SPARSE_DRIFTS = 2
# Their columns are standardised by at least so many rows: half of 16 rows is noise.
# Changes of the standardisation take the time of all columns, too.
_INPUTS = 256.0
# With a half-life that was given another filter forgets at least as fast as this.
_SOON = 100.0  # examples
_LABEL_VARIANCE = 1.0  # of the probit law
_CLIP = 3.0  # standard deviations: outliers and rare indicators count no more


def prior_filters(
    covariance: str,
    noise: float | str,
    half_life: float | None,
    columns: int,
    classes: int,
    sparse: bool,
    horizon: int | None = None,
    boundary: str = "linear",
    cosines: int = COSINES,
) -> Experts:
    """Return the filters before any example, for examples of this kind.

    The first three and the last three are the parameters of
    :class:`~rosenblatt.estimators.BayesPerceptron`.

    Examples
    --------
    >>> some = prior_filters("auto", "auto", None, 5, 2, False).filters
    >>> [filter.covariance for filter in some]
    ['full', 'full', 'full', 'full', 'full']
    >>> [filter.half_life for filter in some]
    [None, None, 4096.0, 256.0, 16.0]
    """
    if boundary == "curved" and covariance != "auto":
        raise ValueError(
            f"covariance must be 'auto' for a curved boundary, got {covariance!r}"
        )
    sparse = sparse and boundary == "linear"
    models = 1 if classes == 2 else classes
    entries = models * (columns + 1) ** 2
    kept, priors = covariance, _ALONE
    if COVARIANCE("covariance", covariance) == "auto":
        kept = "full" if entries <= _MOST_FULL and not sparse else "diagonal"
        priors = _TOGETHER
    # of each filter: covariance, prior variance, half-lives of weights and of inputs
    own = [(kept, prior, half_life, half_life) for prior in priors]
    if covariance == "auto" and half_life is None:
        for life, prior, most in _DRIFTS[: _SPARSE_DRIFTS if sparse else None]:
            form = "full" if entries <= most and not sparse else "diagonal"
            own.append((form, prior, life, None if sparse else max(life, _INPUTS)))
    elif covariance == "auto":
        soon = min(_SOON, half_life or _SOON)
        own.append(("diagonal", 1.0, soon, soon))
    filters = [
        start(
            columns,
            covariance=form,
            prior=prior,
            half_life=life,
            input_half_life=inputs,
            models=models,
            label_variance=_LABEL_VARIANCE,
            noise=noise,
            intercept=True,
            standardised=True,
            clip=_CLIP,
            sparse=sparse and kept == "diagonal",
        )
        for form, prior, life, inputs in own
    ]
    rows = None if horizon == 1 else horizon  # 1 needs no copies of its own
    found = experts.start(filters, half_life, rows)
    if boundary == "curved":
        number = NUMBER_OF_COSINES("cosines", cosines)
        found.curved = curved.start(columns, classes, half_life, rows or 0, number)
    return found


def with_classes(
    found: Experts,
    settings: Settings,
    known: npt.NDArray[Any],
    classes: npt.NDArray[Any],
) -> Experts:
    """Return the filters with more classes, of which no example was seen.

    They keep only variances if the covariances of all classes need too much memory.

    Parameters
    ----------
    found
        The filters; they stay as they are.
    settings
        The parameters of the model.
    known, classes
        The labels before, and all labels after, both sorted.
    """
    added = inputs.places(known, classes)
    if not added:
        return found
    for count, place in enumerate(added, len(known)):
        found = growing.all_with_class(found, place, count)
    first = found.first
    shape = first.center.size, len(classes), first.sparse
    allowed = prior_filters(*settings, *shape).filters
    return growing.all_in_form(found, [filter.covariance for filter in allowed])


_TINY = 1e-300  # probabilities have no smaller logarithm


HORIZON = either(None, partial(whole, low=1, high=2**53))


def _chances(found: Experts, data: Any, classes: int) -> FloatArray:
    """Return the probability of each class; a class that is the only one has all."""
    if classes == 1:
        return np.ones((data.shape[0], 1))
    return experts.predict(found, data)


@base.with_parameters
class BayesPerceptron(base.Classifier):
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
    succession; 0 leaves it out. For a weight that is not a whole number, the fraction f
    is one more presentation, whose label counts as the power f of its likelihood. After
    an error the model is as before.

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
    boundary
        The form of the boundary between classes. ``"linear"`` is a straight line.
        ``"curved"`` adds smooth functions of two length scales to the mixture: Bayesian
        regression on cosines of the columns (:doc:`guide </curved>`). It takes about
        25 microseconds a row, and memory for two matrices of (cosines + columns)
        squared numbers. It needs ``covariance="auto"`` and makes sparse rows dense.
        Weights and intercepts are those of the linear filters.
    cosines
        The number of cosines of each length scale of a curved boundary. The time per
        row grows as its square.

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
        the ROC curve. None for a single filter and for a curved boundary.
    forgetting_ : Forgetting
        Half-lives that the data chose, and changes of the stream that were noticed.
    log_evidence_ : ndarray of shape (1,)
        The sum of the log-probabilities of all labels, each predicted before it was
        learned, as the label of the next row.
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

    _in_place = ("_experts", "_counts")
    _state = base.fitted_state(
        "BayesPerceptron",
        {
            "classes_": Labels(),
            "_open": Flag(),  # classes may appear later
            "_experts": Nested(EXPERTS),
            "_counts": base.CLASS_COUNTS,
        },
        Relation(
            "a weight for each column, and one for the intercept",
            lambda _, sizes: sizes["weights"] == sizes["columns"] + 1,
        ),
        Relation(
            "standardised columns",
            lambda model, _: model._experts.first.sums.size > 0,
        ),
    )
    covariance: str = base.parameter(COVARIANCE, default="auto")
    _: KW_ONLY
    noise: float | str = base.parameter(LABEL_NOISE, default="auto")
    half_life: float | None = base.parameter(HALF_LIFE, default=None)
    class_weight: Any = base.parameter(inputs.checked_class_weight, default=None)
    warm_start: bool = base.parameter(flag, default=False)
    horizon: int | None = base.parameter(HORIZON, default=None)
    boundary: str = base.parameter(BOUNDARY, default="linear")
    cosines: int = base.parameter(NUMBER_OF_COSINES, default=COSINES)

    classes_: npt.NDArray[Any] = field(init=False)
    _experts: Experts = field(init=False)
    _counts: FloatArray = field(init=False)  # examples of each class

    @base.learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these examples, after earlier ones if ``warm_start`` is set."""
        base.checked_parameters(self)
        if self.warm_start and hasattr(self, "classes_"):
            return self.partial_fit(X, y, sample_weight=sample_weight)
        data, target, times = inputs.examples(self, X, y, sample_weight)
        classes = inputs.classes_used(target, times)
        codes = inputs.label_codes(target, classes, times)
        self._learn_rows(X, data, [inputs.Stage(classes, codes, 0, len(target))], times)
        if isinstance(data, np.ndarray) and len(classes) > 1:
            powers = np.ones(len(codes)) if times is None else times
            self._experts = corrected(self._experts, data, codes, powers)
        inputs.LabelRuns().add(codes).warn(stacklevel=3)
        return self

    @base.learning
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Continue learning.

        If the first call is given ``classes``, no others may come. Without them,
        classes are learned from their first row on.
        """
        self._learn(X, y, classes, sample_weight, wanted=False)
        return self

    @base.learning
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

    @base.exclusive
    def report(self, X: Any = None, *, level: float = 0.95) -> list[dict[str, Any]]:
        """Return what was learned of each column, the most significant first.

        Parameters
        ----------
        X
            A table or rows, to tell how much each column changes their predictions.
        level
            The probability of the credible intervals.

        Returns
        -------
        list of dict
            For each column the statistic of its joint test, its degrees of freedom and
            p-value, whether it looks like an ``id`` (those come last), and
            ``effects``: for each class and feature the mean weight, and ``low`` and
            ``high``, between which it is. Those of a category are relative to its first
            level, ``reference``, with the slope and the noise of the model taken as
            known. With X also the ``spread``: the standard deviation over its rows of
            the column's part of the field. ``rb.plotting.effects`` draws it.
            With X and a curved boundary columns of numbers have a ``curve``: the mean
            probability of each class over rows of X, if the column had each of some
            ``values`` in all of them. It is between ``low`` and ``high`` with the
            probability ``level``, as far as functions are unknown. Weights and tests
            are those of the linear filters.

        Examples
        --------
        >>> import pandas as pd
        >>> side = np.array(["left", "right", "left", "up"] * 50)
        >>> table = pd.DataFrame({"side": side, "size": np.arange(200.0) % 7})
        >>> model = BayesPerceptron().fit(table, side == "right")
        >>> best = model.report(table)[0]
        >>> best["column"], best["effects"][0]["feature"], best["effects"][0]["low"] > 0
        ('side', 'side=right', True)
        """
        check_is_fitted(self)
        rows = None if X is None else self._rows(base.encoded(self, X))
        curve = None
        if rows is not None and self._experts.curved is not None:
            curve = partial(self._dependence, rows, level)
        return column_report(self, rows, level, curve=curve)

    def _dependence(self, rows: FloatArray, level: float, place: int) -> dict[str, Any]:
        """Return the effect of a feature on mean probabilities, with credible band."""
        mean_over = partial(experts.mean_probabilities, self._ahead())
        found = dependence(rows, place, level, mean_over)
        found["low"], found["high"] = np.clip([found["low"], found["high"]], 0.0, 1.0)
        return found | {"classes": self.classes_.tolist()}

    @base.merging
    def merge(self, other: Self) -> Self:
        """Merge the belief of a model that has learned from other examples.

        Beliefs multiply, and the common prior counts once. The calibration and the
        weights of the mixture are averaged. The columns are standardised by all
        examples together. ``log_evidence_`` of a single filter is that of all labels
        together, of a mixture that of the predictions made before merging. Functions of
        curved boundaries move with the columns from the units of one model to those of
        both. So models of rows in random order merge well, and models of rows from
        different ranges of a column do not.

        Parameters
        ----------
        other
            A model with the same parameters, columns and names of columns. It does not
            change. Classes may differ only if neither model was given any.
        """
        both = "_open" in vars(self) and "_open" in vars(other)
        base.check_mergeable(self, other, names=() if both else ("classes_",))
        if self._experts.first.sparse != other._experts.first.sparse:
            raise ValueError("other must be sparse if this model is, and only then")
        classes = self.classes_
        if not np.array_equal(classes, other.classes_):
            classes = inputs.joined_classes(classes, other.classes_)
        found, counts = [], []
        for one in (self, other):
            known = one.classes_
            found.append(with_classes(one._experts, self._settings, known, classes))
            counts.append(inputs.counts_among(one._counts, known, classes))
        self._experts = merge_experts(*found)
        self.classes_, self._counts = classes, counts[0] + counts[1]
        self._derive()
        return self

    @base.predicting
    def decision_function(self, X: Any) -> FloatArray:
        """Return the log-odds of each class, or of the second of two as a vector.

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
        return base.log_odds(probabilities, _TINY)

    @base.predicting
    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class, averaged over the belief."""
        return self._probabilities(self._rows(X))

    @base.predicting
    def predict_std(self, X: Any) -> FloatArray:
        """Return the standard deviation of the field, as far as weights are unknown.

        It is in units of the blur of the boundary: where it is much smaller than 1,
        more examples would hardly change the probabilities. A vector if there are two
        classes. With a curved boundary it is a vector: the standard deviation of the
        probabilities.
        """
        data = self._rows(X)
        own = self._ahead().curved
        if own is not None:
            return own.deviations(data)
        deviation = np.sqrt(experts.fields(self._ahead(), data)[1])
        return deviation.ravel() if len(self.classes_) == 2 else deviation

    @base.exclusive
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

    @base.exclusive
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
        covariance = filter.covariances(chosen) * np.outer(inverse, inverse)
        return filter.mean[:, chosen] * inverse, covariance

    @property
    @base.exclusive
    def coef_(self) -> FloatArray:
        """The mean of the weights."""
        return self._ahead().weights()[0]

    @property
    @base.exclusive
    def coef_std_(self) -> FloatArray:
        """The standard deviation of the weights."""
        return np.sqrt(self._ahead().weights()[1])

    @property
    @base.exclusive
    def intercept_(self) -> FloatArray:
        """The mean of the intercept."""
        return self._ahead().intercepts()[0]

    @property
    @base.exclusive
    def intercept_std_(self) -> FloatArray:
        """The standard deviation of the intercept."""
        return np.sqrt(self._ahead().intercepts()[1])

    @property
    def covariance_(self) -> str:
        """The form of the covariance, which is full, diagonal or spherical."""
        return self._experts.first.covariance

    @property
    @base.exclusive
    def noise_(self) -> FloatArray:
        """The probability of a wrong label."""
        found = self._ahead()
        each = [filter.noise for filter in found.filters]
        return np.asarray(found.filter_weights @ np.stack(each))

    @property
    @base.exclusive
    def later_(self) -> Later | None:
        """How well rows that came later were predicted, by models of earlier times."""
        horizon = self._experts.horizon
        if horizon is None or self._experts.curved is not None:
            return None
        return horizon.later()

    @property
    @base.exclusive
    def forgetting_(self) -> Forgetting:
        """Half-lives that the data chose so far, and changes that were noticed."""
        return forgetting(self._experts)

    @property
    @base.exclusive
    def center_(self) -> FloatArray:
        """The centre of each column."""
        return self._experts.first.center.copy()

    @property
    @base.exclusive
    def scale_(self) -> FloatArray:
        """The scale of each column; infinite if nothing is known of it."""
        with np.errstate(divide="ignore"):
            return 1.0 / self._experts.first.inverse_scale

    @property
    @base.exclusive
    def log_evidence_(self) -> FloatArray:
        """The logarithm of the probability of all labels."""
        mixture = self._experts.last_mixture
        if mixture is None:
            return self._experts.first.log_evidence[:1]
        return np.array([mixture.log_evidence])

    @property
    @base.exclusive
    def mistakes_(self) -> IntArray:
        """The number of mistakes made."""
        mixture = self._experts.last_mixture
        if mixture is None:
            return self._experts.first.statistics[:1, MISTAKES].astype(np.int64)
        return np.array([mixture.mistakes])

    @property
    def t_(self) -> int:
        """The number of examples seen."""
        return self._experts.first.clock

    @property
    def _settings(self) -> tuple[str, float | str, float | None]:
        return self.covariance, self.noise, self.half_life

    def _horizon(self) -> int | None:
        """Return the horizon; refuse parameters that the model has not learned with."""
        horizon: int | None = HORIZON("horizon", self.horizon)
        own = self._experts.horizon
        if own is not None and horizon not in (1, own.rows):
            raise ValueError(
                f"horizon must be 1 or {own.rows}, as it was when learning began, "
                f"got {horizon}"
            )
        boundary = "linear" if self._experts.curved is None else "curved"
        if BOUNDARY("boundary", self.boundary) != boundary:
            raise ValueError(
                f"boundary must be {boundary!r}, as it was when learning began, "
                f"got {self.boundary!r}"
            )
        return horizon

    def _ahead(self) -> experts.Experts:
        """Return the filters, and their mixture, for the horizon."""
        return self._experts if self._horizon() == 1 else self._experts.later()

    def _learn(
        self, X: Any, y: Any, classes: Any, sample_weight: Any, wanted: bool
    ) -> FloatArray:
        """Continue learning; return the predictions if they are wanted."""
        code = inputs.single_row_code(self, X, y, classes, sample_weight)
        if code is not None:
            own, horizon = self._experts.horizon, self.horizon
            if own is not None and not (
                horizon is own.rows
                or (type(horizon) is int and horizon in (1, own.rows))
            ):
                self._horizon()  # refuses another one
            probabilities = experts.learn_row(self._experts, X, code, wanted=wanted)
            self._counts[code.item()] += 1
            return probabilities if len(self.classes_) > 1 else np.ones((1, 1))
        base.checked_parameters(self)
        known = getattr(self, "classes_", None)
        if known is not None:
            self._horizon()  # refuses other ones
        data, target, times = inputs.examples(self, X, y, sample_weight)
        if known is not None:
            inputs.check_columns(self, X)
        rows, later = inputs.learning_stages(self, classes, target, times)
        return self._learn_rows(X, data, rows, times, known, later, wanted)

    def _learn_rows(
        self,
        X: Any,
        data: Any,
        rows: list[inputs.Stage],
        times: FloatArray | None,
        known: npt.NDArray[Any] | None = None,
        later: bool = False,
        wanted: bool = False,
    ) -> FloatArray:
        """Learn checked rows, from the prior if no class is known; change self last."""
        first, given = rows[0].classes, rows[-1].classes
        if self.class_weight is not None:
            inputs.check_class_weight(self.class_weight, given, later=later)
        if known is None:
            shape = data.shape[1], len(first), issparse(data)
            own = self.horizon, self.boundary, self.cosines
            found = prior_filters(*self._settings, *shape, *own)
        else:
            found, first = self._experts, known
        data = inputs.in_format(data, sparse=found.first.sparse)
        probabilities = np.zeros((data.shape[0] if wanted else 0, len(given)))
        before = inputs.counts_among(getattr(self, "_counts", None), known, given)
        codes = np.concatenate(
            [inputs.label_codes(s.classes, given)[s.codes] for s in rows]
        )
        if len(rows) > 1:  # an error in a later one must leave the model as it is
            found = found.copy()
        found = self._learn_stages(found, first, data, rows, times, probabilities)
        if wanted and later and known is None:
            probabilities[0] = 0.0  # no class was known
        if known is None:
            inputs.set_columns(self, X)
            inputs.set_open(self, later)
        self.classes_, self._experts = given, found
        self._counts = before + inputs.class_counts(codes, len(given), times)
        if given is not known:
            self._derive()
        if not wanted or self.class_weight is None:
            return probabilities
        running = inputs.running_class_counts(codes, len(given), times)
        return self._reweighted(probabilities, before + running)

    def _learn_stages(
        self,
        found: experts.Experts,
        known: npt.NDArray[Any],
        data: Any,
        rows: list[inputs.Stage],
        times: FloatArray | None,
        probabilities: FloatArray,
    ) -> experts.Experts:
        """Return the filters after all stages; write predictions where there is room.

        The first stage is learned in place. The class that a stage brings has
        probability 0 in its first row.
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
            experts.learn(found, part, codes, some, own)
            if not len(probabilities):
                continue
            if len(known) == 1:
                own[:, 0] = 1.0
            probabilities[first:stop, inputs.label_codes(known, given)] = own[
                :, : len(known)
            ]
            if old is not known:
                predicted = _chances(before, part[:1], len(old))
                probabilities[first] = 0.0
                probabilities[first, inputs.label_codes(old, given)] = predicted[0]
        return found

    def _derive(self) -> None:
        """Set what follows from the state: the code of each label, for single rows."""
        sparse = self._experts.first.sparse
        self._codes = {} if sparse else inputs.codes_by_label(self.classes_)

    def _probabilities(self, data: Any) -> FloatArray:
        """Return the probability of each class, classes weighed as is wanted."""
        probabilities = _chances(self._ahead(), data, len(self.classes_))
        if self.class_weight is None:
            return probabilities
        later = "_open" in vars(self)
        inputs.check_class_weight(self.class_weight, self.classes_, later=later)
        return self._reweighted(probabilities, self._counts)

    def _reweighted(self, probabilities: FloatArray, counts: FloatArray) -> FloatArray:
        """Return probabilities times class weights, for these counts of examples."""
        factors = inputs.class_factors(self.class_weight, self.classes_, counts)
        return inputs.reweighted(probabilities, factors)

    def _rows(self, X: Any) -> Any:
        """Return rows to predict as filters take them."""
        check_is_fitted(self)
        data = inputs.rows_to_predict(self, X, dtype=inputs.FLOATS, order="C")
        return inputs.in_format(data, sparse=self._experts.first.sparse)
