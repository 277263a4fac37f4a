"""Classifiers for River, with features by name, one example at a time.

Columns and labels are converted to numbers, and learned by the same kernels as those of
:mod:`rosenblatt.estimators`.
"""

from __future__ import annotations

import copy
import itertools
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd

from rosenblatt.bayes import experts, growing
from rosenblatt.bayes.cosines import COSINES
from rosenblatt.bayes.experts import Experts, Forgetting, forgetting
from rosenblatt.bayes.filter import HALF_LIFE, LABEL_NOISE
from rosenblatt.core import Rule
from rosenblatt.core.arguments import either, flag, instance, shown
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators.base import exclusive, shallow_copy
from rosenblatt.estimators.bayes_perceptron import (
    BOUNDARY,
    COVARIANCE,
    NUMBER_OF_COSINES,
    prior_filters,
    with_classes,
)
from rosenblatt.estimators.inputs import check_like
from rosenblatt.linear.learner import Learner, Plan, prepared
from rosenblatt.linear.learning import learn_classes, learn_row
from rosenblatt.linear.single import RowLearner
from rosenblatt.rules import Perceptron
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import SCHEDULE, ScheduleLike
from rosenblatt.system.extras import missing

try:
    from river.base import MiniBatchClassifier
except ImportError as failure:
    raise missing("river", "rosenblatt.river") from failure

__all__ = ["BayesPerceptron", "OnlinePerceptron"]

_PERCEPTRON, _CONSTANT = Perceptron(), Constant(1.0)


