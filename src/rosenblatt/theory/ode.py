"""Learning curves for N to infinity: the drift, integrated."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable

import numpy as np
import xarray as xr

from rosenblatt.compiling import compiled
from rosenblatt.compiling.jit import Rate, mapped
from rosenblatt.core import (
    Clock,
    Heading,
    Motion,
    Rule,
    Stream,
    Teacher,
    starts,
)
from rosenblatt.core.arguments import increasing
from rosenblatt.core.trace import trace
from rosenblatt.core.types import FloatArray
from rosenblatt.specification.parts import Parts, ScheduleLike, gather
from rosenblatt.system.threads import interruptible
from rosenblatt.theory.drift import OverlapDrift, State
from rosenblatt.theory.integration import RELATIVE, integrate, integrate_changes
from rosenblatt.theory.jumps import rate_jumps

__all__ = ["solve", "states"]

# Where to start, relative to the first alpha, if 0 itself is singular: because of the
# rate, which makes earlier times stiff and soon forgotten; or else only for the state.
_EARLY = 1e-4
_VERY_EARLY = 1e-10
_EARLIEST = 1e-30  # alpha; each decade of time before it costs as much as one after
_LATEST = 1e30  # alpha; soon after it, rounding ends in a false fixed point
_AGREE = 1e-5  # what two such starts may differ by
_ROUGH = 1e-8  # tolerance of a start that is only compared with the other


def _off_zero(
    drift: OverlapDrift, state: State, slope: FloatArray, time: float
) -> State:
    """Return the state shortly after one without a side, by one step.

    A teacher that does not turn at random leaves along a straight line.
    """
    along, across, side2 = state.along + time * slope[0], 0.0, time * slope[1]
    if drift.motion is not None and drift.heading != Heading.RANDOM:
        across = -time * drift.motion.velocity * state.along
        side2 += across**2
    tilt = 0.0
    if drift.heading == Heading.PLANE and side2 > 0:
        tilt = across / math.sqrt(side2)
    return state._replace(along=along, side2=side2, tilt=tilt)


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
    for begin, tolerance in ((early, _ROUGH), (0.1 * early, RELATIVE)):
        slope = drift(state, float(rate(Clock(begin, begin, math.inf))), begin)
        now = state._replace(mistakes=begin * slope[3])
        if state.side2 == 0:  # one step by hand takes it off zero
            now = _off_zero(drift, now, slope, begin)
        given = drift, rate, now, begin, np.array([alpha])
        found.append(integrate(*given, tolerance=tolerance)[-1])
    one, other = found
    if np.abs(one - other).max() > _AGREE * np.abs(other).max():
        raise ArithmeticError(
            f"the curve of {drift.rule!r} could not be determined for N to infinity: "
            "it depends on how the first, large rates are cut off. Give the schedule "
            "an offset, or normalise the rule"
        )
    return State(*other)


def states(parts: Parts, alpha: FloatArray, tolerance: float = RELATIVE) -> FloatArray:
    """Return the :class:`State` at each alpha; a tolerance of a step may be larger."""
    rate = compiled(parts.schedule)
    slope = OverlapDrift(parts.rule, parts.teacher, parts.stream, parts.motion)
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
        begin, motion = until, parts.motion
        if not math.isfinite(rate(Clock(begin, 0.0, math.inf))) or state.side2 == 0:
            begin = min(later[0], 1.0, *((motion and motion.changes) or ()))
            state = _first(slope, rate, state, begin)
        breaks = rate_jumps(parts.schedule, later[-1])
        rows.append(
            integrate_changes(slope, rate, state, begin, later, breaks, tolerance)
        )
    return np.concatenate(rows)


def solve(
    rule: Rule,
    schedule: ScheduleLike,
    teacher: Teacher | None = None,
    stream: Stream | None = None,
    *,
    alpha: float | Iterable[float],
    start: starts.Start | None = None,
    motion: Motion | None = None,
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
    motion
        The teacher's motion, see :mod:`rosenblatt.motions`; by default it stands still.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> curve = rb.solve(rb.rules.Hebb(), rb.schedules.Constant(), alpha=[1, 100])
    >>> curve.error.values.round(6)
    array([[0.285634, 0.039687]])
    """
    parts = gather(rule, schedule, teacher, stream, start, motion)
    alphas = increasing("alpha", alpha)
    for wrong in alphas[((alphas > 0) & (alphas < _EARLIEST)) | (alphas > _LATEST)]:
        raise ValueError(
            f"alpha must be 0, or from {_EARLIEST} to {_LATEST}, got {wrong}"
        )
    found = interruptible(lambda: states(parts, alphas))
    records = [[*State(*row).coordinates, row[3]] for row in found]
    return trace(
        np.array([records]),
        alphas,
        functools.partial(parts.teacher.error, mapped(parts.teacher)),
        parts.stream.center,
        engine="theory",
        dim=math.inf,
        spec={**parts.describe(), "alpha": alphas.tolist()},
    )
