"""Picture of a trained model: learning curve, calibration, columns, forgetting."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rosenblatt.plotting.figures import label_ticks, new_axes
from rosenblatt.system.atomic_files import replacing

__all__ = ["draw_trained", "effects"]

_WIDTH, _HEIGHT = 4.6, 3.8  # inches of a panel
_MOST = 15  # columns that are drawn
_ROOM = 1.08  # top of the learning curve, in largest values
_LEAST = 0.1  # smallest statistic that is drawn; far less than 1 means nothing
_BETWEEN = 0.6  # part of a row in which classes are beside each other
_ACROSS = 3  # panels in one row, but four are a square


def draw_trained(known: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a picture of a trained model; the ending of the name says which kind.

    Parameters
    ----------
    known
        Facts about the model, from :func:`rosenblatt.training.facts`.
    path
        The file.
    """
    tested = known.get("test") or known["progressive"]
    panels: list[tuple[Callable[[Axes, Any], None], Any]] = []
    if known["curve"]:
        panels.append((_curve, known))
    if tested.get("calibration"):
        panels.append((_calibration, tested["calibration"]))
    if known.get("columns"):
        panels.append((_columns, known["columns"][:_MOST]))
    if len(known.get("forgetting", {}).get("curve", ())) > 1:
        panels.append((_forgetting, known["forgetting"]))
    if not panels:
        raise ValueError("a picture needs a model that has learned rows")
    figure, places = _panels(len(panels))
    for axes, (draw, data) in zip(places, panels, strict=True):
        draw(axes, data)
    with replacing(path) as partial:
        figure.savefig(partial, format=Path(path).suffix[1:].lower() or None, dpi=160)


def _panels(count: int) -> tuple[Figure, list[Axes]]:
    """Return a new figure and its panels; four are a square."""
    across = 2 if count == 4 else min(count, _ACROSS)
    down = -(-count // across)
    figure = Figure((_WIDTH * across, _HEIGHT * down), layout="constrained")
    panels = [figure.add_subplot(down, across, 1 + place) for place in range(count)]
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)
    return figure, panels


def effects(report: list[dict[str, Any]], ax: Axes | None = None) -> Figure:
    """Return a drawing of the effects of columns, with their credible intervals.

    Parameters
    ----------
    report
        The columns, from :meth:`rosenblatt.estimators.BayesPerceptron.report`; some of
        them, if there are many.
    ax
        Axes to draw into, for a figure of your own; by default a new figure. A curved
        boundary has a panel for each column, and needs a new figure.

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt import BayesPerceptron
    >>> X = np.random.default_rng(0).standard_normal((200, 3))
    >>> report = BayesPerceptron().fit(X, X[:, 0] > 0).report()
    >>> effects(report).axes[0].get_yticklabels()[-1].get_text()
    'column 0'
    """
    curves = [column for column in report if "curve" in column]
    if curves and ax is None:
        return _effect_curves(curves[:_MOST])
    shown = [one for column in report for one in column["effects"]][::-1]
    if not shown:
        raise ValueError("report must have an effect or more, got none")
    figure, axes = new_axes(ax)
    names = list(dict.fromkeys(one["feature"] for one in shown))
    classes = list(dict.fromkeys(one["class"] for one in shown))[::-1]
    for k, label in enumerate(classes):
        own = [one for one in shown if one["class"] == label]
        mean, low, high = (
            np.array([one[key] for one in own]) for key in ("mean", "low", "high")
        )
        places = np.array([names.index(one["feature"]) for one in own])
        apart = _BETWEEN * (k - (len(classes) - 1) / 2) / len(classes)
        axes.errorbar(
            mean,
            places - apart,
            xerr=np.abs([mean - low, high - mean]),
            fmt="o",
            capsize=2,
            label=str(label),
        )
    axes.axvline(0.0, color="grey", ls=":")
    axes.set_yticks(range(len(names)), [name.replace("$", r"\$") for name in names])
    axes.set(xlabel="effect on the field, with its credible interval")
    if len(classes) > 1:
        axes.legend(edgecolor="none", title="class")
    return figure


