r"""What the student is before the first example.

A student is described by three coordinates: along the teacher, across it in the
direction of the mean input, and the length of all the rest, in units in which a student
with :math:`w \cdot w = N` has length 1.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np

from rosenblatt.core.arguments import number
from rosenblatt.core.gaussian import FloatArray, Mapped, moments

_ROUNDING = 1e-12

__all__ = ["Hebbian", "Overlap", "Random", "Setting", "Start", "Vector", "Zero"]


@dataclass(frozen=True)
class Setting:
    """What a start may depend on."""

    dim: float  # infinite in theory
    center: tuple[float, float]  # mean of the inputs along and across the teacher
    positive: Mapped  # the teacher, mapped over arrays of fields
    kinks: tuple[float, ...] = (0.0,)  # of the teacher

    @property
    def axes(self) -> int:
        """Directions told apart: the teacher's, and the mean's if it has its own."""
        return 2 if self.center[1] > 0 else 1


class Start(ABC):
    """A law of the first student."""

    @abstractmethod
    def draw(self, setting: Setting, rng: np.random.Generator) -> FloatArray:
        """Return the coordinates of one student; with ``dim = inf`` their limit."""


def _direction(setting: Setting, rng: np.random.Generator, free: int) -> FloatArray:
    """Return a uniform direction: ``free`` coordinates, then the length of the rest."""
    if math.isinf(setting.dim):
        return np.array([0.0] * free + [1.0])
    rest = setting.dim - free
    g = rng.standard_normal(free)
    v = np.array([*g, math.sqrt(rng.chisquare(rest)) if rest > 0 else 0.0])
    return np.asarray(v / np.linalg.norm(v))


@dataclass(frozen=True)
class Random(Start):
    """A student in a uniformly random direction, of length ``norm * sqrt(N)``."""

    norm: float = 1.0

    def __post_init__(self) -> None:
        number("norm", self.norm, above=0)

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
        Cosine of its angle with the teacher.
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
        number("norm", self.norm, above=0)

    def draw(self, setting: Setting, rng: np.random.Generator) -> FloatArray:
        """Return the coordinates that were asked for."""
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
class Hebbian(Start):
    """The sum of ``label * x`` over examples of its own, scaled to ``norm * sqrt(N)``.

    These examples are drawn before the clock starts.

    Parameters
    ----------
    alpha
        How many of them, per dimension.
    norm
        Its length over ``sqrt(N)``.
    """

    alpha: float = 1.0
    norm: float = 1.0

    def __post_init__(self) -> None:
        number("alpha", self.alpha, above=0)
        number("norm", self.norm, above=0)

    def draw(self, setting: Setting, rng: np.random.Generator) -> FloatArray:
        """Return the sum of that many examples, drawn from its exact law."""
        along, across = setting.center
        if math.isinf(setting.dim):
            p, r = moments(
                setting.positive, setting.kinks, np.array(along), np.array(1.0)
            )
            labels = 2 * p - 1
            v = np.array([2 * r + along * labels, across * labels, self.alpha**-0.5])
            return np.asarray(self.norm * v / np.linalg.norm(v))
        left = examples = max(1, round(self.alpha * setting.dim))
        v = np.zeros(3)
        while left > 0:  # in pieces, so that memory does not grow with dim
            b = along + rng.standard_normal(min(left, 1 << 20))
            y = np.where(rng.random(b.size) < setting.positive(b), 1.0, -1.0)
            v[0] += y @ b
            v[1] += across * y.sum()
            left -= b.size
        # The other components are symmetric, so labels do not change their law.
        if setting.axes == 2:
            v[1] += math.sqrt(examples) * rng.standard_normal()
        rest = setting.dim - setting.axes
        v[2] = math.sqrt(examples * rng.chisquare(rest)) if rest > 0 else 0.0
        return np.asarray(self.norm * v / np.linalg.norm(v))


@dataclass(frozen=True)
class Vector(Start):
    """A given vector of weights, for the engine ``full`` only.

    The teacher points along the first axis and the mean of the inputs lies in the plane
    of the first two.
    """

    weights: tuple[float, ...] = field(repr=False)

    def __post_init__(self) -> None:
        for i, weight in enumerate(self.weights):
            number(f"weights[{i}]", weight)

    def draw(self, setting: Setting, rng: np.random.Generator) -> FloatArray:
        """Refuse: a whole vector cannot be told by three numbers."""
        raise ValueError("start Vector is taken by the engine 'full' only")
