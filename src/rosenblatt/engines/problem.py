"""What all engines are given: the parts and the numbers, checked once."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.core import (
    Clock,
    FixedShift,
    GaussianStream,
    Rule,
    Schedule,
    Stream,
    Teacher,
    compiled,
    starts,
)
from rosenblatt.core.arguments import increasing, part, whole
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import mapped
from rosenblatt.core.random import Words, generator
from rosenblatt.schedules import Custom
from rosenblatt.streams import Gaussian
from rosenblatt.teachers import Sign

__all__ = ["Problem", "Refusal", "fixed_shift", "pose"]

_MOST = 2**62  # examples: beyond it a 64-bit count could overflow


class Refusal(ValueError):
    """An engine cannot take these parts; the message names one that can."""


@dataclass(frozen=True)
class Problem:
    """Parts and numbers of one simulation."""

    rule: Rule
    schedule: Schedule
    teacher: Teacher
    stream: GaussianStream
    start: starts.Start
    dim: int
    alpha: FloatArray
    replicas: int
    seed: int
    workers: int | None
    progress: bool | None

    @functools.cached_property
    def axes(self) -> int:
        """Directions of its own that teacher and mean input have: 1 or 2."""
        return self.setting.axes

    @functools.cached_property
    def marks(self) -> npt.NDArray[np.int64]:
        """Numbers of examples after which the state is recorded."""
        return np.array([round(a * self.dim) for a in self.alpha], dtype=np.int64)

    @functools.cached_property
    def setting(self) -> starts.Setting:
        """What the start may depend on."""
        return starts.Setting(
            self.dim, self.stream.center, mapped(self.teacher), self.teacher.kinks
        )

    @property
    def functions(self) -> tuple[Any, Any, Any]:
        """The compiled rule, schedule and teacher."""
        return compiled(self.rule), compiled(self.schedule), compiled(self.teacher)

    def seeds(self, replica: int) -> tuple[np.random.Generator, Words, Words]:
        """Return generators for the start, the examples and rejected draws.

        They depend on the seed and the number of the replica, on nothing else.
        """
        first, examples, spare = np.random.SeedSequence(
            self.seed, spawn_key=(replica,)
        ).spawn(3)
        return np.random.default_rng(first), generator(examples), generator(spare)


def fixed_shift(problem: Problem) -> FloatArray:
    """Return a shift that is known beforehand, along and across the teacher."""
    shift = problem.rule.shift
    if not isinstance(shift, FixedShift):
        return np.zeros(2)
    along, across = problem.stream.center
    return np.array([shift.mean * along + shift.teacher, shift.mean * across])


def pose(
    rule: Rule,
    schedule: Schedule | Callable[[Clock], float],
    teacher: Teacher | None,
    stream: Stream | None,
    *,
    dim: int,
    alpha: float | Iterable[float],
    replicas: int,
    seed: int,
    start: starts.Start | None,
    workers: int | None,
    progress: bool | None,
) -> Problem:
    """Check all arguments and return them as one problem."""
    part("rule", Rule, rule)
    if callable(schedule) and not isinstance(schedule, Schedule | type):
        schedule = Custom(schedule)
    part("schedule", Schedule, schedule)
    teacher = part("teacher", Teacher, Sign() if teacher is None else teacher)
    stream = part("stream", Stream, Gaussian() if stream is None else stream)
    if not isinstance(stream, GaussianStream):
        raise Refusal(
            f"engines for Gaussian inputs cannot take the stream {stream!r}"
        )
    dim = whole("dim", dim, low=1)
    alphas = increasing("alpha", alpha)
    if alphas[-1] * dim > _MOST:
        raise ValueError(
            f"alpha * dim must not exceed {_MOST:.1e} examples, "
            f"got {alphas[-1] * dim:.1e}"
        )
    axes = 2 if stream.center[1] > 0 else 1
    if dim < axes:
        raise ValueError(
            f"dim must be at least 2 for inputs whose mean {stream.center} does not "
            f"point along the teacher, got {dim}"
        )
    problem = Problem(
        rule=rule,
        schedule=schedule,
        teacher=teacher,
        stream=stream,
        start=rule.start if start is None else part("start", starts.Start, start),
        dim=dim,
        alpha=alphas,
        replicas=whole("replicas", replicas, low=1),
        seed=whole("seed", seed, low=0),
        workers=None if workers is None else whole("workers", workers, low=1),
        progress=progress,
    )
    _try(problem)
    return problem


def _try(problem: Problem) -> None:
    """Compile the parts, so that what cannot work fails before anything runs."""
    problem.functions
    positive = mapped(problem.teacher)(np.linspace(-3.0, 3.0, 7))
    for p in positive:
        if not (math.isfinite(p) and 0 <= p <= 1):
            raise ValueError(
                f"teacher {problem.teacher!r} must return probabilities, got {p}"
            )
