"""Learning curves for N to infinity: the drift, integrated between jumps."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp

from rosenblatt.compiling import compiled
from rosenblatt.compiling.jit import Rate, mapped
from rosenblatt.core import (
    AverageShift,
    Clock,
    Heading,
    Likelihood,
    Motion,
    Rule,
    Schedule,
    Stream,
    Teacher,
    starts,
)
from rosenblatt.core.arguments import increasing
from rosenblatt.core.trace import field_trace, trace
from rosenblatt.core.types import FloatArray
from rosenblatt.rules import SphericalBayes
from rosenblatt.specification.codec import describe
from rosenblatt.specification.parts import Parts, RefusalError, ScheduleLike, gather
from rosenblatt.system.threads import interruptible
from rosenblatt.theory.bayesian import solve_online
from rosenblatt.theory.drift import OverlapDrift, State, jumps

_TIMES = 4000  # at which a rate is tried, evenly and on a logarithmic scale
_RELATIVE = 1e-11  # tolerance of a step; errors of whole curves are a few times that
# Absolute tolerances, for a state's entries that pass through zero; side2 does not.
_ABSOLUTE = np.array([1e-13, 1e-44, 1e-12, 1e-13, 1e-14])
_EFFORT = 40_000  # evaluations of the drift before giving up: about five seconds
_FEW = 10_000  # the same in logarithmic time; most curves take 1000
_LONG = 1e6  # length of weights which, or one over it, is the reason for a failure
# Where to start, relative to the first alpha, if 0 itself is singular: because of the
# rate, which makes earlier times stiff and soon forgotten; or else only for the state.
_EARLY = 1e-4
_VERY_EARLY = 1e-10
_EARLIEST = 1e-30  # alpha; each decade of time before it costs as much as one after
_LATEST = 1e30  # alpha; soon after it, rounding ends in a false fixed point
_AGREE = 1e-5  # what two such starts may differ by
_ROUGH = 1e-8  # tolerance of a start that is only compared with the other


def rate_jumps(schedule: Schedule, alpha: float) -> list[tuple[float, float]]:
    """Return where the rate jumps before ``alpha``: last time before, first after."""
    if schedule.smooth or alpha <= 0:
        return []
    rate = compiled(schedule)
    even = np.linspace(0, alpha, _TIMES)
    grid = np.union1d(even, np.geomspace(1e-6 * alpha, alpha, _TIMES))

    def rates(times: FloatArray) -> FloatArray:
        return np.array([rate(Clock(t, t, math.inf)) for t in times.tolist()])

    return jumps(rates, grid)


class Piece(NamedTuple):
    """A part of a curve without jumps of the rate and changes of the teacher."""

    alpha: FloatArray  # wanted, and the end of the piece
    last: float  # time up to which rates are taken
    turns: bool  # whether the teacher changes at the end


def pieces(
    schedules: Iterable[Schedule],
    motion: Motion | None,
    alpha: FloatArray,
    begin: float = 0.0,
) -> Iterator[Piece]:
    """Yield the pieces of a curve.

    A change of the teacher acts after its time, and a jump of a rate at it.
    """
    found = (jump for each in schedules for jump in rate_jumps(each, alpha[-1]))
    stops = {after: before for before, after in found if after > begin}
    changes = [time for time in (motion and motion.changes) or () if time >= begin]
    stops |= {time: time for time in changes}
    for after in sorted(time for time in stops if time < alpha[-1]):
        turns = after in changes
        early = alpha <= after if turns else alpha < after
        yield Piece(np.append(alpha[early], after), stops[after], turns)
        alpha = alpha[~early]
    yield Piece(np.append(alpha, alpha[-1]), float(alpha[-1]), turns=False)


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


def _integrate(
    drift: OverlapDrift,
    rate: Rate,
    state: FloatArray,
    begin: float,
    piece: Piece,
    tolerance: float,
    *,
    logarithmic: bool,
) -> FloatArray:
    """Return the states at all alphas of a piece, in time or its logarithm."""
    evaluations = 0

    def derivative(time: float, values: FloatArray) -> FloatArray:
        nonlocal evaluations
        evaluations += 1
        if evaluations > (_FEW if logarithmic else _EFFORT):
            raise ArithmeticError(
                f"the curve of {drift.rule!r} takes too many steps at alpha = "
                f"{time:g}; {_advice(drift, rate, values)}"
            )
        return _slope(drift, rate, piece.last, time, values)

    def in_logarithm(u: float, values: FloatArray) -> FloatArray:
        return math.exp(u) * derivative(begin + math.expm1(u), values)

    # Alphas that differ by rounding only have the same logarithm.
    passed = piece.alpha - begin
    if logarithmic:
        passed = np.log1p(passed)
    wanted, place = np.unique(passed, return_inverse=True)
    if wanted[-1] == 0:
        return np.array([state] * len(piece.alpha))
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
        last_known = found.y[:, -1] if len(found.t) else state
        raise ArithmeticError(
            f"the curve of {drift.rule!r} could not be followed beyond alpha = "
            f"{begin + (math.expm1(reached) if logarithmic else reached):g}: "
            f"{found.message}; {_advice(drift, rate, last_known)}"
        )
    return np.asarray(found.y.T[place])


def _follow(
    drift: OverlapDrift,
    rate: Rate,
    state: State | FloatArray,
    begin: float,
    piece: Piece,
    tolerance: float,
) -> FloatArray:
    """Return the states at all alphas of a piece.

    In u = log(1 + t - begin) power laws are smooth, and take a third of the steps. At a
    fixed point, rounding of the drift grows as exp(u); there time itself is better.
    """
    if not np.isfinite(state).all():
        raise ArithmeticError(
            f"the state of {drift.rule!r} is not finite at alpha = {begin:g}: {state}"
        )
    given = drift, rate, np.array(state), begin, piece, tolerance
    try:
        return _integrate(*given, logarithmic=True)
    except ArithmeticError:
        return _integrate(*given, logarithmic=False)


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
    for begin, tolerance in ((early, _ROUGH), (0.1 * early, _RELATIVE)):
        slope = drift(state, float(rate(Clock(begin, begin, math.inf))), begin)
        now = state._replace(mistakes=begin * slope[3])
        if state.side2 == 0:  # one step by hand takes it off zero
            now = _off_zero(drift, now, slope, begin)
        piece = Piece(np.array([alpha]), alpha, turns=False)
        found.append(_follow(drift, rate, now, begin, piece, tolerance)[-1])
    one, other = found
    if np.abs(one - other).max() > _AGREE * np.abs(other).max():
        raise ArithmeticError(
            f"the curve of {drift.rule!r} could not be determined for N to infinity: "
            "it depends on how the first, large rates are cut off. Give the schedule "
            "an offset, or normalise the rule"
        )
    return State(*other)


def states(parts: Parts, alpha: FloatArray, tolerance: float = _RELATIVE) -> FloatArray:
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
        for piece in pieces([parts.schedule], motion, later, begin):
            found = _follow(slope, rate, state, begin, piece, tolerance)
            rows.append(found[:-1])
            state, begin = State(*found[-1]), piece.alpha[-1]
            if piece.turns and motion is not None:
                state = state.changed(motion.angle(math.inf))
    return np.concatenate(rows)


def _of_likelihood(parts: Parts, alpha: FloatArray) -> FloatArray:
    """Return the coordinates of the Bayesian learner for labels of a likelihood."""
    own = SphericalBayes(likelihood=parts.likelihood)
    if parts.rule != own or parts.motion is not None or parts.start != own.start:
        raise RefusalError(
            f"theory for teacher {parts.likelihood!r} is that of {own!r} from its own "
            f"start, without a motion, got {parts.rule!r}; simulate takes it"
        )
    q = solve_online(alpha, likelihood=parts.likelihood).norm.sel(learner="bayes") ** 2
    rest, nothing = np.sqrt(q * (1 - q)), np.zeros(len(alpha))
    return np.stack([q, nothing, rest, nothing], axis=-1)[None]


def solve(
    rule: Rule,
    schedule: ScheduleLike,
    teacher: Teacher | Likelihood | None = None,
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
        The parts; by default labels are noiseless and inputs isotropic. A likelihood as
        the teacher is for the rule ``SphericalBayes`` that assumes it.
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
    parts = gather(
        rule, schedule, teacher, stream, start, motion,
        vectors=isinstance(teacher, Likelihood),
    )  # fmt: skip
    alphas = increasing("alpha", alpha)
    for wrong in alphas[((alphas > 0) & (alphas < _EARLIEST)) | (alphas > _LATEST)]:
        raise ValueError(
            f"alpha must be 0, or from {_EARLIEST} to {_LATEST}, got {wrong}"
        )
    about: dict[str, Any] = {
        "engine": "theory",
        "dim": math.inf,
        "spec": describe("solve", **parts.given, alpha=alphas),
    }
    if parts.likelihood is not None:
        return field_trace(_of_likelihood(parts, alphas), alphas, **about)
    found = interruptible(lambda: states(parts, alphas))
    records = [[*State(*row).coordinates, row[3]] for row in found]
    return trace(
        np.array([records]),
        alphas,
        functools.partial(parts.teacher.error, mapped(parts.teacher)),
        parts.stream.center,
        **about,
    )
