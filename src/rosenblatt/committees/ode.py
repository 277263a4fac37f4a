"""Learning curves of committees for N to infinity: the drift, integrated."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp

from rosenblatt.committees.arguments import RateLike, check_rates, rate_of, turning
from rosenblatt.committees.committee import Committee
from rosenblatt.committees.drift import CommitteeDrift
from rosenblatt.committees.gram import Start, starting
from rosenblatt.committees.result import labelled
from rosenblatt.compiling import compiled
from rosenblatt.core import Clock, Motion, Schedule
from rosenblatt.core.arguments import increasing, part
from rosenblatt.core.types import FloatArray
from rosenblatt.specification.codec import describe
from rosenblatt.theory.ode import rate_jumps

__all__ = ["first_state", "follow", "solve"]

_RELATIVE, _ABSOLUTE = 1e-10, 1e-13  # tolerances of a step with closed forms
_NOISE = 10.0, 0.1  # relative and absolute tolerance over the accuracy of averages
_GROWN = 1e8  # overlaps over the first ones, of students that diverge
_FAST = 1e6  # growth of overlaps in a unit of alpha, likewise


def follow(
    drift: CommitteeDrift,
    schedules: tuple[Schedule, Schedule],
    state: FloatArray,
    begin: float,
    alpha: FloatArray,
) -> FloatArray:
    """Return the states at all alphas, between which no rate jumps."""
    last = alpha[-1]
    rates = compiled(schedules[0]), compiled(schedules[1])
    most = _GROWN * max(1.0, np.abs(state).max())

    def derivative(time: float, now: FloatArray) -> FloatArray:
        clock = Clock(min(time, last), math.nan, math.inf)
        eta, second = float(rates[0](clock)), float(rates[1](clock))
        check_rates(schedules, (eta, second), f"at alpha = {time:g}")
        with np.errstate(all="ignore"):
            slope = drift(now, eta, second) if np.isfinite(now).all() else now
        if not np.isfinite(slope).all():
            raise ArithmeticError(
                f"the drift of the committee is not finite at alpha = {time:g}, with "
                f"rates {eta:g} and {second:g} of the schedules and overlaps "
                f"{now.tolist()}"
            )
        length, growth = np.abs(now).max(), np.abs(slope).max()
        if length > most or growth > _FAST * (1 + length):
            raise ArithmeticError(
                f"the students diverge at alpha = {time:g}, where an overlap is "
                f"{length:.3g} and changes by {growth:.3g} in a unit of alpha; "
                "rate may be too large"
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


def first_state(drift: CommitteeDrift, given: Start) -> FloatArray:
    """Return the packed state of a checked start."""
    if isinstance(given, tuple):
        return drift.pack(*given)
    shape = drift.students, drift.teachers
    return drift.pack(np.zeros(shape), given**2 * np.eye(drift.students))


def _changes(motion: Motion | None) -> tuple[tuple[float, ...], float]:
    """Return the times of the teacher's changes, and the cosine of each."""
    if motion is None or motion.changes is None:
        return (), 1.0
    return motion.changes, math.cos(motion.angle(math.inf))


def solve(
    committee: Committee,
    rate: RateLike,
    *,
    alpha: float | Iterable[float],
    second_rate: RateLike = 0.0,
    motion: Motion | None = None,
    start: Any = 0.5,
) -> xr.Dataset:
    """Return the learning curve of a committee for N to infinity.

    Steps have a tolerance of 1e-10, or ten times the accuracy of averages without a
    closed form. Errors below about 1e-9, or 1e-7 without a closed form, are therefore
    noise: they rise and fall, and may be 0.

    Parameters
    ----------
    committee
        Student and teacher, with any activation.
    rate
        The rate of the first layer: a number, a schedule of ``time``, or any function
        of the clock.
    alpha
        Numbers of examples per dimension at which the curve is wanted, increasing.
    second_rate
        The rate of the second layer, likewise; by default its weights are fixed.
    motion
        The teacher's motion, see :mod:`rosenblatt.motions`. Its units turn together. In
        a ``Rotation`` each has a plane of its own, and the first students no overlap
        with the velocities. ``Retreat`` is for K = M = 1 only.
    start
        First overlaps, a pair R (K, M) and Q (K, K). A number is the length of random
        students, which have no overlap with anything in the limit: units that begin
        alike stay alike.

    Returns
    -------
    xarray.Dataset
        The variables of :func:`rosenblatt.committees.simulate`, for one replica.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> committee = rb.committees.Committee(rb.rules.Erf(), students=1, teachers=1)
    >>> curve = rb.committees.solve(committee, 1.0, alpha=[0, 10])
    >>> curve.error.values.round(5)
    array([[0.23076, 0.0012 ]])
    """
    part("committee", Committee, committee)
    schedules = rate_of("rate", rate), rate_of("second_rate", second_rate)
    alphas = increasing("alpha", alpha)
    times, cosine = _changes(turning(motion, committee.units))
    theory = CommitteeDrift(committee, motion)
    given = starting(start, committee.gram, theory.students)
    state = first_state(theory, given)
    jumps = (pair for one in schedules for pair in rate_jumps(one, alphas[-1]))
    stops = {after: before for before, after in jumps} | {time: time for time in times}
    rows, begin, left = [], 0.0, alphas
    for after in [*sorted(time for time in stops if time < alphas[-1]), math.inf]:
        # a change of the teacher acts after its time, a jump of a rate at it
        early = left <= after if after in times else left < after
        last = stops.get(after, alphas[-1])
        found = follow(theory, schedules, state, begin, np.append(left[early], last))
        rows.append(found[:-1])
        state, begin, left = found[-1], after, left[~early]
        if after in times:
            state[: theory.students * theory.teachers] *= cosine
    cross, own, outputs = theory.unpack(np.concatenate(rows)[None])
    spec = describe(
        "committees.solve", **vars(committee), rate=schedules[0],
        second_rate=schedules[1], motion=motion, start=given, alpha=alphas.tolist()
    )  # fmt: skip
    return labelled(
        (cross, own, outputs, theory.error(cross, own, outputs)),
        alphas,
        {"engine": "theory", "dim": math.inf, "spec": json.dumps(spec)},
    )
