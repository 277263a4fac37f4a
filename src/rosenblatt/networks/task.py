"""Checked arguments of a simulation of committees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.compiling import types
from rosenblatt.core import Schedule
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.networks.committee import Committee
from rosenblatt.networks.gram import (
    Start,
    factor,
    first_students,
    random_students,
)
from rosenblatt.simulation.run import Run
from rosenblatt.specification.records import describe

__all__ = ["FRAME", "Frame", "NetworkTask"]


class Frame(NamedTuple):
    """Numbers that stay the same during a run."""

    teacher: FloatArray  # triangular factor of the teacher's overlaps
    outputs: FloatArray  # output weights of the teacher
    decay: float
    noise: float
    dim: int
    piece: int  # examples of a call


FRAME = types.structure(
    Frame,
    types.float64[:, ::1],
    types.float64[::1],
    types.float64,
    types.float64,
    types.int64,
    types.int64,
)


@dataclass(frozen=True, eq=False)
class NetworkTask:
    """A committee, its rate, its start and the numbers of a run."""

    committee: Committee
    schedule: Schedule
    start: Start
    run: Run

    @property
    def record_size(self) -> int:
        """Coordinates of the students in the frame of teachers and students."""
        students, teachers = self.committee.units
        return students * (students + teachers)

    @property
    def title(self) -> str:
        """Name in a progress bar."""
        students, teachers = self.committee.units
        return f"committee {students} of {teachers}, N = {self.run.dim}"

    def failure(self, replica: int, example: int, fault: FloatArray) -> Exception:
        """Return the error for numbers that are not finite."""
        rate, error = fault[:2]
        return ArithmeticError(
            f"committee overflows at example {example} of replica {replica}: rate "
            f"{rate:g} of the schedule, error {error:g} of the output; try a smaller "
            "rate"
        )

    def generators(self, replicas: range) -> Words:
        """Return random numbers for examples and rejected draws: (replica, use, 3)."""
        return self.run.generators(replicas, 2)

    def first(self, replicas: range) -> FloatArray:
        """Return the first students of some replicas in the frame, (..., K, M + K)."""
        students, teachers = shape = self.committee.units
        result = np.empty((len(replicas), students, teachers + students))
        if isinstance(self.start, tuple):
            result[:] = first_students(self.start, self.committee.gram)
            return result
        for row, index in enumerate(replicas):
            rng = np.random.default_rng((self.run.seed, index))
            result[row] = random_students(self.start, shape, self.run.dim, rng)
        return result

    def frame(self, piece: int) -> Frame:
        """Return the numbers for a kernel that takes so many examples a call."""
        committee = self.committee
        return Frame(
            factor("teachers", committee.gram),
            committee.signs[committee.units[0] :].copy(),
            float(committee.decay),
            float(committee.noise),
            self.run.dim,
            piece,
        )

    def describe(self) -> dict[str, Any]:
        """Return all that is needed to run it again, as plain data."""
        return describe(
            **vars(self.committee),
            schedule=self.schedule,
            start=self.start,
            dim=self.run.dim,
            alpha=self.run.alpha,
            replicas=self.run.replicas,
            seed=self.run.seed,
        )
