"""Numbers of a fitted model, as exports to other languages need them."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.bayes import Filter
from rosenblatt.bayes.cosines import CLIP, Regression
from rosenblatt.bayes.curved import FLOOR, WIDER, Curved
from rosenblatt.bayes.predictive import SCALES
from rosenblatt.bayes.regression import FAR
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
from rosenblatt.likelihoods import Gaussian, Poisson, StudentT

__all__ = [
    "ESTIMATORS",
    "WAVES",
    "FilterNumbers",
    "FunctionNumbers",
    "LawNumbers",
    "class_weights",
    "estimator_name",
    "exportable",
    "filters",
    "functions",
    "law",
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
    """The functions of a length scale, or an expert of a regression.

    With z the standardised and clipped inputs, the features f are ``amplitudes *
    sin(frequencies @ z + phases)``, of which the last is 1, and then z. The functions
    have the means ``f @ mean``. All have the variance ``f @ covariance @ f`` in units
    of the square of a deviation, to which ``floor`` is added.
    """

    units: tuple[FloatArray, FloatArray]  # center, and one over the scale
    clip: float
    frequencies: FloatArray  # (sines, columns)
    phases: FloatArray
    amplitudes: FloatArray
    mean: FloatArray  # (sines + columns, classes)
    covariance: FloatArray
    floor: float


def functions(curved: Curved) -> list[FunctionNumbers]:
    """Return the numbers of the functions of a curved boundary, eq. (1) there."""
    own = curved.regression
    scales = WIDER * own.functions.noise / curved.classes
    return _functions(own, scales, np.full(len(scales), FLOOR**2))


def _functions(
    own: Regression, scales: FloatArray, floors: FloatArray
) -> list[FunctionNumbers]:
    """Return the numbers of functions, whose covariances are multiplied by scales."""
    known, columns, found = own.functions, own.rows.shape[1], []
    order = np.arange(known.mean.shape[1])  # cosines, columns, 1
    order = np.r_[order[: -columns - 1], order[-1], order[-columns - 1 : -1]]
    for e, amplitudes in enumerate(own.amplitudes):
        half = np.tril(known.covariance[e])
        whole = half + np.tril(half, -1).T
        found.append(
            FunctionNumbers(
                (known.center, known.inverse_scale),
                CLIP,
                np.pi * np.vstack([own.frequencies[e], np.zeros(columns)]),
                np.pi * np.append(own.phases[e] + 0.5, 0.5),
                np.append(amplitudes, 1.0),
                known.mean[e][order],
                whole[np.ix_(order, order)] * scales[e],
                floors[e],
            )
        )
    return found


class LawNumbers(NamedTuple):
    """The law of a number: parts with the given weights.

    The variance of a part is ``wider`` times that of its function and its ``floor``. Of
    counts these are mean and variance of the logarithm of the rate.
    """

    parts: list[FunctionNumbers]
    weights: FloatArray
    wider: FloatArray
    counts: bool


def law(model: BayesRegressor) -> LawNumbers:
    """Return the numbers of the law that a regressor predicts, for its horizon.

    Examples
    --------
    >>> from rosenblatt.likelihoods import Logistic
    >>> model = BayesRegressor(Logistic()).fit([[1.0], [2.0]], [-1, 1])
    >>> law(model)
    Traceback (most recent call last):
    ValueError: model must have the likelihood None, Gaussian, StudentT or Poisson to \
be exported, got Logistic()
    """
    known, found, own = model.likelihood, [], model._experts.beliefs
    if not isinstance(known, Gaussian | StudentT | Poisson | None):
        raise ValueError(
            "model must have the likelihood None, Gaussian, StudentT or Poisson to be "
            f"exported, got {known!r}"
        )
    columns = own.center.size - 1
    fields = model._experts.predict(np.zeros((1, columns)))
    noise, dof, unit = fields.noise[:, 0], fields.dof[:, 0], own.unit
    floors, scales = noise, noise
    if known is not None:
        outside = 0.0 if isinstance(known, Poisson) else known.moments()(0.0)[1]
        floors, scales = noise + outside, noise + unit**2
    order = np.r_[columns, :columns]  # 1 comes first
    for e, place in enumerate(own.experts):
        mean = unit * own.mean[place][order]
        mean[0] += own.center[-1]
        found.append(
            FunctionNumbers(
                (own.center[:-1], own.inverse_scale[:-1]),
                FAR,
                np.zeros((1, columns)),
                np.array([0.5 * np.pi]),
                np.ones(1),
                mean[:, None],
                own.covariance[place][np.ix_(order, order)] * scales[e],
                floors[e],
            )
        )
    curved = model._experts.curved
    if curved is not None:
        first = len(found)
        for one in _functions(curved, noise[first:], floors[first:]):
            mean = unit * one.mean
            mean[len(one.phases) - 1] += own.center[-1]
            found.append(one._replace(mean=mean))
    wider = np.ones(len(found))
    mixed = model._experts.mixed(np.zeros((1, columns)), known, model._ahead())
    weights = mixed.weights.sum(axis=2)[:, 0]
    used = weights > 0.0
    if known is None:
        wider = dof / (dof - 2.0) * (mixed.weights @ SCALES**2)[:, 0]
        wider[used] /= weights[used]
    parts = [part for part, own in zip(found, used, strict=True) if own]
    counts = isinstance(known, Poisson)
    return LawNumbers(parts, weights[used], wider[used], counts)


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


def class_weights(model: Any) -> FloatArray | None:
    """Return the factors of the probabilities of classes; None without any."""
    if getattr(model, "class_weight", None) is None:
        return None
    check_class_weight(model.class_weight, model.classes_)
    return class_factors(model.class_weight, model.classes_, model._counts)
