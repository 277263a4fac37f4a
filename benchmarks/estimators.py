"""Classifiers against those of other libraries, through public methods only.

One table and one plot for all: a contest names the work, ours and a peer's time for it,
and the goal. To add a peer, yield more contests.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy.sparse import csr_matrix

from benchmarks import measure
from benchmarks.measure import Row
from rosenblatt.compiling import kernel, types
from rosenblatt.plotting.figures import label_ticks

# The time of the thread itself: on a shared machine waiting does not count.
seconds = partial(measure.seconds, clock=time.thread_time)
# Columns and rows: 80 to 200 MB, more than the caches hold.
DENSE = ((20, 1_000_000), (100, 400_000), (1000, 50_000), (5000, 10_000))
SPARSE = ((1_000, 150_000), (10_000, 150_000))
ENTRIES = 50  # that are not zero in a row of a sparse table


@dataclass(frozen=True)
class Contest:
    """The same work, done by us and by a peer."""

    group: str  # rows of the same kind, one panel of the plot
    work: str
    peer: str
    ours: float  # seconds for each row
    theirs: float
    goal: float | None = None  # how many times faster
    bound: float | None = None  # seconds to read a row from memory

    @property
    def ratio(self) -> float:
        """Time of the peer over ours."""
        return self.theirs / self.ours

    @property
    def row(self) -> Row:
        """A row of the table."""
        taken = f"{1e9 * self.ours:.0f} ns a row"
        if self.bound is not None:
            taken += f", {1e9 * self.bound:.0f} to read it"
        return Row(
            f"{self.group}: {self.work}",
            f"{self.ratio:.1f} times {self.peer} ({taken})",
            "" if self.goal is None else f">= {self.goal:g} times",
            self.goal is None or self.ratio >= self.goal,
        )


@kernel(types.float32, types.Array(types.float32, 1, "C", readonly=True))
def _read(numbers):
    total = numbers[0]
    for i in range(1, numbers.size):
        total += numbers[i]
    return total


def reading(X) -> float:
    """Return how long it takes to read a dense row from memory, in seconds."""
    _read(X.reshape(-1)[:10])
    return seconds(lambda: _read(X.reshape(-1)), repeats=5) / len(X)


def labels(X, rng):
    """Return labels of a noisy linear teacher."""
    fields = X @ rng.standard_normal(X.shape[1]).astype(X.dtype)
    blur = 0.3 * fields.std() * rng.standard_normal(fields.size)
    return (fields + blur > 0).astype(np.int64)


def dense_rows(columns, rows, seed=0):
    """Return rows in single precision and their labels."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, columns), dtype=np.float32)
    return X, labels(X, rng)


def sparse_rows(columns, rows, seed=0):
    """Return sparse rows in double precision and their labels."""
    rng = np.random.default_rng(seed)
    places = np.sort(rng.integers(0, columns, (rows, ENTRIES)), axis=1)
    entries = rng.standard_normal(places.size)
    ends = np.arange(0, places.size + 1, ENTRIES)
    X = csr_matrix((entries, places.ravel(), ends), shape=(rows, columns))
    X.sum_duplicates()
    return X, labels(X, rng)


def one_by_one(model, X, y) -> float:
    """Return the seconds that a row takes if rows come one by one."""

    def learn():
        for i in range(len(X)):
            model.partial_fit(X[i : i + 1], y[i : i + 1])

    return seconds(learn) / len(X)


def table(contests: Iterable[Contest], path: Path) -> Iterator[Row]:
    """Yield the rows of all contests, and draw them at the end."""
    seen = []
    for contest in contests:
        seen.append(contest)
        yield contest.row
    plot(seen, path)


def plot(contests: list[Contest], path: Path) -> None:
    """Draw how many times faster we are, beside the goals."""
    groups = list(dict.fromkeys(contest.group for contest in contests))
    heights = [sum(contest.group == group for contest in contests) for group in groups]
    figure = Figure(figsize=(8, 1.2 + 0.34 * sum(heights)), layout="constrained")
    axes = figure.subplots(
        len(groups), 1, squeeze=False, gridspec_kw={"height_ratios": heights}
    )[:, 0]
    for ax, group in zip(axes, groups, strict=True):
        found = [contest for contest in contests if contest.group == group]
        places = np.arange(len(found))[::-1]
        colours = ["C0" if contest.row.met else "C3" for contest in found]
        ax.barh(places, [contest.ratio for contest in found], 0.6, color=colours)
        for place, contest in zip(places, found, strict=True):
            if contest.goal is not None:
                ax.plot([contest.goal] * 2, [place - 0.4, place + 0.4], "k")
            if contest.bound is not None:
                most = contest.theirs / contest.bound
                ax.plot([most] * 2, [place - 0.4, place + 0.4], "0.6")
        ax.set_yticks(places, [f"{contest.work}, {contest.peer}" for contest in found])
        ax.set_title(group, fontsize=9, loc="left")
        ax.axvline(1, color="0.8", zorder=0)
        ax.set_xscale("log")
        label_ticks(ax.xaxis)
    figure.supxlabel(
        "times faster (black: goal; grey: as fast as rows can be read from memory)",
        fontsize=10,
    )
    part = path.with_suffix(".part.png")
    figure.savefig(part, dpi=150)
    os.replace(part, path)
