"""Facts about a model as plain values, for people and for other programs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rosenblatt.estimators.columns import column_report
from rosenblatt.training.evaluation.metrics import report
from rosenblatt.training.record import evaluates_rows
from rosenblatt.training.trained import Trained

__all__ = ["facts"]


def facts(trained: Trained, top: int = 20) -> dict[str, Any]:
    r"""Return facts about a model: its settings, error, weights and learning curve.

    Parameters
    ----------
    trained
        Result of ``train`` or ``load``.
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
    ...     known = facts(rb.train(file.name, "won"))
    >>> known["model"], known["rows"], known["weights"][0]["feature"]
    ('BayesPerceptron', 100, 'size')
    """
    record, model = trained.record, trained.model
    classes = trained.classes.tolist()
    found: dict[str, Any] = {
        "model": type(model).__name__,
        "parameters": {
            key: value if isinstance(value, int | float | str | None) else repr(value)
            for key, value in model.get_params(deep=False).items()
        },
        "files": trained.settings["files"],
        "target": trained.encoder.columns.target,
        "finished": trained.finished,
        "classes": classes,
        "features": len(trained.encoder.names),
        "rows": record.rows,
        "judged": "row by row"
        if evaluates_rows(model, len(classes))
        else "batch by batch",
        "error": record.error,
        "log_loss": record.mean_log_loss,
        "skipped": record.skipped,
        "missing": record.missing,
        "other_categories": record.other,
        "curve": _curve(trained),
        "majority_error": record.majority_error,
        "progressive": report(record.metrics, classes, trained.costs),
    }
    if record.test is not None:
        found["test"] = report(record.test, classes, trained.costs)
    if hasattr(model, "classes_"):
        found["weights"] = _weights(trained, top)
        if hasattr(model, "report"):
            columns = column_report(model, plan=trained.encoder)
            found["columns"] = columns[:top]
        found["intercept"] = _floats(model.intercept_)
    for name in ("covariance_", "noise_", "threshold_"):
        if hasattr(model, name):
            value = getattr(model, name)
            found[name[:-1]] = value if isinstance(value, str) else _floats(value)
    if hasattr(model, "forgetting_"):
        found["forgetting"] = _forgetting(model.forgetting_)
    return found


def _forgetting(known: Any) -> dict[str, Any]:
    """Return half-lives over the rows, None for never, and changes of the stream."""
    lives = zip(known.rows.tolist(), _floats(known.half_life), strict=True)
    return {
        "half_life": _floats(known.current)[0],
        "curve": [{"rows": rows, "half_life": life} for rows, life in lives],
        "changes": [change._asdict() for change in known.changes],
    }


def _curve(trained: Trained) -> list[dict[str, float | None]]:
    """Return points of the learning curve: errors so far, and since the last point."""
    points: list[dict[str, float | None]] = []
    before = [0.0, 0.0, 0.0, 0.0]
    record = trained.record
    last = [] if record.point in record.curve else [record.point]
    for point in [*record.curve, *last]:
        if not point[1]:
            continue
        now = [0.0 if value is None else float(value) for value in point]
        judged = now[1] - before[1]
        loss = point[3] is not None
        points.append(
            {
                "rows": point[0],
                "error": now[2] / now[1],
                "recent_error": (now[2] - before[2]) / judged if judged else None,
                "log_loss": now[3] / now[1] if loss else None,
                "recent_log_loss": (
                    (now[3] - before[3]) / judged if loss and judged else None
                ),
            }
        )
        before = now
    return points


def _weights(trained: Trained, top: int) -> list[dict[str, Any]]:
    """Return the weights that matter most, of each class that has any.

    A hashed feature is minus 1 where a value or word with a negative sign is there. The
    weight shown is that of the value or word.
    """
    model, names = trained.model, trained.encoder.names
    classes = trained.classes.tolist()
    means = np.atleast_2d(np.asarray(model.coef_, float)) * trained.encoder.signs()
    spreads = None
    if hasattr(model, "coef_std_"):
        spreads = np.atleast_2d(np.asarray(model.coef_std_, float))
    labels = classes[1:] if len(means) == 1 else classes
    found = []
    for k, label in enumerate(labels):
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
