"""Setting of a start, and the state that it leaves to the rule."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from rosenblatt.core.gaussian import Mapped, moments
from rosenblatt.core.types import FloatArray

__all__ = ["Setting", "StartState"]

_ROUNDING = 1e-12  # below which a mean label is zero


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
        """Directions that differ: the teacher's, and that of its circle or the mean."""
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
