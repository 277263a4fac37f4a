"""Experiment of a state: parts, times to record, stages, and cost.

A stage runs from the beginning to a later time than the last one. The same seed gives
the same bits whatever else is recorded. So the curve that is seen to grow is one run.
As times at least double, all stages together cost at most twice the last.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

import rosenblatt as rb
from rosenblatt.core import BeliefRule, Rule, Schedule
from rosenblatt.core.types import FloatArray
from rosenblatt.lab.state import State, part_of
from rosenblatt.specification.codec import parse
from rosenblatt.specification.parts import Shift, combined

__all__ = [
    "EVEN",
    "PATIENCE",
    "ROOM",
    "STAGES",
    "Experiment",
    "check",
    "experiment",
    "grid",
    "logarithmic",
    "seconds",
    "stages",
]

PATIENCE = 30.0  # seconds of work that a view may take
ROOM = 2**28  # numbers that a run may remember: 2 GiB
_FIRST = 0.1  # alpha at which logarithmic points begin
_DECADE, EVEN = 12, 60  # points of a decade, and evenly spaced ones
STAGES = 12  # at most
_STEP = 2.0  # from stage to stage, at least
# Costs in seconds, each about twice what was measured on one core of 2.5 GHz.
_MISTAKE, _MISTAKE_WITH_MEAN = 1e-6, 6e-6  # engine "events"
_EXAMPLE, _EXAMPLE_WITH_AVERAGES = 4e-7, 2.5e-6  # engine "reduced"
_WEIGHT = 2e-7  # engine "coordinate", for each weight of an example
_HIDDEN = 4e-7  # a committee, for each hidden unit; its stages end at even times
_ENTRY = 5e-9  # ... and for each of N^2 or 2^N numbers, where there are so many


class Experiment(NamedTuple):
    """The parts, as :func:`rosenblatt.simulate` takes them."""

    rule: Any
    schedule: Schedule
    teacher: rb.core.Teacher
    stream: rb.streams.Gaussian
    motion: rb.core.Motion | None


def experiment(state: State) -> Experiment:
    """Return the parts of a state.

    Examples
    --------
    >>> experiment(State(noise=0.1)).rule
    Normalised(rule=Perceptron(margin=0.0))
    """
    stream = rb.streams.Gaussian(mean=state.mean, overlap=state.overlap)
    rule = part_of(state.rule, Rule, BeliefRule)
    around = combined(
        rule,
        stream,
        shifted=None if state.shifted == "none" else Shift(state.shifted),
        decay=state.decay,
        normalised=state.normalised,
        opening=state.opening,
    )
    schedule = parse(Schedule, state.schedule, files=False)
    motion = None
    if state.motion != "none":
        motion = parse(rb.core.Motion, state.motion, files=False)
    teacher = rb.teachers.Sign(noise=state.noise)
    return Experiment(around, schedule, teacher, stream, motion)


def grid(state: State) -> FloatArray:
    """Return the times to record, for logarithmic and linear axes.

    Each is a whole number of examples.

    Examples
    --------
    >>> grid(State(dim=10, alpha=0.3))
    array([0. , 0.1, 0.2, 0.3])
    """
    first, count = logarithmic(state.alpha)
    times = np.geomspace(first, state.alpha, count)
    times = np.append(times, np.linspace(0, state.alpha, EVEN))
    return np.asarray(np.unique(np.rint(state.dim * times)) / state.dim)


def logarithmic(last: float) -> tuple[float, int]:
    """Return where points that are even on a logarithmic axis begin, and their number.

    Examples
    --------
    >>> logarithmic(100.0)
    (0.1, 37)
    """
    first = min(_FIRST, last / 100)
    return first, 1 + math.ceil(_DECADE * math.log10(last / first))


def stages(times: FloatArray) -> list[int]:
    """Return how many of the times each stage covers; the last covers all.

    Examples
    --------
    >>> stages(np.array([0.0, 1.0, 2.0, 3.0, 4.0]))
    [3, 5]
    """
    last = times[-1]
    decades = (
        math.log10(max(last / max(times[1], _FIRST), 1.0)) if len(times) > 1 else 0
    )
    step = max(_STEP, 10 ** (decades / STAGES))
    ends, at = [len(times)], last / step
    while len(ends) < STAGES:
        count = int(np.searchsorted(times, at, side="right"))
        if count < 3:  # too little to see
            break
        if count < ends[0]:
            ends.insert(0, count)
        at /= step
    return ends


def seconds(state: State, parts: Experiment, mistakes: float | None = None) -> float:
    """Return about how long the last stage takes, on one core; for committees, all.

    ``mistakes`` is the number per weight, if theory knows it.

    Examples
    --------
    >>> seconds(State(dim=10**6, alpha=1e6), experiment(State()), mistakes=10.0) < 1e3
    True
    """
    if state.units:
        every = state.alpha * state.dim * (STAGES + 1) / 2
        return every * state.units * _HIDDEN
    examples = state.alpha * state.dim * state.replicas
    rule = parts.rule
    if isinstance(rule, BeliefRule):
        many = 0.0
        if isinstance(rule, rb.rules.FullBayes):
            many = float(state.dim) ** 2
        return examples * (state.dim * _WEIGHT + many * _ENTRY)
    if rule.mistakes_only and mistakes is not None and rule.shift is None:
        each = _MISTAKE_WITH_MEAN if state.mean else _MISTAKE
        by_mistakes = mistakes * state.dim * state.replicas * each
        return min(by_mistakes, examples * _EXAMPLE)
    if rule.mistakes_only and rule.shift is None:
        return 0.0  # nobody knows yet; the clock will tell
    return examples * (_EXAMPLE if rule.shift is None else _EXAMPLE_WITH_AVERAGES)


def check(state: State, parts: Experiment, mistakes: float | None = None) -> None:
    """Raise ValueError if a run would take too much time or memory.

    Examples
    --------
    >>> long = State(rule="hebb", dim=10**6, alpha=1e6)
    >>> check(long, experiment(long))
    Traceback (most recent call last):
    ValueError: this would take about 2e+07 s, and 30 s is the limit here; ...
    """
    if not grid(state).any():
        raise ValueError(
            f"alpha must be at least 1/N = {1 / state.dim:.3g}, one example, "
            f"got {state.alpha:g}"
        )
    needed = seconds(state, parts, mistakes)
    if needed > PATIENCE:
        raise ValueError(
            f"this would take about {needed:.2g} s, and {PATIENCE:g} s is the limit "
            "here; choose a smaller N, fewer replicas or a shorter time"
        )
    room = 4.0 * state.dim if isinstance(parts.rule, BeliefRule) else 0.0
    if isinstance(parts.rule, rb.rules.FullBayes):
        room = float(state.dim) ** 2
    if room > ROOM:
        raise ValueError(
            f"this would need {room * 8 / 2**30:.2g} GiB; choose a smaller N"
        )
