"""Checked arguments of all engines: parts and numbers."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.compiling import compiled
from rosenblatt.compiling.arrays import mapped
from rosenblatt.compiling.jit import over_arrays
from rosenblatt.core import (
    AverageShift,
    FixedShift,
    Percept,
    Rule,
    Stream,
    Teacher,
    starts,
)
from rosenblatt.core.arguments import flag, increasing, whole
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import (
    generator,
)
from rosenblatt.specification.parts import Parts, ScheduleLike, gather

__all__ = [
    "ALONG_FIELD",
    "NO_AVERAGE",
    "UNIFORM",
    "Problem",
    "RefusalError",
    "averaging",
    "pose",
]

NO_AVERAGE, UNIFORM, ALONG_FIELD = range(3)  # kinds of shift, told to kernels

_MOST = 2**61  # examples; kernels use 2**62 for never


def averaging(rule: Rule) -> int:
    """Return what becomes of the average of label * x: nothing, or a shift."""
    if not isinstance(rule.shift, AverageShift):
        return NO_AVERAGE
    return UNIFORM if rule.shift.uniform else ALONG_FIELD


class RefusalError(ValueError):
    """An engine cannot take these parts; the message names one that can."""


@dataclass(frozen=True)
class Problem:
    """Parts and numbers of one simulation."""

    parts: Parts
    dim: int
    alpha: FloatArray
    replicas: int
    seed: int
    workers: int | None
    progress: bool | None

    @functools.cached_property
    def marks(self) -> npt.NDArray[np.int64]:
        """Numbers of examples after which the state is recorded."""
        return np.array([round(a * self.dim) for a in self.alpha], dtype=np.int64)

    @property
    def width(self) -> int:
        """Numbers of a record: three coordinates and the mistakes."""
        return 4

    @property
    def title(self) -> str:
        """What a progress bar calls it."""
        return f"N = {self.dim}"

    def failure(self, replica: int, example: int, fault: FloatArray) -> Exception:
        """Return what to say of an update that is not finite."""
        *entries, gain, decay = (float(f) for f in fault)
        percept = Percept(*entries)
        what = f"rule {self.parts.rule!r} returned gain {gain}, decay {decay}"
        if not math.isfinite(percept.rate):
            what = f"schedule {self.parts.schedule!r} returned rate {percept.rate}"
        return ArithmeticError(
            f"{what} in replica {replica} at example {example} "
            f"(alpha = {example / self.dim:g}), given {percept}"
        )

    @functools.cached_property
    def setting(self) -> starts.Setting:
        """What the start may depend on."""
        teacher = self.parts.teacher
        center = self.parts.stream.center
        return starts.Setting(self.dim, center, mapped(teacher), teacher.kinks)

    @functools.cached_property
    def axes(self) -> int:
        """Directions of their own that teacher and mean input have: 1 or 2."""
        return self.setting.axes

    @functools.cached_property
    def center(self) -> FloatArray:
        """Mean of the inputs along and across the teacher."""
        return np.array(self.parts.stream.center)

    @functools.cached_property
    def fixed_shift(self) -> FloatArray:
        """A shift that is known beforehand, along and across the teacher."""
        shift = self.parts.rule.shift
        if not isinstance(shift, FixedShift):
            return np.zeros(2)
        return np.asarray(shift.mean * self.center + [shift.teacher, 0.0])

    @functools.cached_property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """The compiled rule, schedule and teacher."""
        parts = self.parts
        rule, schedule = compiled(parts.rule), compiled(parts.schedule)
        return rule, schedule, over_arrays(parts.teacher)

    @functools.cached_property
    def early(self) -> list[int]:
        """Marks at which the start has not yet seen all its examples."""
        return [
            m for m in self.marks.tolist() if m < self.parts.start.examples(self.dim)
        ]

    def open(self, rng: np.random.Generator) -> starts.Opening:
        """Return one student at the moment when the rule takes over."""
        return self.parts.start.open(self.setting, rng, self.early)

    def seeds(self, replica: int) -> tuple[np.random.Generator, Words, Words]:
        """Return generators for the start, the examples and rejected draws.

        They depend on the seed and the number of the replica, on nothing else.
        """
        first, examples, spare = np.random.SeedSequence(
            self.seed, spawn_key=(replica,)
        ).spawn(3)
        return np.random.default_rng(first), generator(examples), generator(spare)


def pose(
    rule: Rule,
    schedule: ScheduleLike,
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
    parts = gather(rule, schedule, teacher, stream, start)
    dim = whole("dim", dim, low=1)
    alphas = increasing("alpha", alpha)
    if alphas[-1] * dim > _MOST:
        raise ValueError(
            f"alpha * dim must not exceed {_MOST:.1e} examples, "
            f"got {alphas[-1] * dim:.1e}"
        )
    problem = Problem(
        parts,
        dim,
        alphas,
        replicas=whole("replicas", replicas, low=1),
        seed=whole("seed", seed, low=0),
        workers=None if workers is None else whole("workers", workers, low=1),
        progress=None if progress is None else flag("progress", progress),
    )
    if dim < problem.axes:
        raise ValueError(
            f"dim must be at least 2 for inputs whose mean {parts.stream.center} does "
            f"not point along the teacher, got {dim}"
        )
    if averaging(rule) == UNIFORM and problem.setting.balanced:
        warnings.warn(
            f"labels of {parts.teacher!r} on {parts.stream!r} are balanced, so that no "
            "uniform shift exists and what is learned of one grows without bound; take "
            "AverageShift(uniform=False)",
            stacklevel=4,
        )
    assert problem.functions  # what does not compile fails before anything runs
    return problem
