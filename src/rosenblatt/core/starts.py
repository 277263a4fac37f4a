r"""Starts: the student before its rule acts.

A student has three coordinates: along the teacher, across the teacher in the direction
of the mean input, and the length of the rest. In their units a student with
:math:`w \cdot w = N` has length 1.

A start may take examples, like anything that learns: they are on the clock, and the
rule acts from the next one on.
"""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from rosenblatt.core.arguments import number, shown
from rosenblatt.core.gaussian import Mapped, moments
from rosenblatt.core.types import LONGEST, SHORTEST, FloatArray

__all__ = [
    "Hebbian",
    "Overlap",
    "Random",
    "Setting",
    "Start",
    "StartState",
    "Vector",
    "Zero",
]

_ROUNDING = 1e-12  # below which a number is zero


def checked_length(name: str, value: float) -> float:
    """Return the length of a student over sqrt(N), whose square is finite and not 0."""
    return number(name, value, low=SHORTEST, high=LONGEST)


@dataclass(frozen=True)
class Setting:
    """Numbers and functions that a start may depend on."""

    dim: float  # infinite in theory
    center: tuple[float, float]  # mean of the inputs along and across the teacher
    positive: Mapped  # the teacher, mapped over arrays of fields
    kinks: tuple[float, ...] = (0.0,)  # of the teacher
    circle: bool = False  # whether the teacher turns in a plane of its own

    @property
    def axes(self) -> int:
        """Number of directions besides the student: the teacher, its circle or mean."""
        return 2 if self.center[1] > 0 or self.circle else 1

    @functools.cached_property
    def averages(self) -> tuple[FloatArray, float]:
        """Averages of label times input, along and across the teacher; of the label."""
        along, across = self.center
        p, r = moments(self.positive, self.kinks, np.array(along), np.array(1.0))
        labels = float(2 * p - 1)
        return np.array([2 * float(r) + along * labels, across * labels]), labels

    @property
    def balanced(self) -> bool:
        """True if both labels are equally frequent."""
        return abs(self.averages[1]) < _ROUNDING


@dataclass(frozen=True)
class StartState:
    """One student at the moment when its rule takes over."""

    student: FloatArray  # coordinates
    early: FloatArray  # coordinates after each number of examples that was asked for
    examples: int = 0  # it has seen
    labels: int = 0  # sum of their labels
    average: float = 0.0  # the average of label * x is this many times the student


class Start(ABC):
    """A law of the first student."""

    @property
    def until(self) -> float:
        """Examples per weight that the start takes."""
        return 0.0

    def at(self, alpha: float) -> Start:
        """Return the student of an earlier time as a start of its own."""
        return self

    def examples(self, dim: int) -> int:
        """Return the number of examples that the start takes."""
        return 0

    @abstractmethod
    def draw(self, setting: Setting, rng: np.random.Generator) -> FloatArray:
        """Return the coordinates of one student; with ``dim = inf`` their limit."""

    def state(
        self, setting: Setting, rng: np.random.Generator, early: Sequence[int]
    ) -> StartState:
        """Return one student, and its states after ``early`` numbers of examples."""
        return StartState(self.draw(setting, rng), np.empty((0, 3)))


def _direction(setting: Setting, rng: np.random.Generator, free: int) -> FloatArray:
    """Return a uniform direction: ``free`` coordinates, then the length of the rest."""
    if math.isinf(setting.dim):
        return np.array([0.0] * free + [1.0])
    rest = setting.dim - free
    g = rng.standard_normal(free)
    v = np.array([*g, math.sqrt(rng.chisquare(rest)) if rest > 0 else 0.0])
    return np.asarray(v / math.sqrt(v @ v))


