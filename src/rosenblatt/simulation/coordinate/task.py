"""Checked arguments of the engine for beliefs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.compiling import compiled
from rosenblatt.compiling.arrays import mapped
from rosenblatt.compiling.blocks import filling
from rosenblatt.compiling.jit import over_arrays
from rosenblatt.core import (
    BeliefRule,
    GaussianStream,
    Observation,
    Schedule,
    Stream,
    Teacher,
    VectorStream,
)
from rosenblatt.core.arguments import increasing, part, whole
from rosenblatt.core.types import FloatArray, IntArray, Words
from rosenblatt.numerics.random import (
    generators,
)
from rosenblatt.simulation.coordinate.lesson import lesson
from rosenblatt.simulation.problem import RefusalError
from rosenblatt.specification.parts import ScheduleLike, schedule_of
from rosenblatt.specification.probing import probe_stream
from rosenblatt.specification.records import describe
from rosenblatt.streams import Gaussian, Uniform, UniformBits
from rosenblatt.teachers import Sign

__all__ = [
    "DRAWN",
    "GAUSSIANS",
    "INPUTS",
    "LABELS",
    "SIGNS",
    "TESTS",
    "WIDTH",
    "BeliefTask",
    "set_up",
]

INPUTS, LABELS, TESTS = range(3)  # what random numbers are for
GAUSSIANS, SIGNS, DRAWN = range(3)  # laws of the inputs, told to the kernel
WIDTH = 7  # numbers of a record
_MOST = 2**53  # examples: up to here a float tells a whole number from the next


@dataclass(frozen=True, eq=False)
class BeliefTask:
    """Parts and numbers of one simulation."""

    rule: BeliefRule
    schedule: Schedule
    teacher: Teacher
    stream: Stream
    given: FloatArray | None  # the teacher's weights, (1 or replicas, N)
    dim: int
    alpha: FloatArray
    replicas: int
    seed: int
    tests: int
    workers: int | None
    progress: bool | None

    @functools.cached_property
    def marks(self) -> IntArray:
        """Numbers of examples after which the state is recorded."""
        return np.array([round(a * self.dim) for a in self.alpha], dtype=np.int64)

    @property
    def width(self) -> int:
        """Numbers of a record."""
        return WIDTH

    @property
    def title(self) -> str:
        """What a progress bar calls it."""
        return f"N = {self.dim}"

    @property
    def law(self) -> int:
        """How the kernel gets its inputs."""
        if isinstance(self.stream, GaussianStream):
            return GAUSSIANS
        return SIGNS if isinstance(self.stream, UniformBits) else DRAWN

    @functools.cached_property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """The compiled learner, schedule, teacher and inputs."""
        drawn = self.stream if isinstance(self.stream, VectorStream) else Uniform(1)
        return (
            lesson(self.rule),
            compiled(self.schedule),
            over_arrays(self.teacher),
            filling(drawn),
        )

    def failure(self, replica: int, example: int, fault: FloatArray) -> Exception:
        """Return what to say of numbers that are not finite."""
        seen = Observation(*(float(f) for f in fault[: len(Observation._fields)]))
        what = f"rule {self.rule!r} left the finite numbers"
        if not abs(seen.rate) < np.inf:
            what = f"schedule {self.schedule!r} returned rate {seen.rate}"
        return ArithmeticError(
            f"{what} in replica {replica} at example {example} "
            f"(alpha = {example / self.dim:g}), where there is {seen}"
        )

    def generators(self, replicas: range) -> Words:
        """Return random numbers for each replica and use."""
        return generators(self.seed, replicas, TESTS + 1)

    def targets(self, replicas: range) -> FloatArray:
        """Return the teachers of these replicas."""
        if self.given is None and type(self.rule).target is BeliefRule.target:
            return np.ones((len(replicas), self.dim))  # without a generator for each
        if self.given is None:
            drawn = [
                self.rule.target(
                    self.dim,
                    np.random.default_rng(
                        np.random.SeedSequence(self.seed, spawn_key=(k,))
                    ),
                )
                for k in replicas
            ]
            return np.array(drawn, dtype=np.float64)
        if len(self.given) == 1:
            return np.repeat(self.given, len(replicas), axis=0)
        return self.given[replicas.start : replicas.stop].copy()

    def describe(self) -> dict[str, Any]:
        """Return all that is needed to run it again, as plain data."""
        return describe(
            rule=self.rule,
            schedule=self.schedule,
            teacher=self.teacher,
            stream=self.stream,
            dim=self.dim,
            alpha=self.alpha,
            replicas=self.replicas,
            seed=self.seed,
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
                f"got {stream!r}"
            )
        return stream
    if not isinstance(stream, UniformBits | VectorStream):
        raise TypeError(
            "stream must be streams.Gaussian(), streams.UniformBits(dim) or a "
            f"VectorStream such as streams.Normal(dim), got {stream!r}"
        )
    if stream.dim != dim:
        raise ValueError(f"stream must have dim = {dim} components, got {stream!r}")
    if isinstance(stream, VectorStream):
        probe_stream(stream)
    return stream


def _target(target: Any, dim: int, replicas: int) -> FloatArray | None:
    """Return the teacher's weights in rows, or None if the learner's prior has them."""
    if target is None:
        return None
    wanted = f"target must be {dim} finite numbers that are not all 0, or {replicas} "
    wanted += "rows of them, got "
    try:
        given = np.array(target, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{wanted}{target!r}") from None
    if given.shape not in ((dim,), (replicas, dim), (1, dim)):
        raise ValueError(f"{wanted}shape {given.shape}")
    if not np.isfinite(given).all() or not np.atleast_2d(given).any(axis=1).all():
        raise ValueError(f"{wanted}{given}")
    return np.atleast_2d(given)


def set_up(
    rule: BeliefRule,
    schedule: ScheduleLike,
    teacher: Teacher | None,
    stream: Stream | None,
    *,
    dim: int,
    alpha: float | Iterable[float],
    replicas: int,
    seed: int,
    target: npt.ArrayLike | None,
    tests: int,
    workers: int | None,
    progress: bool | None,
) -> BeliefTask:
    """Check all arguments and return them as one task."""
    part("rule", BeliefRule, rule)
    teacher = part("teacher", Teacher, Sign() if teacher is None else teacher)
    dim, count = whole("dim", dim, low=1), whole("replicas", replicas, low=1)
    alphas = increasing("alpha", alpha)
    if alphas[-1] * dim > _MOST:
        raise ValueError(
            f"alpha * dim must not exceed {_MOST:.1e} examples, "
            f"got {alphas[-1] * dim:.1e}"
        )
    task = BeliefTask(
        rule,
        schedule_of(schedule),
        teacher,
        _stream(stream, dim),
        _target(target, dim, count),
        dim,
        alphas,
        replicas=count,
        seed=whole("seed", seed, low=0),
        tests=whole("tests", tests, low=1),
        workers=None if workers is None else whole("workers", workers, low=1),
        progress=progress,
    )
    for p in mapped(teacher)(np.array([-1.0, 0.0, 1.0])):
        if not 0 <= p <= 1:
            raise ValueError(f"teacher {teacher!r} must return probabilities, got {p}")
    reason = rule.refusal(task.stream, dim)
    if reason is not None:
        raise RefusalError(f"rule {rule!r} cannot take this: {reason}")
    assert task.functions  # what does not compile fails before anything runs
    return task
