"""Parts and numbers of one simulation: checked once, then passed down to its engine."""

from __future__ import annotations

import functools
import math
import warnings
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
from rosenblatt.core.arguments import flag, increasing, shown, whole
from rosenblatt.core.trace import trace
from rosenblatt.core.types import SHORTEST, FloatArray, IntArray, Words
from rosenblatt.numerics.random import generator, generators
from rosenblatt.simulation.rotation import Rotations, rotations_of
from rosenblatt.specification.codec import describe, encode
from rosenblatt.specification.parts import Parts, RefusalError
from rosenblatt.specification.probing import probe_stream

__all__ = [
    "EXACT",
    "MOST",
    "Run",
    "TeacherTask",
    "broken_update",
    "targets",
    "teacher_task",
]

EXACT = 2**53  # examples: up to here a float tells a whole number from the next
MOST = 2**61  # examples; kernels use 2**62 for never
_STATES = 2**28  # recorded; four numbers each are 8 GiB


@dataclass(frozen=True, eq=False)
class Run:
    """Checked numbers of a simulation, the same for all engines.

    Build it with :meth:`at_alpha` or :meth:`at_examples`.

    Examples
    --------
    >>> run = Run.at_alpha([0.5, 2], 10, replicas=3, seed=0, workers=1, progress=None)
    >>> run.marks
    array([ 5, 20])
    """

    marks: IntArray  # numbers of examples after which the state is recorded
    dim: int  # N; 1 where examples are not counted per weight
    alpha: FloatArray  # marks per weight, as they were asked for
    replicas: int
    seed: int
    workers: int | None  # None: one thread per core
    progress: bool | None  # None: a bar in a terminal
    per_weight: bool = True  # whether examples are counted so

    def __post_init__(self) -> None:
        for name, low in (("replicas", 1), ("seed", 0), ("workers", 1)):
            given = getattr(self, name)
            if given is not None or name != "workers":
                object.__setattr__(self, name, whole(name, given, low=low))
        if self.progress is not None:
            flag("progress", self.progress)
        if self.replicas * self.marks.size > _STATES:
            raise ValueError(
                f"replicas must be at most {_STATES // self.marks.size} for "
                f"{self.marks.size} recorded times, got {self.replicas}"
            )

    @classmethod
    def at_alpha(
        cls,
        alpha: float | Iterable[float],
        dim: int,
        replicas: int,
        seed: int,
        workers: int | None,
        progress: bool | None,
        *,
        most: int = EXACT,
    ) -> Run:
        """Return a run recorded after given numbers of examples per weight."""
        dim = whole("dim", dim, low=1)
        alphas = increasing("alpha", alpha)
        if dim > EXACT:
            raise ValueError(f"dim must be at most {EXACT}, got {dim!s:.40}")
        if alphas[-1] * dim > most:
            raise ValueError(
                f"alpha * dim must not exceed {most:.1e} examples, "
                f"got {alphas[-1] * dim:.1e}"
            )
        marks = np.array([round(a * dim) for a in alphas], dtype=np.int64)
        return cls(marks, dim, alphas, replicas, seed, workers, progress)

    @classmethod
    def at_examples(
        cls,
        examples: float | Iterable[float],
        replicas: int,
        seed: int,
        workers: int | None,
        progress: bool | None,
    ) -> Run:
        """Return a run recorded after given numbers of examples."""
        given = increasing("examples", examples)
        for n in given[(given != np.floor(given)) | (given > EXACT)]:
            raise ValueError(f"examples must be whole numbers up to 2**53, got {n}")
        marks = given.astype(np.int64)
        return cls(marks, 1, given, replicas, seed, workers, progress, False)

    @property
    def numbers(self) -> dict[str, Any]:
        """Numbers that a specification has, in the order in which it has them."""
        last = {"replicas": self.replicas, "seed": self.seed}
        if self.per_weight:
            return {"dim": self.dim, "alpha": self.alpha, **last}
        return {"examples": self.marks, **last}

    def place(self, replica: int, example: int) -> str:
        """Return words for an example of a replica, for error messages."""
        alpha = f" (alpha = {example / self.dim:g})" if self.dim > 1 else ""
        return f"in replica {replica} at example {example}{alpha}"

    def generators(self, replicas: range, uses: int) -> Words:
        """Return random numbers for each replica and use: (replica, use, 3)."""
        return generators(self.seed, replicas, uses)

    def seeds(self, replica: int) -> tuple[np.random.Generator, Words, Words, Words]:
        """Return generators for the start, examples, rejected draws and turns.

        They depend on the seed and the number of the replica, on nothing else.
        """
        sequence = np.random.SeedSequence(self.seed, spawn_key=(replica,))
        first, *others = sequence.spawn(4)
        examples, spare, turns = (generator(one) for one in others)
        return np.random.default_rng(first), examples, spare, turns


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
class TeacherTask:
    """Checked parts and numbers of one simulation."""

    parts: Parts
    run: Run
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
    def title(self) -> str:
        """Name in a progress bar."""
        return f"N = {self.dim}"

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
        """Motion of the teacher."""
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

    def result(self, engine: str, records: FloatArray) -> xr.Dataset:
        """Label the records, (replica, alpha, 4), of an engine."""
        run, parts = self.run, self.parts
        spec = {**parts.describe(), **describe(**run.numbers)}
        error = functools.partial(parts.teacher.error, self.setting.positive)
        center = parts.stream.center
        if parts.vectors is not None:
            spec |= {"target": encode(self.target), "tests": self.tests}
        result = trace(
            records[..., :4], run.alpha, error, center, engine=engine, dim=run.dim,
            spec=spec,
        )  # fmt: skip
        if parts.vectors is not None:
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


def teacher_task(
    parts: Parts, run: Run, target: Any = None, tests: int = 1000
) -> TeacherTask:
    """Return the task, after checks that need parts and numbers together."""
    tests, stream = whole("tests", tests, low=1), parts.vectors
    if stream is None and target is not None:
        raise RefusalError(
            f"target must be None for stream {parts.stream!r}, to which all directions "
            f"of the teacher are the same, got {shown(target)}"
        )
    if stream is not None:
        if stream.dim != run.dim:
            raise ValueError(
                f"stream must have dim = {run.dim} components, got {shown(stream)}"
            )
        if isinstance(stream, VectorStream):
            probe_stream(stream)
        target = targets("target", target, run.dim, run.replicas)
    task = TeacherTask(parts, run, target, tests)
    if task.rotations.heading != Heading.STILL and task.dim < 2:
        raise ValueError(f"dim must be at least 2 for a motion, got {task.dim}")
    if task.dim < task.axes:
        raise ValueError(
            f"dim must be at least 2 for inputs whose mean {parts.stream.center} does "
            f"not point along the teacher, got {task.dim}"
        )
    parts.rule.check_dim(task.dim)
    shift = parts.rule.shift
    uniform = isinstance(shift, AverageShift) and shift.uniform
    if uniform and task.setting.balanced:
        warnings.warn(
            f"labels of {parts.teacher!r} on {parts.stream!r} are balanced, so that no "
            "uniform shift exists and what is learned of one grows without bound; take "
            "AverageShift(uniform=False)",
            stacklevel=3,
        )
    assert task.functions  # what does not compile fails before anything runs
    return task
