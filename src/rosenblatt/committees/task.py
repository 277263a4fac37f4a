"""Checked arguments of a simulation of committees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.committees.arguments import check_rates
from rosenblatt.committees.committee import Committee
from rosenblatt.committees.gram import (
    Start,
    factor,
    first_students,
    random_students,
)
from rosenblatt.compiling import inlined, types
from rosenblatt.core import Motion, Schedule
from rosenblatt.core.types import HUGE, FloatArray, Words
from rosenblatt.simulation.ensemble import Run
from rosenblatt.simulation.rotation import PLANE, Rotations, rotations_of
from rosenblatt.specification.codec import describe

__all__ = [
    "EXAMPLE",
    "FRAME",
    "NOISE",
    "SPARE",
    "TURN",
    "Frame",
    "NetworkTask",
    "Overlaps",
    "learned",
    "wrong",
]

EXAMPLE, SPARE, NOISE, TURN = range(4)  # uses of random numbers


class Overlaps(NamedTuple):
    """Students at every mark, (replica, mark, ...)."""

    along: FloatArray  # coordinates along the teachers' directions, (..., K, M)
    own: FloatArray  # overlaps with each other, (..., K, K)
    outputs: FloatArray  # output weights, (..., K)
    weights: FloatArray | None = None  # of the last students, (replica, K, N)


@inlined
def wrong(first: float, second: float) -> bool:
    """Return whether a rate is negative or not finite.

    Examples
    --------
    >>> wrong(0.5, 0.0), wrong(0.5, -1.0)
    (False, True)
    """
    return not (0.0 <= first <= HUGE and 0.0 <= second <= HUGE)


@inlined
def learned(target: float, output: float) -> float:
    """Return the error of a classifier: the label if its own sign differs, else 0.

    Examples
    --------
    >>> learned(0.3, -2.0), learned(0.3, 2.0)
    (1.0, 0.0)
    """
    label = 1.0 if target > 0.0 else -1.0
    return label if label * output <= 0.0 else 0.0 * output  # not a number stays one


class Frame(NamedTuple):
    """Numbers that stay the same during a run."""

    teacher: FloatArray  # triangular factor of the teacher's overlaps
    axes: int  # directions of the teacher, and those of its velocity if it rotates
    outputs: FloatArray  # output weights of the teacher
    decay: float
    noise: float
    classify: bool
    dim: int
    piece: int  # examples of a call


FRAME = types.structure(
    Frame,
    types.float64[:, ::1],
    types.int64,
    types.float64[::1],
    types.float64,
    types.float64,
    types.boolean,
    types.int64,
    types.int64,
)


@dataclass(frozen=True, eq=False)
class NetworkTask:
    """A committee, its rates, its teacher's motion, its start and numbers of a run."""

    committee: Committee
    rate: Schedule
    second_rate: Schedule
    motion: Motion | None
    start: Start
    run: Run

    @property
    def axes(self) -> int:
        """Directions of the teacher's units, and of their velocities in a rotation."""
        rotates = self.rotations.heading == PLANE
        return self.committee.units[1] * (2 if rotates else 1)

    @property
    def record_size(self) -> int:
        """Coordinates of the students in the frame, and their output weights."""
        students = self.committee.units[0]
        return students * (students + self.axes + 1)

    @property
    def rotations(self) -> Rotations:
        """Turns of the teacher."""
        dim = self.run.dim
        return Rotations(dim) if self.motion is None else rotations_of(self.motion, dim)

    @property
    def title(self) -> str:
        """Name in a progress bar."""
        students, teachers = self.committee.units
        return f"committee {students} of {teachers}, N = {self.run.dim}"

    def failure(self, replica: int, example: int, fault: FloatArray) -> Exception:
        """Return the error for numbers that are not finite."""
        rate, second, error = (float(value) for value in fault[:3])
        place = f"at example {example} of replica {replica}"
        check_rates((self.rate, self.second_rate), (rate, second), place)
        return ArithmeticError(
            f"committee overflows {place}: rate {rate:g} of the schedule, error "
            f"{error:g} of the output; try a smaller rate, or a smaller decay"
        )

    def generators(self, replicas: range) -> Words:
        """Return random numbers for all uses: (replica, use, 3)."""
        return self.run.generators(replicas, 4)

    def first(self, replicas: range) -> FloatArray:
        """Return the first students of some replicas in the frame.

        They have shape (replica, K, axes + K). Students of given overlaps have no
        component along a teacher's velocity.
        """
        students, teachers = self.committee.units
        shape = students, self.axes
        result = np.zeros((len(replicas), students, self.axes + students))
        if isinstance(self.start, tuple):
            given = first_students(self.start, self.committee.gram)
            result[..., :teachers] = given[:, :teachers]
            result[..., self.axes :] = given[:, teachers:]
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
            self.axes,
            committee.teacher_weights,
            float(committee.decay),
            float(committee.noise),
            committee.classify,
            self.run.dim,
            piece,
        )

    def describe(self) -> dict[str, Any]:
        """Return all that is needed to run the task again, as plain data."""
        return describe(
            "committees.simulate",
            **vars(self.committee),
            rate=self.rate,
            second_rate=self.second_rate,
            motion=self.motion,
            start=self.start,
            dim=self.run.dim,
            alpha=self.run.alpha,
            replicas=self.run.replicas,
            seed=self.run.seed,
        )
