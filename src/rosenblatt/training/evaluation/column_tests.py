r"""Joint tests of the features of each column of a table.

A category has a weight for each level, and only differences of these mean anything:
what all have in common belongs to the intercept. With the differences d from the first
level, the reference, and their covariance C, the test that all levels are alike is

.. math:: W = d^T C^{-1} d,   \tag{1}

which has a chi-squared law with a degree of freedom for each difference. The test of
other columns is the same with the weights themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.special import gammaincc, ndtri

from rosenblatt.tables import Encoder

__all__ = ["column_report", "column_tests"]


def column_report(model: Any, *, level: float = 0.95) -> list[dict[str, Any]]:
    """Return what a model has learned of each column of its table.

    Parameters
    ----------
    model
        A model with a Gaussian belief that has learned a table: of ``fit`` with a
        DataFrame, of :func:`rosenblatt.train`, or from a file.
    level
        Probability of the credible intervals.

    Returns
    -------
    list of dict
        For each column its joint test, as ``rosenblatt inspect`` prints it, and
        ``effects``: for each class and feature the mean weight, and ``low`` and
        ``high``, between which it is. Those of a category are relative to its first
        level, with the slope and the noise of the model taken as known.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from rosenblatt import BayesPerceptron
    >>> side = np.array(["left", "right", "left", "up"] * 50)
    >>> table = pd.DataFrame({"side": side, "size": np.arange(200.0) % 7})
    >>> model = BayesPerceptron().fit(table, side == "right")
    >>> best = column_report(model)[0]
    >>> best["column"], best["effects"][0]["feature"], best["effects"][0]["low"] > 0
    ('side', 'side=right', True)
    """
    encoder = getattr(model, "encoder_", None)
    if encoder is None or not hasattr(model, "coef_belief"):
        raise TypeError(
            "model must have learned a table and have a Gaussian belief, got "
            f"{type(model).__name__} {'with' if encoder else 'without'} encoder_"
        )
    plan, groups = encoder.encoding, dict(encoder.encoding.groups())
    intervals, signs = model.coef_interval(level), plan.signs()
    labels = model.classes_.tolist()
    labels = labels[1:] if len(intervals) == 1 else labels
    reach = float(ndtri(0.5 + 0.5 * level))
    found = column_tests(model, plan)
    for entry in found:
        places, effects = groups[entry["column"]], []
        mean, covariance = model.coef_belief(places)
        own = signs[places]
        mean, covariance = mean * own, covariance * np.outer(own, own)
        relative = entry["kind"] in ("one-hot", "hash")
        for k, label in enumerate(labels):
            for i, j in enumerate(places):
                low, high = sorted((intervals[k, j] * own[i]).tolist())
                value = mean[k, i]
                if relative:
                    if i == 0:
                        continue
                    C = covariance[k]
                    value = mean[k, i] - mean[k, 0]
                    wide = reach * (C[i, i] + C[0, 0] - 2.0 * C[0, i]) ** 0.5
                    low, high = value - wide, value + wide
                effects.append(
                    {
                        "class": label,
                        "feature": plan.names[j],
                        "mean": float(value),
                        "low": float(low),
                        "high": float(high),
                    }
                )
        entry["effects"] = effects
    return found


def column_tests(model: Any, encoder: Encoder) -> list[dict[str, Any]]:
    """Return the joint test of each column, the most significant first.

    Each entry has the statistic, its degrees of freedom and p-value, and the weights of
    a category relative to its first level. Columns that look like an id come last: what
    the model makes of them holds for no other row. It is empty for models without a
    belief.
    """
    if not hasattr(model, "coef_belief") or encoder.width is not None:
        return []
    kinds = dict(zip(encoder.columns.texts, encoder.codings, strict=True))
    every, found = encoder.signs(), []
    for column, places in encoder.groups():
        coding = kinds.get(column)
        category = coding is not None and coding.kind in ("one-hot", "hash")
        mean, covariance = model.coef_belief(places)
        signs = every[places]
        levels = [encoder.names[j] for j in places]
        entry: dict[str, Any] = {
            "column": column,
            "kind": "number" if coding is None else coding.kind,
            "id": column in encoder.ids,
            **_test(mean * signs, covariance * np.outer(signs, signs), category),
        }
        if category and len(mean) == 1 and len(places) > 1:
            entry["reference"] = levels[0].removeprefix(f"{column}=")
            entry["levels"] = {
                name.removeprefix(f"{column}="): float(m - mean[0, 0] * signs[0])
                for name, m in zip(levels, mean[0] * signs, strict=True)
                if m != 0.0  # it has not occurred
            }
        found.append(entry)
    return sorted(
        found, key=lambda entry: (entry["id"], entry["p"], -entry["statistic"])
    )


def _test(
    mean: npt.NDArray[np.float64], covariance: npt.NDArray[np.float64], category: bool
) -> dict[str, float]:
    """Return the statistic of eq. (1), its degrees of freedom and its p-value."""
    statistic, degrees = 0.0, 0
    for m, C in zip(mean, covariance, strict=True):
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
