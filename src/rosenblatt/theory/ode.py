"""Learning curves for N to infinity: the drift, integrated."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence

import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp

from rosenblatt.compiling import compiled
from rosenblatt.compiling.jit import Rate, mapped
from rosenblatt.core import (
    AverageShift,
    Clock,
    Drift,
    Heading,
    Rule,
    Stream,
    Teacher,
    starts,
)
from rosenblatt.core.arguments import increasing
from rosenblatt.core.trace import trace
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.jumps import rate_jumps
from rosenblatt.specification.parts import Parts, ScheduleLike, gather
from rosenblatt.theory.drift import OverlapDrift, State

__all__ = ["solve", "states"]

_RELATIVE = 1e-11  # tolerance of a step; errors of whole curves are a few times that
# Absolute tolerances, for a state's entries that pass through zero; side2 does not.
_ABSOLUTE = np.array([1e-13, 1e-44, 1e-12, 1e-13, 1e-14])
_EFFORT = 200_000  # evaluations of the drift before giving up: about a minute
_FEW = 10_000  # the same in logarithmic time; most curves take 1000
# Where to start, relative to the first alpha, if 0 itself is singular: because of the
# rate, which makes earlier times stiff and soon forgotten; or else only for the state.
_EARLY = 1e-4
_VERY_EARLY = 1e-10
_EARLIEST = 1e-30  # alpha; each decade of time before it costs as much as one after
_LATEST = (
    1e30  # alpha; soon after it, rounding of the drift ends in a false fixed point
)
_AGREE = 1e-5  # what two such starts may differ by


def _integrate(
    drift: OverlapDrift,
    rate: Rate,
    state: State,
    begin: float,
    alpha: FloatArray,
    breaks: Sequence[tuple[float, float]] = (),
    tolerance: float = _RELATIVE,
) -> FloatArray:
    """Return the states at all alphas, none of which is before ``begin``.

    The rate jumps at ``breaks``, where the integration stops and starts again.
    """
    ends = [pair for pair in breaks if begin < pair[1] < alpha[-1]]
    rows, now = [], np.array(state)
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


def _advice(drift: OverlapDrift) -> str:
    """Return what to try where there may be no curve to follow."""
    shift = drift.rule.shift
    if not isinstance(shift, AverageShift) or shift.uniform:
        return ""
    return (
        "; a shift along the field grows without bound where w.M is 0, so that start "
        "must have w.M > 0, as the rule's own with opening > 0"
    )


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
                f"{time:g}; if the rule is not smooth, its kinks must say where"
                f"{_advice(drift)}"
            )
        now = State(*(float(v) for v in values))
        eta = float(rate(Clock(min(time, last), now.mistakes, math.inf)))
        try:
            slope = drift(now, eta, time)
        except OverflowError:  # of a power of a plain number
            slope = np.full(len(values), np.inf)
        if not np.isfinite(slope).all():
            raise ArithmeticError(
                f"the drift of {drift.rule!r} is not finite at alpha = {time:g}, with "
                f"rate {eta:g} and {now}"
            )
        return slope

    def in_logarithm(u: float, values: FloatArray) -> FloatArray:
        return math.exp(u) * derivative(begin + math.expm1(u), values)

    # Alphas that differ by rounding only have the same logarithm.
    passed = np.log1p(alpha - begin) if logarithmic else alpha - begin
    wanted, place = np.unique(passed, return_inverse=True)
    if not np.isfinite(state).all():
        raise ArithmeticError(
            f"the state of {drift.rule!r} is not finite at alpha = {begin:g}: {state}"
        )
    if wanted[-1] == 0:
        return np.array([state] * len(alpha))
    found = solve_ivp(
        in_logarithm if logarithmic else lambda t, y: derivative(begin + t, y),
        (0.0, wanted[-1]),
        state,
        method="LSODA",
        t_eval=wanted,
        rtol=tolerance,
        atol=_ABSOLUTE * (tolerance / _RELATIVE),
    )
    if not found.success or not np.isfinite(found.y).all():
        reached = found.t[-1] if len(found.t) else 0.0
        raise ArithmeticError(
            f"the curve of {drift.rule!r} could not be followed beyond alpha = "
            f"{begin + (math.expm1(reached) if logarithmic else reached):g}: "
            f"{found.message}{_advice(drift)}"
        )
    return np.asarray(found.y.T[place])


def _off_zero(
    drift: OverlapDrift, state: State, slope: FloatArray, time: float
) -> State:
    """Return the state shortly after one without a side, by one step.

    A teacher that does not turn at random leaves along a straight line.
    """
    along, across, side2 = state.along + time * slope[0], 0.0, time * slope[1]
    if drift.drift is not None and drift.heading != Heading.RANDOM:
        across = -time * drift.drift.velocity * state.along
        side2 += across**2
    tilt = 0.0
    if drift.heading == Heading.PLANE and side2 > 0:
        tilt = across / math.sqrt(side2)
    return state._replace(along=along, side2=side2, tilt=tilt)


def _changing(
    drift: OverlapDrift,
    rate: Rate,
    state: State,
    begin: float,
    alpha: FloatArray,
    breaks: Sequence[tuple[float, float]],
    tolerance: float,
) -> FloatArray:
    """Return the states at all alphas, with the abrupt changes of the teacher."""
    times = (drift.drift.changes if drift.drift is not None else None) or ()
    rows = []
    for end in [*(t for t in times if begin <= t < alpha[-1]), float(alpha[-1])]:
        inside = np.append(alpha[(alpha >= begin) & (alpha <= end)], end)
        found = _integrate(drift, rate, state, begin, inside, breaks, tolerance)
        rows.append(found[:-1])
        alpha, begin = alpha[alpha > end], end
        if alpha.size:
            assert drift.drift is not None
            state = State(*found[-1]).changed(drift.drift.angle(math.inf))
    return np.concatenate(rows)


def _first(drift: OverlapDrift, rate: Rate, state: State, alpha: float) -> State:
    """Return the state at a first alpha where time 0 itself is singular.

    Starts closer and closer to 0 must agree, or else there is no curve.
    """
    early = alpha * _VERY_EARLY
    if not math.isfinite(rate(Clock(0.0, 0.0, math.inf))):
        early = alpha * _EARLY
        while early > 1e-15 and early * rate(Clock(early, early, math.inf)) ** 2 < 1e3:
            early *= 0.1  # until large rates have time to forget the beginning
    found = []
    for begin in (early, 0.1 * early):
        slope = drift(state, float(rate(Clock(begin, begin, math.inf))), begin)
        now = state._replace(mistakes=begin * slope[3])
        if state.side2 == 0:  # one step by hand takes it off zero
            now = _off_zero(drift, now, slope, begin)
        found.append(_integrate(drift, rate, now, begin, np.array([alpha]))[-1])
    one, other = found
    if np.abs(one - other).max() > _AGREE * np.abs(other).max():
        raise ArithmeticError(
            f"the curve of {drift.rule!r} could not be determined for N to infinity: "
            "it depends on how the first, large rates are cut off; give the schedule "
            "an offset, or normalise the rule"
        )
    return State(*other)


def states(parts: Parts, alpha: FloatArray, tolerance: float = _RELATIVE) -> FloatArray:
    """Return the :class:`State` at each alpha; a tolerance of a step may be larger."""
    rate = compiled(parts.schedule)
    slope = OverlapDrift(parts.rule, parts.teacher, parts.stream, parts.drift)
    nothing = np.random.default_rng(0)  # is random in the limit
    begun = parts.start.state(slope.setting, nothing, ())
    first, until = begun.student, parts.start.until
    early = [parts.start.at(time) for time in alpha[alpha <= until]]
    rows = [np.array([State.at(*s.draw(slope.setting, nothing))]) for s in early]
    if parts.rule.normalised:  # from the first update on
        length = float(np.linalg.norm(first))
        first = first / length if length > 0 else np.array([0.0, 0.0, 1.0])
    along, across, rest = first
    # The average of label * x is a multiple of the first student, if there is one.
    product = begun.average * begun.student[2] * rest
    state = State.at(along, across, rest, until * product)
    later = alpha[alpha > until]
    if later.size:
        begin, drift = until, parts.drift
        if not math.isfinite(rate(Clock(begin, 0.0, math.inf))) or state.side2 == 0:
            begin = min(later[0], 1.0, *((drift and drift.changes) or ()))
            state = _first(slope, rate, state, begin)
        breaks = rate_jumps(parts.schedule, later[-1])
        rows.append(_changing(slope, rate, state, begin, later, breaks, tolerance))
    return np.concatenate(rows)


def solve(
    rule: Rule,
    schedule: ScheduleLike,
    teacher: Teacher | None = None,
    stream: Stream | None = None,
    *,
    alpha: float | Iterable[float],
    start: starts.Start | None = None,
    drift: Drift | None = None,
) -> xr.Dataset:
    """Return the learning curve of any rule for N to infinity.

    The averages over examples are integrals of the rule's own function, split at its
    kinks. The result has the variables of :func:`rosenblatt.simulate`, one replica, and
    ``mistakes`` per dimension.

    Parameters
    ----------
    rule, schedule, teacher, stream
        The parts; by default labels are noiseless and inputs isotropic.
    alpha
        Numbers of examples per weight at which the curve is wanted, increasing; 0, or
        from 1e-30 to 1e30.
    start
        The first student; by default what the rule asks for.
    drift
        The teacher's motion, see :mod:`rosenblatt.drifts`; by default it stands still.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> curve = rb.solve(rb.rules.Hebb(), rb.schedules.Constant(), alpha=[1, 100])
    >>> curve.error.values.round(6)
    array([[0.285634, 0.039687]])
    """
    parts = gather(rule, schedule, teacher, stream, start, drift)
    alphas = increasing("alpha", alpha)
    for wrong in alphas[((alphas > 0) & (alphas < _EARLIEST)) | (alphas > _LATEST)]:
        raise ValueError(
            f"alpha must be 0, or from {_EARLIEST} to {_LATEST}, got {wrong}"
        )
    records = [[*State(*row).coordinates, row[3]] for row in states(parts, alphas)]
    return trace(
        np.array([records]),
        alphas,
        functools.partial(parts.teacher.error, mapped(parts.teacher)),
        parts.stream.center,
        engine="theory",
        dim=math.inf,
        spec={**parts.describe(), "alpha": alphas.tolist()},
    )
