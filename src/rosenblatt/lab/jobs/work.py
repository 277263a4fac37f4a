"""Work of a job: theory, a simulation in stages, a committee, or a figure.

The process asks for its turn before each piece of work and may be killed at any time.
It can do no more than the processor time it is given.
"""

from __future__ import annotations

import importlib
import os
import time
import warnings
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

import rosenblatt as rb
from rosenblatt.core import BeliefRule
from rosenblatt.core.types import FloatArray
from rosenblatt.lab.jobs.asymptotes import asymptote
from rosenblatt.lab.jobs.experiment import (
    PATIENCE,
    ROOM,
    Experiment,
    check,
    experiment,
    grid,
    seconds,
    stages,
)
from rosenblatt.lab.jobs.messages import (
    Curve,
    Done,
    Job,
    Message,
    Ready,
    Remark,
    Run,
    Turn,
)
from rosenblatt.lab.jobs.overlaps import overlaps
from rosenblatt.lab.state import State, offer
from rosenblatt.papers.claims import Paper

__all__ = ["PAPERS", "work"]

_LIMIT = "theory, N \N{RIGHTWARDS ARROW} \N{INFINITY}"
PAPERS: tuple[Paper, ...] = tuple(
    getattr(rb.papers, key).PAPER for key in rb.papers.__all__
)
_QUICK = 0.5  # estimated seconds of a last stage that needs no others before it
_SHORT = 1e6  # examples, of which each takes a microsecond at most
_HARD = 3  # times the patience: theory, all stages, and a machine that is busy
_MEMORY = 2 * 8 * ROOM  # bytes: what a run may remember, and as much for all else
_POLITE = 5  # the page's own server goes first


def _theory(parts: Experiment, alpha: FloatArray) -> tuple[Curve, float | None]:
    """Return the curve for N to infinity, and the mistakes per weight at its end."""
    if isinstance(parts.rule, rb.rules.BinaryBayes):
        noise = getattr(parts.teacher, "noise", 0.0)
        if parts.rule.noise != noise:
            raise ValueError("it is known for a learner that knows the label noise")
        curve = rb.theory.solve_online(alpha, noise, prior="binary")
        curve = curve.sel(learner="bayes")
        return Curve("theory", _LIMIT, alpha, curve["error"].values), None
    if isinstance(parts.rule, BeliefRule):
        raise ValueError(f"none is known for {type(parts.rule).__name__}")
    curve = rb.solve(**parts._asdict(), alpha=alpha).isel(replica=0)
    line = Curve(
        "theory",
        _LIMIT,
        alpha,
        np.asarray(curve["error"].values),
        np.asarray(curve["overlap"].values),
    )
    return line, float(curve["mistakes"].values[-1])


def _lines(parts: Experiment, alpha: FloatArray) -> Iterator[Curve]:
    """Yield the asymptote, where it is below 1/2, and the least error of all."""
    known = asymptote(parts)
    late = alpha[alpha > 0]
    if known is not None:
        errors = known.error(late)
        shown = errors < 0.5
        if shown.any():
            yield Curve("asymptote", known.name, late[shown], errors[shown])
    still = parts.stream.mean == 0 and parts.motion is None
    if still and not isinstance(parts.rule, BeliefRule):
        noise = getattr(parts.teacher, "noise", 0.0)
        best = rb.theory.solve_batch(late, noise)["error"].sel(learner="bayes")
        name = "least error of any learner"
        yield Curve("best", name, late, np.asarray(best.values))


def _curves(job: Job, turn: Turn) -> Iterator[Message]:
    """Yield the curves of a state as they become known."""
    turn()
    parts, alpha = experiment(job.state), grid(job.state)
    check(job.state, parts)
    ends = stages(alpha)
    began, before, last = time.process_time(), 0, 0.0
    if alpha[ends[0] - 1] * job.state.dim * job.state.replicas < _SHORT:
        # something to see while theory is being worked out
        before, *ends = ends
        yield _stage(job.state, parts, alpha[:before], not ends)
        turn()
    mistakes = None
    try:
        line, mistakes = _theory(parts, alpha)
        yield line
    except (ValueError, TypeError, ArithmeticError) as failure:
        yield Remark(f"There is no theory for this: {failure}")
    yield from _lines(parts, alpha)
    check(job.state, parts, mistakes)
    if 0.0 < seconds(job.state, parts, mistakes) < _QUICK:
        ends = ends[-1:]  # each stage takes time to be computed and drawn
    for end in ends:
        turn()
        expected = last * alpha[end - 1] / alpha[before - 1] if before else 0.0
        if time.process_time() - began + expected > 2 * PATIENCE:
            yield Remark(
                f"Stopped at \u03b1 = {alpha[before - 1]:.3g}: the rest would take "
                "longer than it may here."
            )
            return
        run = _stage(job.state, parts, alpha[:end], end == len(alpha))
        before, last = end, run.seconds
        yield run


def _stage(state: State, parts: Experiment, alpha: FloatArray, complete: bool) -> Run:
    began = time.perf_counter()
    result = rb.simulate(
        **parts._asdict(),
        dim=state.dim,
        alpha=alpha,
        replicas=state.replicas,
        seed=state.seed,
        workers=1,
        progress=False,
    )
    return Run(result, time.perf_counter() - began, complete)


def _figure(job: Job, turn: Turn) -> Iterator[Message]:
    """Yield a figure of a paper."""
    wanted = job.state.figure
    found = [f for one in PAPERS for f in one.figures if f.id == wanted]
    if not found:
        raise ValueError(f"there is no figure {wanted!r}")
    turn()
    yield found[0].build(quick=True)


def _limit() -> None:
    """Lower the priority of this process and limit its time and memory."""
    if hasattr(os, "nice"):
        os.nice(_POLITE)
    try:
        resource: Any = importlib.import_module("resource")
    except ImportError:  # a system without such limits
        return
    most = int(_HARD * PATIENCE)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))


def work(pipe: Connection, job: Job) -> None:
    """Do a job and send its messages."""
    _limit()

    def turn() -> None:
        pipe.send(Ready())
        pipe.recv()

    steps = _figure if job.state.figure else overlaps if job.state.units else _curves
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            offer(job.rules)
            for message in steps(job, turn):
                pipe.send(message)
            for text in dict.fromkeys(str(warning.message) for warning in caught):
                pipe.send(Remark(f"Note: {text}"))
    except (Exception, SystemExit) as failure:
        what = str(failure) or type(failure).__name__
        if isinstance(failure, SystemExit):
            what = f"the code ended by itself, with {what}"
        elif isinstance(failure, MemoryError):
            what = f"this needs more than the {_MEMORY / 2**30:g} GiB that it may have"
        pipe.send(Remark(what, failure=True))
    pipe.send(Done())
    pipe.close()
