"""One experiment, checked once, and the engine that runs it.

An experiment has all that a simulation depends on. Engines are functions of it:
``refusal(experiment)`` says why an engine cannot run it, ``begin(experiment,
replicas)`` starts a few replicas. Each public function checks its arguments by making
an experiment, and the experiment labels the records.
"""

from __future__ import annotations

import functools
import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from rosenblatt.compiling import compiled
from rosenblatt.compiling.jit import mapped, over_arrays
from rosenblatt.core import (
    AverageShift,
    FixedShift,
    Heading,
    Percept,
    VectorStream,
    starts,
)
from rosenblatt.core.arguments import shown, whole
from rosenblatt.core.trace import trace
from rosenblatt.core.types import SHORTEST, FloatArray
from rosenblatt.simulation.ensemble import MOST, Batch, Run, run_replicas
from rosenblatt.simulation.rotation import Rotations, rotations_of
from rosenblatt.specification.codec import describe
from rosenblatt.specification.parts import Parts, RefusalError, gather
from rosenblatt.specification.probing import probe_stream

__all__ = [
    "Engine",
    "Experiment",
    "TeacherExperiment",
    "broken_update",
    "targets",
    "teacher_experiment",
]


@dataclass(frozen=True, eq=False)
class Experiment(ABC):
    """All that a simulation depends on, checked."""

    run: Run

    @property
    @abstractmethod
    def record_size(self) -> int:
        """Number of entries of a replica's record."""

    @property
    def title(self) -> str:
        """Name in a progress bar."""
        return f"N = {self.run.dim}"

    @property
    def most(self) -> int:
        """Number of replicas that a kernel may advance together."""
        return 64

    @property
    @abstractmethod
    def spec(self) -> dict[str, Any]:
        """Name of the public function and its arguments, as plain data."""

    @abstractmethod
    def failure(self, replica: int, example: int, fault: FloatArray) -> Exception:
        """Return the error for numbers that cannot be trusted."""

    @abstractmethod
    def label(self, engine: str, records: FloatArray) -> xr.Dataset:
        """Return the records, (replica, mark, numbers), as a result."""


@dataclass(frozen=True)
class Engine:
    """A way to run experiments.

    Parameters
    ----------
    name
        Name in results.
    begin
        Starts some replicas of an experiment.
    refusal
        Returns the reason why it cannot run an experiment, and an engine that can; or
        None.
    most
        Number of replicas that it advances together.
    """

    name: str
    begin: Callable[[Any, range], Batch]
    refusal: Callable[[Any], str | None] = lambda _: None
    most: int = 64

    def run(self, experiment: Experiment) -> xr.Dataset:
        """Return the result of an experiment."""
        reason = self.refusal(experiment)
        if reason is not None:
            raise RefusalError(f"engine {self.name!r} cannot run this: {reason}")
        begin = functools.partial(self.begin, experiment)
        most = min(self.most, experiment.most)
        records = run_replicas(experiment, self.name, begin, most)
        return experiment.label(self.name, records)


def broken_update(
    rule: object, schedule: object, place: str, fault: FloatArray
) -> ArithmeticError:
    """Return the error for an update that cannot be trusted, at a place of a run."""
    *entries, gain, decay = (float(f) for f in fault)
    percept = Percept(*entries)
    finite = math.isfinite(gain) and math.isfinite(decay) and percept.rate >= 0
    if 0 < percept.norm2 < SHORTEST**2 and finite:
        return ArithmeticError(
            f"weights of rule {rule!r} have become too short {place}: their length "
            f"over sqrt(N) must be {SHORTEST:g} or more for exact squares, got "
            f"{math.sqrt(percept.norm2):.4g}; Normalised(rule) keeps their length"
        )
    what = f"rule {rule!r} returned gain {gain}, decay {decay}"
    if not 0 <= percept.rate < math.inf:
        what = f"schedule {schedule!r} returned rate {percept.rate}"
    return ArithmeticError(f"{what} {place}, given {percept}")


