"""A student, its teacher and a run: the task of full, reduced and events."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from rosenblatt.compiling import compiled
from rosenblatt.compiling.arrays import mapped
from rosenblatt.compiling.jit import over_arrays
from rosenblatt.core import FixedShift, Heading, starts
from rosenblatt.core.shifts import UNIFORM, shift_kind
from rosenblatt.core.trace import trace
from rosenblatt.core.types import FloatArray
from rosenblatt.simulation.ensemble import broken_update
from rosenblatt.simulation.run import Run
from rosenblatt.simulation.turning import Motion, motion_of
from rosenblatt.specification.parts import Parts
from rosenblatt.specification.records import describe

__all__ = ["MOST", "TeacherTask", "teacher_task"]

MOST = 2**61  # examples; kernels use 2**62 for never


@dataclass(frozen=True, eq=False)
class TeacherTask:
    """Checked parts and numbers of one simulation."""

    parts: Parts
    run: Run
    record_size = 4  # three coordinates and the mistakes

    @property
    def dim(self) -> int:
        """Number N of weights."""
        return self.run.dim

    @property
    def title(self) -> str:
        """Name in a progress bar."""
        return f"N = {self.dim}"

    def failure(self, replica: int, example: int, fault: FloatArray) -> Exception:
        """Return the error for an update that is not finite."""
        place = self.run.place(replica, example)
        return broken_update(self.parts.rule, self.parts.schedule, place, fault)

    @functools.cached_property
    def setting(self) -> starts.Setting:
        """Numbers and functions that the start may depend on."""
        teacher = self.parts.teacher
        center = self.parts.stream.center
        circle = self.motion.heading == Heading.PLANE
        return starts.Setting(
            self.dim, center, mapped(teacher), teacher.kinks, circle=circle
        )

    @functools.cached_property
    def motion(self) -> Motion:
        """Motion of the teacher."""
        return motion_of(self.parts.drift, self.dim)

    @functools.cached_property
    def axes(self) -> int:
        """Directions of their own that teacher, circle and mean input have: 1 or 2."""
        return self.setting.axes

    @functools.cached_property
    def center(self) -> FloatArray:
        """Mean of the inputs along and across the teacher."""
        return np.array(self.parts.stream.center)

    @functools.cached_property
    def fixed_shift(self) -> FloatArray:
        """Shift that is known beforehand, along and across the teacher."""
        shift = self.parts.rule.shift
        if not isinstance(shift, FixedShift):
            return np.zeros(2)
        return np.asarray(shift.mean * self.center + [shift.teacher, 0.0])

    @functools.cached_property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """Compiled rule, schedule and teacher."""
        parts = self.parts
        rule, schedule = compiled(parts.rule), compiled(parts.schedule)
        return rule, schedule, over_arrays(parts.teacher)

    @functools.cached_property
    def early(self) -> list[int]:
        """Marks at which the start has not yet seen all its examples."""
        needed = self.parts.start.examples(self.dim)
        return [m for m in self.run.marks.tolist() if m < needed]

    def first_student(self, rng: np.random.Generator) -> starts.StartState:
        """Return one student at the moment when the rule takes over."""
        return self.parts.start.state(self.setting, rng, self.early)

    def result(self, engine: str, records: FloatArray) -> xr.Dataset:
        """Label the records, (replica, alpha, 4), of an engine."""
        run, parts = self.run, self.parts
        spec = {**parts.describe(), **describe(**run.numbers)}
        error = functools.partial(parts.teacher.error, self.setting.positive)
        center = parts.stream.center
        return trace(
            records, run.alpha, error, center, engine=engine, dim=run.dim, spec=spec
        )


def teacher_task(parts: Parts, run: Run) -> TeacherTask:
    """Return the task, after checks that need parts and numbers together."""
    task = TeacherTask(parts, run)
    if task.motion.heading != Heading.STILL and task.dim < 2:
        raise ValueError(f"dim must be at least 2 for a drift, got {task.dim}")
    if task.dim < task.axes:
        raise ValueError(
            f"dim must be at least 2 for inputs whose mean {parts.stream.center} does "
            f"not point along the teacher, got {task.dim}"
        )
    if shift_kind(parts.rule.shift) == UNIFORM and task.setting.balanced:
        warnings.warn(
            f"labels of {parts.teacher!r} on {parts.stream!r} are balanced, so that no "
            "uniform shift exists and what is learned of one grows without bound; take "
            "AverageShift(uniform=False)",
            stacklevel=3,
        )
    assert task.functions  # what does not compile fails before anything runs
    return task
