"""Job of a visitor: a process that computes a view and sends it in pieces.

Processes are copies of a fork server that has all modules loaded, so that they start in
milliseconds. The system shares the cores among them. A job ends at once when its
visitor leaves or wants something else.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import signal
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import xarray as xr

import rosenblatt as rb
from rosenblatt.core import BeliefRule
from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.lab.state import OWN, State, offer, part_of
from rosenblatt.papers.claims import Paper
from rosenblatt.specification.parts import Shift, combined

PAPERS: tuple[Paper, ...] = tuple(
    getattr(rb.papers, key).PAPER for key in rb.papers.__all__
)
EVEN, LOGARITHMIC = 60, 100  # times for each kind of axis
_FIRST = 0.1  # time on a logarithmic axis
_STAGES, _STEP = 12, 2.0  # most of them, and the least ratio of their ends
_PATIENCE = 30.0  # seconds that a stage may take
_QUICK = 0.2  # seconds of a stage that is not worth showing
_PROCESSOR = 90  # seconds of processor time of a job
_MEMORY = 2**32  # bytes of a job
_POLITE = 5  # the web server goes first
# Without a fork server, on other systems, a process takes seconds to start.
CONTEXT: Any = multiprocessing.get_context(
    "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
)
_STARTER = ThreadPoolExecutor(1)  # starts and ends processes, one after the other


@dataclass(frozen=True)
class Curve:
    """A curve from theory; its role is ``theory`` or ``best``."""

    role: str
    name: str
    alpha: FloatArray
    error: FloatArray


@dataclass(frozen=True)
class Run:
    """A simulation so far, its seconds, and whether it is complete."""

    result: xr.Dataset
    seconds: float
    complete: bool


@dataclass(frozen=True)
class Remark:
    """A text for the visitor; after a failure no other message follows."""

    text: str
    failure: bool = False


Message = Curve | Run | Remark | FigureData


def experiment(state: State) -> dict[str, Any]:
    """Return the parts of a state, as :func:`rosenblatt.simulate` takes them.

    Examples
    --------
    >>> experiment(State(noise=0.1))["rule"]
    Normalised(rule=Perceptron(margin=0.0))
    """
    stream = rb.streams.Gaussian(mean=state.mean, overlap=state.overlap)
    rule = combined(
        part_of("rule", state.rule),
        stream,
        shifted=None if state.shifted == "none" else Shift(state.shifted),
        decay=state.decay or None,
        normalised=state.normalised,
        opening=state.opening,
    )
    still = state.motion == "none"
    return {
        "rule": rule,
        "schedule": part_of("schedule", state.schedule),
        "teacher": rb.teachers.Sign(noise=state.noise),
        "stream": stream,
        "motion": None if still else part_of("motion", state.motion),
    }


def first(last: float) -> float:
    """Return the first time on a logarithmic axis that ends at ``last``."""
    return min(_FIRST, last / 100)


def grid(state: State) -> FloatArray:
    """Return the times to record, for both kinds of axes: whole numbers of examples.

    Examples
    --------
    >>> grid(State(dim=10, alpha=0.3))
    array([0. , 0.1, 0.2, 0.3])
    """
    times = np.geomspace(first(state.alpha), state.alpha, LOGARITHMIC)
    times = np.append(times, np.linspace(0, state.alpha, EVEN))
    return np.asarray(np.unique(np.rint(state.dim * times)) / state.dim)


def _stages(times: FloatArray) -> list[int]:
    """Return how many of the times each stage covers; the last covers all.

    Every stage runs from the beginning, and the same seed gives the same bits: so the
    curve is one run that grows. As times at least double, all stages together cost at
    most twice the last.

    Examples
    --------
    >>> _stages(np.array([0.0, 1.0, 2.0, 3.0, 4.0]))
    [3, 5]
    """
    last = times[-1]
    step = max(_STEP, float(last / max(times[1], _FIRST)) ** (1 / _STAGES))
    ends = np.searchsorted(times, last / step ** np.arange(_STAGES), side="right")
    return sorted({end for end in ends.tolist() if end > 2} | {times.size})


def _stage(state: State, alpha: FloatArray, complete: bool) -> Run:
    began = time.perf_counter()
    result = rb.simulate(
        **experiment(state),
        dim=state.dim,
        alpha=alpha,
        replicas=state.replicas,
        seed=state.seed,
        workers=1,
        progress=False,
    )
    return Run(result, time.perf_counter() - began, complete)


def _theory(parts: dict[str, Any], alpha: FloatArray) -> Iterator[Message]:
    """Yield the error for N to infinity and the least error, where they are known."""
    rule, noise = parts["rule"], parts["teacher"].noise
    try:
        if isinstance(rule, rb.rules.BinaryBayes) and rule.noise == noise:
            online = rb.theory.solve_online(alpha, noise, prior="binary")
            curve = online.sel(learner="bayes")
        elif isinstance(rule, BeliefRule):
            raise ValueError(f"none is known for {type(rule).__name__}")
        else:
            curve = rb.solve(**parts, alpha=alpha).isel(replica=0)
        name = "theory, N \N{RIGHTWARDS ARROW} \N{INFINITY}"
        yield Curve("theory", name, alpha, np.asarray(curve["error"].values))
    except (ValueError, TypeError, ArithmeticError) as failure:
        yield Remark(f"There is no theory for this: {failure}")
    still = parts["stream"].mean == 0 and parts["motion"] is None
    if still and not isinstance(rule, BeliefRule):
        late = alpha[alpha > 0]
        best = rb.theory.solve_batch(late, noise)["error"].sel(learner="bayes")
        name = "least error of any learner"
        yield Curve("best", name, late, np.asarray(best.values))


def _curves(state: State) -> Iterator[Message]:
    """Yield a learning curve in stages, and its theory after the first one."""
    parts, alpha = experiment(state), grid(state)
    if not alpha.any():
        raise ValueError(
            f"alpha must be at least 1/N = {1 / state.dim:.3g}, one example, "
            f"got {state.alpha:g}"
        )
    _stage(replace(state, replicas=1), alpha[:2], False)  # what compiles is not timed
    before, *ends = _stages(alpha)
    run = _stage(state, alpha[:before], not ends)
    yield run
    yield from _theory(parts, alpha)
    for end in ends:
        expected = run.seconds * alpha[end - 1] / alpha[before - 1]
        if expected > _PATIENCE:
            yield Remark(
                f"Stopped at \u03b1 = {alpha[before - 1]:.3g}: the rest would take "
                f"about {expected:.2g} s or more, and {_PATIENCE:g} s is the limit "
                "here. Choose a smaller N, fewer replicas or a shorter time."
            )
            return
        if expected > _QUICK or end == alpha.size:
            run, before = _stage(state, alpha[:end], end == alpha.size), end
            yield run


def view(state: State) -> Iterator[Message]:
    """Yield all messages of a view: a paper's figure, or a learning curve.

    Examples
    --------
    >>> sorted({type(message).__name__ for message in view(State(dim=10, alpha=1.0))})
    ['Curve', 'Run']
    """
    if not state.figure:
        yield from _curves(state)
        return
    found = [f for paper in PAPERS for f in paper.figures if f.id == state.figure]
    if not found:
        raise ValueError(f"there is no figure {state.figure!r}")
    yield found[0].build(quick=True)


def _limit() -> None:
    """Lower the priority of this process, and limit its time and memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    with contextlib.suppress(ImportError, AttributeError):  # other systems
        os.nice(_POLITE)
        resource: Any = importlib.import_module("resource")
        resource.setrlimit(resource.RLIMIT_CPU, (_PROCESSOR, _PROCESSOR))
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))