@dataclass(frozen=True)
class Random(Start):
    """A student in a uniformly random direction, of length ``norm * sqrt(N)``."""

    norm: float = 1.0

    def __post_init__(self) -> None:
        checked_length("norm", self.norm)

    def draw(self, setting: Setting, rng: np.random.Generator) -> FloatArray:
        """Return a uniform direction on the sphere."""
        v = self.norm * _direction(setting, rng, setting.axes)
        return v if setting.axes == 2 else np.array([v[0], 0.0, v[1]])


@dataclass(frozen=True)
class Zero(Start):
    """The student w = 0; its overlap is reported as 0, its error as that of a guess."""

    def draw(self, setting: Setting, rng: np.random.Generator) -> FloatArray:
        """Return the origin."""
        return np.zeros(3)


@dataclass(frozen=True)
class Overlap(Start):
    """A student of given overlaps, otherwise random.

    Parameters
    ----------
    teacher
        Cosine of the angle between it and the teacher.
    mean
        Its overlap ``q = U.W`` with the mean of the inputs, W being the student as a
        unit vector. None leaves it to chance.
    norm
        Its length over ``sqrt(N)``.
    """

    teacher: float
    mean: float | None = None
    norm: float = 1.0

    def __post_init__(self) -> None:
        number("teacher", self.teacher, low=-1, high=1)
        if self.mean is not None:
            number("mean", self.mean)
        checked_length("norm", self.norm)

    def draw(self, setting: Setting, rng: np.random.Generator) -> FloatArray:
        """Return the given coordinates."""
        sine = math.sqrt((1 - self.teacher) * (1 + self.teacher))
        if setting.dim < 2 and sine > 0:
            raise ValueError(
                f"start at overlap {self.teacher} needs dim >= 2, got {setting.dim:g}"
            )
        along, across = setting.center
        if self.mean is None:
            if setting.axes == 1:
                return self.norm * np.array([self.teacher, 0.0, sine])
            rest = sine * _direction(
                Setting(setting.dim - 1, setting.center, setting.positive), rng, 1
            )
            return self.norm * np.array([self.teacher, *rest])
        if across == 0:
            raise ValueError(
                f"start at mean overlap {self.mean} needs inputs whose mean does not "
                f"point along the teacher, got a mean of {along:g} along it"
            )
        side = (self.mean - along * self.teacher) / across
        if abs(side) > sine:
            raise ValueError(
                f"no student has teacher overlap {self.teacher} and mean overlap "
                f"{self.mean} where the mean of the inputs is {setting.center}"
            )
        rest2 = (sine - side) * (sine + side)
        if setting.dim <= setting.axes and rest2 > _ROUNDING:
            raise ValueError(
                f"start at overlaps {self.teacher} and {self.mean} needs dim >= 3, "
                f"got {setting.dim:g}"
            )
        return self.norm * np.array([self.teacher, side, math.sqrt(rest2)])


@dataclass(frozen=True)
class Vector(Start):
    """A given vector of weights, for the engine ``full`` only.

    The teacher points along the first axis and the mean of the inputs lies in the plane
    of the first two.
    """

    weights: tuple[float, ...] = field(repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.weights, tuple):
            raise TypeError(
                f"weights must be a tuple of numbers, got {shown(self.weights)}"
            )
        for i, weight in enumerate(self.weights):
            number(f"weights[{i}]", weight, low=-LONGEST, high=LONGEST)
        length = math.hypot(*self.weights) / math.sqrt(max(len(self.weights), 1))
        if length > 0:
            checked_length("the length of weights over sqrt(N)", length)

    def draw(self, setting: Setting, rng: np.random.Generator) -> FloatArray:
        """Refuse: three numbers do not determine a whole vector."""
        raise ValueError("start Vector is taken by the engine 'full' only")


_EXAMPLES = 1 << 53  # beyond, a count is not exact
_PIECE = 1 << 20  # examples drawn at a time, so that memory does not grow with dim


