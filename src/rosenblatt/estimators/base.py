"""Parameters, tables as input, locks and decisions of all classifiers."""

from __future__ import annotations

import copy
import functools
import os
import threading
import weakref
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self, TypeVar, cast, dataclass_transform

import lazy_loader
import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rosenblatt.core.arguments import Check
from rosenblatt.core.schema import Array, Field, Labels, Relation, Schema, Texts, Whole
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators.inputs import has_numbers

Method = TypeVar("Method", bound=Callable[..., Any])
Model = TypeVar("Model")
# Not attributes of models: they would have to be left out of copies, pickles and files.
_locks: weakref.WeakKeyDictionary[Any, AbstractContextManager[Any]]
_locks = weakref.WeakKeyDictionary()

if hasattr(os, "register_at_fork"):  # the threads that held locks do not exist there
    os.register_at_fork(after_in_child=_locks.clear)


def locked(model: Any) -> AbstractContextManager[Any]:
    """Return a context in which no other thread uses the model's methods.

    Examples
    --------
    >>> class Model:
    ...     pass
    >>> with locked(Model()):
    ...     pass
    """
    known = _locks.get(model)
    return _locks.setdefault(model, threading.RLock()) if known is None else known


def exclusive(method: Method) -> Method:
    """Let calls of a method wait for calls on the same model in other threads.

    Examples
    --------
    >>> class Counter:
    ...     count = 0
    ...
    ...     @exclusive
    ...     def add(self):
    ...         self.count += 1
    >>> counter = Counter()
    >>> counter.add()
    >>> counter.count
    1
    """

    @functools.wraps(method)
    def waiting(self: Any, *args: Any, **named: Any) -> Any:
        with locked(self):
            return method(self, *args, **named)

    return cast(Method, waiting)


def merging(method: Method) -> Method:
    """Let ``merge(other)`` wait like other methods, and give it a copy of the other.

    The copy is made before: two models that merge each other hold one lock at a time.

    Examples
    --------
    >>> class Total:
    ...     count = 1
    ...
    ...     @merging
    ...     def merge(self, other):
    ...         self.count += other.count
    >>> total = Total()
    >>> total.merge(Total())
    >>> total.count
    2
    """

    @functools.wraps(method)
    def waiting(self: Any, other: Any) -> Any:
        if other is self:
            raise ValueError(
                "other must be another model, got this one, whose examples would count "
                "twice"
            )
        its = copy.copy(other) if type(other) is type(self) else other
        with locked(self):
            return method(self, its)

    return cast(Method, waiting)


def shallow_copy(model: Model) -> Model:
    """Return another object with the same attributes.

    Examples
    --------
    >>> class Model:
    ...     pass
    >>> model = Model()
    >>> model.weights = 3
    >>> shallow_copy(model).weights
    3
    """
    other = type(model).__new__(type(model))
    vars(other).update(vars(model))
    return other


tables: Any = lazy_loader.load("rosenblatt.tables", suppress_warning=True)
_COLUMNS: dict[str, Field] = {
    "n_features_in_": Whole(low=1, size="columns"),
    "feature_names_in_": Texts("columns"),
}
CLASS_COUNTS = Array((("classes",),), low=0, high=2**53)
# Attributes that not all models have.
_MAY_LACK = frozenset(
    {"_open", "feature_names_in_", "n_iter_", "costs_", "gradients_", "converged_"}
)
_STREAM = "__arrow_c_stream__"  # of everything that pyarrow reads as a table


def learning(method: Method) -> Method:
    """Let a method that learns rows take tables, and wait for other threads.

    The model keeps the encoder of the table if the method succeeds. ``fit`` of arrays
    discards an encoder of an earlier table.
    """
    fits = method.__name__ == "fit"

    @functools.wraps(method)
    def taking(self: Any, X: Any, *args: Any, **named: Any) -> Any:
        with locked(self):
            if hasattr(X, _STREAM):
                found = _learn(method, self, X, args, named)
            else:
                found = method(self, X, *args, **named)
                if fits and not self.warm_start:
                    vars(self).pop("encoder_", None)
            if fits:
                vars(self).pop("training_record_", None)
            return found

    return cast(Method, taking)


def predicting(method: Method) -> Method:
    """Let a method that predicts rows take tables, and wait for other threads."""

    @functools.wraps(method)
    def taking(self: Any, X: Any, *args: Any, **named: Any) -> Any:
        with locked(self):
            return method(self, encoded(self, X), *args, **named)

    return cast(Method, taking)


def encoded(model: Any, X: Any) -> Any:
    """Return the features of a table that a model knows; other rows as they are."""
    if not hasattr(X, _STREAM):
        return X
    encoder = vars(model).get("encoder_")
    return _ordered(model, X) if encoder is None else encoder.transform(X)


