"""The parts of one experiment, checked and with their defaults filled in."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from rosenblatt.bits import BitStream
from rosenblatt.compiling import storage
from rosenblatt.compiling.jit import mapped
from rosenblatt.core import (
    AverageShift,
    BeliefRule,
    Clock,
    GaussianStream,
    Heading,
    Likelihood,
    Motion,
    Rule,
    Schedule,
    Stream,
    Teacher,
    VectorStream,
    starts,
)
from rosenblatt.core.arguments import either, number, part, shown
from rosenblatt.core.parts import Machine
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.random import generators
from rosenblatt.rules import Decay, Normalised, Shifted
from rosenblatt.schedules import Custom
from rosenblatt.streams import Gaussian, TwoClasses
from rosenblatt.system.threads import interruptible
from rosenblatt.teachers import Sign

_FIELDS = np.linspace(-6.0, 6.0, 25)  # where a label law is tried
_TEACHER: Teacher = Sign()  # by default
_STREAM = Gaussian()
ScheduleLike = Schedule | Callable[[Clock], float]


class RefusalError(ValueError):
    """An engine cannot take these parts; the message names one that can."""


@dataclass(frozen=True)
class Parts:
    """Rule, schedule, teacher, stream, start and motion of one experiment."""

    rule: Rule
    schedule: Schedule
    teacher: Teacher
    stream: GaussianStream
    start: starts.Start
    motion: Motion | None = None  # None: the teacher stands still
    # Inputs that are drawn as whole vectors; None: they are those of the stream.
    vectors: VectorStream | BitStream | None = None
    # Law of labels other than those of a teacher; None: they are the teacher's.
    likelihood: Likelihood | None = None

    @property
    def given(self) -> dict[str, Any]:
        """Return the parts by name, without a motion where there is none."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        if self.vectors is not None:
            given["stream"] = given.pop("vectors")
        if self.likelihood is not None:
            given["teacher"] = given.pop("likelihood")
        return given


def schedule_of(schedule: ScheduleLike) -> Schedule:
    """Return the schedule; a plain function of the clock becomes one."""
    if not isinstance(schedule, Schedule | type) and callable(schedule):
        schedule = Custom(schedule)
    return part("schedule", Schedule, schedule)


# The check of a learning rate; None is a default.
SCHEDULE = either(None, lambda _, value: schedule_of(value))


def check_teacher(teacher: Teacher) -> None:
    """Raise an error unless a label law returns probabilities."""
    law = mapped(part("teacher", Teacher, teacher))
    for p in interruptible(lambda: law(_FIELDS)):
        if not 0 <= p <= 1:
            raise ValueError(f"teacher {teacher!r} must return probabilities, got {p}")


def _check_kinks(rule: Rule) -> None:
    given: Any = rule.kinks
    try:
        for kink in given:
            number("kinks", kink)
    except (TypeError, ValueError):
        raise TypeError(
            f"kinks of rule {rule!r} must be a tuple of finite numbers, got "
            f"{shown(given)}"
        ) from None


def gather(
    rule: Rule,
    schedule: ScheduleLike,
    teacher: Teacher | Likelihood | None,
    stream: Stream | None,
    start: starts.Start | None,
    motion: Motion | None = None,
    *,
    vectors: bool = False,
) -> Parts:
    """Return the parts; a plain function of the clock becomes a schedule.

    ``vectors`` says whether inputs may be any vectors, and not only those of which the
    projections are known, and whether labels may be those of any likelihood.
    """
    _check_kinks(part("rule", Rule, rule))
    known, law = _TEACHER, None  # rows that have labels need none, compiled or not
    if vectors and isinstance(teacher, Likelihood):
        law = teacher
    elif teacher is not None:
        known = part("teacher", Teacher, teacher)
        check_teacher(known)
    drawn = stream if isinstance(stream, VectorStream | BitStream) else None
    if drawn is not None and not vectors:
        raise TypeError(
            "stream must be a GaussianStream such as streams.Gaussian(mean, overlap), "
            "whose projections on student and teacher are known, got "
            f"{shown(stream)}; simulate takes it"
        )
    if isinstance(stream, TwoClasses):
        raise TypeError(
            "stream must be a GaussianStream such as streams.Gaussian(mean, overlap), "
            f"got {shown(stream)}, which is for simulate_classes"
        )
    parts = Parts(
        rule,
        schedule_of(schedule),
        known,
        _STREAM
        if stream is None or drawn is not None
        else part("stream", GaussianStream, stream),
        part("start", starts.Start, rule.start if start is None else start),
        None if motion is None else part("motion", Motion, motion),
        drawn,
        law,
    )
    _check_together(parts)
    return parts