@dataclass(frozen=True)
class Hebbian(Start):
    """The sum of ``label * x`` over the first examples, scaled to ``norm * sqrt(N)``.

    Parameters
    ----------
    alpha
        Number of examples per weight.
    norm
        Its length over ``sqrt(N)``.
    """

    alpha: float = 1.0
    norm: float = 1.0

    def __post_init__(self) -> None:
        number("alpha", self.alpha, above=0)
        checked_length("norm", self.norm)

    @property
    def until(self) -> float:
        """Examples per weight that the start takes."""
        return self.alpha

    def at(self, alpha: float) -> Start:
        """Return the student of an earlier time as a start of its own."""
        return replace(self, alpha=alpha) if alpha > 0 else Zero()

    def examples(self, dim: int) -> int:
        """Return the number of examples that the start takes."""
        wanted = self.alpha * dim
        if wanted > _EXAMPLES:
            raise ValueError(
                f"alpha must be at most {_EXAMPLES} examples, got {self.alpha:g} for "
                f"each of {dim} weights"
            )
        return max(1, round(wanted))

    def draw(self, setting: Setting, rng: np.random.Generator) -> FloatArray:
        """Return the student after all examples."""
        return self.state(setting, rng, ()).student

    def state(
        self, setting: Setting, rng: np.random.Generator, early: Sequence[int]
    ) -> StartState:
        """Return the sum of that many examples, drawn from its exact law.

        Asking for an earlier student does not change this one.
        """
        if math.isinf(setting.dim):
            limit = np.array([*setting.averages[0], self.alpha**-0.5])
            scale = float(np.linalg.norm(limit)) / self.norm
            return StartState(self._scaled(limit), np.empty((0, 3)), average=scale)
        ends = np.array([*early, self.examples(int(setting.dim))])
        sums, labels = self._sums(setting, rng, ends)
        # The other components are symmetric, so labels do not change their law.
        sums[:, 1] = setting.center[1] * labels
        total, rest = int(ends[-1]), int(setting.dim) - setting.axes
        side = 0.0
        if setting.axes == 2:
            side = math.sqrt(total) * rng.standard_normal()
        sums[-1, 1] += side
        sums[-1, 2] = math.sqrt(total * rng.chisquare(rest)) if rest > 0 else 0.0
        # Backwards in time, each is a bridge from zero to the next one.
        (bridge,) = rng.spawn(1)
        for i in range(len(ends) - 2, -1, -1):
            share = ends[i] / max(ends[i + 1], 1)  # none of none is none
            noise = math.sqrt(ends[i] * (1 - share))
            if setting.axes == 2:
                side = share * side + noise * bridge.standard_normal()
            sums[i, 1] += side
            if rest > 0:
                along = share * sums[i + 1, 2] + noise * bridge.standard_normal()
                across2 = bridge.chisquare(rest - 1) if rest > 1 else 0.0
                sums[i, 2] = math.sqrt(along**2 + noise**2 * across2)
        *before, student = (self._scaled(v) for v in sums)
        scale = float(np.linalg.norm(sums[-1])) / (total * self.norm)
        return StartState(
            student, np.reshape(before, (-1, 3)), total, int(labels[-1]), scale
        )

    def _scaled(self, v: FloatArray) -> FloatArray:
        length = np.linalg.norm(v)
        return np.asarray(self.norm * v / length if length > 0 else v)

    @staticmethod
    def _sums(
        setting: Setting, rng: np.random.Generator, ends: npt.NDArray[np.int64]
    ) -> tuple[FloatArray, FloatArray]:
        """Return sums of label * b, and of labels, over the first examples."""
        sums, labels = np.zeros((len(ends), 3)), np.zeros(len(ends))
        for first in range(0, ends[-1], _PIECE):
            b = setting.center[0] + rng.standard_normal(min(ends[-1] - first, _PIECE))
            y = np.where(rng.random(b.size) < setting.positive(b), 1.0, -1.0)
            for i in np.flatnonzero(ends > first):
                seen = slice(0, ends[i] - first)
                sums[i, 0] += y[seen] @ b[seen]
                labels[i] += y[seen].sum()
        return sums, labels