class Columns:
    """The columns of the features; an absent feature is 0.

    Examples
    --------
    >>> columns = Columns(["age", "height"])
    >>> columns.row({"height": 2.0, "unknown": 5.0})
    array([[0., 2.]])
    >>> columns.joined({"weight": 1.0}).names
    ('age', 'height', 'weight')
    """

    def __init__(self, names: Iterable[Any] = ()) -> None:
        self.names = tuple(dict.fromkeys(names))
        self._places = {name: place for place, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def joined(self, names: Iterable[Any]) -> Columns:
        """Return columns for these names too."""
        if tuple(names) == self.names or self._places.keys() >= set(names):
            return self
        return Columns([*self.names, *names])

    def row(self, x: Mapping[Any, Any]) -> FloatArray:
        """Return an example as a row; names without a column are left out."""
        try:
            values = np.fromiter(x.values(), np.float64, len(x))
        except (TypeError, ValueError):
            raise _explained(x.items()) from None
        if tuple(x) == self.names:  # the usual case
            return values.reshape(1, -1)
        row = np.zeros((1, len(self) + 1))  # the last for unknown names
        row[0, [self._places.get(name, -1) for name in x]] = values
        return np.ascontiguousarray(row[:, :-1])

    def check(self, rows: FloatArray) -> None:
        """Raise an error that names a feature that is not finite."""
        for row, place in np.argwhere(~np.isfinite(rows)).tolist():
            value = float(rows[row, place])
            where = f" in row {row}" if len(rows) > 1 else ""
            raise ValueError(
                f"feature {self.names[place]!r} must be finite, got {value}{where}"
            )

    def rows(self, X: Any) -> FloatArray:
        """Return a table with named columns as rows; unknown columns are left out."""
        rows = np.zeros((len(X), len(self)))
        for name in X.columns:
            if name in self._places:
                try:
                    rows[:, self._places[name]] = X[name]
                except (TypeError, ValueError):
                    raise _explained((name, value) for value in X[name]) from None
        return rows


def _explained(values: Iterable[tuple[Any, Any]]) -> ValueError:
    """Return an error that names the feature that is not a number."""
    for name, value in values:
        try:
            float(value)
        except (TypeError, ValueError):
            return ValueError(
                f"feature {name!r} must be a number, got {value!r}; turn words into "
                "numbers before, as river.preprocessing.OneHotEncoder does"
            )
    return ValueError("features must be numbers")


class Labels:
    """The classes, given or in the order in which they appear.

    Without classes they are False and True until a label says otherwise.

    Examples
    --------
    >>> labels = Labels.expected(None)
    >>> labels.joined("spam").joined("ham").joined("eggs").classes
    ('spam', 'ham', 'eggs')
    """

    def __init__(
        self, classes: Sequence[Any], *, settled: bool, announced: bool = False
    ) -> None:
        self.classes = tuple(classes)
        self.numbers = {label: code for code, label in enumerate(self.classes)}
        # kernels take codes as arrays
        self.codes = {label: np.array([i]) for i, label in enumerate(self.classes)}
        self._settled, self._announced = settled, announced

    @property
    def models(self) -> int:
        """The number of weight vectors: one for two classes."""
        return len(self.classes) if len(self.classes) > 2 else 1

    @classmethod
    def expected(cls, classes: Sequence[Any] | None) -> Labels:
        """Return the labels before the first example."""
        if classes is None:
            return cls([False, True], settled=False)
        try:
            given = [] if isinstance(classes, str | bytes) else list(classes)
            different = len(set(given))
        except TypeError:  # no sequence, or labels that cannot be hashed
            given, different = [], 0
        if different < max(len(given), 2):
            raise ValueError(
                "classes must be None or two or more different labels, "
                f"got {shown(classes)}"
            )
        return cls(given, settled=True, announced=True)

    def joined(self, label: Any) -> Labels:
        """Return the labels after one more label."""
        if self._settled:
            if label in self.codes:
                return self
            if self._announced:
                raise ValueError(
                    f"y must be among classes {list(self.classes)}, got {label!r}"
                )
            check_like(list(self.classes), label)
            return Labels([*self.classes, label], settled=True)
        if label not in self.codes:
            return Labels([label], settled=True)
        # 0 and 1 equal False and True, but should come back as they are
        classes = [0, 1] if type(label) is int else self.classes
        return Labels(classes, settled=True)


def named(names: Sequence[Any], weights: FloatArray) -> dict[Any, Any]:
    """Return the weight of each feature; of several models an array, one for each.

    Examples
    --------
    >>> import numpy as np
    >>> named(["a", "b"], np.array([[1.0, 2.0]]))
    {'a': 1.0, 'b': 2.0}
    """
    columns = weights.T[: len(names)]
    return {
        name: column.copy() if column.size > 1 else float(column[0])
        for name, column in zip(names, columns, strict=True)
    }


class StreamClassifier(MiniBatchClassifier):
    """Base of classifiers with named features, which may appear and vanish.

    A leaf learns rows of numbers. A feature that appears is a column that was 0 before.
    Calls from several threads wait for each other; copies and pickles share nothing.
    """

    def __init__(self, classes: Sequence[Any] | None) -> None:
        self.classes = classes
        self._columns = Columns()
        self._labels = Labels.expected(classes)
        self._state: Any = None  # what has been learned, None if nothing

    @exclusive
    def __copy__(self) -> Self:
        """Return a model of its own: rows are learned in place."""
        other = shallow_copy(self)
        if self._state is not None:
            other._state = self._state.copy()
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Return the state of one moment, for pickles and deep copies."""
        return vars(copy.copy(self))

    @exclusive
    def learn_one(self, x: Mapping[Any, Any], y: Any) -> None:
        """Learn one example; if it raises an error, the model does not change."""
        columns = self._columns.joined(self._order(x))
        labels = self._labels.joined(y)
        row = columns.row(x)
        state = self._state
        if columns is not self._columns or state is None:
            state = self._grown(state, len(columns))
        if labels.models > self._labels.models:
            state = self._with_class(state, len(self._labels.classes))
        try:
            self._learn_row(state, row, labels.codes[y])
        except ValueError:
            columns.check(row)  # names the feature that is not finite
            raise
        self._columns, self._labels, self._state = columns, labels, state

    @exclusive
    def learn_many(self, X: pd.DataFrame, y: pd.Series) -> None:
        """Learn the rows of a table one after the other, as ``learn_one`` does."""
        columns = self._columns.joined(self._order(X.columns))
        labels = self._labels
        rows = columns.rows(X)
        if len(rows) != len(y):
            raise ValueError(
                f"y must have {len(rows)} labels as X has rows, got {len(y)}"
            )
        codes, cuts = np.empty(len(rows), np.int64), []
        for row, label in enumerate(y):
            before, labels = labels, labels.joined(label)
            if labels.models > before.models:
                cuts.append(row)
            codes[row] = labels.codes[label][0]
        if len(rows):
            try:
                state = self._grown(self._state, len(columns))
                ends = [*cuts, len(rows)]
                state = self._learned(state, rows[: ends[0]], codes[: ends[0]])
                count = len(labels.classes) - len(cuts)
                for first, stop in itertools.pairwise(ends):
                    state = self._with_class(state, count)
                    state = self._learned(state, rows[first:stop], codes[first:stop])
                    count += 1
            except ValueError:
                columns.check(rows)
                raise
            self._columns, self._labels, self._state = columns, labels, state

    def _order(self, names: Iterable[Any]) -> Iterable[Any]:
        """Return names of features in the order that new ones are to have."""
        return names

    @abstractmethod
    def _grown(self, state: Any, columns: int) -> Any:
        """Return a state with more columns; for None, the state before any example."""

    @abstractmethod
    def _with_class(self, state: Any, classes: int) -> Any:
        """Return a state with one more class than these, which comes last."""

    @abstractmethod
    def _learn_row(self, state: Any, row: FloatArray, code: IntArray) -> None:
        """Learn one row in place; if that fails, change nothing."""

    @abstractmethod
    def _learned(self, state: Any, rows: FloatArray, codes: IntArray) -> Any:
        """Return the state after these rows; the one given does not change."""

    @property
    def _multiclass(self) -> bool:
        return self.classes is None or len(self.classes) > 2


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
        return pd.Series(labels, index=X.index)

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


class BayesPerceptron(StreamClassifier):
    """A Bayesian linear classifier with calibrated probabilities and nothing to tune.

    It is :class:`rosenblatt.estimators.BayesPerceptron` for features that come by name,
    and may appear and vanish. An absent feature is 0, and one that appears counts as if
    it had been 0 before. Features are standardised as they come, so that no scaler is
    needed. ``learn_many`` does what ``learn_one`` does row after row, bit for bit. If
    anything is wrong with an example, an error says so and the model stays as it was.

    Parameters
    ----------
    covariance, noise, half_life
        As of :class:`rosenblatt.estimators.BayesPerceptron`. ``"auto"`` keeps full
        covariances as long as there are few features, and their diagonals from then on.
    classes
        All labels that will come; others are then refused. By default classes are
        learned from their first example on.
    boundary, cosines
        As of :class:`rosenblatt.estimators.BayesPerceptron`. Curved functions begin
        anew when a feature appears later than in the first 256 examples.

    Examples
    --------
    >>> from river import datasets, evaluate, metrics
    >>> from rosenblatt.river import BayesPerceptron
    >>> model = BayesPerceptron()
    >>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    Accuracy: 89.76%
    """

    def __init__(
        self,
        covariance: str = "auto",
        noise: float | str = "auto",
        half_life: float | None = None,
        classes: Sequence[Any] | None = None,
        boundary: str = "linear",
        cosines: int = COSINES,
    ) -> None:
        super().__init__(classes)
        self.boundary = BOUNDARY("boundary", boundary)
        self.cosines = NUMBER_OF_COSINES("cosines", cosines)
        self.covariance = COVARIANCE("covariance", covariance)
        self.noise = LABEL_NOISE("noise", noise)
        self.half_life = HALF_LIFE("half_life", half_life)

    @exclusive
    def predict_proba_one(
        self, x: Mapping[Any, Any], **kwargs: Any
    ) -> dict[Any, float]:
        """Return the probability of each class."""
        probabilities = self._probabilities(self._columns.row(x))[0].tolist()
        return dict(zip(self._labels.classes, probabilities, strict=True))

    @exclusive
    def predict_proba_many(self, X: pd.DataFrame) -> pd.DataFrame:
        """Return the probability of each class, for each row."""
        probabilities = self._probabilities(self._columns.rows(X))
        names = list(self._labels.classes)
        return pd.DataFrame(probabilities, index=X.index, columns=names)

    def _probabilities(self, rows: FloatArray) -> FloatArray:
        """Return the probabilities of the classes known so far."""
        count = len(self._labels.classes)
        if self._state is None or count == 1:
            return np.full((len(rows), count), 1.0 / count)
        return experts.predict(self._state, rows)

    @property
    @exclusive
    def weights(self) -> dict[Any, Any]:
        """The mean of each weight, for features in their own units."""
        if self._state is None:
            return {}
        return named(self._columns.names, self._state.weights()[0])

    @property
    @exclusive
    def forgetting(self) -> Forgetting | None:
        """Half-lives that the data chose so far; None before the first example."""
        return None if self._state is None else forgetting(self._state)

    def _order(self, names: Iterable[Any]) -> Iterable[Any]:
        """Return names of features; frequencies of cosines depend on their order."""
        return names if self.boundary == "linear" else sorted(names, key=str)

    def _grown(self, state: Experts | None, columns: int) -> Experts:
        given = (self.covariance, self.noise, self.half_life)
        count = max(len(self._labels.classes), 2)
        if state is None:
            own = self.boundary, self.cosines
            return prior_filters(*given, columns, count, False, None, *own)
        if len(state.first.center) == columns:
            return state
        wider = growing.all_grown(state, columns)
        allowed = prior_filters(*given, columns, count, sparse=False).filters
        return growing.all_in_form(wider, [filter.covariance for filter in allowed])

    def _with_class(self, state: Experts, classes: int) -> Experts:
        given = (self.covariance, self.noise, self.half_life)
        return with_classes(state, given, np.arange(classes), np.arange(classes + 1))

    def _learn_row(self, state: Experts, row: FloatArray, code: IntArray) -> None:
        experts.learn_row(state, row, code, wanted=False)

    def _learned(self, state: Experts, rows: FloatArray, codes: IntArray) -> Experts:
        # Row by row: some kernels work ahead, which differs in the last bit.
        found = state.copy()
        for row, code in zip(rows[:, None], codes[:, None], strict=True):
            experts.learn_row(found, row, code, wanted=False)
        return found