def check_inputs(likelihood: Likelihood, stream: Stream) -> None:
    """Refuse inputs that are not isotropic for labels of any likelihood."""
    if not isinstance(stream, GaussianStream) or any(stream.center):
        raise RefusalError(
            f"teacher {likelihood!r} needs the inputs of streams.Gaussian(), got "
            f"{shown(stream)}"
        )


def _check_together(parts: Parts) -> None:
    """Refuse parts that are not defined for each other."""
    rule, start, motion = parts.rule, parts.start, parts.motion
    moves, refused = f"motion {motion!r}", []
    if parts.likelihood is not None:
        check_inputs(parts.likelihood, parts.vectors or parts.stream)
        needs = f"teacher {parts.likelihood!r} needs"
        refused = [
            (rule.shift is not None, f"{needs} a rule without a shift, got {rule!r}"),
            (start.until > 0, f"{needs} a start without examples, got {start!r}"),
        ]
    if parts.vectors is not None:
        needs = f"needs Gaussian inputs, got stream {parts.vectors!r}"
        refused += [
            (motion is not None, f"{moves} {needs}"),
            (rule.shift is not None, f"the shift of rule {rule!r} {needs}"),
            (start.until > 0, f"start {start!r} {needs}"),
        ]
    elif motion is not None:
        jumps = bool(motion.changes) and motion.heading != Heading.RANDOM
        refused += [
            (jumps, f"{moves} must have its changes in random directions"),
            (
                any(parts.stream.center),
                f"{moves} needs inputs without a mean, which the teacher would leave "
                f"behind, got stream {parts.stream!r}",
            ),
            (
                rule.shift is not None,
                f"{moves} needs a rule without a shift, got {rule!r}",
            ),
            (
                start.until > 0,
                f"{moves} needs a start that takes no examples, got {start!r}",
            ),
        ]
    for wrong, reason in refused:
        if wrong:
            raise RefusalError(reason)


class Shift(StrEnum):
    """The kinds of shift of a rule."""

    average = "average"
    field = "field"
    known = "known"


def combined(
    rule: Rule | BeliefRule,
    stream: Stream,
    *,
    shifted: Shift | None,
    decay: float | None,
    normalised: bool,
    opening: float = 20.0,
) -> Rule | BeliefRule:
    """Return the rule shifted, then with decay, then normalised: that is the order.

    Examples
    --------
    >>> from rosenblatt.rules import Hebb
    >>> combined(Hebb(), Gaussian(), shifted=None, decay=0.5, normalised=True)
    Normalised(rule=Decay(rule=Hebb(), strength=0.5))
    """
    if isinstance(rule, BeliefRule):
        if shifted is not None or decay is not None or normalised:
            raise ValueError(
                f"shifted, decay and normalised cannot go with {rule!r}, which keeps a "
                "belief about every weight"
            )
        return rule
    if shifted is Shift.average:
        rule = Shifted(rule, opening=opening)
    elif shifted is Shift.field:
        rule = Shifted(rule, AverageShift(uniform=False), opening)
    elif shifted is Shift.known:
        if not isinstance(stream, GaussianStream):
            raise ValueError("the known shift needs a stream of Gaussian inputs")
        rule = Shifted.known(rule, overlap=stream.center[0], opening=opening)
    if decay is not None:
        rule = Decay(rule, decay)
    return Normalised(rule) if normalised else rule


_TRIES = 5  # inputs at which a gradient is compared with differences
_WRONG = 1e-3  # relative deviation that rounding does not explain


