"""Simulation of a student and its teacher, by the fastest engine that is exact."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt
import xarray as xr

from rosenblatt.core import BeliefRule, Motion, Rule, Stream, Teacher, starts
from rosenblatt.core.arguments import shown
from rosenblatt.core.types import FloatArray
from rosenblatt.simulation import events as _events
from rosenblatt.simulation import full as _full
from rosenblatt.simulation import reduced as _reduced
from rosenblatt.simulation.beliefs import coordinate
from rosenblatt.simulation.run import MOST, Run, TeacherTask, teacher_task
from rosenblatt.specification.parts import RefusalError, ScheduleLike, gather
from rosenblatt.teachers import Sign

__all__ = ["ENGINES", "Engine", "events", "full", "reduced", "simulate"]

# Label noise from which on the O(1) work per example is less than that per mistake. A
# mistake costs about 15 times as much as an example, and 60 or more if inputs have a
# mean, since most of what is drawn is then thrown away.
_NOISY, _NOISY_WITH_MEAN = 0.06, 0.01


@dataclass(frozen=True)
class Engine:
    """An engine, called with the arguments of :func:`rosenblatt.simulate`.

    Parameters
    ----------
    name
        Name in results.
    refusal
        Returns the reason why it cannot take a task, and an engine that can; or None.
    records
        Runs all replicas: coordinates of the student and number of mistakes, in an
        array (replica, alpha, 4).
    """

    name: str
    refusal: Callable[[TeacherTask], str | None]
    records: Callable[[TeacherTask], FloatArray]

    def __call__(self, *parts: Any, **numbers: Any) -> xr.Dataset:
        """Simulate, or raise an error that names an engine that can."""
        return simulate(*parts, **numbers, engine=self.name)

    @property
    def __signature__(self) -> inspect.Signature:
        """Signature of :func:`simulate` without its last parameter, ``engine``."""
        signature = inspect.signature(simulate)
        *parameters, _ = signature.parameters.values()
        return signature.replace(parameters=parameters)

    def run(self, task: TeacherTask) -> xr.Dataset:
        """Simulate a task that has been checked."""
        reason = self.refusal(task)
        if reason is not None:
            raise RefusalError(f"engine {self.name!r} cannot run this: {reason}")
        return task.result(self.name, self.records(task))


events = Engine("events", _events.refusal, _events.records)
reduced = Engine("reduced", _reduced.refusal, _reduced.records)
full = Engine("full", _full.refusal, _full.records)
ENGINES = {engine.name: engine for engine in (events, reduced, full)}


def _fastest(task: TeacherTask) -> Engine:
    """Return the fastest engine that accepts the task."""
    teacher = task.parts.teacher
    most = _NOISY_WITH_MEAN if task.center.any() else _NOISY
    noisy = isinstance(teacher, Sign) and teacher.noise > most
    order = (reduced, events, full) if noisy else (events, reduced, full)
    reasons = []
    for engine in order:
        reason = engine.refusal(task)
        if reason is None:
            return engine
        reasons.append(f"{engine.name!r}: {reason}")
    raise RefusalError("no engine can run this. " + ". ".join(reasons))


def _check_beliefs(
    rule: BeliefRule,
    engine: str | None,
    start: starts.Start | None,
    motion: Motion | None,
) -> None:
    """Refuse options that a learner with a belief about every weight does not have."""
    if engine not in (None, "coordinate"):
        raise RefusalError(
            f"engine {engine!r} cannot run this: {rule!r} keeps a belief about every "
            "weight; 'coordinate' can"
        )
    if start is not None:
        raise RefusalError(f"start must be None, since {rule!r} starts from its prior")
    if motion is not None:
        raise RefusalError(
            f"motion must be None, since {rule!r} is for a teacher that stands still, "
            f"got {motion!r}"
        )


def simulate(
    rule: Rule | BeliefRule,
    schedule: ScheduleLike,
    teacher: Teacher | None = None,
    stream: Stream | None = None,
    *,
    dim: int,
    alpha: float | Iterable[float],
    replicas: int = 1,
    seed: int = 0,
    start: starts.Start | None = None,
    motion: Motion | None = None,
    target: npt.ArrayLike | None = None,
    tests: int = 1000,
    workers: int | None = None,
    progress: bool | None = None,
    engine: str | None = None,
) -> xr.Dataset:
    """Simulate students that learn from a teacher, exactly in law.

    Parameters
    ----------
    rule, schedule, teacher, stream
        The parts; a schedule may be any function of the clock. By default labels are
        noiseless and inputs isotropic. Other inputs, such as
        :class:`~rosenblatt.streams.UniformBits`, are drawn as vectors of ``dim``
        components by the engine ``"full"``, and divided by ``sqrt(dim)``. Rules that
        keep a belief about every weight, such as
        :class:`~rosenblatt.rules.BinaryBayes`, have an engine of their own, see
        :func:`rosenblatt.simulation.beliefs`.
    dim
        Number N of weights.
    alpha
        Numbers of examples per weight after which the state is recorded, increasing;
        0 is allowed.
    replicas
        Number of independent students.
    seed
        The same seed gives the same bits, whatever the number of workers. Replica k is
        the same however many there are, and whatever else is recorded.
    start
        The first student, see :mod:`rosenblatt.starts`; by default the rule's own.
    motion
        The teacher's motion, see :mod:`rosenblatt.motions`; by default it stands still.
        Inputs must have no mean then, and rules no shift.
    target
        The teacher's weights where inputs are vectors, for all replicas or one row for
        each. Only their direction matters to a rule; by default it is random.
    tests
        Number of fresh inputs on which an error is measured, where inputs are vectors.
        For Gaussian inputs the error is exact.
    workers
        Number of threads; by default one per core.
    progress
        Whether to show a bar; by default in a terminal, after the first second.
    engine
        ``"events"``, ``"reduced"``, ``"full"`` or ``"coordinate"``; by default the
        fastest that accepts the parts. The result says which one ran.

    Returns
    -------
    xarray.Dataset
        Dimensions ``replica`` and ``alpha``; variables ``overlap``, ``angle``,
        ``norm``, ``mean_overlap``, ``error`` and ``mistakes``, see
        :mod:`rosenblatt.core.trace`.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> run = rb.simulate(
    ...     rb.rules.Normalised(rb.rules.Perceptron()), rb.schedules.Constant(1.0),
    ...     dim=1000, alpha=[0, 10], replicas=100)
    >>> run.attrs["engine"], float(run.overlap.mean("replica")[1].round(2))
    ('events', 0.92)
    """
    known = (*ENGINES, "coordinate")
    if engine is not None and not (isinstance(engine, str) and engine in known):
        names = ", ".join(known)
        raise ValueError(f"engine must be one of {names}, got {shown(engine)}")
    if isinstance(rule, BeliefRule):
        _check_beliefs(rule, engine, start, motion)
        return coordinate(
            rule, schedule, teacher, stream, dim=dim, alpha=alpha, replicas=replicas,
            seed=seed, target=target, tests=tests, workers=workers, progress=progress
        )  # fmt: skip
    parts = gather(rule, schedule, teacher, stream, start, motion, vectors=True)
    run = Run.at_alpha(alpha, dim, replicas, seed, workers, progress, most=MOST)
    task = teacher_task(parts, run, target, tests)
    if engine == "coordinate":
        raise RefusalError(
            f"engine 'coordinate' cannot run this: {rule!r} keeps no belief about its "
            "weights; 'full' can"
        )
    chosen = _fastest(task) if engine is None else ENGINES[engine]
    return chosen.run(task)
