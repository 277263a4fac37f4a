"""Learning curves of committees for N to infinity: the drift, integrated."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp

from rosenblatt.compiling import compiled
from rosenblatt.compiling.jit import Rate
from rosenblatt.core import Clock
from rosenblatt.core.arguments import increasing, part
from rosenblatt.core.types import FloatArray
from rosenblatt.networks.committee import Committee
from rosenblatt.networks.drift import CommitteeDrift
from rosenblatt.networks.gram import starting
from rosenblatt.networks.result import labelled
from rosenblatt.specification.parts import RefusalError, ScheduleLike, schedule_of
from rosenblatt.specification.records import describe
from rosenblatt.theory.ode import segments

__all__ = ["solve"]

_RELATIVE, _ABSOLUTE = 1e-10, 1e-13  # tolerances of a step with closed forms
_NOISE = 10.0, 0.1  # relative and absolute tolerance over the accuracy of averages


def _smooth(
    drift: CommitteeDrift,
    rate: Rate,
    state: FloatArray,
    begin: float,
    alpha: FloatArray,
) -> FloatArray:
    """Return the states at all alphas, between which the rate does not jump."""
    last = alpha[-1]

    def derivative(time: float, now: FloatArray) -> FloatArray:
        eta = float(rate(Clock(min(time, last), math.nan, math.inf)))
        with np.errstate(all="ignore"):
            slope = drift(now, eta)
        if not np.isfinite(slope).all():
            raise ArithmeticError(
                f"the drift of the committee is not finite at alpha = {time:g}, with "
                f"rate {eta:g} of the schedule and overlaps {now.tolist()}"
            )
        return slope

    if last == begin:
        return np.array([state] * len(alpha))
    wanted = np.unique(alpha)
    relative, absolute = (factor * drift.accuracy for factor in _NOISE)
    # An explicit method: it treats all units alike, so that the symmetry of a plateau
    # is broken by the start alone.
    found = solve_ivp(
        derivative, (begin, last), state, method="DOP853", t_eval=wanted,
        rtol=max(_RELATIVE, relative), atol=max(_ABSOLUTE, absolute)
    )  # fmt: skip
    if not found.success:
        raise ArithmeticError(
            "the curve of the committee could not be followed beyond alpha = "
            f"{found.t[-1] if len(found.t) else begin:g}: {found.message}"
        )
    return np.asarray(found.y.T[np.searchsorted(wanted, alpha)])


def solve(
    committee: Committee,
    schedule: ScheduleLike,
    *,
    alpha: float | Iterable[float],
    start: Any = 0.5,
) -> xr.Dataset:
    """Return the learning curve of a committee for N to infinity.

    Parameters
    ----------
    committee
        Student and teacher.
    schedule
        The rate, a function of ``time`` only; any function of the clock.
    alpha
        Numbers of examples per dimension at which the curve is wanted, increasing.
    start
        First overlaps, a pair R (K, M) and Q (K, K). A number is the length of random
        students, which have no overlap with anything in the limit: units that begin
        alike stay alike.

    Returns
    -------
    xarray.Dataset
        The variables of :func:`rosenblatt.networks.simulate`, for one replica.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> committee = rb.networks.Committee(rb.rules.Erf(), students=1, teachers=1)
    >>> curve = rb.networks.solve(committee, rb.schedules.Constant(1.0), alpha=[0, 10])
    >>> curve.error.values.round(5)
    array([[0.23076, 0.0012 ]])
    """
    part("committee", Committee, committee)
    if committee.classify:
        raise RefusalError(
            "committee must not classify, since the theory is that of the squared "
            "error; networks.simulate takes it"
        )
    schedule = schedule_of(schedule)
    rate = compiled(schedule)
    alphas = increasing("alpha", alpha)
    drift = CommitteeDrift(committee)
    given = starting(start, committee.gram, drift.students)
    if isinstance(given, tuple):
        state = drift.pack(*given)
    else:
        shape = drift.students, drift.teachers
        state = drift.pack(np.zeros(shape), given**2 * np.eye(drift.students))
    rows, begin = [], 0.0
    ends = [pair for pair in segments(schedule, alphas[-1]) if pair[1] < alphas[-1]]
    for before, after in [*ends, (alphas[-1], math.inf)]:
        inside = alphas[(alphas >= begin) & (alphas < after)]
        found = _smooth(drift, rate, state, begin, np.append(inside, before))
        rows.append(found[:-1])
        state, begin = found[-1], after
    cross, own = drift.unpack(np.concatenate(rows)[None])
    spec = describe(
        **vars(committee), schedule=schedule, start=given, alpha=alphas.tolist()
    )
    outputs = np.broadcast_to(committee.student_weights, own.shape[:-1])
    return labelled(
        (cross, own, outputs, drift.error(cross, own)),
        alphas,
        {"engine": "theory", "dim": math.inf, "spec": json.dumps(spec)},
    )
