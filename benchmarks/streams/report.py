"""Tables and a picture of the results, for the terminal, files and the guide."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from benchmarks.data import Data
from benchmarks.formatting import rounded
from benchmarks.streams.baseline import BEFORE, OURS
from benchmarks.streams.protocol import Learner, Result
from benchmarks.streams.store import Results

FIGURES = {
    "Error": lambda result: result.score.error,
    "Log-loss": lambda result: result.score.log_loss,
    "Microseconds a row": lambda result: result.microseconds,
    "Memory, MiB": lambda result: result.memory,
}
FORMATS: dict[str, Callable[[float], str]] = {
    "Error": "{:.4f}".format,
    "Log-loss": "{:.4f}".format,
    "Microseconds a row": rounded,
}
LIBRARIES = ("numpy", "river", "scikit-learn", "vowpalwabbit")


def markdown(
    results: Results, streams: list[Data], learners: list[Learner], missing: list[str]
) -> str:
    """Return all tables; what is missing is said first."""
    sizes = ", ".join(
        f"{data.name} {len(data.y)} x {data.X.shape[1]}, {data.n_classes} classes"
        for data in streams
    )
    versions = ", ".join(f"{name} {version(name)}" for name in LIBRARIES if _here(name))
    lines = [f"**Missing:** {what}." for what in missing]
    lines += [
        f"Streams (rows x columns): {sizes}.",
        f"{platform.machine()}, Python {platform.python_version()}, {versions}.",
    ]
    lines += [_leaders(results, learners, title) for title in ("Error", "Log-loss")]
    for title, figure in FIGURES.items():
        lines.append(f"**{title}**")
        lines.append(
            _table(results, learners, figure, FORMATS.get(title, "{:.1f}".format))
        )
    return "\n\n".join(lines)


def _leaders(results: Results, learners: list[Learner], title: str) -> str:
    """Return a sentence: where our learner is the best linear one, and who else is."""
    linear = [learner.name for learner in learners if learner.linear]
    others, first = [], 0
    for stream, found in results.items():
        each = [(FIGURES[title](found[name]), name) for name in linear]
        value, best = min(pair for pair in each if np.isfinite(pair[0]))
        first += best == OURS
        if best != OURS:
            others.append(f"{stream} {value:.4f} ({best})")
    return (
        f"{title}: `{OURS}` is the best linear learner in {first} of {len(results)} "
        f"streams. The others: {', '.join(others) or 'none'}."
    )


def _here(name: str) -> bool:
    try:
        return bool(version(name))
    except ImportError:  # PackageNotFoundError is one
        return False


def _table(
    results: Results,
    learners: list[Learner],
    figure: Callable[[Result], float],
    form: Callable[[float], str],
) -> str:
    """Return a table: a row for each learner, a column for each stream."""
    rows = [["", *results], ["---"] * (len(results) + 1)]
    for learner in learners:
        cells = [learner.name + ("" if learner.linear else " (not linear)")]
        for found in results.values():
            value = figure(found[learner.name])
            cells.append(form(value) if np.isfinite(value) else "")
        rows.append(cells)
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def picture(results: Results, learners: list[Learner], path: Path) -> None:
    """Draw error and log-loss of all learners, a line for each stream."""
    figure = Figure(figsize=(10, 1.4 + 0.42 * len(results)), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True)
    places = np.arange(len(results))[::-1]
    styles = {
        OURS: {"marker": "o", "color": "C3", "s": 60, "zorder": 4},
        BEFORE: {"marker": "|", "color": "k", "s": 160, "zorder": 3},
    }
    other = {"marker": "o", "color": "0.6", "s": 22, "zorder": 2}
    curved = {"marker": "D", "facecolors": "none", "edgecolors": "C0", "zorder": 3}
    for ax, (title, value) in zip(axes, list(FIGURES.items())[:2], strict=True):
        seen = set()
        for learner in learners:
            style = styles.get(learner.name, other if learner.linear else curved)
            label = "other linear learners"
            if learner.name in styles or not learner.linear:
                label = learner.name + ("" if learner.linear else " (not linear)")
            found = [value(results[stream][learner.name]) for stream in results]
            ax.scatter(found, places, **style, label="" if label in seen else label)
            seen.add(label)
        ax.set_xscale("log")
        ax.set_xlabel(f"{title.lower()}, each row predicted before it was learned")
        ax.grid(alpha=0.3)
    axes[0].set_yticks(places, list(results))
    figure.legend(
        *axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4,
        frameon=False,
    )  # fmt: skip
    part = path.with_suffix(".part.png")
    figure.savefig(part, dpi=120)
    os.replace(part, path)
