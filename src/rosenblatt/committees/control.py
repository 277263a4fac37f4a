"""The rate as a function of time that ends with the least error of a committee."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.committees.committee import Committee
from rosenblatt.committees.drift import CommitteeDrift
from rosenblatt.committees.gram import starting
from rosenblatt.committees.ode import first_state
from rosenblatt.core.arguments import part
from rosenblatt.core.types import FloatArray
from rosenblatt.theory.control import BestSchedule, Control

__all__ = ["best_schedule"]


def best_schedule(
    committee: Committee,
    *,
    alpha: float,
    start: Any = 0.5,
    rate: float = 0.5,
    knots: int = 24,
) -> BestSchedule:
    """Return the schedule of the first layer with the least error at ``alpha``.

    Parameters
    ----------
    committee, start
        As in :func:`rosenblatt.committees.solve`; the second layer is fixed.
    alpha
        Examples per dimension after which the error counts.
    rate
        First guess of a constant rate.
    knots
        Number of intervals between values of the rate.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> committee = rb.committees.Committee(rb.rules.Erf(), students=1, teachers=1)
    >>> best = rb.committees.best_schedule(committee, alpha=5, knots=2)
    >>> best.error < best.constant_error
    True
    """
    part("committee", Committee, committee)
    drift = CommitteeDrift(committee)
    given = starting(start, committee.gram, drift.students)
    whole_state = first_state(drift, given)
    size, outputs = drift.overlaps, whole_state[drift.overlaps :]

    def state(s: FloatArray) -> FloatArray:
        return np.concatenate([s, outputs])

    def change(s: FloatArray, eta: float) -> FloatArray:
        return drift(state(s), eta)[:size]

    def error(s: FloatArray) -> float:
        return float(drift.half_square(*drift.unpack(state(s))))

    control = Control(
        change, error, whole_state[:size], alpha=alpha, knots=knots,
        accuracy=drift.accuracy
    )  # fmt: skip
    return control.best(rate)
