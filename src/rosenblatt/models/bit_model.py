"""Classifiers with weights -1, 0 and +1 that only predict."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_array, check_is_fitted

from rosenblatt.bits import Bits, pack
from rosenblatt.bits.packing import packed
from rosenblatt.core.types import FloatArray
from rosenblatt.counting.thresholds import packed_weights
from rosenblatt.estimators import BinaryBayesPerceptron
from rosenblatt.estimators.bases.counting import CountingClassifier
from rosenblatt.estimators.bases.decisions import best_classes

__all__ = ["BitModel", "bit_model", "check_no_class_weight"]


@dataclass(frozen=True, eq=False)
class BitModel:
    """A classifier with weights -1, 0 and +1 on inputs -1 and +1.

    Parameters
    ----------
    classes
        The labels.
    weights
        -1, 0 or +1, a row for each model: one for two classes, else one for each.
    divisor
        Divisor of the sums of weights times inputs.
    offsets
        Number that is then added, for each model.
    edges
        Entries above these are high, one for each column or one for all; None if
        entries are -1 or 0, and 1.

    Examples
    --------
    >>> model = BitModel(np.array(["a", "b"]), np.array([[1, -1]]), 1.0, np.zeros(1))
    >>> model.predict(pack([[1, 0], [0, 1]]))
    array(['b', 'a'], dtype='<U1')
    """

    classes: npt.NDArray[Any]
    weights: npt.NDArray[Any]
    divisor: float
    offsets: FloatArray
    edges: FloatArray | None = None

    def bits(self, X: Any) -> Bits:
        """Return rows as packed bits."""
        if not isinstance(X, Bits) and self.edges is not None:
            X = check_array(X, dtype=np.float64)
        if np.shape(X)[1:] != self.weights.shape[1:]:
            raise ValueError(
                f"X must have {self.weights.shape[1]} columns, got {np.shape(X)[1:]}"
            )
        if isinstance(X, Bits):
            return X
        if self.edges is None:
            return pack(X)
        return Bits.trusted(packed(self.edges < X), X.shape[1])

    def decision_function(self, X: Any) -> FloatArray:
        """Return the scores, a vector if there are two classes."""
        sums = packed_weights(self.weights).fields(self.bits(X))
        scores = np.asarray(sums / self.divisor + self.offsets)
        return scores.ravel() if len(self.weights) == 1 else scores

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class of each row; ties go to the first."""
        return best_classes(self.decision_function(X), self.classes)


def check_no_class_weight(model: Any) -> None:
    """Raise ValueError if the model has a class_weight that changes probabilities."""
    weight = getattr(model, "class_weight", None)
    if weight is not None and hasattr(model, "predict_proba"):
        raise ValueError(
            "model must not weigh the probabilities of classes, got "
            f"class_weight={weight!r}; set_params(class_weight=None) removes it"
        )


def bit_model(model: Any) -> BitModel:
    """Return the binary weights of a model; raise an error if it has none."""
    check_is_fitted(model)
    model = copy.copy(model)  # another thread may be learning
    if isinstance(model, CountingClassifier):
        offsets = np.asarray(model.intercept_, np.float64)
        edges = _edges(model._counted.levels)
        weights = np.asarray(model.coef_, np.int8)
        return BitModel(model.classes_, weights, 1.0, offsets, edges)
    if not isinstance(model, BinaryBayesPerceptron):
        raise TypeError(f"model must have binary weights, got {type(model).__name__}")
    check_no_class_weight(model)
    if not model.hard:
        raise ValueError(
            "model must decide by signs alone: model.set_params(hard=True); mean "
            "weights are not bits"
        )
    if not model._packed:
        raise ValueError(
            "model must have learned from packed bits, rb.bits.pack(X), got one that "
            "standardises numbers"
        )
    divisor = float(np.sqrt(model.n_features_in_))
    return BitModel(model.classes_, model.signs_, divisor, model._intercepts())


def _edges(levels: Any) -> FloatArray | None:
    """Return the value above which entries are high; None for -1 or 0, and 1."""
    if levels is None:
        return None
    unknown = levels.single & ~np.isin(levels.low, (-1.0, 0.0, 1.0))
    for column in np.flatnonzero(unknown)[:1].tolist():
        raise ValueError(
            "model must know both levels of each column, unless they are -1 or 0, and "
            f"1, got {levels.low[column]:g} alone in column {column}"
        )
    cut = ~np.isnan(levels.cut)
    usual = levels.single | (np.isin(levels.low, (-1.0, 0.0)) & (levels.high == 1.0))
    if (usual & ~cut).all():
        return None
    edges = np.where(cut, levels.cut, np.where(levels.single, 0.0, levels.low))
    return edges[:1] if (edges == edges[0]).all() else edges
