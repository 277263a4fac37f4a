"""Any learning rule as a classifier for River."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd

from rosenblatt.core import Rule
from rosenblatt.core.arguments import either, flag, instance
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators.locking import exclusive
from rosenblatt.river.classifier import StreamClassifier
from rosenblatt.river.frames import named, series
from rosenblatt.rows.learner import Learner
from rosenblatt.rows.learning import learn_classes, learn_row, prepared
from rosenblatt.rows.plan import Plan
from rosenblatt.rows.single import RowLearner
from rosenblatt.rules import Perceptron
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import SCHEDULE, ScheduleLike

__all__ = ["OnlinePerceptron"]


class OnlinePerceptron(StreamClassifier):
    """A linear classifier that learns by any rule, one example after the other.

    It is :class:`rosenblatt.estimators.OnlinePerceptron` for features that come by
    name, and may appear and vanish: an absent feature is 0. Clocks count examples and
    mistakes per weight, of those known so far. ``learn_many`` does what ``learn_one``
    does row after row, bit for bit. If anything is wrong with an example, an error says
    so and the model stays as it was.

    Parameters
    ----------
    rule, schedule, fit_intercept
        As of :class:`rosenblatt.estimators.OnlinePerceptron`.
    classes
        All labels that will come; others are then refused. By default classes are
        learned from their first example on.

    Examples
    --------
    >>> from river import datasets, evaluate, metrics, preprocessing
    >>> from rosenblatt.river import OnlinePerceptron
    >>> from rosenblatt.rules import PassiveAggressive
    >>> model = preprocessing.StandardScaler() | OnlinePerceptron(PassiveAggressive())
    >>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    Accuracy: 85.68%
    """

    def __init__(
        self,
        rule: Rule | None = None,
        schedule: ScheduleLike | None = None,
        fit_intercept: bool = True,
        classes: Sequence[Any] | None = None,
    ) -> None:
        super().__init__(classes)
        self.rule = either(None, instance(Rule))("rule", rule)
        SCHEDULE("schedule", schedule)
        self.schedule = schedule
        self.fit_intercept = flag("fit_intercept", fit_intercept)
        self._row_learner: RowLearner | None = None

    @exclusive
    def __copy__(self) -> Self:
        """Return a model of its own: rows are learned in place."""
        other = super().__copy__()
        other._row_learner = None  # addresses are good for this model only
        return other

    @exclusive
    def learn_one(self, x: Mapping[Any, Any], y: Any) -> None:
        """Learn one example; if it raises an error, the model does not change."""
        learner = self._row_learner
        if learner is not None and tuple(x) == self._columns.names:
            code = self._labels.numbers.get(y)
            if code is not None and learner.write(x.values()) and learner.learn(code):
                return
        self._row_learner = None  # the usual way says what is wrong, or makes room
        super().learn_one(x, y)
        if self._state is not None and self._rule.shift is None:
            columns = len(self._columns)
            self._row_learner = RowLearner(self._plan(columns), self._state, columns)

    @exclusive
    def learn_many(self, X: pd.DataFrame, y: pd.Series) -> None:
        """Learn the rows of a table one after the other, as ``learn_one`` does."""
        super().learn_many(X, y)
        self._row_learner = None

    @exclusive
    def predict_one(self, x: Mapping[Any, Any], **kwargs: Any) -> Any:
        """Return the class of the example; ties go to the first class."""
        return self._labels.classes[self._chosen(self._columns.row(x))[0]]

    @exclusive
    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        """Return the class of each row."""
        chosen = self._chosen(self._columns.rows(X))
        labels = [self._labels.classes[code] for code in chosen]
        return series(labels, X)

    def _chosen(self, rows: FloatArray) -> IntArray:
        """Return the number of each row's class."""
        if self._state is None:
            return np.zeros(len(rows), np.int64)
        scores = self._fields(rows)
        if scores.shape[1] > 1:
            return np.asarray(scores.argmax(axis=1))
        several = len(self._labels.classes) > 1
        return (scores[:, 0] > 0).astype(np.int64) * several

    def _fields(self, rows: FloatArray) -> FloatArray:
        weights = self._state.weights
        columns = rows.shape[1]
        fields: FloatArray = rows @ weights[:, :columns].T
        fields += weights[:, columns:].sum(axis=1)
        return fields

    @property
    @exclusive
    def weights(self) -> dict[Any, Any]:
        """The weight of each feature; of several classes an array, one for each."""
        if self._state is None:
            return {}
        return named(self._columns.names, self._state.weights)

    @property
    def _rule(self) -> Rule:
        return _PERCEPTRON if self.rule is None else self.rule

    def _plan(self, columns: int) -> Plan:
        return prepared(
            self._rule,
            _CONSTANT if self.schedule is None else self.schedule,
            columns + bool(self.fit_intercept),
        )

    def _grown(self, state: Learner | None, columns: int) -> Learner:
        if state is None:
            dim = columns + bool(self.fit_intercept)
            return Learner.zero(dim, models=self._labels.models)
        return state.grown(columns, intercept=bool(self.fit_intercept))

    def _with_class(self, state: Learner, classes: int) -> Learner:
        return state.with_class(classes, classes)

    def _learn_row(self, state: Learner, row: FloatArray, code: IntArray) -> None:
        learn_row(self._plan(row.shape[1]), state, row, code)

    def _learned(self, state: Learner, rows: FloatArray, codes: IntArray) -> Learner:
        return learn_classes(self._plan(rows.shape[1]), rows, codes, state)


_PERCEPTRON, _CONSTANT = Perceptron(), Constant(1.0)
