"""The front door: the fastest exact engine that accepts the parts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import xarray as xr

from rosenblatt.core import BeliefRule, Rule, Stream, Teacher, starts
from rosenblatt.simulation.coordinate.engine import coordinate
from rosenblatt.simulation.engine import Engine
from rosenblatt.simulation.events import events
from rosenblatt.simulation.full import full
from rosenblatt.simulation.problem import Problem, RefusalError, pose
from rosenblatt.simulation.reduced import reduced
from rosenblatt.specification.parts import ScheduleLike
from rosenblatt.teachers import Sign

__all__ = ["ENGINES", "simulate"]

ENGINES = {engine.name: engine for engine in (events, reduced, full)}
# Label noise from which on the O(1) work per example is less than that per mistake. A
# mistake costs about 15 times as much as an example, and 60 or more if inputs have a
# mean, since most of what is drawn is then thrown away.
_NOISY, _NOISY_WITH_MEAN = 0.06, 0.01


def _fastest(problem: Problem) -> Engine:
    teacher = problem.parts.teacher
    most = _NOISY_WITH_MEAN if problem.center.any() else _NOISY
    noisy = isinstance(teacher, Sign) and teacher.noise > most
    order = (reduced, events, full) if noisy else (events, reduced, full)
    reasons = []
    for engine in order:
        reason = engine.refusal(problem)
        if reason is None:
            return engine
        reasons.append(f"{engine.name!r}: {reason}")
    raise RefusalError("no engine can run this. " + ". ".join(reasons))


def _beliefs(
    rule: BeliefRule, *parts: Any, engine: str | None, **given: Any
) -> xr.Dataset:
    """Simulate a learner with a belief about every weight, which has its own engine."""
    if engine not in (None, "coordinate"):
        raise RefusalError(
            f"engine {engine!r} cannot run this: {rule!r} keeps a belief about every "
            "weight; 'coordinate' can"
        )
    if given.pop("start") is not None:
        raise RefusalError(f"start must be None, since {rule!r} starts from its prior")
    return coordinate(rule, *parts, **given)


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
    workers: int | None = None,
    progress: bool | None = None,
    engine: str | None = None,
) -> xr.Dataset:
    """Simulate students that learn from a teacher, exactly in law.

    Parameters
    ----------
    rule, schedule, teacher, stream
        The parts; a schedule may be any function of the clock. By default labels are
        noiseless and inputs isotropic. Rules that keep a belief about every weight,
        such as :class:`~rosenblatt.rules.BinaryBayes`, have an engine of their own, see
        :func:`rosenblatt.simulation.coordinate.engine`.
    dim
        Number N of weights.
    alpha
        Numbers of examples per dimension after which the state is recorded, increasing;
        0 is allowed.
    replicas
        Number of independent students.
    seed
        The same seed gives the same bits, whatever the number of workers; replica k is
        the same however many there are, and whatever else is recorded.
    start
        The first student, see :mod:`rosenblatt.starts`; by default the rule's own.
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
        raise ValueError(f"engine must be one of {names}, got {engine!r}")
    numbers: dict[str, Any] = {
        "dim": dim,
        "alpha": alpha,
        "replicas": replicas,
        "seed": seed,
        "start": start,
        "workers": workers,
        "progress": progress,
    }
    if isinstance(rule, BeliefRule):
        return _beliefs(rule, schedule, teacher, stream, engine=engine, **numbers)
    problem = pose(rule, schedule, teacher, stream, **numbers)
    if engine == "coordinate":
        raise RefusalError(
            f"engine 'coordinate' cannot run this: {rule!r} keeps no belief about its "
            "weights; 'full' can"
        )
    chosen = _fastest(problem) if engine is None else ENGINES[engine]
    return chosen.run(problem)
