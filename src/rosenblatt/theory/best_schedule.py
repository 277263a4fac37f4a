r"""The rate as a function of time that makes a rule end closest to its teacher.

For a rule that keeps the student's length the angle is the whole state, and the best
rate makes it fall fastest at each time. For the perceptron this is, late,
:math:`\eta = 2 \sqrt{2\pi} / \alpha`.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.core import Rule, Teacher, starts
from rosenblatt.core.gaussian import PlaneMean
from rosenblatt.core.types import FloatArray
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import gather
from rosenblatt.theory.control import BestSchedule, Control
from rosenblatt.theory.drift import OverlapDrift
from rosenblatt.theory.drifting.stationary import Unknowns

__all__ = ["best_schedule"]

_ACCURACY = 1e-11  # of the drift


def best_schedule(
    rule: Rule,
    teacher: Teacher | None = None,
    *,
    alpha: float,
    start: starts.Start | None = None,
    rate: float = 1.0,
    knots: int = 32,
) -> BestSchedule:
    """Return the schedule with the least error after ``alpha`` examples per weight.

    Parameters
    ----------
    rule, teacher, start
        As in :func:`rosenblatt.solve`; inputs are isotropic.
    alpha
        Examples per weight after which the error counts.
    rate
        First guess of a constant rate.
    knots
        Number of intervals between values of the rate.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> rule = rb.rules.Normalised(rb.rules.Perceptron())
    >>> best = rb.theory.best_schedule(rule, alpha=10, knots=3)
    >>> best.error < best.power_error < best.constant_error
    True
    """
    parts = gather(rule, Constant(), teacher, None, start)
    drift = OverlapDrift(parts.rule, parts.teacher, parts.stream)
    unknowns = Unknowns(drift, 1.0)
    begun = parts.start.state(drift.setting, np.random.default_rng(0), ())
    along, *others = begun.student
    side, length = float(np.linalg.norm(others)), float(np.linalg.norm(begun.student))
    if length == 0:
        if not parts.rule.normalised:
            raise ValueError(
                f"start must be a student that is not 0, got {parts.start!r}"
            )
        side, length = 1.0, 1.0
    first = np.array(
        [math.log(math.tan(math.atan2(side, along) / 2)), math.log(length), 0.0]
    )[unknowns.free]

    def change(x: FloatArray, eta: float) -> FloatArray:
        unknowns.rate, unknowns.evaluations = eta, 0
        return unknowns.derivative(x)

    def error(x: FloatArray) -> float:
        angle, nothing = unknowns.whole(x)[0], np.zeros(1)
        found = drift.teacher.error(
            drift.positive, np.array([angle]), PlaneMean(nothing, nothing)
        )
        return float(found[0])

    control = Control(
        change, error, first, alpha=alpha, knots=knots, accuracy=_ACCURACY
    )
    return control.best(rate)
