"""The parts of one experiment, checked and with their defaults filled in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from rosenblatt.bits import BitStream
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
