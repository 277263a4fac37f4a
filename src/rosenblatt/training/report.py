"""Report of a training run as plain values, for people and for other programs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rosenblatt.estimators import BayesPerceptron, BayesRegressor
from rosenblatt.estimators.columns import column_report
from rosenblatt.training.loop import Run
from rosenblatt.training.parts import is_fitted
from rosenblatt.training.record import (
    Metrics,
    Numbers,
    Record,
    class_array,
    how_far,
)

# Standard errors between two errors before a stream is said to change. The rows by
# which later errors are measured count as so many at most: 64 for each growth by 10%,
# weighted by the rows that they stand for (rosenblatt.bayes.horizon).
_SURE, _SAMPLED = 3.0, 1300


def report(model: Any, top: int = 20) -> dict[str, Any]:
    r"""Return how a model of ``train`` has learned: error, columns, weights, curve.

    Parameters
    ----------
    model
        Result of ``train``, also if it was saved and loaded.
    top
        Number of weights of each class to name. Those that are most certainly not zero
        come first: by the mean in standard deviations, or else by the size of the
        weight.

    Examples
    --------
    >>> import tempfile
    >>> import rosenblatt as rb
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     print("size,won", *("12,yes", "3,no") * 50, sep="\n", file=file, flush=True)
    ...     known = report(rb.train(file.name, "won"))
    >>> known["model"], known["rows"], known["weights"][0]["feature"]
    ('BayesPerceptron', 100, 'size')
    """
    run = Run.of(model)
    record, task = run.record, run.task
    classes = class_array(run.classes).tolist()
    found: dict[str, Any] = {
        "model": type(model).__name__,
        "parameters": {
            key: value if isinstance(value, int | float | str | None) else repr(value)
            for key, value in model.get_params(deep=False).items()
        },
        "files": list(run.options.files),
        "target": run.options.target,
        "task": task.name,
        "finished": run.finished,
        "classes": classes,
        "features": len(run.encoder.names),
        "rows": record.rows,
        "judged": "row by row"
        if isinstance(model, BayesPerceptron | BayesRegressor)
        else "batch by batch",
        "skipped": record.skipped,
        "first_skipped": record.first_skipped,
        "missing": record.missing,
        "other_categories": record.other,
        "curve": _curve(record),
        "progressive": record.metrics.evaluation(classes, task.factors),
    }
    if record.test is not None:
        found["test"] = record.test.evaluation(classes, task.factors)
    if is_fitted(model):
        if later := task.later(model):
            found |= {"later": later, "ahead": how_far(model)}
            found["changes"] = _changes(later, record.metrics)
        found["weights"] = _weights(run, top)
        if hasattr(model, "report"):
            found["columns"] = column_report(model, plan=run.encoder)[:top]
        found["intercept"] = _floats(model.intercept_)
    for name in ("covariance_", "noise_", "threshold_"):
        if hasattr(model, name):
            value = getattr(model, name)
            found[name[:-1]] = value if isinstance(value, str) else _floats(value)
    if hasattr(model, "forgetting_"):
        known = model.forgetting_
        lives = zip(known.rows.tolist(), _floats(known.half_life), strict=True)
        found["forgetting"] = {
            "half_life": _floats(known.current)[0],
            "curve": [{"rows": rows, "half_life": life} for rows, life in lives],
            "changes": [change._asdict() for change in known.changes],
        }
    return found


def _changes(known: dict[str, Any], before: Metrics | Numbers) -> bool:
    """Return whether later rows are predicted worse than the next."""
    later = known.get("error")
    if later is None or not isinstance(before, Metrics) or before.error is None:
        return False
    chance = later * (1.0 - later) / min(known["rows"], _SAMPLED)
    return bool(later - before.error > _SURE * math.sqrt(chance))


def _curve(record: Record) -> list[dict[str, float | None]]:
    """Return points of the learning curve: errors so far, and since the last point.

    The error of numbers is the root of the mean squared error.
    """
    points: list[dict[str, float | None]] = []
    before: tuple[float, ...] = (0.0, 0.0, 0.0)
    end = (record.rows, *record.metrics.sums)
    root = math.sqrt if isinstance(record.metrics, Numbers) else float
    for rows, *sums in [*record.curve, *([end] if end not in record.curve else [])]:
        if not sums[0]:
            continue
        now = tuple(value or 0.0 for value in sums)
        point: dict[str, float | None] = {"rows": rows}
        for prefix, (judged, wrong, loss) in (
            ("", now),
            ("recent_", np.subtract(now, before).tolist()),
        ):
            some = bool(judged)
            point[f"{prefix}error"] = root(max(wrong / judged, 0.0)) if some else None
            known = some and sums[2] is not None
            point[f"{prefix}log_loss"] = loss / judged if known else None
        points.append(point)
        before = now
    return points


def _weights(run: Run, top: int) -> list[dict[str, Any]]:
    """Return the weights that matter most, of each class that has any.

    A hashed feature is minus 1 where a value or word with a negative sign is there. The
    weight shown is that of the value or word.
    """
    model, names = run.model, run.encoder.names
    classes = class_array(run.classes).tolist() or [run.options.target]
    means = np.atleast_2d(np.asarray(model.coef_, float)) * run.encoder.signs()
    spreads = None
    if hasattr(model, "coef_std_"):
        spreads = np.atleast_2d(np.asarray(model.coef_std_, float))
    found = []
    for k, label in enumerate(classes[1:] if len(classes) == 2 else classes):
        size = np.abs(means[k])
        if spreads is not None:
            with np.errstate(divide="ignore", invalid="ignore"):
                # a spread that is too small for a number tells nothing
                size = np.nan_to_num(size / spreads[k], nan=0.0, posinf=0.0)
        order = np.argsort(-size, kind="stable")[:top]
        for j in order.tolist():
            if means[k, j] == 0.0:
                continue
            entry = {"class": label, "feature": names[j], "mean": float(means[k, j])}
            if spreads is not None:
                entry["std"] = float(spreads[k, j])
                entry["ratio"] = float(size[j])
            found.append(entry)
    return found


def _floats(values: Any) -> list[float | None]:
    flat = np.asarray(values, float).ravel().tolist()
    return [v if math.isfinite(v) else None for v in flat]
