"""Bayesian regression from a stream, for scikit-learn."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, field
from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    check_X_y,
)

from rosenblatt.bayes import regression
from rosenblatt.bayes.cosines import COSINES
from rosenblatt.bayes.experts import Forgetting, forgetting
from rosenblatt.bayes.filter import HALF_LIFE
from rosenblatt.bayes.predictive import Fields, Mixed, quantiles
from rosenblatt.bayes.regression import (
    LARGEST_TARGET,
    REGRESSION_EXPERTS,
    Later,
    RegressionExperts,
)
from rosenblatt.core import Labels, Likelihood
from rosenblatt.core.arguments import either, flag, instance, number, shown, whole
from rosenblatt.core.schema import Nested, Relation
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators import base, inputs
from rosenblatt.estimators.bayes_perceptron import BOUNDARY, HORIZON, NUMBER_OF_COSINES
from rosenblatt.estimators.columns import TARGET, column_report, dependence
from rosenblatt.linear.learning import portions

_LEAST = 1e-100  # rows of less weight tell nothing: the reciprocal would overflow


def _numbers(y: Any) -> None:
    """Raise TypeError if targets are text, dates or objects that are no numbers."""
    inputs.check_unmasked("y", y)
    try:
        given = np.asarray(y)
    except ValueError:
        raise ValueError(f"y must have one number a row, got {shown(y)}") from None
    if given.dtype.kind in "biufc" or y is None:  # what is wrong is seen later
        return
    for value in given.ravel().tolist():
        if isinstance(value, bool | int | float):
            continue
        try:
            if isinstance(value, str | bytes) or value is None or value is np.ma.masked:
                raise TypeError
            float(value)
        except (TypeError, ValueError):
            raise TypeError(f"y must be numbers, got {value!r}"[:200]) from None


def check_boundary(boundary: str, likelihood: Likelihood | None) -> None:
    """Raise ValueError if a curved boundary has a likelihood."""
    if boundary == "curved" and likelihood is not None:
        raise ValueError(
            f"likelihood must be None for a curved boundary, got {likelihood!r}"
        )


def check_labels(likelihood: Likelihood | None, y: FloatArray) -> None:
    """Raise ValueError unless the likelihood is one of such targets."""
    most = LARGEST_TARGET
    kind = Labels.NUMBERS if likelihood is None else likelihood.labels
    wrong, wanted = abs(y) > most, f"between {-most:g} and {most:g}"
    if kind == Labels.COUNTS:
        wrong, wanted = wrong | (y < 0.0), f"counts, from 0 to {most:g},"
    elif kind == Labels.SIGNS:
        wrong, wanted = abs(y) != 1.0, "-1 or 1"
    for row in np.flatnonzero(wrong)[:1]:
        law = "" if likelihood is None else f" for {likelihood!r}"
        raise ValueError(f"y must be {wanted}{law}, got {y[row]:g} in row {row}")


@base.with_parameters
class BayesRegressor(RegressorMixin, base.Estimator):  # type: ignore[misc]
    r"""Bayesian regression that learns from a stream, with nothing to tune.

    The regressor has Gaussian beliefs about its weights, and Bayes' theorem updates
    them after each row. Every row is seen once. Columns and targets may have any scale:
    they are standardised as they come. The noise and the prior of the weights are
    learned, and predictions are laws: they say how sure they are.

    Several experts learn at the same time. One forgets nothing, and has the posterior
    of all rows in any order. Others believe that weights drift, slowly, faster and
    fast. They are mixed with weights that follow the density that they gave to targets.
    The law of the noise may have heavy tails, and its own variance in each row
    (:doc:`guide </regression>`).

    Predictions are for rows whose targets will not be seen, as those of
    :class:`BayesPerceptron` are. **To predict the next row of a stream and then learn
    its target, in a loop of your own, set** ``horizon=1`` **or call**
    :meth:`predict_then_learn`.

    Data in one batch or in many batches give the same model, up to rounding. A
    ``sample_weight`` of k lets a row count k times: its likelihood has the power k.
    After an error the model is as before.

    Parameters
    ----------
    likelihood
        The law of targets given the field. None: numbers with Gaussian noise whose
        variance is learned. Else a part of :mod:`rosenblatt.likelihoods`, such as
        ``Poisson()`` for counts, or your own. Its posterior is approximated by a
        Gaussian after each row. With counts a ``sample_weight`` is the exposure if
        ``y`` is the count divided by it, as in scikit-learn's ``PoissonRegressor``.
    half_life
        The number of rows after which half of the variance of each weight is new.
        None: the data choose.
    warm_start
        Whether ``fit`` goes on from the last call, as ``partial_fit`` does.
    horizon
        What ``predict``, ``coef_`` and all else are for. None: rows whose targets will
        not be seen. 1: the next row, whose target is learned at once. h: rows whose
        targets come h rows late. It can be changed between None and 1 at any time.
    boundary
        ``"linear"``: the mean is linear in the columns. ``"curved"`` adds smooth
        functions of two length scales to the mixture: regression on cosines of the
        columns. It needs ``likelihood=None``. Weights and intercept are those of the
        linear experts.
    cosines
        The number of cosines of each length scale of curved functions.

    Attributes
    ----------
    coef_, coef_std_ : ndarray of shape (n_features,)
        Mean and standard deviation of the weights, for columns in their own units. With
        counts they are those of the logarithm of the rate.
    intercept_ : float
        The mean of the intercept.
    noise_ : float
        The standard deviation of the noise; 0 if the likelihood has it.
    log_evidence_ : float
        The sum of the log-densities of all targets but the first, each before it was
        seen.
    n_features_in_ : int
        The number of features.
    forgetting_ : Forgetting
        Half-lives that the data chose so far, and changes of the stream, as those of
        ``BayesPerceptron``.
    later_ : Later
        How well rows up to 10% later, or up to the horizon, were predicted so far by
        models of earlier times.
    t_ : int
        The number of rows seen.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from rosenblatt.estimators import BayesRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = BayesRegressor().fit(X[:350], y[:350])
    >>> round(model.score(X[350:], y[350:]), 2)
    0.55
    >>> low, high = model.predict_interval(X[350:], 0.9).T
    >>> round(float(((low < y[350:]) & (y[350:] < high)).mean()), 2)
    0.9
    """

    _in_place = ("_experts",)
    _state = base.fitted_state(
        "BayesRegressor",
        {"_experts": Nested(REGRESSION_EXPERTS)},
        Relation(
            "a weight for each column, and one for the intercept",
            lambda _, sizes: sizes["weights"] == sizes["columns"] + 1,
        ),
    )
    likelihood: Likelihood | None = base.parameter(
        either(None, instance(Likelihood)), default=None
    )
    _: KW_ONLY
    half_life: float | None = base.parameter(HALF_LIFE, default=None)
    warm_start: bool = base.parameter(flag, default=False)
    horizon: int | None = base.parameter(HORIZON, default=None)
    boundary: str = base.parameter(BOUNDARY, default="linear")
    cosines: int = base.parameter(NUMBER_OF_COSINES, default=COSINES)

    _experts: RegressionExperts = field(init=False)

    @base.learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn these rows, after earlier ones if ``warm_start`` is set."""
        self._learn(X, y, sample_weight, fresh=not self.warm_start)
        return self

    @base.learning
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Continue learning."""
        self._learn(X, y, sample_weight)
        return self

    @base.learning
    def predict_then_learn(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        return_std: bool = False,
        level: float | None = None,
        return_scores: bool = False,
    ) -> Any:
        """Predict each row before its target is learned.

        It is ``predict`` of ``horizon=1`` and ``partial_fit`` in turn for each row. Of
        the very first row nothing is known: its mean is 0, and its standard deviation
        infinite.

        Parameters
        ----------
        X, y, sample_weight
            The rows.
        return_std
            Whether to return standard deviations too.
        level
            A probability: return central intervals too.
        return_scores
            Whether to return the log-density of each target, and the probability of
            less, too. They are NaN for the very first row.

        Returns
        -------
        ndarray of shape (n_rows,) or tuple
            Means, then standard deviations, intervals of shape (n_rows, 2),
            log-densities and probabilities, if they are wanted.
        """
        wanted = flag("return_std", return_std)
        if level is not None:
            number("level", level, low=0.0, high=1.0)
        scored, target = flag("return_scores", return_scores), iter(np.ravel(y))

        def seen(law: Mixed) -> list[FloatArray]:
            mean, variance = law.moments()
            known = [mean, np.sqrt(variance)] if wanted else [mean]
            known += [] if level is None else [law.interval(level)]
            own = np.fromiter(itertools.islice(target, len(mean)), np.float64)
            return [*known, *law.scores(own)] if scored else known

        each = self._learn(X, y, sample_weight, seen=seen)
        found = tuple(np.concatenate(parts) for parts in zip(*each, strict=True))
        return found if len(found) > 1 else found[0]

    @base.predicting
    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Return the mean of each row's target, and its standard deviation if wanted.

        The deviation is that of a new target: what is unknown of the weights, and
        noise.
        """
        if flag("return_std", return_std):
            mean, variance = self._law(X).moments()
            return mean, np.sqrt(variance)
        data = self._rows(X)
        if self.likelihood is None and self.boundary == "linear":
            return np.asarray(data @ self.coef_ + self.intercept_)
        return self._law(data, checked=True).moments()[0]

    @base.predicting
    def predict_law(self, X: Any) -> Mixed:
        """Return the laws of the rows' targets.

        Their methods are ``moments()``, means and variances; ``interval(level)``;
        ``draws(number, random)``; and ``scores(y)``, log-densities of targets and the
        probabilities of less.

        Examples
        --------
        >>> model = BayesRegressor().fit([[0.0], [1.0], [2.0]], [0.0, 2.0, 4.5])
        >>> near, far = model.predict_law([[1.0], [1.0]]).scores([2.0, 9.0]).log_density
        >>> bool(near > far)
        True
        """
        return self._law(X)

    @base.predicting
    def predict_interval(self, X: Any, level: float = 0.9) -> FloatArray:
        """Return the ends between which each target is with a probability.

        Parameters
        ----------
        X
            The rows.
        level
            The probability; half of the rest is on either side.

        Returns
        -------
        ndarray of shape (n_rows, 2)
        """
        level = number("level", level, low=0.0, high=1.0)
        return self._law(X).interval(level)

    @base.predicting
    def sample_y(
        self, X: Any, n_samples: int = 1, random_state: inputs.RandomState = 0
    ) -> FloatArray:
        """Return independent draws of each row's target, (n_rows, n_samples)."""
        draws = whole("n_samples", n_samples, low=1)
        inputs.checked_random_state("random_state", random_state)
        law = self._law(X)
        with inputs.drawing(random_state) as random:
            return law.draws(draws, random).T

    @base.exclusive
    def sample_weights(
        self, n: int = 1, random_state: inputs.RandomState = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return draws of weights and intercept from the posterior.

        In Thompson sampling an action is best for a draw: ``X @ coef[0] +
        intercept[0]`` is what it expects.

        Returns
        -------
        tuple of ndarray
            Weights of shape (n, n_features), and intercepts of shape (n,).
        """
        draws = whole("n", n, low=1)
        inputs.checked_random_state("random_state", random_state)
        check_is_fitted(self)
        with inputs.drawing(random_state) as random:
            drawn = self._experts.beliefs.draws(draws, self._weights(), random)
        return drawn[:, :-1], drawn[:, -1]

    @base.exclusive
    def coef_interval(self, level: float = 0.95) -> FloatArray:
        """Return the credible interval of each weight, (n_features, 2)."""
        level = number("level", level, low=0.0, high=1.0)
        law = self._coefficients()
        scales = np.sqrt(law.variance)[:, :-1, None]
        weights = self._weights()[:, None, None]
        tails = 0.5 * (1.0 - level), 0.5 * (1.0 + level)
        mean, dof = law.mean[:, :-1], law.dof[:, :-1]
        ends = [quantiles(tail, mean, scales, dof, weights) for tail in tails]
        return np.stack(ends, axis=1)

    @base.exclusive
    def coef_belief(self, columns: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Return mean and covariance of the weights of some columns, for joint tests.

        They are those of the expert of most weight, with its noise taken as known.

        Parameters
        ----------
        columns
            Numbers of the columns, from 0.

        Returns
        -------
        tuple of ndarray
            Mean of shape (1, n_columns), and covariance with one more axis.
        """
        law, own = self._coefficients(), self._experts.beliefs
        e, T = int(self._weights().argmax()), own.own_weights[list(columns)]
        unit = float(law.noise[e, 0]) if own.unknown else own.unit**2
        covariance = unit * T @ own.covariance[own.experts[e]] @ T.T
        return law.mean[e : e + 1, list(columns)], covariance[None]

    @base.exclusive
    def report(self, X: Any = None, *, level: float = 0.95) -> list[dict[str, Any]]:
        """Return what was learned of each column, the most significant first.

        It is as ``report`` of ``BayesPerceptron``, with one effect on the target. With
        X and a curved boundary columns of numbers have a ``curve``: the mean prediction
        over rows of X, if the column had each of some ``values`` in all of them.

        Examples
        --------
        >>> X = np.random.default_rng(0).standard_normal((200, 3))
        >>> best = BayesRegressor().fit(X, 2.0 * X[:, 1]).report()[0]
        >>> best["column"], round(best["effects"][0]["mean"], 3)
        ('column 1', 2.0)
        """
        check_is_fitted(self)
        rows = None if X is None else self._rows(base.encoded(self, X))
        if rows is None or self._experts.curved is None:
            return column_report(self, rows, level)
        weights = self._all_weights()

        def curve(place: int) -> dict[str, Any]:
            mean_over = partial(self._experts.mean_over, weights=weights)
            return dependence(rows, place, level, mean_over) | {"classes": [TARGET]}

        return column_report(self, rows, level, curve=curve)

    @base.merging
    def merge(self, other: Self) -> Self:
        """Merge the belief of a model that has learned other rows.

        What the rows have told is multiplied, and the common prior counts once. The
        expert that forgets nothing then has the posterior of all rows. Functions of a
        curved boundary move with the columns.

        Parameters
        ----------
        other
            A model with the same parameters and columns. It does not change.
        """
        base.check_mergeable(self, other)
        self._experts = self._experts.merged(other._experts)
        return self

    @property
    @base.exclusive
    def coef_(self) -> FloatArray:
        """The mean of the weights."""
        return self._mean()[:-1]

    @property
    @base.exclusive
    def coef_std_(self) -> FloatArray:
        """The standard deviation of the weights."""
        mean, variance, _, dof = self._coefficients()
        weights = self._weights()[:, None]
        with np.errstate(all="ignore"):  # of columns of numbers below 1e-300
            away = (mean - weights.T @ mean) ** 2
            factor = 1.0 / (1.0 - 2.0 / dof)
            total = (weights * (variance * factor + away)).sum(axis=0)
        return np.asarray(np.sqrt(total[:-1]))

    @property
    @base.exclusive
    def intercept_(self) -> float:
        """The mean of the intercept."""
        return float(self._mean()[-1])

    @property
    @base.exclusive
    def noise_(self) -> float:
        """The standard deviation of the noise."""
        noise = self._coefficients().noise[:, 0]
        return float(np.sqrt(self._weights() @ noise))

    @property
    @base.exclusive
    def log_evidence_(self) -> float:
        """The logarithm of the density of all targets."""
        return self._experts.log_evidence

    @property
    @base.exclusive
    def forgetting_(self) -> Forgetting:
        """Half-lives that the data chose so far, and changes that were noticed."""
        return forgetting(self._experts)

    @property
    @base.exclusive
    def later_(self) -> Later:
        """How well rows that came later were predicted, by models of earlier times."""
        return self._experts.later

    @property
    def t_(self) -> int:
        """The number of rows seen."""
        return self._experts.clock

    def _mean(self) -> FloatArray:
        """Return the mean of weights and intercept."""
        check_is_fitted(self)
        return np.asarray(self._weights() @ self._coefficients().mean)

    def _coefficients(self) -> Fields:
        """Return the laws of weights and intercept of each linear expert."""
        check_is_fitted(self)
        return self._experts.beliefs.coefficients()

    def _weights(self) -> FloatArray:
        """Return the weights of the linear experts, for the horizon."""
        return self._experts.linear_weights(self._all_weights())

    def _all_weights(self) -> FloatArray:
        """Return the weights of all predictions, for the horizon."""
        found, ahead = self._experts, self._ahead()
        return found.later_weights() if ahead else found.mixture.weights

    def _ahead(self) -> bool:
        """Return whether predictions are for later rows; refuse another horizon."""
        horizon = HORIZON("horizon", self.horizon)
        if horizon == 1:
            return False
        if horizon != self._experts.horizon:
            raise ValueError(
                f"horizon must be 1 or {self._experts.horizon}, as it was when "
                f"learning began, got {horizon}"
            )
        return True

    def _rows(self, X: Any) -> FloatArray:
        check_is_fitted(self)
        data = inputs.rows_to_predict(self, X, dtype=np.float64, order="C")
        return np.asarray(inputs.in_format(data, sparse=False))

    def _law(self, X: Any, checked: bool = False) -> Mixed:
        """Return the law of each row's target."""
        data = X if checked else self._rows(X)
        return self._experts.mixed(data, self.likelihood, self._ahead())

    def _learn(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        *,
        fresh: bool = False,
        seen: Callable[[Mixed], Any] | None = None,
    ) -> list[Any]:
        """Learn rows, all of them or none; return what is ``seen`` of their laws."""
        given = base.checked_parameters(self)
        check_boundary(given["boundary"], given["likelihood"])
        known = not fresh and hasattr(self, "_experts")
        if known:
            self._ahead()  # refuses another horizon
            inputs.check_columns(self, X)
        data, target, weights = self._examples(X, y, sample_weight)
        if known:
            found = self._experts if len(data) == 1 else self._experts.copy()
        else:
            found = regression.start(data.shape[1], **_settings(given))
        used, each = weights > 0.0, []
        if seen is None and not used.all():
            data, target, weights = data[used], target[used], weights[used]
            used = used[used]
        ends = [*(1 + np.flatnonzero(np.diff(used))).tolist(), len(used)]
        for first, stop in zip([0, *ends], ends, strict=False):
            own = data[first:stop], target[first:stop], weights[first:stop]
            if used[first]:
                each += found.learn(*own, self.likelihood, seen)
            elif seen is not None:
                each.append(seen(found.mixed(own[0], self.likelihood, later=False)))
        if not known:
            inputs.set_columns(self, X)
        self._experts = found
        return each

    def _examples(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return checked rows, targets and weights."""
        if inputs.is_ready(X, y, "biuf") and _finite(X) and _finite(y):
            data, target = X, y
        else:
            inputs.check_rows(X)
            _numbers(y)
            data, target = check_X_y(
                X, y, accept_sparse="csr", dtype=np.float64, order="C", y_numeric=True,
                estimator=self,
            )  # fmt: skip
        data = inputs.in_format(data, sparse=False)
        data = np.ascontiguousarray(data, np.float64)
        weights = np.ones(len(target))
        if sample_weight is not None:
            inputs.check_unmasked("sample_weight", sample_weight)
            weights = portions(
                _check_sample_weight(sample_weight, data, dtype=np.float64)
            )
            weights[weights < _LEAST] = 0.0
            if not weights.any():
                raise ValueError("sample_weight must not be zero for all examples")
        target = np.ascontiguousarray(target, np.float64)
        check_labels(self.likelihood, np.where(weights > 0.0, target, 1.0))
        return data, target, weights


def _finite(numbers: FloatArray) -> bool:
    """Return whether the sum of numbers is finite: then all of them are."""
    with np.errstate(all="ignore"):
        return bool(np.isfinite(numbers.sum()))


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters that beliefs are started with."""
    return {name: one for name, one in given.items() if name != "warm_start"}
