"""Checked arguments of the engine for labelled classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.compiling import compiled
from rosenblatt.core import Rule, Schedule
from rosenblatt.core.arguments import part, shown, whole
from rosenblatt.core.types import FloatArray
from rosenblatt.simulation.run import Run, broken_update
from rosenblatt.specification.codec import describe
from rosenblatt.specification.parts import RefusalError, ScheduleLike, schedule_of
from rosenblatt.streams import TwoClasses

__all__ = ["ClassesTask", "Schedules", "classes_task"]

Schedules = ScheduleLike | Iterable[ScheduleLike] | Mapping[str, ScheduleLike]


@dataclass(frozen=True, eq=False)
class ClassesTask:
    """Parts and numbers of one simulation."""

    rule: Rule
    schedules: dict[str, Schedule]
    stream: TwoClasses
    start: FloatArray
    tests: int  # of each class
    run: Run

    @property
    def student_size(self) -> int:
        """Numbers of one student's record: weights, mistakes, errors in the tests."""
        return self.stream.features + 2

    @property
    def record_size(self) -> int:
        """Numbers of a replica's record: those of one student for each schedule."""
        return len(self.schedules) * self.student_size

    @property
    def title(self) -> str:
        """Name in a progress bar."""
        return f"{len(self.schedules)} schedules"

    def failure(self, replica: int, example: int, fault: FloatArray) -> Exception:
        """Return the error for an update that is not finite."""
        place = self.run.place(replica, example)
        return broken_update(self.rule, self.schedules, place, fault)

    def describe(self) -> dict[str, Any]:
        """Return all that is needed to run the task again, as plain data."""
        return describe(
            rule=self.rule,
            schedules=list(self.schedules.values()),
            names=list(self.schedules),
            stream=self.stream,
            **self.run.numbers,
            start=self.start,
            tests=self.tests,
        )


def _named(schedules: Schedules, names: Iterable[str] | None) -> dict[str, Schedule]:
    """Return the schedules by the given names, or by their representations."""
    if isinstance(schedules, Mapping):
        names, listed = list(schedules), list(schedules.values())
    elif callable(schedules) or not isinstance(schedules, Iterable):
        listed = [schedules]
    else:
        listed = list(schedules)
    parts = [schedule_of(schedule) for schedule in listed]
    labels = [repr(p) for p in parts] if names is None else [str(n) for n in names]
    if len(labels) != len(parts):
        raise ValueError(
            f"names must be {len(parts)}, one for each schedule, got {labels}"
        )
    found = dict(zip(labels, parts, strict=True))
    if not parts or len(found) < len(parts):
        raise ValueError(
            f"schedules must be one or more, all different, got {shown(schedules)}"
        )
    return found


def _first(start: npt.ArrayLike | None, features: int) -> FloatArray:
    """Return the first weights."""
    if start is None:
        return np.zeros(features)
    try:
        given = np.array(start, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"start must be {features} numbers, got {shown(start)}"
        ) from None
    if given.shape != (features,) or not np.isfinite(given).all():
        raise ValueError(
            f"start must be {features} finite numbers, one for each feature, "
            f"got {shown(start)}"
        )
    return given


def classes_task(
    rule: Rule,
    schedules: Schedules,
    stream: TwoClasses,
    *,
    start: npt.ArrayLike | None,
    tests: int,
    names: Iterable[str] | None,
    run: Run,
) -> ClassesTask:
    """Check the parts and return them with their run as one task."""
    part("rule", Rule, rule)
    part("stream", TwoClasses, stream)
    if rule.shift is not None:
        raise RefusalError(
            f"rule {rule!r} has a shift, which is not known for labelled classes; "
            "take the rule without, or rosenblatt.OnlinePerceptron"
        )
    rule.check_dim(1)  # examples are not counted per weight
    task = ClassesTask(
        rule,
        _named(schedules, names),
        stream,
        _first(start, stream.features),
        whole("tests", tests, low=0),
        run,
    )
    for each in (task.rule, *task.schedules.values()):
        compiled(each)  # what does not compile fails before anything runs
    return task
