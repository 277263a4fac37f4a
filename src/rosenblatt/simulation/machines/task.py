"""Checked arguments of an engine for machines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.vectors import normalised
from rosenblatt.core import Machine, Schedule, VectorStream
from rosenblatt.core.arguments import number, part, shown, whole
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import normal
from rosenblatt.simulation.run import Run
from rosenblatt.specification.codec import describe
from rosenblatt.specification.parts import ScheduleLike, schedule_of, stream_for
from rosenblatt.specification.probing import probe, probe_stream

__all__ = ["INPUTS", "NOISE", "TESTS", "MachineTask", "machine_task"]

START, INPUTS, NOISE, TESTS = range(4)  # uses of random numbers


@dataclass(frozen=True, eq=False)
class MachineTask:
    """Parts and numbers of one simulation."""

    machine: Machine
    schedule: Schedule
    stream: VectorStream
    target: FloatArray
    start: FloatArray | None  # (1 or replicas, parameters)
    noise: float
    tests: int
    exact: bool  # whether the machine knows its error
    run: Run

    @property
    def record_size(self) -> int:
        """Numbers of a record: the weights, the mistakes, and errors in tests."""
        return self.machine.parameters + 2

    @property
    def title(self) -> str:
        """Name in a progress bar."""
        return type(self.machine).__name__

    def failure(self, replica: int, example: int, fault: FloatArray) -> Exception:
        """Return the error for numbers that are not finite."""
        target, value, rate, change = (float(number) for number in fault[:4])
        what = f"machine {self.machine!r} left the finite numbers"
        if not math.isfinite(rate):
            what = f"schedule {self.schedule!r} returned rate {rate}"
        return ArithmeticError(
            f"{what} {self.run.place(replica, example)}: f = {value} (of the target "
            f"{target}), rate {rate}, largest derivative {change}"
        )

    def generators(self, replicas: range) -> Words:
        """Return random numbers for each replica and use."""
        return self.run.generators(replicas, TESTS + 1)

    def students(self, replicas: range) -> FloatArray:
        """Return the first weights."""
        weights = np.empty((len(replicas), self.machine.parameters))
        if self.start is None:
            _gaussians(self.generators(replicas), weights)
        elif len(self.start) == 1:
            weights[:] = self.start
        else:
            weights[:] = self.start[replicas.start : replicas.stop]
        return normalised(weights, self.machine.groups)

    def describe(self) -> dict[str, Any]:
        """Return all that is needed to run the task again, as plain data."""
        return describe(
            machine=self.machine,
            schedule=self.schedule,
            target=self.target,
            stream=self.stream,
            examples=self.run.marks,
            noise=self.noise,
            replicas=self.run.replicas,
            seed=self.run.seed,
            start=self.start,
            tests=self.tests,
        )


@kernel(types.void, types.uint64[:, :, ::1], types.float64[:, ::1])
def _gaussians(words: Words, weights: FloatArray) -> None:
    for r in range(len(weights)):
        for i in range(weights.shape[1]):
            weights[r, i] = normal(words[r, START])


def _sizes(machine: Machine) -> None:
    """Refuse sizes that do not fit together."""
    whole("machine.inputs", machine.inputs, low=1)
    parameters = whole("machine.parameters", machine.parameters, low=1)
    groups = whole("machine.groups", machine.groups, low=0)
    if groups > 0 and parameters % groups != 0:
        raise ValueError(
            f"machine.groups must divide its {parameters} parameters, got {groups}"
        )


def _weights(name: str, value: Any, shapes: list[tuple[int, ...]]) -> FloatArray:
    """Return finite weights of one of these shapes, in rows."""
    wanted = " or ".join(str(shape) for shape in shapes)
    try:
        given = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} must be an array of shape {wanted}, got {shown(value)}"
        ) from None
    if given.shape not in shapes:
        raise ValueError(
            f"{name} must be an array of shape {wanted}, got shape {given.shape}"
        )
    if not np.isfinite(given).all():
        raise ValueError(f"{name} must be finite numbers, got {given}")
    return np.atleast_2d(given)


def machine_task(
    machine: Machine,
    schedule: ScheduleLike,
    target: npt.ArrayLike,
    stream: VectorStream | None,
    *,
    noise: float,
    start: npt.ArrayLike | None,
    tests: int,
    run: Run,
) -> MachineTask:
    """Check the parts and return them with their run as one task."""
    part("machine", Machine, machine)
    _sizes(machine)
    stream = stream_for(machine, stream)
    size = machine.parameters
    aim = normalised(_weights("target", target, [(size,)]), machine.groups, "target")
    probe(machine, aim[0])
    probe_stream(stream)
    first = None
    if start is not None:
        first = _weights("start", start, [(size,), (run.replicas, size)])
        normalised(first, machine.groups, "start")  # refuses what has no direction
    return MachineTask(
        machine,
        schedule_of(schedule),
        stream,
        aim[0],
        first,
        noise=number("noise", noise, low=0, high=0.5),
        tests=whole("tests", tests, low=1),
        exact=machine.error(aim, aim[0], stream) is not None,
        run=run,
    )