def takes_sparse(model: Any) -> bool:
    """Return whether a model learns sparse rows without making them dense.

    Examples
    --------
    >>> from rosenblatt import BayesPerceptron, ClippedHebb, OnlinePerceptron
    >>> [takes_sparse(m) for m in (BayesPerceptron(), BayesPerceptron("full"))]
    [True, False]
    >>> [takes_sparse(m) for m in (OnlinePerceptron(), ClippedHebb())]
    [True, False]
    """
    if hasattr(model, "covariance"):
        curved = getattr(model, "boundary", "linear") != "linear"
        return model.covariance in ("auto", "diagonal") and not curved
    return hasattr(model, "schedule")


def _learn(
    method: Callable[..., Any],
    model: Any,
    X: Any,
    args: tuple[Any, ...],
    named: dict[str, Any],
) -> Any:
    """Learn the rows of a table; replace the encoder last."""
    known = hasattr(model, "n_features_in_")
    if known and (method.__name__ != "fit" or model.warm_start):
        if "encoder_" not in vars(model):
            return method(model, _ordered(model, X), *args, **named)
        encoder = copy.deepcopy(model.encoder_)
        rows = encoder.partial_fit_transform(X)
    elif _is_numbers(X):
        found = method(model, X, *args, **named)
        vars(model).pop("encoder_", None)
        return found
    else:
        sparse = takes_sparse(model)
        encoder = tables.encoder.TableEncoder(
            categories="auto" if sparse else "one-hot"
        )
        rows = encoder.fit_transform(X)
        if not sparse and encoder.encoding_.hashed_columns:
            raise ValueError(
                f"{type(model).__name__} takes dense rows, and text is hashed; leave "
                f"out {', '.join(encoder.encoding_.hashed_columns)}"
            )
    found = method(model, rows, *args, **named)
    model.encoder_ = encoder
    return found


def _is_numbers(X: Any) -> bool:
    """Return whether a frame has nothing but numbers and no gaps."""
    kinds = getattr(X, "dtypes", None)
    if kinds is None or not all(map(has_numbers, kinds)):
        return False
    values = np.asarray(X)
    if values.dtype.kind != "f":
        return values.dtype.kind in "biu"
    with np.errstate(all="ignore"):
        quick = np.isfinite(values.sum())  # then all entries are
    return bool(quick or not np.isnan(values).any())


def _ordered(model: Any, X: Any) -> Any:
    """Return a frame with its columns in the order that the model has learned."""
    names = getattr(model, "feature_names_in_", None)
    columns = getattr(X, "columns", None)
    if names is None or columns is None:
        return X
    wanted, given = list(names), list(columns)
    if wanted == given or set(wanted) != set(given) or len(wanted) != len(given):
        return X
    return X[wanted]


_Class = TypeVar("_Class", bound=type)
_CHECKS = "_parameter_checks"


def parameter(check: Check, *, default: Any) -> Any:
    """Return a parameter of an estimator, with its default and its check."""
    return field(default=default, metadata={"check": check})


@dataclass_transform(eq_default=False, field_specifiers=(field, parameter))
def with_parameters(kind: _Class) -> _Class:
    """Add the ``__init__`` of a dataclass to an estimator, and the checks.

    The estimator does not become a dataclass: libraries take two dataclasses with equal
    fields for the same value. Dask would then mix up models with equal parameters that
    have learned different rows.

    Examples
    --------
    >>> from inspect import signature
    >>> from rosenblatt.core.arguments import number
    >>> @with_parameters
    ... class Model:
    ...     rate: float = parameter(number, default=0.5)
    >>> signature(Model), Model() == Model()
    (<Signature (rate: 'float' = 0.5) -> None>, False)
    """
    before = {*vars(kind), "__init__"}
    made: Any = dataclass(eq=False, repr=False)(kind)
    checks = {}
    for one in fields(made):
        if one.init:
            check = one.metadata["check"]
            checks[one.name] = one.default, check(one.name, one.default), check
    for name in vars(kind).keys() - before:
        delattr(kind, name)
    setattr(kind, _CHECKS, checks)
    return kind


def checked_parameters(model: Any) -> dict[str, Any]:
    """Return the parameters of an estimator by name; raise an error if one is wrong.

    As in scikit-learn, parameters are checked when they are used, not when they are
    set. Defaults are checked once, with the class.

    Examples
    --------
    >>> from rosenblatt.core.arguments import number
    >>> @with_parameters
    ... class Model:
    ...     rate: float = parameter(number, default=0.5)
    >>> checked_parameters(Model(rate=[1, 2]))
    Traceback (most recent call last):
    TypeError: rate must be a finite number, got [1, 2]
    """
    checks: dict[str, tuple[Any, Any, Check]] = getattr(model, _CHECKS)
    given = {name: getattr(model, name) for name in checks}
    return {
        name: checked if given[name] is default else check(name, given[name])
        for name, (default, checked, check) in checks.items()
    }


