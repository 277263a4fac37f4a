"""Conclusions of the paper in words, as events of a single run.

Runs are compared by the paper's own measure, a(t) on a test set. The functions below
say for each run whether it shows the conclusion. Means are the probabilities that one
run, which is what the paper has, would have shown it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from rosenblatt.core.figures import TableData
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.bhattacharya1995.exhibits import shares
from rosenblatt.papers.bhattacharya1995.problems import Problem, short_run
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill

__all__ = [
    "adaptive",
    "best",
    "groups",
    "least_share",
    "listing",
    "mostly",
    "slower",
    "worst",
]

_ERRORS = 5.0  # standard errors, as in all statistical tests of the project

Event = Callable[[FloatArray], FloatArray]


def worst(a: FloatArray) -> FloatArray:
    """Return in which runs eta1 is worse than all others."""
    return np.asarray(a[:, 0] > a[:, 1:].max(axis=1), dtype=np.float64)


def slower(a: FloatArray) -> FloatArray:
    """Return in which runs eta1 is worse than the mean of the others."""
    return np.asarray(a[:, 0] > a[:, 1:].mean(axis=1), dtype=np.float64)


def best(a: FloatArray) -> FloatArray:
    """Return in which runs eta3 is better than all others, or equally good."""
    return np.asarray(a[:, 2] <= a.min(axis=1), dtype=np.float64)


def adaptive(a: FloatArray) -> FloatArray:
    """Return in which runs eta3 is better than eta1, or equally good."""
    return np.asarray(a[:, 2] <= a[:, 0], dtype=np.float64)


def groups(a: FloatArray) -> FloatArray:
    """Return in which runs eta1 and eta3 are both better than eta2 and eta4."""
    return np.asarray(
        a[:, [0, 2]].max(axis=1) < a[:, [1, 3]].min(axis=1), dtype=np.float64
    )


_EVENTS: dict[str, tuple[Event, str]] = {  # and their probability by chance
    "eta1 is the worst": (worst, "1/4"),
    "eta3 is the best, or as good": (best, "1/4, and ties"),
    "eta3 is at least as good as eta1": (adaptive, "1/2, and ties"),
    "eta1 and eta3 beat eta2 and eta4": (groups, "1/6"),
}


def listing(title: str, problems: Iterable[Problem], quick: bool) -> TableData:
    """Return the probabilities of all conclusions in each problem."""
    times = (1000, 10_000, 100_000) + (() if quick else (1_000_000,))
    results = [(problem, short_run(problem, quick)) for problem in problems]
    rows: list[tuple[str | float, ...]] = []
    for words, (event, chance) in _EVENTS.items():
        for problem, result in results:
            seen = event(np.array([problem.table]))[0]
            found = [round(float(event(shares(result, t)).mean()), 3) for t in times]
            rows.append((words, problem.name, "yes" if seen else "no", *found, chance))
    return TableData(
        title,
        "The share of runs that show the conclusion, by a(t) on a test set, and "
        "whether the published table shows it. By chance: the probability if gains do "
        "not matter.",
        (
            "conclusion",
            "problem",
            "in the published table",
            *(f"t = {t:g}" for t in times),
            "by chance",
        ),
        tuple(rows),
    )


def least_share(shown: FloatArray) -> Measurement:
    """Return the least share of all runs that these runs are compatible with.

    It is the lower end of the interval of Wilson with 5 standard errors. It is above
    one half if and only if the share exceeds one half by more than 5 standard errors.

    Examples
    --------
    >>> least_share(np.ones(75)).value
    0.75
    >>> round(least_share(np.repeat([1.0, 0.0], [75, 25])).value, 3)
    0.5
    """
    runs, share = shown.size, float(shown.mean())
    width = _ERRORS * math.sqrt(share * (1 - share) / runs + (_ERRORS / runs) ** 2 / 4)
    low = (share + _ERRORS**2 / (2 * runs) - width) / (1 + _ERRORS**2 / runs)
    return Measurement(low, 0.0)


def mostly(
    name: str, where: str, statement: str, shown: Callable[[bool], FloatArray]
) -> Claim:
    """Return the claim that more than half of all runs show something.

    ``shown`` returns 1 or 0 for each simulated run.
    """

    @claim(f"bhattacharya1995/{name}", where)
    @expect(0.75, catches=0.25)
    @allow(0.25, "the conclusion is in words: any share above one half will do")
    @fill(statement=statement)
    def measure(quick: bool) -> Measurement:
        """{statement} In more than half of all runs: the share of simulated runs less 5
        standard errors, which must be between 1/2 and 1.
        """
        return least_share(shown(quick))

    return measure
