"""Report of a training run as plain values, for people and for other programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.estimators import BayesPerceptron
from rosenblatt.estimators.columns import column_report
from rosenblatt.tables.encoding import class_array
from rosenblatt.training.loop import Run
from rosenblatt.training.record import BINS, STEP, Metrics, Record

_GROUPS = 10  # of equal width in probability, for calibration
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
    record, classes = run.record, class_array(run.classes).tolist()
    found: dict[str, Any] = {
        "model": type(model).__name__,
        "parameters": {
            key: value if isinstance(value, int | float | str | None) else repr(value)
            for key, value in model.get_params(deep=False).items()
        },
        "files": list(run.options.files),
        "target": run.options.target,
        "finished": run.finished,
        "classes": classes,
        "features": len(run.encoder.names),
        "rows": record.rows,
        "judged": "row by row"
        if isinstance(model, BayesPerceptron)
        else "batch by batch",
        "error": record.error,
        "log_loss": record.mean_log_loss,
        "auc": record.metrics.auc,
        "skipped": record.skipped,
        "first_skipped": record.first_skipped,
        "missing": record.missing,
        "other_categories": record.other,
        "curve": _curve(record),
        "majority_error": record.majority_error,
        "progressive": evaluation(record.metrics, classes, run.costs()),
    }
    if record.test is not None:
        found["test"] = evaluation(record.test, classes, run.costs())
    if hasattr(model, "classes_"):
        found |= _later(model, record, run.costs())
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


def _later(model: Any, record: Record, costs: Any) -> dict[str, Any]:
    """Return the errors for rows up to 10% ahead, and whether they are larger."""
    later = getattr(model, "later_", None)
    if later is None or not later.rows or record.error is None:
        return {}
    names = ("rows", "error", "log_loss", "auc")
    found = dict(zip(names, _floats(later), strict=True))
    if costs is not None:  # its decisions are others
        return {"later": found | {"error": None}, "changes": False}
    chance = later.error * (1.0 - later.error) / min(later.rows, _SAMPLED)
    worse = later.error - record.error > _SURE * math.sqrt(chance)
    return {"later": found, "changes": worse}


def _curve(record: Record) -> list[dict[str, float | None]]:
    """Return points of the learning curve: errors so far, and since the last point."""
    points: list[dict[str, float | None]] = []
    before = [0.0, 0.0, 0.0, 0.0]
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


def _weights(run: Run, top: int) -> list[dict[str, Any]]:
    """Return the weights that matter most, of each class that has any.

    A hashed feature is minus 1 where a value or word with a negative sign is there. The
    weight shown is that of the value or word.
    """
    model, names, classes = (
        run.model,
        run.encoder.names,
        class_array(run.classes).tolist(),
    )
    means = np.atleast_2d(np.asarray(model.coef_, float)) * run.encoder.signs()
    spreads = None
    if hasattr(model, "coef_std_"):
        spreads = np.atleast_2d(np.asarray(model.coef_std_, float))
    found = []
    for k, label in enumerate(classes[1:] if len(means) == 1 else classes):
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


def evaluation(
    found: Metrics, classes: Sequence[Any], costs: npt.ArrayLike | None = None
) -> dict[str, Any]:
    """Return all metrics that can be computed from counts, by name.

    Precision, recall and F1 are of the second of two classes, or the mean over the
    classes if there are more.

    Examples
    --------
    >>> codes, predicted = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> found = evaluation(Metrics.of(codes, predicted, 2), ["no", "yes"])
    >>> found["error"], found["majority_error"], round(found["f1"], 2)
    (0.25, 0.5, 0.8)
    """
    known: dict[str, Any] = {"rows": found.rows}
    if not found.rows:
        return known
    known["error"] = found.error
    known["majority_error"] = found.majority_error
    if costs is not None:
        known["cost"] = float(np.dot(found.wrong, costs)) / found.rows
    if found.log_loss is not None:
        known["log_loss"] = found.log_loss / found.rows
    if found.bins:
        known["auc"] = found.auc
        known["calibration"] = _calibration(np.array(found.bins))
    if found.confusion:
        table = np.array(found.confusion)
        right, two = np.diag(table).astype(float), len(table) == 2
        shown, there = table.sum(axis=0), table.sum(axis=1)
        for name, rate in (
            ("precision", right / np.maximum(shown, 1)),
            ("recall", right / np.maximum(there, 1)),
            ("f1", 2.0 * right / np.maximum(shown + there, 1)),
        ):
            known[name] = float(rate[1] if two else rate[there > 0].mean())
        names = [str(label) for label in classes]
        known["confusion"] = {
            label: dict(zip(names, row, strict=True))
            for label, row in zip(names, found.confusion, strict=True)
        }
    return known


def _calibration(bins: npt.NDArray[np.int64]) -> list[dict[str, float]]:
    """Return groups of predictions: rows, mean probability, and share of the class."""
    odds = (np.arange(BINS) - BINS // 2) * STEP
    share = 1.0 / (1.0 + np.exp(-odds))
    group = np.minimum((share * _GROUPS).astype(int), _GROUPS - 1)
    both = bins.sum(axis=0)
    found = []
    for k in range(_GROUPS):
        rows = int(both[group == k].sum())
        if rows:
            mean = float(np.dot(both[group == k], share[group == k])) / rows
            hits = float(bins[1][group == k].sum()) / rows
            found.append({"rows": rows, "predicted": mean, "observed": hits})
    return found
