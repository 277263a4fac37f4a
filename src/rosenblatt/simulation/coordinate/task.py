"""Checked arguments of the engine for beliefs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.compiling import compiled
from rosenblatt.compiling.blocks import filling
from rosenblatt.compiling.jit import mapped, over_arrays
from rosenblatt.core import (
    BeliefRule,
    GaussianStream,
    Observation,
    Schedule,
    Stream,
    Teacher,
    VectorStream,
)
from rosenblatt.core.arguments import part, shown, whole
from rosenblatt.core.types import FloatArray
from rosenblatt.simulation.coordinate.updates import group_update
from rosenblatt.simulation.run import Run, targets
from rosenblatt.specification.codec import describe
from rosenblatt.specification.parts import ScheduleLike, schedule_of
from rosenblatt.specification.probing import probe_stream
from rosenblatt.streams import Gaussian, Uniform, UniformBits
from rosenblatt.teachers import Sign

__all__ = [
    "DRAWN",
    "GAUSSIANS",
    "INPUTS",
    "LABELS",
    "SIGNS",
    "TESTS",
    "USES",
    "BeliefTask",
    "belief_task",
]

INPUTS, LABELS, TESTS = range(3)  # uses of random numbers
USES = 3
GAUSSIANS, SIGNS, DRAWN = range(3)  # laws of the inputs, as kernels know them


@dataclass(frozen=True, eq=False)
class BeliefTask:
    """Parts and numbers of one simulation."""

    rule: BeliefRule
    schedule: Schedule
    teacher: Teacher
    stream: Stream
    given: FloatArray | None  # the teacher's weights, (1 or replicas, N)
    tests: int
    run: Run
    record_size = 7

    @property
    def title(self) -> str:
        """Name in a progress bar."""
        return f"N = {self.run.dim}"

    @property
    def law(self) -> int:
        """Law of the inputs, as the kernel knows it."""
        if isinstance(self.stream, GaussianStream):
            return GAUSSIANS
        return SIGNS if isinstance(self.stream, UniformBits) else DRAWN

    @functools.cached_property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """Compiled learner, schedule, teacher and inputs."""
        drawn = self.stream if isinstance(self.stream, VectorStream) else Uniform(1)
        return (
            group_update(self.rule),
            compiled(self.schedule),
            over_arrays(self.teacher),
            filling(drawn),
        )

    def failure(self, replica: int, example: int, fault: FloatArray) -> Exception:
        """Return the error for numbers that are not finite."""
        seen = Observation(*(float(f) for f in fault[: len(Observation._fields)]))
        what = f"rule {self.rule!r} left the finite numbers"
        if not abs(seen.rate) < np.inf:
            what = f"schedule {self.schedule!r} returned rate {seen.rate}"
        return ArithmeticError(
            f"{what} {self.run.place(replica, example)}, where there is {seen}"
        )

    def targets(self, replicas: range) -> FloatArray:
        """Return the teachers of these replicas."""
        dim = self.run.dim
        if self.given is None and type(self.rule).target is BeliefRule.target:
            return np.ones((len(replicas), dim))  # without a generator for each
        if self.given is None:
            seeds = (
                np.random.SeedSequence(self.run.seed, spawn_key=(k,)) for k in replicas
            )
            drawn = [self.rule.target(dim, np.random.default_rng(s)) for s in seeds]
            return np.array(drawn, dtype=np.float64)
        if len(self.given) == 1:
            return np.repeat(self.given, len(replicas), axis=0)
        return self.given[replicas.start : replicas.stop].copy()

    def describe(self) -> dict[str, Any]:
        """Return all that is needed to run the task again, as plain data."""
        return describe(
            rule=self.rule,
            schedule=self.schedule,
            teacher=self.teacher,
            stream=self.stream,
            **self.run.numbers,
            target=self.given,
            tests=self.tests,
        )


def _stream(stream: Stream | None, dim: int) -> Stream:
    """Return the inputs if they are of a kind and size that the engine can draw."""
    if stream is None:
        return Gaussian()
    if isinstance(stream, GaussianStream):
        if any(stream.center):
            raise ValueError(
                "stream must have no mean, since these learners can tell directions "
                "apart; take streams.Normal(dim, mean=...) to say where the mean is, "
                f"got {shown(stream)}"
            )
        return stream
    if not isinstance(stream, UniformBits | VectorStream):
        raise TypeError(
            "stream must be streams.Gaussian(), streams.UniformBits(dim) or a "
            f"VectorStream such as streams.Normal(dim), got {shown(stream)}"
        )
    if stream.dim != dim:
        raise ValueError(
            f"stream must have dim = {dim} components, got {shown(stream)}"
        )
    if isinstance(stream, VectorStream):
        probe_stream(stream)
    return stream


def belief_task(
    rule: BeliefRule,
    schedule: ScheduleLike,
    teacher: Teacher | None,
    stream: Stream | None,
    *,
    target: npt.ArrayLike | None,
    tests: int,
    run: Run,
) -> BeliefTask:
    """Check the parts and return them with their run as one task."""
    part("rule", BeliefRule, rule)
    teacher = part("teacher", Teacher, Sign() if teacher is None else teacher)
    task = BeliefTask(
        rule,
        schedule_of(schedule),
        teacher,
        _stream(stream, run.dim),
        targets("target", target, run.dim, run.replicas),
        whole("tests", tests, low=1),
        run,
    )
    for p in mapped(teacher)(np.array([-1.0, 0.0, 1.0])):
        if not 0 <= p <= 1:
            raise ValueError(f"teacher {teacher!r} must return probabilities, got {p}")
    assert task.functions  # what does not compile fails before anything runs
    return task
