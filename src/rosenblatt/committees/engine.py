"""Simulation of committees, exactly in law at every N."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import xarray as xr

from rosenblatt.committees import full, reduced
from rosenblatt.committees.arguments import RateLike, rate_of, turning
from rosenblatt.committees.committee import Committee
from rosenblatt.committees.decisions import disagreement
from rosenblatt.committees.drift import CommitteeDrift
from rosenblatt.committees.gram import starting
from rosenblatt.committees.result import labelled
from rosenblatt.committees.task import NetworkTask
from rosenblatt.core import Motion
from rosenblatt.core.arguments import flag, part, shown
from rosenblatt.simulation.ensemble import Run

__all__ = ["simulate"]

_ENGINES = {"reduced": reduced.overlaps, "full": full.overlaps}
_WRONG = "share of new examples whose sign differs from the teacher's"


def simulate(
    committee: Committee,
    rate: RateLike,
    *,
    dim: int,
    alpha: float | Iterable[float],
    second_rate: RateLike = 0.0,
    motion: Motion | None = None,
    replicas: int = 1,
    seed: int = 0,
    start: Any = 0.5,
    workers: int | None = None,
    progress: bool | None = None,
    engine: str = "reduced",
    weights: bool = False,
) -> xr.Dataset:
    """Simulate students with hidden units that learn from a teacher, exactly in law.

    Parameters
    ----------
    committee
        Student and teacher.
    rate
        The rate of the first layer: a number, a schedule of ``time``, or any function
        of the clock.
    dim
        Number N of inputs, not below the number of all units; those of a teacher that
        rotates count twice.
    alpha
        Numbers of examples per dimension after which the state is recorded, increasing;
        0 is allowed.
    second_rate
        The rate of the second layer, likewise; by default its weights are fixed.
    motion
        The teacher's motion, see :mod:`rosenblatt.motions`. Its units turn together. In
        a ``Rotation`` each has a plane of its own. ``Retreat`` is for K = M = 1 only.
    replicas, seed, workers, progress
        As in :func:`rosenblatt.simulate`.
    start
        Length of random students, over sqrt(N); or first overlaps, a pair R (K, M) and
        Q (K, K).
    engine
        ``"reduced"``, which draws no vectors, or ``"full"``, which does; both have the
        same law.
    weights
        Whether to return the last students' weights, which ``"full"`` has.

    Returns
    -------
    xarray.Dataset
        Variables: ``R`` (replica, alpha, student, teacher), ``Q`` (replica, alpha,
        student, other), ``outputs`` (replica, alpha, student) and ``error`` (replica,
        alpha). The error is half the mean squared error on new examples without noise,
        or the share of wrong decisions if the committee classifies. With
        ``weights=True`` also ``weights`` (replica, student, input).

    Examples
    --------
    >>> import rosenblatt as rb
    >>> committee = rb.committees.Committee(rb.rules.Erf(), students=2, teachers=2)
    >>> run = rb.committees.simulate(
    ...     committee, rb.schedules.Constant(1.0), dim=1000, alpha=[0, 300])
    >>> bool(run.error[0, 1] < 0.01 * run.error[0, 0])
    True
    """
    part("committee", Committee, committee)
    if not (isinstance(engine, str) and engine in _ENGINES):
        names = ", ".join(_ENGINES)
        raise ValueError(f"engine must be one of {names}, got {shown(engine)}")
    if flag("weights", weights) and engine != "full":
        raise ValueError(
            f"weights must be False for the engine {shown(engine)}, got True"
        )
    run = Run.at_alpha(alpha, dim, replicas, seed, workers, progress)
    task = NetworkTask(
        committee,
        rate_of("rate", rate),
        rate_of("second_rate", second_rate),
        turning(motion, committee.units),
        starting(start, committee.gram, committee.units[0]),
        run,
    )
    if run.dim < task.axes + committee.units[0]:
        twice = "twice that" if task.axes > committee.units[1] else "that"
        raise ValueError(
            f"dim must be at least {task.axes + committee.units[0]}, the number of the "
            f"student's units plus {twice} of the teacher's, got {run.dim}"
        )
    return _result(task, engine, weights)


def _result(task: NetworkTask, engine: str, weights: bool) -> xr.Dataset:
    """Run the engine and return its labelled result."""
    committee, run = task.committee, task.run
    along, own, outputs, last = _ENGINES[engine](task)
    cross = along @ np.ascontiguousarray(task.frame(1).teacher.T)
    theory, words = CommitteeDrift(committee), {}
    if committee.classify:
        error = disagreement(committee, theory.covariance(cross, own), outputs)
        words = {"about_error": _WRONG}
    else:
        error = theory.error(cross, own, outputs)
    spec = task.describe() | {"engine": engine, "weights": weights}
    about = {"engine": engine, "dim": run.dim, "spec": json.dumps(spec)}
    found = labelled((cross, own, outputs, error), run.alpha, about, **words)
    if weights and last is not None:
        scaled = last * math.sqrt(run.dim)  # of order N, as everywhere
        found["weights"] = ("replica", "student", "input"), scaled
    return found