def fitted_state(
    name: str, fields: Mapping[str, Field], *relations: Relation
) -> Schema:
    """Return the description of what an estimator has learned, for model files.

    Parameters
    ----------
    name
        The class.
    fields
        The attributes that learning goes on from, besides the columns. All else that
        an estimator keeps follows from these and its parameters.
    *relations
        Conditions on several of them, besides the number of models.
    """
    classes = {"classes_": Labels()} if "classes_" in fields else {}
    own = {**classes, **_COLUMNS, **fields}
    models = Relation(
        "one model for two classes, and else one for each class",
        lambda _, sizes: (
            "classes" not in sizes  # a regressor
            or sizes["models"] == (1 if sizes["classes"] == 2 else sizes["classes"])
        ),
    )
    return Schema(name, own, (models, *relations), _MAY_LACK & own.keys())


def best_classes(
    scores: npt.NDArray[Any], classes: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """Return the class of the largest score of each row; ties go to the first.

    One score a row decides between two classes: the second if it is above 0.

    Examples
    --------
    >>> best_classes(np.array([0.0, 0.1]), np.array(["no", "yes"]))
    array(['no', 'yes'], dtype='<U3')
    """
    best = scores > 0 if scores.ndim == 1 else scores.argmax(axis=1)
    chosen: npt.NDArray[Any] = classes[best.astype(np.intp)]
    return chosen


class Estimator(BaseEstimator):  # type: ignore[misc]
    """Base of all estimators: copies and pickles.

    ``_in_place`` names the attributes that learning changes; all others it replaces.
    """

    _in_place: ClassVar[tuple[str, ...]] = ()

    @exclusive
    def __copy__(self) -> Self:
        """Return a model that shares nothing with this one that learning changes."""
        other = shallow_copy(self)
        own = {k: v for k, v in vars(self).items() if k in self._in_place}
        other.__dict__.update(copy.deepcopy(own))
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickles and copies, under the model's lock."""
        found: dict[str, Any] = super(Estimator, copy.copy(self)).__getstate__()
        return found

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class Classifier(ClassifierMixin, Estimator):  # type: ignore[misc]
    """Base of all classifiers; a leaf has a ``decision_function``."""

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class of each row; ties go to the first."""
        return best_classes(self.decision_function(X), self.classes_)


def log_odds(probabilities: FloatArray, least: float) -> FloatArray:
    """Return the log-odds of each class against the rest, or of the second of two.

    Parameters
    ----------
    probabilities
        The probability of each class, in the columns.
    least
        The smallest probability; smaller ones are taken for it.

    Examples
    --------
    >>> log_odds(np.array([[0.5, 0.5], [0.0, 1.0]]), least=1e-3).round(2)
    array([0.  , 6.91])
    """
    p = np.maximum(probabilities, least)
    if p.shape[1] == 2:
        return np.asarray(np.log(p[:, 1]) - np.log(p[:, 0]))
    # the rest by its sum: 1 - p would be rounding where a class is certain
    return np.log(p) - np.log(p @ (1.0 - np.eye(p.shape[1])))


def same_parameters(model: Any, other: Any) -> bool:
    """Return whether another model is of the same class, with the same parameters.

    Examples
    --------
    >>> from rosenblatt import ClippedHebb
    >>> same_parameters(ClippedHebb(), ClippedHebb(binarise=0.5))
    False
    """
    if type(other) is not type(model):
        return False
    mine, its = (checked_parameters(one) for one in (model, other))
    return mine == its


def check_mergeable(model: Any, other: Any, *, names: tuple[str, ...] = ()) -> None:
    """Raise an error unless another model has the same parameters and columns.

    Parameters
    ----------
    model, other
        The models; one of two may have learned from columns without names.
    names
        Other attributes that must be the same.
    """
    check_is_fitted(model)
    if not same_parameters(model, other):
        raise ValueError(f"other must be a model like {model!r}, got {other!r}")
    check_is_fitted(other)
    mine, its = (vars(one).get("encoder_") for one in (model, other))
    if mine is not None and its is not None and not mine.same_features(its):
        raise ValueError(
            "other must have the same encoder_ of its tables; fit one TableEncoder and "
            "let both models learn what it returns"
        )
    for name in ("n_features_in_", "feature_names_in_", *names):
        if not (hasattr(model, name) and hasattr(other, name)):
            continue
        mine, its = (np.asarray(getattr(m, name)) for m in (model, other))
        if not np.array_equal(mine, its):
            raise ValueError(
                f"other must have the same {name}, {mine.tolist()}, got {its.tolist()}"
            )