def probe(machine: Machine, weights: FloatArray) -> None:
    """Refuse a machine that reads or writes where it must not.

    Its function is called as plain Python. Compiled code does not notice an index that
    is too large, nor a derivative that is never written.

    Examples
    --------
    >>> from rosenblatt.machines import Smooth
    >>> probe(Smooth(lambda s, w: s[0] - w[7], lambda s, w, out: None, 1, 1), [0.0])
    Traceback (most recent call last):
    ValueError: machine ... uses an entry that is not there, of its 1 inputs or 1 ...
    """
    if storage.name_of(machine) is not None:  # all of this package, and tested
        return
    s = np.random.default_rng(0).standard_normal(machine.inputs)
    gradients = np.stack([np.zeros(machine.parameters), np.ones(machine.parameters)])
    try:
        with np.errstate(all="ignore"):
            for gradient in gradients:
                result: Any = machine.plain()(s, weights.copy(), gradient)
    except IndexError as failure:
        raise ValueError(
            f"machine {machine!r} uses an entry that is not there, of its "
            f"{machine.inputs} inputs or {machine.parameters} parameters: {failure}"
        ) from None
    except Exception:  # this input is not one of its stream's: nothing is known
        return
    if result is None or np.ndim(result) > 0:
        raise ValueError(f"machine {machine!r} must return one number, got {result!r}")
    same = (gradients[0] == gradients[1]) | np.isnan(gradients).all(axis=0)
    for i in np.flatnonzero(~same):
        raise ValueError(
            f"machine {machine!r} leaves entry {i} of its gradient as it was or adds "
            f"to it; all {machine.parameters} must be written"
        )
    try:
        with np.errstate(all="ignore"):
            wrong = _misfit(machine, weights)
    except Exception:  # inputs that are not of its stream again
        return
    if wrong:
        warnings.warn(f"in machine {machine!r} {wrong}", stacklevel=4)


def _misfit(machine: Machine, weights: FloatArray) -> str:
    """Describe how a gradient differs from that of f; "" if it does not."""
    function = machine.plain()
    rng, step = np.random.default_rng(1), 1e-5
    stated, found = np.empty((2, _TRIES, machine.parameters))
    unused = np.empty(machine.parameters)
    for k in range(_TRIES):
        s = rng.standard_normal(machine.inputs)
        w = weights + 0.1 * rng.standard_normal(machine.parameters)
        function(s, w, stated[k])
        for i, shift in enumerate(step * np.eye(machine.parameters)):
            ends = (function(s, w + shift, unused), function(s, w - shift, unused))
            found[k, i] = (ends[0] - ends[1]) / (2 * step)
    wrong = np.abs(stated - found) > _WRONG * (1 + np.abs(found))
    # Everywhere: a kink is no mistake.
    for entry in np.flatnonzero(wrong.all(axis=0)).tolist():
        return (
            f"entry {entry} of the gradient is {stated[0, entry]:.6g} where the slope "
            f"of f is {found[0, entry]:.6g}"
        )
    return ""


def probe_stream(stream: VectorStream) -> None:
    """Refuse a stream that does not write all of its inputs, or writes beyond them.

    Examples
    --------
    >>> from rosenblatt.streams import Sampled
    >>> probe_stream(Sampled(2, lambda rng, s: s[:1].fill(0.0)))
    Traceback (most recent call last):
    ValueError: stream ... leaves component 1 of an input as it was; all 2 must be ...
    """
    if storage.name_of(stream) is not None:  # all of this package, and tested
        return
    function = stream.bind()
    function = getattr(function, "py_func", function)  # of one that is compiled already
    inputs = np.stack([np.zeros(stream.dim), np.ones(stream.dim)])
    try:
        with np.errstate(all="ignore"):
            for s in inputs:
                function(generators(0, range(1), 1)[0, 0], s)  # the same numbers
    except IndexError as failure:
        raise ValueError(
            f"stream {stream!r} uses a component that is not there, of {stream.dim}: "
            f"{failure}"
        ) from None
    except Exception:  # what is good for numba need not be for Python
        return
    for i in np.flatnonzero((inputs[0] == 0.0) & (inputs[1] == 1.0)):
        raise ValueError(
            f"stream {stream!r} leaves component {i} of an input as it was; all "
            f"{stream.dim} must be written"
        )
