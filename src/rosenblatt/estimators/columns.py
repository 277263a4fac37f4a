r"""Effects of the columns of a table, with credible intervals and joint tests.

A category has a weight for each level, and only differences of these mean anything:
what all have in common belongs to the intercept. With the differences d from the first
level, the reference, and their covariance C, the test that all levels are alike is

.. math:: W = d^T C^{-1} d,   \tag{1}

which has a chi-squared law with a degree of freedom for each difference. The test of
other columns is the same with the weights themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.special import gammaincc, ndtri

from rosenblatt.core.arguments import number
from rosenblatt.core.types import FloatArray

TARGET = "target"  # stands for the class in effects on a number
# Rows and values of the curve of a column; the part of its rows beyond either end.
_SHOWN, _POINTS, _RARE = 300, 25, 0.02


def dependence(
    rows: FloatArray,
    place: int,
    level: float,
    mean_over: Callable[[FloatArray], tuple[FloatArray, FloatArray]],
) -> dict[str, Any]:
    """Return values of a feature, and mean predictions if it had them in all rows.

    ``mean_over`` returns the mean of the predictions of rows, and its deviation; a few
    of the rows are enough. They are between ``low`` and ``high`` with a probability.
    """
    few = np.linspace(0, len(rows) - 1, min(len(rows), _SHOWN)).astype(int)
    shown, each = rows[few].copy(), []
    ends = np.linspace(_RARE, 1.0 - _RARE, _POINTS)
    values = np.unique(np.quantile(shown[:, place], ends))
    for value in values:
        shown[:, place] = value
        each.append(mean_over(shown))
    mean, wide = (np.stack(part) for part in zip(*each, strict=True))
    wide *= ndtri(0.5 + 0.5 * level)
    return {"values": values, "mean": mean, "low": mean - wide, "high": mean + wide}


def column_report(
    model: Any,
    rows: Any = None,
    level: float = 0.95,
    *,
    plan: Any = None,
    curve: Callable[[int], dict[str, Any]] | None = None,
) -> list[dict[str, Any]]:
    """Return what a model with a Gaussian belief has learned of each column.

    Parameters
    ----------
    model, rows, level
        A BayesPerceptron or BayesRegressor, the features of a table or None, and the
        probability of the intervals, as for its method ``report``.
    plan
        The encoding of the table, if it is not in the model yet.
    curve
        Returns the effect of a feature as a curve, if it has one.
    """
    level = number("level", level, low=0.0, high=1.0)
    columns, names, signs = _columns(model, plan)
    intervals, reach = model.coef_interval(level), float(ndtri(0.5 + 0.5 * level))
    intervals = intervals.reshape(-1, len(names), 2)  # of a regressor there is one
    labels = getattr(model, "classes_", np.array([TARGET])).tolist()
    labels = labels[-len(intervals) :]
    found = []
    for column, kind, suspected, places in columns:
        category = kind in ("one-hot", "hash")
        mean, covariance = model.coef_belief(places)
        entry: dict[str, Any] = {"column": column, "kind": kind, "id": suspected}
        entry |= _test(mean, covariance, signs[places], category)
        if rows is not None:
            parts = np.asarray(rows[:, places] @ mean.T)
            entry["spread"] = float(parts.std(axis=0).max())
        if curve is not None and len(places) == 1:
            entry["curve"] = curve(places[0])
        own = signs[places]
        mean, covariance = mean * own, covariance * np.outer(own, own)
        ends = np.sort(intervals[:, places] * own[:, None], axis=2)
        if category and places:
            entry["reference"] = names[places[0]].removeprefix(f"{column}=")
            occurred = mean != 0.0
            mean = mean - mean[:, :1]
            C = covariance - covariance[:, :1]
            variance = np.diagonal(C - C[:, :, :1], axis1=1, axis2=2)
            wide = reach * np.sqrt(np.maximum(variance, 0.0))
            ends = np.stack([mean - wide, mean + wide], axis=2)
        entry["effects"] = [
            {
                "class": label,
                "feature": names[j],
                "mean": float(mean[k, i]),
                "low": float(ends[k, i, 0]),
                "high": float(ends[k, i, 1]),
            }
            for k, label in enumerate(labels)
            for i, j in enumerate(places)
            if not category or (i > 0 and occurred[k, i])
        ]
        found.append(entry)
    return sorted(
        found, key=lambda entry: (entry["id"], entry["p"], -entry["statistic"])
    )


def _columns(model: Any, plan: Any) -> tuple[list[Any], list[str], FloatArray]:
    """Return names, kinds, likeness to an id and features of columns; feature names.

    Last come the signs of all features.
    """
    if plan is None and "encoder_" in vars(model):
        plan = model.encoder_.encoding_
    if plan is None:
        count = model.n_features_in_
        names = [f"column {j}" for j in range(count)]
        names = list(getattr(model, "feature_names_in_", names))
        plain = [(name, "number", False, [j]) for j, name in enumerate(names)]
        return plain, names, np.ones(count)
    kinds = {column: coding.kind for column, coding in plan.coded}
    columns = [
        (name, kinds.get(name, "number"), name in plan.ids, features)
        for name, features in plan.groups()
    ]
    return columns, plan.names, plan.signs()


def _test(
    mean: FloatArray, covariance: FloatArray, signs: FloatArray, category: bool
) -> dict[str, float]:
    """Return the statistic of eq. (1), its degrees of freedom and its p-value."""
    statistic, degrees = 0.0, 0
    for m, C in zip(mean * signs, covariance * np.outer(signs, signs), strict=True):
        variance = np.diag(C)
        occurred = (m != 0.0) & (variance > 0.0)
        known = np.flatnonzero(occurred & np.isfinite(m) & np.isfinite(variance))
        m, C = m[known], C[np.ix_(known, known)]
        if category:
            m, C = m[1:] - m[:1], C[1:, 1:] - C[1:, :1] - C[:1, 1:] + C[:1, :1]
        statistic += _distance2(m, C)
        degrees += len(m)
    p = float(gammaincc(degrees / 2, statistic / 2)) if degrees else 1.0
    return {"statistic": statistic, "degrees": degrees, "p": p}


def _distance2(m: npt.NDArray[np.float64], C: npt.NDArray[np.float64]) -> float:
    """Return eq. (1); of a singular covariance by the pseudo-inverse, which is slow."""
    if not len(m):
        return 0.0
    try:
        return float(m @ cho_solve(cho_factor(C), m))
    except LinAlgError:
        return float(m @ np.linalg.pinv(C, hermitian=True) @ m)