def _effect_curves(columns: list[dict[str, Any]]) -> Figure:
    """Draw mean probabilities, or mean predictions, against values of columns."""
    figure, panels = _panels(len(columns))
    for axes, column in zip(panels, columns, strict=True):
        curve = column["curve"]
        first = 1 if len(curve["classes"]) == 2 else 0
        for k, label in list(enumerate(curve["classes"]))[first:]:
            low, high = curve["low"][:, k], curve["high"][:, k]
            (line,) = axes.plot(curve["values"], curve["mean"][:, k], label=str(label))
            axes.fill_between(
                curve["values"], low, high, color=line.get_color(), alpha=0.2, lw=0.0
            )
        axes.set(xlabel=str(column["column"]).replace("$", r"\$"))
        if len(curve["classes"]) == 1:
            axes.set(ylabel="mean prediction, with its band")
        else:
            axes.set(ylabel="mean probability, with its band", ylim=(0.0, 1.0))
    if len(columns[0]["curve"]["classes"]) > 1:
        panels[0].legend(edgecolor="none", title="class")
    return figure


def _curve(axes: Axes, known: dict[str, Any]) -> None:
    """Draw the error since the last point, and that of the most frequent label."""
    points = [point for point in known["curve"] if point["recent_error"] is not None]
    rows = [point["rows"] for point in points]
    numbers = "rmse" in known["progressive"]
    label = "root mean squared error" if numbers else "error"
    axes.plot(rows, [p["recent_error"] for p in points], "o-", label=label)
    losses = [p["recent_log_loss"] for p in points]
    if None not in losses and not numbers:
        axes.plot(rows, losses, "s--", label="log-loss")
    what = "mean_rmse" if numbers else "majority_error"
    if what in known["progressive"]:
        label = "of the mean" if numbers else "majority error"
        axes.axhline(known["progressive"][what], color="grey", ls=":", label=label)
    axes.set(title="Learning curve", xlabel="rows", ylabel="since the point before")
    axes.set(xscale="log", ylim=(0.0, _ROOM * axes.dataLim.y1))
    label_ticks(axes.xaxis)
    axes.legend(edgecolor="none")


def _calibration(axes: Axes, groups: list[dict[str, float]]) -> None:
    """Draw the observed share against the predicted probability."""
    p = np.array([group["predicted"] for group in groups])
    share = np.array([group["observed"] for group in groups])
    rows = np.array([group["rows"] for group in groups])
    axes.plot([0, 1], [0, 1], color="grey", ls=":")
    spread = 2.0 * np.sqrt(p * (1.0 - p) / rows)
    axes.errorbar(p, share, spread, fmt="o-", capsize=2)
    axes.set(
        title="Calibration",
        xlabel="predicted probability",
        ylabel="observed share",
        xlim=(0, 1),
        ylim=(0, 1),
    )


def _columns(axes: Axes, columns: list[dict[str, Any]]) -> None:
    """Draw the joint test of each column."""
    plain = [c["column"].replace("$", r"\$") for c in columns]  # no formulas
    ids = [" (id?)" * c["id"] for c in columns]
    names = [name + id for name, id in zip(plain, ids, strict=True)][::-1]
    sizes = [c["statistic"] / max(c["degrees"], 1) for c in columns][::-1]
    axes.barh(names, sizes)
    axes.axvline(1.0, color="grey", ls=":")  # the mean by chance
    axes.set(title="Columns", xlabel=r"$\chi^2$ per degree of freedom", xscale="log")
    axes.set_xlim(left=max(axes.get_xlim()[0], _LEAST))
    label_ticks(axes.xaxis)


def _forgetting(axes: Axes, known: dict[str, Any]) -> None:
    """Draw the half-life over the rows, with the changes that were noticed."""
    ends = [0, *(point["rows"] for point in known["curve"])]
    lives = [point["half_life"] or np.nan for point in known["curve"]]  # None: never
    axes.stairs(lives, ends, baseline=None, label="half-life")
    for place, change in enumerate(known["changes"]):
        label = "change noticed" if not place else None
        axes.axvline(change["row"], color="C3", ls="--", lw=1.0, label=label)
    axes.set(
        title="Forgetting", xlabel="rows", ylabel="half-life in rows", yscale="log"
    )
    axes.locator_params(axis="x", nbins=5)  # numbers of rows are long
    if known["changes"]:
        axes.legend(edgecolor="none")