@dataclass(frozen=True, eq=False)
class TeacherExperiment(Experiment):
    """A student with one vector of weights, and its teacher."""

    parts: Parts
    target: FloatArray | None = None  # the teacher's weights, if inputs are vectors
    tests: int = 0  # fresh inputs on which an error is measured

    @property
    def record_size(self) -> int:
        """Numbers of a record: coordinates, mistakes, and the error if measured."""
        return 4 if self.parts.vectors is None else 5

    @property
    def dim(self) -> int:
        """Number N of weights."""
        return self.run.dim

    @property
    def spec(self) -> dict[str, Any]:
        """Name of the public function and its arguments, as plain data."""
        given = {**self.parts.given, **self.run.numbers}
        if self.parts.vectors is not None:
            given |= {"target": self.target, "tests": self.tests}
        return describe("simulate", **given)

    def failure(self, replica: int, example: int, fault: FloatArray) -> Exception:
        """Return the error for an update that cannot be trusted."""
        place = self.run.place(replica, example)
        return broken_update(self.parts.rule, self.parts.schedule, place, fault)

    @functools.cached_property
    def setting(self) -> starts.Setting:
        """Numbers and functions that the start may depend on."""
        teacher = self.parts.teacher
        center = self.parts.stream.center
        circle = self.rotations.heading == Heading.PLANE
        return starts.Setting(
            self.dim, center, mapped(teacher), teacher.kinks, circle=circle
        )

    @functools.cached_property
    def rotations(self) -> Rotations:
        """Rotations of the teacher."""
        motion = self.parts.motion
        return Rotations(self.dim) if motion is None else rotations_of(motion, self.dim)

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

    def label(self, engine: str, records: FloatArray) -> xr.Dataset:
        """Return the records as a trace."""
        error = functools.partial(self.parts.teacher.error, self.setting.positive)
        center = self.parts.stream.center
        result = trace(
            records[..., :4], self.run.alpha, error, center, engine=engine,
            dim=self.dim, spec=self.spec | {"engine": engine},
        )  # fmt: skip
        if self.parts.vectors is not None:
            result = result.drop_vars("mean_overlap")
            result["error"][:] = records[..., 4]
            result.attrs["exact"] = 0
        return result


def targets(name: str, given: Any, dim: int, replicas: int) -> FloatArray | None:
    """Return the teacher's weights in rows, or None if none are given."""
    if given is None:
        return None
    wanted = f"{name} must be {dim} finite numbers that are not all 0, or {replicas} "
    wanted += "rows of them, got "
    try:
        found = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{wanted}{given!r}") from None
    if found.shape not in ((dim,), (replicas, dim), (1, dim)):
        raise ValueError(f"{wanted}shape {found.shape}")
    if not np.isfinite(found).all() or not np.atleast_2d(found).any(axis=1).all():
        raise ValueError(f"{wanted}{found}")
    return np.atleast_2d(found)


def teacher_experiment(
    rule: Any,
    schedule: Any,
    teacher: Any,
    stream: Any,
    *,
    start: Any,
    motion: Any,
    target: Any,
    tests: int,
    dim: int,
    alpha: float | Iterable[float],
    **numbers: Any,
) -> TeacherExperiment:
    """Check the arguments of ``simulate`` for rules that keep one vector."""
    parts = gather(rule, schedule, teacher, stream, start, motion, vectors=True)
    run = Run.at_alpha(alpha, dim, most=MOST, **numbers)
    tests, vectors = whole("tests", tests, low=1), parts.vectors
    if vectors is None and target is not None:
        raise RefusalError(
            f"target must be None for stream {parts.stream!r}, to which all directions "
            f"of the teacher are the same, got {shown(target)}"
        )
    if vectors is not None:
        if vectors.dim != run.dim:
            raise ValueError(
                f"stream must have dim = {run.dim} components, got {shown(vectors)}"
            )
        if isinstance(vectors, VectorStream):
            probe_stream(vectors)
        target = targets("target", target, run.dim, run.replicas)
    found = TeacherExperiment(run, parts, target, tests)
    if found.rotations.heading != Heading.STILL and found.dim < 2:
        raise ValueError(f"dim must be at least 2 for a motion, got {found.dim}")
    if found.dim < found.axes:
        raise ValueError(
            f"dim must be at least 2 for inputs whose mean {parts.stream.center} does "
            f"not point along the teacher, got {found.dim}"
        )
    parts.rule.check_dim(found.dim)
    shift = parts.rule.shift
    uniform = isinstance(shift, AverageShift) and shift.uniform
    if uniform and found.setting.balanced:
        warnings.warn(
            f"labels of {parts.teacher!r} on {parts.stream!r} are balanced, so that no "
            "uniform shift exists and what is learned of one grows without bound; take "
            "AverageShift(uniform=False)",
            stacklevel=4,
        )
    assert found.functions  # what does not compile fails before anything runs
    return found