def _work(pipe: Connection, state: State, rules: tuple[str, ...]) -> None:
    """Compute a view and send it; the last message is None, or a failure."""
    _limit()
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            offer(rules)
            for message in view(state):
                pipe.send(message)
        for text in dict.fromkeys(str(warning.message) for warning in caught):
            pipe.send(Remark(f"Note: {text}"))
        pipe.send(None)
    except BrokenPipeError:  # the server has ended
        return
    except MemoryError:
        words = f"this needs more than the {_MEMORY / 2**30:g} GiB that it may have"
        pipe.send(Remark(words, failure=True))
    except Exception as failure:
        pipe.send(Remark(str(failure) or type(failure).__name__, failure=True))


class Job:
    """A process that computes the view of a state.

    Threads start and end it, since the fork server may not be ready yet.
    """

    def __init__(self, state: State) -> None:
        self._inbox, self._outbox = CONTEXT.Pipe(duplex=False)
        arguments = self._outbox, state, tuple(OWN.values())
        self._process = CONTEXT.Process(target=_work, args=arguments, daemon=True)
        self.running = True
        _STARTER.submit(self._start)

    def _start(self) -> None:
        self._process.start()
        self._outbox.close()  # the pipe then ends with the process

    def messages(self) -> Iterator[Message]:
        """Yield the messages since the last call."""
        while self.running and self._inbox.poll():
            try:
                message = self._inbox.recv()
            except (EOFError, OSError):
                message = Remark(
                    "Stopped: this took longer than it may here, or its process was "
                    "ended in another way.",
                    failure=True,
                )
                self.running = False
            if message is None:
                self.running = False
            else:
                yield message

    def stop(self) -> None:
        """End the process, also if it is about to start."""
        self.running = False
        _STARTER.submit(self._end)

    def _end(self) -> None:
        self._process.kill()
        self._process.join()
        self._inbox.close()


def prepare() -> None:
    """Compile what most views need, without leaving threads."""
    for rule, schedule in (("perceptron", "power"), ("hebb", "constant")):
        for _ in view(State(rule=rule, schedule=schedule, dim=9, alpha=1.0)):
            pass


def start_fork_server() -> None:
    """Begin to load the modules that all processes share, and return at once."""
    if CONTEXT.get_start_method() == "forkserver":
        CONTEXT.set_forkserver_preload(["__main__", "rosenblatt.lab.preload"])
        forkserver.ensure_running()
