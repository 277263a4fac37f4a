"""Bayesian regression for River, with features by name, one row at a time."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np
import pandas as pd

from rosenblatt.bayes import regression
from rosenblatt.bayes.cosines import COSINES
from rosenblatt.bayes.filter import HALF_LIFE
from rosenblatt.bayes.predictive import Mixed
from rosenblatt.bayes.regression import RegressionExperts
from rosenblatt.core import Likelihood
from rosenblatt.core.arguments import either, instance, number, shown
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators.base import exclusive, shallow_copy
from rosenblatt.estimators.bayes_perceptron import BOUNDARY, NUMBER_OF_COSINES
from rosenblatt.estimators.bayes_regressor import check_boundary, check_labels
from rosenblatt.river.classifiers import Columns
from rosenblatt.system.extras import missing

try:
    from river.base import MiniBatchRegressor
except ImportError as failure:
    raise missing("river", "rosenblatt.river") from failure

__all__ = ["BayesRegressor"]


class BayesRegressor(MiniBatchRegressor):
    """Bayesian regression with nothing to tune, for the next row.

    It is :class:`rosenblatt.estimators.BayesRegressor` for features that come by name,
    and may appear and vanish. An absent feature is 0, and one that appears counts as if
    it had been 0 before. Features and targets are standardised as they come. If
    anything is wrong with a row, an error says so and the model stays as it was.

    Parameters
    ----------
    likelihood, half_life, boundary, cosines
        As of :class:`rosenblatt.estimators.BayesRegressor`.

    Examples
    --------
    >>> from river import datasets, evaluate, metrics
    >>> from rosenblatt.river import BayesRegressor
    >>> model = BayesRegressor()
    >>> evaluate.progressive_val_score(datasets.TrumpApproval(), model, metrics.MAE())
    MAE: 0.191272
    """

    def __init__(
        self,
        likelihood: Likelihood | None = None,
        half_life: float | None = None,
        boundary: str = "linear",
        cosines: int = COSINES,
    ) -> None:
        self.likelihood = either(None, instance(Likelihood))("likelihood", likelihood)
        self.half_life = HALF_LIFE("half_life", half_life)
        self.boundary = BOUNDARY("boundary", boundary)
        self.cosines = NUMBER_OF_COSINES("cosines", cosines)
        check_boundary(self.boundary, self.likelihood)
        self._columns = Columns()
        self._state: RegressionExperts | None = None

    @exclusive
    def __copy__(self) -> Self:
        """Return a model of its own: rows are learned in place."""
        other = shallow_copy(self)
        other._state = copy.deepcopy(self._state)
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Return the state of one moment, for pickles and deep copies."""
        return vars(copy.copy(self))

    @exclusive
    def learn_one(self, x: Mapping[Any, Any], y: Any) -> None:
        """Learn one row; if it raises an error, the model does not change."""
        columns = self._joined(x)
        self._learn(columns, columns.row(x), [y])

    @exclusive
    def learn_many(self, X: pd.DataFrame, y: pd.Series) -> None:
        """Learn the rows of a table one after the other."""
        columns = self._joined(X.columns)
        if len(X) != len(y):
            raise ValueError(
                f"y must have {len(X)} targets as X has rows, got {len(y)}"
            )
        if len(X):
            self._learn(columns, columns.rows(X), list(y))

    def _joined(self, names: Iterable[Any]) -> Columns:
        """Return columns for these names too; frequencies depend on their order."""
        given = names if self.boundary == "linear" else sorted(names, key=str)
        return self._columns.joined(given)

    def _learn(self, columns: Columns, rows: FloatArray, targets: list[Any]) -> None:
        columns.check(rows)
        numbers = np.array([number("y", y) for y in targets])
        check_labels(self.likelihood, numbers)
        if not len(columns):
            raise ValueError(f"x must have a feature or more, got {shown({})}")
        state = self._state
        if state is None:
            own = self.likelihood, self.half_life, None, self.boundary, self.cosines
            state = regression.start(len(columns), *own)
        elif len(columns) > len(self._columns):
            state = state.grown(len(columns))
        state.learn(rows, numbers, np.ones(len(rows)), self.likelihood)
        self._columns, self._state = columns, state

    def _law(self, rows: FloatArray) -> Mixed | None:
        if self._state is None:
            return None
        return self._state.mixed(rows, self.likelihood, later=False)

    @exclusive
    def predict_one(self, x: Mapping[Any, Any], **kwargs: Any) -> Any:
        """Return the mean of the target; 0 before the first row."""
        law = self._law(self._columns.row(x))
        return 0.0 if law is None else float(law.moments()[0][0])

    @exclusive
    def predict_interval_one(
        self, x: Mapping[Any, Any], level: float = 0.9
    ) -> tuple[float, float]:
        """Return the ends between which the target is with a probability."""
        level = number("level", level, low=0.0, high=1.0)
        law = self._law(self._columns.row(x))
        if law is None:
            return -np.inf, np.inf
        low, high = law.interval(level)[0].tolist()
        return low, high

    @exclusive
    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        """Return the mean of each row's target."""
        law = self._law(self._columns.rows(X))
        means = np.zeros(len(X)) if law is None else law.moments()[0]
        return pd.Series(means, index=X.index)

    @property
    @exclusive
    def weights(self) -> dict[Any, float]:
        """The mean of each weight, for features in their own units."""
        if self._state is None:
            return {}
        linear = self._state.linear_weights(self._state.mixture.weights)
        mean = linear @ self._state.beliefs.coefficients().mean
        return dict(zip(self._columns.names, mean[:-1].tolist(), strict=True))
