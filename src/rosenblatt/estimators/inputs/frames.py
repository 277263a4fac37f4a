"""Tables with named columns as the input of estimators, encoded where they must be.

A frame of numbers without gaps takes the path of arrays. Of other frames the model
keeps a :class:`rosenblatt.tables.TableEncoder` in ``encoder_``, which makes the
features that it learns.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import lazy_loader
import numpy as np

from rosenblatt.estimators.locking import locked

__all__ = ["learning", "predicting", "takes_sparse"]

tables: Any = lazy_loader.load("rosenblatt.tables", suppress_warning=True)
Method = TypeVar("Method", bound=Callable[..., Any])
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
                return _learn(method, self, X, args, named)
            found = method(self, X, *args, **named)
            if fits and not self.warm_start:
                vars(self).pop("encoder_", None)
            return found

    return cast(Method, taking)


def predicting(method: Method) -> Method:
    """Let a method that predicts rows take tables, and wait for other threads."""

    @functools.wraps(method)
    def taking(self: Any, X: Any, *args: Any, **named: Any) -> Any:
        with locked(self):
            if hasattr(X, _STREAM):
                encoder = vars(self).get("encoder_")
                X = _ordered(self, X) if encoder is None else encoder.transform(X)
            return method(self, X, *args, **named)

    return cast(Method, taking)


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
        return model.covariance in ("auto", "diagonal")
    return hasattr(model, "schedule")


def _learn(
    method: Callable[..., Any],
    model: Any,
    X: Any,
    args: tuple[Any, ...],
    named: dict[str, Any],
) -> Any:
    """Learn the rows of a table; replace the encoder last."""
    known = hasattr(model, "classes_")
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
        if not sparse and encoder.hashed_columns:
            raise ValueError(
                f"{type(model).__name__} takes dense rows, and text is hashed; leave "
                f"out {', '.join(encoder.hashed_columns)}"
            )
    found = method(model, rows, *args, **named)
    model.encoder_ = encoder
    return found


def _is_numbers(X: Any) -> bool:
    """Return whether a frame has nothing but numbers and no gaps."""
    kinds = getattr(X, "dtypes", None)
    if kinds is None or not all(map(_has_numbers, kinds)):
        return False
    values = np.asarray(X)
    if values.dtype.kind != "f":
        return values.dtype.kind in "biu"
    with np.errstate(all="ignore"):
        quick = np.isfinite(values.sum())  # then all entries are
    return bool(quick or not np.isnan(values).any())


def _has_numbers(kind: Any) -> bool:
    """Return whether a type of a column of pandas or polars has numbers."""
    own = getattr(kind, "is_numeric", None)  # of polars
    if own is not None:
        return bool(own()) or str(kind) == "Boolean"
    return getattr(kind, "kind", "O") in "biuf"


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
