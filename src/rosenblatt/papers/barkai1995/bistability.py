r"""The two stable students of the shifted perceptron, and how often it learns each.

With the shift of eq. (13) the mean step is, apart from a part along the student,

.. math::
    \langle \epsilon \sigma (S - T) \rangle = \phi_0\,
        \frac{\mathrm{erf}(q / \sqrt 2)}{\mathrm{erf}(q_0 / \sqrt 2)}\, W_0,   \tag{1}

so that the student turns towards the teacher where :math:`q q_0 > 0` and towards its
opposite where :math:`q q_0 < 0`. At small rates the sign of the first q decides, which
for a random student is right in half of all cases. The paper says that the student
converges to the teacher, from an analysis of the teacher's neighbourhood.

The Hebbian student :math:`M / |M|` has :math:`q q_0 > 0` but for fluctuations of order
:math:`\alpha^{-1/2}`. The reason is that for Gaussian inputs M is a sum of positive
multiples of :math:`W_0` and of U (of -U if :math:`q_0 < 0`).
:class:`~rosenblatt.rules.Shifted` starts with it. A learned shift is zero while
:math:`W \cdot M \le 0`. There the regular rule leads out, so no such stable point
exists.
"""

from __future__ import annotations

import math

import numpy as np
import xarray as xr

from rosenblatt.core import Rule, starts
from rosenblatt.papers.barkai1995.equations import RULE, simulated
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import Evidence, allow, claim, erratum, expect, fill
from rosenblatt.papers.estimates import average
from rosenblatt.rules import AverageShift, Shifted
from rosenblatt.schedules import Constant, Power
from rosenblatt.streams import Gaussian
from rosenblatt.teachers import Sign
from rosenblatt.theory import solve

__all__ = ["CLAIMS", "ERRATA"]

# Figure 2 of the paper: noise, inputs and rate.
_NOISE, _MEAN, _OVERLAP = 0.2, 4.0, -1.95
_TEACHER, _STREAM = Sign(_NOISE), Gaussian(_MEAN, _OVERLAP)
_SCHEDULE = Power(2 * math.sqrt(math.pi / 2) * math.exp(_OVERLAP**2 / 2))
_LATE = 100.0  # alpha, where all runs have decided
_SIZE = 60  # N; what is wrong at the 250 of the figure is so here
_RULES = {
    "known": Shifted.known(RULE, _OVERLAP),
    "learned": Shifted(RULE),
    "along-field": Shifted(RULE, AverageShift(uniform=False)),
}


def _run(
    rule: Rule, start: starts.Start | None, replicas: int, dim: int, late: float
) -> xr.Dataset:
    return simulated(
        rule,
        _SCHEDULE,
        _TEACHER,
        _STREAM,
        dim=dim,
        alpha=late,
        replicas=replicas,
        start=start,
    )


def _none_wrong(
    name: str,
    rule: str,
    start: starts.Start | None,
    words: str,
    dim: int = _SIZE,
    late: float = _LATE,
) -> Claim:
    @claim(f"barkai1995/start/{name}", "section 3 and figure 2")
    @expect(0.0, catches=0.03)
    @fill(late=late, words=words, dim=dim)
    def measure(quick: bool) -> Measurement:
        """Share of 400 runs (quick: 200) that have learned the opposite of the teacher
        by alpha = {late:g}. They start from {words}, at N = {dim} and with the other
        numbers of figure 2.
        """
        replicas = 200 if quick else 400
        run = _run(_RULES[rule], start, replicas, dim, late)
        wrong = float((run["overlap"] < 0).mean())
        # At least the error of one run more or less.
        spread = math.sqrt(max(wrong, 1 / replicas) / replicas)
        return Measurement(wrong, spread)

    return measure


_RANDOM = starts.Random()
_OPPOSITE = starts.Overlap(-0.9, mean=-0.9 * _OVERLAP)
_SLOW = Constant(0.1)  # small enough to stay at either student
_LARGE = 2000  # N, where the theory is right to one percent


def _predicted(quick: bool) -> float:
    rule = _RULES["known"]
    curve = solve(rule, _SLOW, _TEACHER, _STREAM, alpha=_LATE, start=_OPPOSITE)
    return float(curve["error"][0, 0])


@erratum("barkai1995/erratum/convergence", "text after eq. (14)")
def _coin(quick: bool) -> Evidence:
    """Printed: the teacher is stable, so that the student converges to it.

    Correct: so is its opposite, and a random student ends there half of the time; a
    Hebbian start avoids that.
    """
    overlap, rate = 1.0, 0.02
    run = simulated(
        Shifted.known(RULE, overlap),
        Constant(rate),
        Sign(0.1),
        Gaussian(2.0, overlap),
        dim=20,
        alpha=15 / rate,
        replicas=200 if quick else 1500,
        start=starts.Random(),
    )
    return Evidence(
        quantity="share of runs from random students that end at the opposite of the "
        "teacher; T known, rate 0.02, p = 0.1, u = 2, q0 = 1, N = 20",
        printed=Measurement(0.0, 0.0),
        expected=Measurement(0.5, 0.0),
        measured=average(np.where(run["overlap"].values < 0, 1.0, 0.0)),
    )


@claim("barkai1995/start/opposite", "text after eq. (14)")
@expect(_predicted)
@allow(_MEAN**2 / _LARGE, "the theory leaves out terms of order u^2/N")
def _trapped(quick: bool) -> Measurement:
    """The opposite of the teacher is stable too. Error at the rate 0.1 with the numbers
    of figure 2, from there, T known; it stays close to 1 - p.
    """
    run = simulated(
        _RULES["known"],
        _SLOW,
        _TEACHER,
        _STREAM,
        dim=_LARGE,
        alpha=_LATE,
        replicas=5 if quick else 20,
        start=_OPPOSITE,
    )
    return average(run["error"].values)


CLAIMS = (
    _trapped,
    _none_wrong("known", "known", None, "the Hebbian student of alpha = 20, T known"),
    _none_wrong("learned", "learned", None, "the Hebbian student, T learned"),
    # A learned shift may take its time to find the way out.
    _none_wrong("learned-random", "learned", _RANDOM, "a random student", 20, 500.0),
    _none_wrong("learned-small", "learned", None, "the Hebbian student", 10, 500.0),
    _none_wrong("along-field", "along-field", _RANDOM, "a random student, T ~ field"),
)

ERRATA = (_coin,)
