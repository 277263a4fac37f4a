"""Simulation of a student and its teacher, by the fastest engine that is exact."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy.typing as npt
import xarray as xr

from rosenblatt.core import (
    BeliefRule,
    Likelihood,
    Motion,
    Rule,
    Stream,
    Teacher,
    starts,
)
from rosenblatt.core.arguments import shown
from rosenblatt.simulation.beliefs import belief_experiment, coordinate
from rosenblatt.simulation.events import events
from rosenblatt.simulation.experiment import (
    Engine,
    Experiment,
    TeacherExperiment,
    teacher_experiment,
)
from rosenblatt.simulation.full import full
from rosenblatt.simulation.reduced import reduced
from rosenblatt.specification.parts import RefusalError, ScheduleLike
from rosenblatt.teachers import Sign

ENGINES = {engine.name: engine for engine in (events, reduced, full, coordinate)}
# Label noise from which on the O(1) work per example is less than that per mistake. A
# mistake costs about 15 times as much as an example, and 60 or more if inputs have a
# mean, since most of what is drawn is then thrown away.
_NOISY, _NOISY_WITH_MEAN = 0.06, 0.01


def _fastest(experiment: Experiment) -> Engine:
    """Return the fastest engine that can run the experiment."""
    if not isinstance(experiment, TeacherExperiment):
        return coordinate
    teacher = experiment.parts.teacher
    most = _NOISY_WITH_MEAN if experiment.center.any() else _NOISY
    noisy = isinstance(teacher, Sign) and teacher.noise > most
    order = (reduced, events, full) if noisy else (events, reduced, full)
    reasons = []
    for engine in order:
        reason = engine.refusal(experiment)
        if reason is None:
            return engine
        reasons.append(f"{engine.name!r}: {reason}")
    raise RefusalError("no engine can run this. " + ". ".join(reasons))


def experiment_of(rule: Rule | BeliefRule, *parts: Any, **given: Any) -> Experiment:
    """Check the arguments of :func:`simulate` but for the engine."""
    if isinstance(rule, BeliefRule):
        return belief_experiment(rule, *parts, **given)
    return teacher_experiment(rule, *parts, **given)


def simulate(
    rule: Rule | BeliefRule,
    schedule: ScheduleLike,
    teacher: Teacher | Likelihood | None = None,
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
    """Simulate students that learn from a teacher, without approximation.

    Parameters
    ----------
    rule, schedule, teacher, stream
        The parts; a schedule may be any function of the clock. By default labels are
        noiseless and inputs isotropic. Other inputs, such as
        :class:`~rosenblatt.streams.UniformBits`, are drawn as vectors of ``dim``
        components by the engine ``"full"``, and divided by ``sqrt(dim)``. A teacher
        may also be a likelihood (:mod:`rosenblatt.likelihoods`), for labels of any
        kind; inputs are then isotropic. Rules that
        keep a belief about every weight, such as
        :class:`~rosenblatt.rules.BinaryBayes`, have an engine of their own,
        ``"coordinate"``. It draws vectors of all inputs, and can neither have a start
        nor a motion.
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
        each. Only their direction matters to a rule; by default it is random. A belief
        has a teacher from its prior by default: standard normal for Gaussian weights,
        +1 for binary weights, which stand for all binary teachers by symmetry.
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
        :mod:`rosenblatt.core.trace`. For beliefs, these are of the mean weights.
        ``agreement`` is the fraction of weights with the teacher's sign, ``solved`` is
        true if all have it, and ``estimate`` is the learner's own estimate of its error
        (:cite:t:`winther1997`, eq. 8). The attribute ``exact`` is 0 where an error is a
        fraction of tests.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> run = rb.simulate(
    ...     rb.rules.Normalised(rb.rules.Perceptron()), rb.schedules.Constant(1.0),
    ...     dim=1000, alpha=[0, 10], replicas=100)
    >>> run.attrs["engine"], float(run.overlap.mean("replica")[1].round(2))
    ('events', 0.92)
    """
    if engine is not None and not (isinstance(engine, str) and engine in ENGINES):
        names = ", ".join(ENGINES)
        raise ValueError(f"engine must be one of {names}, got {shown(engine)}")
    experiment = experiment_of(
        rule, schedule, teacher, stream, start=start, motion=motion, target=target,
        tests=tests, dim=dim, alpha=alpha, replicas=replicas, seed=seed,
        workers=workers, progress=progress,
    )  # fmt: skip
    if engine is None:
        return _fastest(experiment).run(experiment)
    believes = isinstance(rule, BeliefRule)
    if believes != (engine == "coordinate"):
        kept, other = ("a", "coordinate") if believes else ("no", "full")
        raise RefusalError(
            f"engine {engine!r} cannot run this: {rule!r} keeps {kept} belief about "
            f"every weight; {other!r} can"
        )
    return ENGINES[engine].run(experiment)
