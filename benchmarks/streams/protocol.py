"""The protocol: predict a row, then learn it; scores, time and memory of a learner.

Every learner runs in a process of its own, which begins as a copy of this one. Data and
compiled code are there already, so that its growth is the learner's.
"""

from __future__ import annotations

import multiprocessing
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.data import Data
from benchmarks.scores import Score

Pass = Callable[[], np.ndarray]


@dataclass(frozen=True)
class Learner:
    """A learner of the benchmark, with settings that were fixed before any result.

    Parameters
    ----------
    name
        Its name in tables.
    begin
        Convert examples to the form that the learner takes, and return the pass over
        them. The pass returns the predictions, each made before its label was learned:
        probabilities of the classes, or classes. Predictions of several settings come
        with one more axis, the first; each figure is then that of its best setting.
    scaled
        True if it gets rows standardised by a running scaler; else rows as they are.
    linear
        False for learners with other boundaries.
    timed
        Another pass, over the first rows, that time and memory are measured in. It is
        for learners whose predictions are computed by a faster equivalent.
    """

    name: str
    begin: Callable[[Data], Pass]
    scaled: bool = False
    linear: bool = True
    timed: Callable[[Data], Pass] | None = None


@dataclass(frozen=True)
class Result:
    """Scores of a learner on a stream, microseconds per row, and memory in MiB."""

    score: Score
    microseconds: float
    memory: float


def measure(learner: Learner, data: Data, scaled: Data) -> Result:
    """Run a learner on a stream in a process of its own."""
    own = scaled if learner.scaled else data
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_run, args=(learner, own, there))
    child.start()
    there.close()
    try:
        result = here.recv()
    except EOFError:
        raise RuntimeError(f"{learner.name} ended without a result") from None
    finally:
        child.join()
    return result


def _run(learner: Learner, data: Data, answer) -> None:
    """Make the pass, and send the result."""
    predicted, seconds, memory = _measured(learner.begin(data))
    score, rows = _score(predicted, data.y), len(data.y)
    if learner.timed is not None:
        few, seconds, memory = _measured(learner.timed(data))
        rows = len(few)
    answer.send(Result(score, 1e6 * seconds / rows, memory))


def _score(predicted: np.ndarray, y: np.ndarray) -> Score:
    """Score predictions; of several settings take each figure's best."""
    if predicted.ndim < 3:
        return Score.of(predicted, y)
    each = [Score.of(P, y) for P in predicted]
    return Score(
        min(score.error for score in each), min(score.log_loss for score in each)
    )


def _measured(work: Pass) -> tuple[np.ndarray, float, float]:
    """Return what a pass returns, its processor time, and the growth of memory."""
    before = _resident("VmRSS")
    peak = Path("/proc/self/clear_refs")
    if peak.exists():
        peak.write_text("5")  # Linux: the peak begins anew
    began = time.process_time()
    found = work()
    taken = time.process_time() - began
    return found, taken, _resident("VmHWM") - before


def _resident(kind: str) -> float:
    """Return the memory of this process in MiB; NaN where Linux does not tell it."""
    status = Path("/proc/self/status")
    if not status.exists():
        return np.nan
    return int(re.search(rf"{kind}:\s*(\d+) kB", status.read_text())[1]) / 1024
