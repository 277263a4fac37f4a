"""Jobs in processes of their own: theory, stages of a run, a figure.

The process asks for its turn before each piece of work and may be killed at any time.
It can do no more than the processor time it is given.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

import rosenblatt as rb
from rosenblatt.core import BeliefRule, Rule
from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.papers import paper
from rosenblatt.spelling.files import load
from rosenblatt.web.asymptotes import asymptote
from rosenblatt.web.experiment import (
    PATIENCE,
    ROOM,
    Experiment,
    check,
    experiment,
    grid,
    stages,
)
from rosenblatt.web.state import State

__all__ = [
    "PAPERS",
    "Done",
    "Job",
    "Line",
    "Message",
    "Ready",
    "Run",
    "Said",
    "own_name",
    "work",
]

PAPERS: tuple[paper.Paper, ...] = tuple(
    getattr(rb.papers, key).PAPER for key in rb.papers.__all__
)
_SHORT = 1e6  # examples, of which each takes a microsecond at most
_HARD = 3  # times the patience: theory, all stages, and a machine that is busy
_MEMORY = 2 * 8 * ROOM  # bytes: what a run may remember, and as much for all else
_OWN = "own_rule"  # the module that a visitor's code becomes
_POLITE = 5  # the page's own server goes first


@dataclass(frozen=True)
class Job:
    """A view to be computed; ``code`` is a rule of the visitor's own."""

    state: State
    code: str | None = None


@dataclass(frozen=True)
class Ready:
    """The next piece of work waits for its turn."""


@dataclass(frozen=True)
class Line:
    """A curve that theory knows: ``theory``, ``asymptote`` or ``best``."""

    role: str
    name: str
    alpha: FloatArray
    error: FloatArray
    overlap: FloatArray | None = None


@dataclass(frozen=True)
class Run:
    """A run so far, how long it took, and whether it is complete."""

    result: xr.Dataset
    seconds: float
    complete: bool


@dataclass(frozen=True)
class Said:
    """Something for the visitor to read; after a failure there is nothing more."""

    text: str
    failure: bool = False


@dataclass(frozen=True)
class Done:
    """Nothing more will come."""


Message = Ready | Done | Line | Run | Said | FigureData
Turn = Callable[[], None]


def own_rule(code: str) -> Rule | BeliefRule:
    """Return the last rule that a text defines, by running it.

    Examples
    --------
    >>> own_rule("x = 1")
    Traceback (most recent call last):
    ValueError: your code must define a class derived from rosenblatt.core.Rule
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{_OWN}.py")
        path.write_text(code, encoding="utf-8")
        sys.modules.pop(_OWN, None)  # of an earlier job, in a process of its own
        try:
            module = load(str(path))
        except ValueError as failure:
            raise ValueError(str(failure).replace(str(path), "your code")) from None
    mine = [
        made
        for made in vars(module).values()
        if inspect.isclass(made)
        and issubclass(made, Rule | BeliefRule)
        and made.__module__ == module.__name__
    ]
    if not mine:
        raise ValueError(
            "your code must define a class derived from rosenblatt.core.Rule"
        )
    found: Rule | BeliefRule = mine[-1]()
    return found


def own_name(result: xr.Dataset) -> str:
    """Return the name of the visitor's class in a result that was made with it.

    Examples
    --------
    >>> own_name(xr.Dataset(attrs={"spec": '{"rule": {"own": "Half"}}'}))
    'Half'
    """
    found = re.search(r'"own": "(\w+)"', result.attrs["spec"])
    assert found is not None
    return found[1]


def _theory(parts: Experiment, alpha: FloatArray) -> tuple[Line, float | None]:
    """Return the curve for N to infinity, and the mistakes per weight at its end."""
    if isinstance(parts.rule, rb.rules.BinaryBayes):
        noise = getattr(parts.teacher, "noise", 0.0)
        curve = rb.theory.solve_online(
            alpha, noise, prior="binary", assumed=parts.rule.noise
        ).sel(learner="bayes")
        return Line(
            "theory", "theory, N to infinity", alpha, curve["error"].values
        ), None
    if isinstance(parts.rule, BeliefRule):
        raise ValueError(f"none is known for {type(parts.rule).__name__}")
    curve = rb.solve(*parts, alpha=alpha).isel(replica=0)
    line = Line(
        "theory",
        "theory, N to infinity",
        alpha,
        np.asarray(curve["error"].values),
        np.asarray(curve["overlap"].values),
    )
    return line, float(curve["mistakes"].values[-1])


def _lines(parts: Experiment, alpha: FloatArray) -> Iterator[Line]:
    """Yield the asymptote, where it is below 1/2, and the least error of all."""
    known = asymptote(parts)
    late = alpha[alpha > 0]
    if known is not None:
        errors = known.error(late)
        shown = errors < 0.5
        if shown.any():
            yield Line("asymptote", known.name, late[shown], errors[shown])
    if parts.stream.mean == 0 and not isinstance(parts.rule, BeliefRule):
        noise = getattr(parts.teacher, "noise", 0.0)
        best = rb.theory.solve_batch(late, noise)["error"].sel(learner="bayes")
        name = "least error of any learner"
        yield Line("best", name, late, np.asarray(best.values))


def _curves(job: Job, turn: Turn) -> Iterator[Message]:
    """Yield the curves of a state as they become known."""
    turn()
    own = None if job.code is None else own_rule(job.code)
    parts, alpha = experiment(job.state, own), grid(job.state)
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
        yield Said(f"There is no theory for this: {failure}")
    yield from _lines(parts, alpha)
    check(job.state, parts, mistakes)
    for end in ends:
        turn()
        expected = last * alpha[end - 1] / alpha[before - 1] if before else 0.0
        if time.process_time() - began + expected > 2 * PATIENCE:
            yield Said(
                f"Stopped at alpha = {alpha[before - 1]:.3g}: the rest would take "
                "longer than it may here."
            )
            return
        run = _stage(job.state, parts, alpha[:end], end == len(alpha))
        before, last = end, run.seconds
        yield run


def _stage(state: State, parts: Experiment, alpha: FloatArray, complete: bool) -> Run:
    began = time.perf_counter()
    result = rb.simulate(
        *parts,
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
    """Take second place, and no more time than is fair."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its processes
    if hasattr(os, "nice"):
        os.nice(_POLITE)
    try:
        resource: Any = importlib.import_module("resource")
    except ImportError:  # a system without such limits
        return
    most = int(_HARD * PATIENCE)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))


def work(job: Job, pipe: Connection) -> None:
    """Do a job and send what comes out of it, to the end of the pipe."""
    _limit()

    def turn() -> None:
        pipe.send(Ready())
        pipe.recv()

    steps = _figure if job.state.figure else _curves
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for message in steps(job, turn):
                pipe.send(message)
            for text in dict.fromkeys(str(warning.message) for warning in caught):
                pipe.send(Said(f"Note: {text}"))
    except (Exception, SystemExit) as failure:
        what = str(failure) or type(failure).__name__
        if isinstance(failure, SystemExit):
            what = f"the code ended by itself, with {what}"
        elif isinstance(failure, MemoryError):
            what = f"this needs more than the {_MEMORY / 2**30:g} GiB that it may have"
        pipe.send(Said(what, failure=True))
    pipe.send(Done())
    pipe.close()
