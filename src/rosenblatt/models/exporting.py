"""Numbers of a fitted model, as exports to other languages need them."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.bayes import Filter
from rosenblatt.bayes.curved import FLOOR, WIDER, Curved
from rosenblatt.core import Labels
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators import (
    BayesPerceptron,
    BayesRegressor,
    BinaryBayesPerceptron,
    BinaryPerceptron,
    ClippedHebb,
    GradientPerceptron,
    OnlinePerceptron,
    ShiftedPerceptron,
)
from rosenblatt.estimators.inputs import check_class_weight, class_factors

__all__ = [
    "ESTIMATORS",
    "WAVES",
    "FilterNumbers",
    "FunctionNumbers",
    "class_weights",
    "estimator_name",
    "exportable",
    "filters",
    "functions",
    "linear_mean",
    "table_columns",
]

ESTIMATORS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        BayesPerceptron,
        BayesRegressor,
        BinaryBayesPerceptron,
        BinaryPerceptron,
        ClippedHebb,
        GradientPerceptron,
        OnlinePerceptron,
        ShiftedPerceptron,
    )
}

# Waves of dates as in tables.encoding, as their angle in a day since 1970 and their
# angle at the start.
_TURN, _YEAR = 2.0 * np.pi, 365.2425
WAVES = {
    "year sin": (_TURN / _YEAR, 0.0),
    "year cos": (_TURN / _YEAR, _TURN / 4),
    "hour sin": (_TURN, 0.0),
    "hour cos": (_TURN, _TURN / 4),
}


def estimator_name(model: Any) -> str:
    """Return the name of a model's class; raise TypeError if files cannot hold it.

    Examples
    --------
    >>> estimator_name(ClippedHebb())
    'ClippedHebb'
    """
    name = type(model).__name__
    if type(model) is not ESTIMATORS.get(name):
        raise TypeError(
            f"model must be one of {', '.join(ESTIMATORS)} in rosenblatt, got {name} "
            f"in {type(model).__module__}; a pickle stores other models"
        )
    return name


class FilterNumbers(NamedTuple):
    """A Gaussian belief about the weights of standardised inputs and an intercept.

    With z the standardised and clipped inputs and a last entry 1, the fields have the
    means ``mean @ z``. Their variances are ``spread @ z**2``, or, for ``full``
    covariances, the sums of the squares of ``z @ spread[model]``.
    """

    center: FloatArray
    factor: FloatArray  # one over the scale
    clip: float
    mean: FloatArray  # (models, columns + 1)
    spread: FloatArray
    full: bool
    label_variance: float
    noise: float


def exportable(model: Any) -> Any:
    """Return a copy of a model that another thread does not change; check it."""
    estimator_name(model)
    check_is_fitted(model)
    return copy.copy(model)


def filters(found: list[Filter]) -> list[FilterNumbers]:
    """Return the numbers of the filters of a BayesPerceptron."""
    numbers = []
    for one in found:
        factors = one.kind.factors(one.belief)
        numbers.append(
            FilterNumbers(
                np.zeros_like(one.center) if one.sparse else one.center,
                one.inverse_scale,
                float(one.clip),
                one.mean,
                one.variances if factors is None else factors,
                factors is not None,
                float(one.label_variance),
                float(one.noise[0]),
            )
        )
    return numbers


class FunctionNumbers(NamedTuple):
    """The functions of a length scale.

    With z the standardised and clipped inputs, the features f are ``amplitudes *
    sin(frequencies @ z + phases)``, of which the last is 1, and then z. The functions
    have the means ``f @ mean``. All have the variance ``f @ covariance @ f`` in units
    of the square of a deviation, to which ``floor`` is added.
    """

    units: tuple[FloatArray, FloatArray]  # center, and one over the scale
    frequencies: FloatArray  # (sines, columns)
    phases: FloatArray
    amplitudes: FloatArray
    mean: FloatArray  # (sines + columns, classes)
    covariance: FloatArray
    floor: float


def functions(curved: Curved) -> list[FunctionNumbers]:
    """Return the numbers of the functions of a curved boundary, eq. (1) there."""
    own, found = curved.regression, []
    known, columns = own.functions, own.rows.shape[1]
    order = np.arange(known.mean.shape[1])  # cosines, columns, 1
    order = np.r_[order[: -columns - 1], order[-1], order[-columns - 1 : -1]]
    for e, amplitudes in enumerate(own.amplitudes):
        half = np.tril(known.covariance[e])
        whole = half + np.tril(half, -1).T
        found.append(
            FunctionNumbers(
                (known.center, known.inverse_scale),
                np.pi * np.vstack([own.frequencies[e], np.zeros(columns)]),
                np.pi * np.append(own.phases[e] + 0.5, 0.5),
                np.append(amplitudes, 1.0),
                known.mean[e][order],
                whole[np.ix_(order, order)] * WIDER * known.noise[e] / curved.classes,
                FLOOR**2,
            )
        )
    return found


def table_columns(model: Any, target: str) -> Any:
    """Return the encoding of a model's table; None if it learned rows of numbers.

    Columns of text are refused: other languages would have to split it into words as
    Python does. ONNX has no hashes.
    """
    encoder = vars(model).get("encoder_")
    if encoder is None or encoder.encoding_.width is not None:
        return None
    for column, coding in encoder.encoding_.coded:
        if coding.kind == "text" or (coding.hashed and target == "ONNX"):
            raise ValueError(
                f"model must not hash {encoder.kinds_[column]} columns to be exported "
                f"to {target}, got {column!r}; leave it out, or make features of it "
                "before"
            )
    return encoder.encoding_


def linear_mean(model: Any) -> tuple[FloatArray, float]:
    """Return weights and intercept of a regressor whose mean is linear; refuse others.

    Examples
    --------
    >>> model = BayesRegressor(boundary="curved", cosines=5).fit([[1.0], [2.0]], [0, 1])
    >>> linear_mean(model)
    Traceback (most recent call last):
    ValueError: model must have a linear boundary, and numbers as targets, to be \
exported, got BayesRegressor(boundary='curved', cosines=5)
    """
    known = model.likelihood
    numbers = known is None or known.labels == Labels.NUMBERS
    if model.boundary != "linear" or not numbers:
        raise ValueError(
            "model must have a linear boundary, and numbers as targets, to be "
            f"exported, got {model!r}"
        )
    return model.coef_, model.intercept_


def class_weights(model: Any) -> FloatArray | None:
    """Return the factors of the probabilities of classes; None without any."""
    if getattr(model, "class_weight", None) is None:
        return None
    check_class_weight(model.class_weight, model.classes_)
    return class_factors(model.class_weight, model.classes_, model._counts)
