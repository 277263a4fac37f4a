"""Integration of the drift between jumps of the rate and changes of the teacher."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.integrate import solve_ivp

from rosenblatt.compiling.jit import Rate
from rosenblatt.core import AverageShift, Clock
from rosenblatt.core.types import FloatArray
from rosenblatt.theory.drift import OverlapDrift, State

__all__ = ["RELATIVE", "integrate", "integrate_changes"]

RELATIVE = 1e-11  # tolerance of a step; errors of whole curves are a few times that
# Absolute tolerances, for a state's entries that pass through zero; side2 does not.
_ABSOLUTE = np.array([1e-13, 1e-44, 1e-12, 1e-13, 1e-14])
_EFFORT = 40_000  # evaluations of the drift before giving up: about five seconds
_LONG = 1e6  # length of weights which, or one over it, is the reason for a failure
_FEW = 10_000  # the same in logarithmic time; most curves take 1000


def integrate(
    drift: OverlapDrift,
    rate: Rate,
    state: State,
    begin: float,
    alpha: FloatArray,
    breaks: Sequence[tuple[float, float]] = (),
    tolerance: float = RELATIVE,
) -> FloatArray:
    """Return the states at all alphas, none of which is before ``begin``.

    The rate jumps at ``breaks``, where the integration stops and starts again.
    """
    ends = [pair for pair in breaks if begin < pair[1] < alpha[-1]]
    rows, now = [], np.array(state)
    if not np.isfinite(state).all():
        raise ArithmeticError(
            f"the state of {drift.rule!r} is not finite at alpha = {begin:g}: {state}"
        )
    for before, after in [*ends, (alpha[-1], alpha[-1])]:
        inside = alpha[(alpha >= begin) & (alpha < after)]
        if after == alpha[-1]:
            inside = alpha[alpha >= begin]
        wanted = np.append(inside, after)
        given = drift, rate, now, begin, before, wanted, tolerance
        try:
            found = _smooth(*given, logarithmic=True)
        except ArithmeticError:
            found = _smooth(*given, logarithmic=False)
        rows.append(found[:-1])
        now, begin = found[-1], after
    return np.concatenate(rows)


def _advice(drift: OverlapDrift, rate: Rate, values: FloatArray) -> str:
    """Return the likely reason why a curve cannot be followed, and what to do."""
    shift = drift.rule.shift
    if isinstance(shift, AverageShift) and not shift.uniform:
        return (
            "a shift along the field grows without bound where w.M is 0, so that start "
            "must have w.M > 0, as the rule's own with opening > 0"
        )
    length = math.hypot(values[0], math.sqrt(max(values[1], 0.0)))
    if not (length <= _LONG and length >= 1 / _LONG):
        way = "shrinks" if length < 1.0 else "grows"
        return (
            f"the length of the weights is {length:.1g} and {way} without end; "
            "Normalised(rule) keeps it, and the angle has a curve"
        )
    if not math.isfinite(rate(Clock(0.0, 0.0, math.inf))):
        return "the rate is infinite at alpha = 0; give the schedule an offset"
    return "if the rule is not smooth, its kinks must say where"


def _slope(
    drift: OverlapDrift, rate: Rate, last: float, time: float, values: FloatArray
) -> FloatArray:
    """Return the drift at a time, with the rate of times up to ``last``."""
    now = State(*values.tolist())
    eta = float(rate(Clock(min(time, last), now.mistakes, math.inf)))
    if eta < 0:
        raise ValueError(
            f"schedule must return rates that are not negative, got {eta:g} at alpha = "
            f"{time:g}"
        )
    try:
        slope = drift(now, eta, time)
    except OverflowError:  # of a power of a plain number
        slope = np.full(len(values), np.inf)
    if not np.isfinite(slope).all():
        raise ArithmeticError(
            f"the drift of {drift.rule!r} is not finite at alpha = {time:g}, with "
            f"rate {eta:g} and {now}; {_advice(drift, rate, values)}"
        )
    return slope


def _smooth(
    drift: OverlapDrift,
    rate: Rate,
    state: FloatArray,
    begin: float,
    last: float,
    alpha: FloatArray,
    tolerance: float,
    logarithmic: bool,
) -> FloatArray:
    """Return the states at all alphas, with the rate of times up to ``last``.

    In u = log(1 + t - begin) power laws are smooth, and take a third of the steps. At a
    fixed point, rounding of the drift grows as exp(u); there time itself is better.
    """
    evaluations = 0

    def derivative(time: float, values: FloatArray) -> FloatArray:
        nonlocal evaluations
        evaluations += 1
        if evaluations > (_FEW if logarithmic else _EFFORT):
            raise ArithmeticError(
                f"the curve of {drift.rule!r} takes too many steps at alpha = "
                f"{time:g}; {_advice(drift, rate, values)}"
            )
        return _slope(drift, rate, last, time, values)

    def in_logarithm(u: float, values: FloatArray) -> FloatArray:
        return math.exp(u) * derivative(begin + math.expm1(u), values)

    # Alphas that differ by rounding only have the same logarithm.
    passed = np.log1p(alpha - begin) if logarithmic else alpha - begin
    wanted, place = np.unique(passed, return_inverse=True)
    if wanted[-1] == 0:
        return np.array([state] * len(alpha))
    found = solve_ivp(
        in_logarithm if logarithmic else lambda t, y: derivative(begin + t, y),
        (0.0, wanted[-1]),
        state,
        method="LSODA",
        t_eval=wanted,
        rtol=tolerance,
        atol=_ABSOLUTE * (tolerance / RELATIVE),
    )
    if not found.success or not np.isfinite(found.y).all():
        reached = found.t[-1] if len(found.t) else 0.0
        last_known = found.y[:, -1] if len(found.t) else state
        raise ArithmeticError(
            f"the curve of {drift.rule!r} could not be followed beyond alpha = "
            f"{begin + (math.expm1(reached) if logarithmic else reached):g}: "
            f"{found.message}; {_advice(drift, rate, last_known)}"
        )
    return np.asarray(found.y.T[place])


def integrate_changes(
    drift: OverlapDrift,
    rate: Rate,
    state: State,
    begin: float,
    alpha: FloatArray,
    breaks: Sequence[tuple[float, float]],
    tolerance: float,
) -> FloatArray:
    """Return the states at all alphas, with the abrupt changes of the teacher."""
    times = (drift.motion.changes if drift.motion is not None else None) or ()
    rows = []
    for end in [*(t for t in times if begin <= t < alpha[-1]), float(alpha[-1])]:
        inside = np.append(alpha[(alpha >= begin) & (alpha <= end)], end)
        found = integrate(drift, rate, state, begin, inside, breaks, tolerance)
        rows.append(found[:-1])
        alpha, begin = alpha[alpha > end], end
        if alpha.size:
            assert drift.motion is not None
            state = State(*found[-1]).changed(drift.motion.angle(math.inf))
    return np.concatenate(rows)
