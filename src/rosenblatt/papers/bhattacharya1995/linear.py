r"""Section 4.1: claims about the linear case.

The distributions behind the table are wide and often have two parts. The reason is the
constant input. Its weight moves by :math:`\pm \eta`, and those of the features, near
50, by 50 times as much. Yet it has to become 60 times as large as they are. With gains
that fall like :math:`1/t` that takes longer than a million examples in part of the
runs. These stay at the best classifier through the origin.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize_scalar

from rosenblatt.core.types import FloatArray
from rosenblatt.papers.bhattacharya1995 import conclusions
from rosenblatt.papers.bhattacharya1995.exhibits import median, shares
from rosenblatt.papers.bhattacharya1995.problems import (
    LINEAR,
    SEED,
    disparity,
    run,
    short_run,
)
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import Evidence, allow, claim, erratum, expect, fill
from rosenblatt.papers.estimates import average

__all__ = [
    "CLAIMS",
    "ERRATA",
    "best_without_constant",
]

Shown = Callable[[bool], FloatArray]


def best_without_constant(sigma: int) -> float:
    """Return the least error of a line through the origin.

    Examples
    --------
    >>> round(100 * best_without_constant(10), 2)
    7.1
    """
    stream = LINEAR[sigma].stream

    def error(angle: float) -> float:
        return float(stream.error([math.cos(angle), math.sin(angle), 0.0]))

    # one mean on each side
    found = minimize_scalar(error, bounds=(-math.pi / 2, 0), options={"xatol": 1e-9})
    return float(found.fun)


def _event(event: conclusions.Event, *sigmas: int) -> Shown:
    """Return which runs show it, in all problems together."""

    def shown(quick: bool) -> FloatArray:
        runs = [short_run(LINEAR[sigma], quick) for sigma in sigmas]
        return np.concatenate([event(shares(found)) for found in runs])

    return shown


def _further(sigma: int) -> Shown:
    """Return in which runs b(t) of eta1 exceeds the mean of the others."""

    def shown(quick: bool) -> FloatArray:
        weights = short_run(LINEAR[sigma], quick)["weights"].values[:, :, -1]
        return conclusions.slower(disparity(LINEAR[sigma], weights))

    return shown


@claim("bhattacharya1995/fig1/nearly-equal", "section 4.1, after figure 2")
@expect(0.25, catches=0.25)
@allow(0.25, "the conclusion is in words: differences are smaller than to eta1")
def _nearly(quick: bool) -> Measurement:
    """eta2, eta3 and eta4 perform nearly equally well, sigma = 15. Range of their
    medians of a(t), over the distance of eta1's median from the largest of them. The
    ratio plus 5 standard errors must be below 1/2.

    The standard error is from samples of the runs with repetition.
    """
    a = shares(short_run(LINEAR[15], quick))
    chosen = np.random.default_rng(SEED).integers(0, len(a), (200, len(a)))

    def ratio(medians: FloatArray) -> FloatArray:
        others = medians[..., 1:]
        gap = medians[..., 0] - others.max(axis=-1)
        return np.asarray(np.ptp(others, axis=-1) / gap)

    error = float(ratio(np.median(a[chosen], axis=1)).std(ddof=1))
    return Measurement(float(ratio(np.median(a, axis=0))) + 5 * error, 0.0)


@claim("bhattacharya1995/fig2/start", "figure 2, t = 0")
@expect(math.hypot(0.005, 0.035), catches=1e-6)
@allow(1e-12, "rounding")
def _start(quick: bool) -> Measurement:
    """b(0), the disparity of the starting vector: the distance of (0.01, -0.03) from
    (0.015, 0.005).
    """
    return Measurement(float(disparity(LINEAR[5], np.array(LINEAR[5].start))), 0.0)


def _stuck(sigma: int) -> Claim:
    @claim(f"bhattacharya1995/table1/no-constant-{sigma}", f"table 1, sigma = {sigma}")
    @expect(100 * best_without_constant(sigma), catches=0.5)
    @allow(0.05, "the direction is not quite the best one either")
    @fill(published=LINEAR[sigma].table[0])
    def measure(quick: bool) -> Measurement:
        """The {published} of eta1 = 1/t is about the least error that there is without
        a constant term, which is not learnt. Median of exact errors, in percent.
        """
        final = short_run(LINEAR[sigma], quick)["error"].sel(schedule="eta1")
        return median(100 * final.values[:, -1])

    return measure


@erratum("bhattacharya1995/erratum/eta1", "section 4.1, after figure 2")
def _by_chance(quick: bool) -> Evidence:
    """Printed: eta2, eta3 and eta4 perform better than eta1 (for all sigma, said of the
    figures with sigma = 5, 15 and 25).

    Correct: this holds at sigma = 5 to 15, though not from the beginning. At
    sigma = 25, eta1 is the worst in a quarter of the runs, as often as by chance.
    """
    return Evidence(
        quantity="share of runs in which eta1 is worse than the other three, sigma = 25"
        " (in table 1 it is the best)",
        printed=Measurement(1.0, 0.0),
        expected=Measurement(0.25, 0.0),
        measured=average(_event(conclusions.worst, 25)(quick)),
    )


_BEST = float(np.mean([min(problem.table) for problem in LINEAR.values()]))


@claim("bhattacharya1995/table1/best-perceptron", "section 4.1, end")
# expected from the printed values
@expect(_BEST, catches=0.6, tolerance=2.0)
def _best(quick: bool) -> Measurement:
    """The best of the perceptrons is nearly as good as the Bayes classifier. Lowest
    value of the gains in percent, mean over the rows of table 1. That of the Bayes
    classifier is 3.80. The paper has a single run, and the standard error is that of
    one.
    """
    lowest = [shares(run(p, quick)).min(axis=1) for p in LINEAR.values()]
    each = np.mean(lowest, axis=0)
    spread = float(each.std(ddof=1)) * math.sqrt(1 + 1 / each.size)
    return Measurement(float(each.mean()), spread)


CLAIMS = (
    _best,
    _start,
    _stuck(10),
    _stuck(15),
    *(
        conclusions.mostly(
            f"table1/eta1-worse-{sigma}",
            "section 4.1, after figure 2",
            f"a(t) of eta1 is above the mean of the other gains, sigma = {sigma}.",
            _event(conclusions.slower, sigma),
        )
        for sigma in (10, 15)
    ),
    *(
        conclusions.mostly(
            f"fig2/eta1-worse-{sigma}",
            "section 4.1, after figure 2",
            f"b(t) of eta1 is above the mean of the other gains, sigma = {sigma}.",
            _further(sigma),
        )
        for sigma in (5, 15)
    ),
    _nearly,
    conclusions.mostly(
        "table1/eta3-better-than-eta1",
        "section 1, end, and section 3",
        "A gain that depends on the problem is better: eta3 is at least as good as "
        "eta1, sigma = 5 to 20.",
        _event(conclusions.adaptive, 5, 10, 15, 20),
    ),
)

ERRATA = (_by_chance,)
