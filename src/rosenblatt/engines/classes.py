r"""Learning from labelled classes: many replicas, several schedules on one stream.

With features :math:`x` and label :math:`y = \pm 1`,

.. math:: w \leftarrow (1 - \mathrm{decay})\, w + \mathrm{gain}\, x,  \tag{1}

where gain and decay are the rule's. There is no scaling with the number of weights:
a schedule's ``time`` and ``mistakes`` are plain numbers, and rules see ``dim = 1``. A
mistake is :math:`y\, w \cdot x \le 0`.

Examples are drawn a few thousand at a time; all students of a replica then learn from
them, one after the other, so that the examples stay in the cache.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from numba import types

from rosenblatt.core import Clock, Percept, Rule, compiled, kernel
from rosenblatt.core.class_examples import BLOCK, EACH, ROLES, TESTS, draw_features
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import RATE, STEP, IntArray, Rate, Step
from rosenblatt.core.random import generators
from rosenblatt.engines.classes_task import ClassesTask, Schedules, set_up
from rosenblatt.engines.ensemble import (
    EXAMPLES,
    FAULT,
    MISTAKES,
    RECORDED,
    Batch,
    broken,
    run,
)
from rosenblatt.streams import TwoClasses

__all__ = ["simulate_classes"]

_BLOCKS = 8  # drawn at a time: some hundred kilobytes
_PIECE = 24  # times as many a call: some hundredths of a second
_ABOUT = {
    "weights": "weights of the student",
    "error": "probability that the student's sign is not the label",
    "test_error": "share of a test set that the student gets wrong",
    "mistakes": "mistakes so far",
}

_f, _i = types.float64, types.int64


@kernel(
    types.void,
    STEP,
    RATE,
    types.boolean,
    _f[:, ::1],
    _f[::1],
    _f[::1],
    _i[::1],
    _f[::1],
)
def _learn(
    step: Step,
    rate: Rate,
    mistakes_only: bool,
    X: FloatArray,
    labels: FloatArray,
    w: FloatArray,
    counts: IntArray,
    fault: FloatArray,
) -> None:
    """Show examples to one student, eq. (1)."""
    size, examples, mistakes = w.size, counts[EXAMPLES], counts[MISTAKES]
    q = 0.0
    for i in range(size):
        q += w[i] * w[i]
    for row in range(labels.size):
        y, h = labels[row], 0.0
        for i in range(size):
            h += w[i] * X[row, i]
        if y * h <= 0.0:
            mistakes += 1
        elif mistakes_only:
            continue
        x2 = 0.0
        for i in range(size):
            x2 += X[row, i] * X[row, i]
        eta = rate(Clock(float(examples + row + 1), float(mistakes), 1.0))
        p = Percept(h, y, q, x2, eta, 1.0, 0.0)
        u = step(p)
        if broken(p, u, counts, fault):
            counts[EXAMPLES] = examples + row + 1
            return
        q = 0.0
        for i in range(size):
            w[i] = (1.0 - u.decay) * w[i] + u.gain * X[row, i]
            q += w[i] * w[i]
    counts[EXAMPLES], counts[MISTAKES] = examples + labels.size, mistakes


@kernel(_i, _f[:, ::1], _f[::1], _f[::1])
def _wrong(X: FloatArray, labels: FloatArray, w: FloatArray) -> int:
    """Return the number of mistakes on a test set."""
    wrong = 0
    for row in range(labels.size):
        h = 0.0
        for i in range(w.size):
            h += w[i] * X[row, i]
        if labels[row] * h <= 0.0:
            wrong += 1
    return wrong


class _Replica:
    """The students of one replica, one for each schedule, on their way."""

    def __init__(self, task: ClassesTask, index: int) -> None:
        self.task = task
        self.batch = Batch(1, task.marks, task.width)
        self.batch.advance = self.advance
        rates = [compiled(schedule) for schedule in task.schedules.values()]
        self.functions = [(compiled(task.rule), rate) for rate in rates]
        self.law = task.stream.law()
        self.weights = np.tile(task.start, (len(rates), 1))
        # examples, mistakes and faults of each student, as the ensemble knows them
        self.counts = np.zeros((len(rates), self.batch.counts.shape[1]), np.int64)
        self.words = generators(task.seed, range(index, index + 1), ROLES)[0]
        size = min(_BLOCKS, 1 + int(task.marks[-1]) // BLOCK) * BLOCK
        self.X, self.labels = np.empty((size, task.stream.features)), np.empty(size)
        self.tests = self._draw_tests()

    def _draw_tests(self) -> tuple[FloatArray, FloatArray]:
        """Return a test set with as many examples of each class."""
        task = self.task
        wanted = 2 * task.tests
        size = -(-wanted // BLOCK) * BLOCK
        X, labels = np.empty((size, task.stream.features)), np.empty(size)
        means, roots, _, *rest = self.law
        draw_features(self.words[TESTS:], means, roots, EACH, *rest, 0, X, labels)
        return X[:wanted], labels[:wanted]

    def advance(self) -> None:
        """Go on for a piece of work."""
        shared = self.batch.counts[0]
        for _ in range(_PIECE):
            if self.batch.done or shared[FAULT]:
                return
            first = int(shared[EXAMPLES]) // BLOCK
            draw_features(self.words[:TESTS], *self.law, first, self.X, self.labels)
            self._learn_all()

    def _learn_all(self) -> None:
        """Show what is drawn to all students, and record at the marks."""
        shared, marks = self.batch.counts[0], self.batch.marks
        at = 0
        while True:
            if not self.batch.done and marks[shared[RECORDED]] == shared[EXAMPLES]:
                self._record(int(shared[RECORDED]))
                shared[RECORDED] += 1
                continue
            if self.batch.done or at == self.labels.size:
                return
            left = int(marks[shared[RECORDED]] - shared[EXAMPLES])
            stop = min(self.labels.size, at + left)
            for (step, rate), w, counts in zip(
                self.functions, self.weights, self.counts, strict=True
            ):
                _learn(
                    step,
                    rate,
                    self.task.rule.mistakes_only,
                    self.X[at:stop],
                    self.labels[at:stop],
                    w,
                    counts,
                    self.batch.fault[0],
                )
                if counts[FAULT]:
                    shared[[EXAMPLES, FAULT]] = counts[EXAMPLES], 1
                    return
            shared[EXAMPLES] += stop - at
            at = stop

    def _record(self, mark: int) -> None:
        record = self.batch.records[0, mark].reshape(len(self.weights), -1)
        record[:, :-2] = self.weights
        record[:, -2] = self.counts[:, MISTAKES]
        record[:, -1] = [_wrong(*self.tests, w) for w in self.weights]


def simulate_classes(
    rule: Rule,
    schedules: Schedules,
    stream: TwoClasses,
    *,
    examples: float | Iterable[float],
    replicas: int = 1,
    seed: int = 0,
    start: npt.ArrayLike | None = None,
    tests: int = 0,
    names: Iterable[str] | None = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> xr.Dataset:
    """Simulate students that learn to tell two classes, by eq. (1).

    Parameters
    ----------
    rule
        The learning rule, without a shift.
    schedules
        One schedule, several, or a mapping of names to schedules. All students of a
        replica see the same examples; ``time`` is their number.
    stream
        The classes, see :class:`rosenblatt.streams.TwoClasses`.
    examples
        Numbers of examples after which the state is recorded, increasing; 0 is allowed.
    replicas
        Number of independent streams.
    seed
        The same seed gives the same bits, whatever the number of workers; replica k is
        the same however many there are, whatever else is recorded, and whatever other
        schedules there are.
    start
        The first weights, one for each feature; by default zero.
    tests
        Size of a test set that each replica has, of each class; the exact error is
        there without one.
    names
        What schedules are called in the result; by default what they are.
    workers
        Number of threads; by default one per core.
    progress
        Whether to show a bar; by default in a terminal, after the first second.

    Returns
    -------
    xarray.Dataset
        Dimensions ``replica``, ``schedule``, ``example`` and ``weight``; variables
        ``weights``, ``error`` (exact given the weights), ``mistakes`` and, with tests,
        ``test_error``. The attribute ``bayes_error`` is the least error there can be.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> stream = rb.streams.TwoClasses([(-1, 0), (1, 0)], covariances=1)
    >>> run = rb.simulate_classes(
    ...     rb.rules.Perceptron(), {"slow": rb.schedules.Power(1.0, 0.6),
    ...     "per mistake": rb.schedules.PerMistake()}, stream, examples=[100, 10_000],
    ...     replicas=50)
    >>> dict(run.sizes)
    {'replica': 50, 'schedule': 2, 'example': 2, 'weight': 3}
    >>> bool((run.error >= run.attrs["bayes_error"]).all())
    True
    """
    task = set_up(
        rule,
        schedules,
        stream,
        examples=examples,
        replicas=replicas,
        seed=seed,
        start=start,
        tests=tests,
        names=names,
        workers=workers,
        progress=progress,
    )

    def begin(replicas: range) -> Batch:
        (index,) = replicas
        return _Replica(task, index).batch

    return _result(task, run(task, "classes", begin, most=1))


def _result(task: ClassesTask, records: FloatArray) -> xr.Dataset:
    """Label the records."""
    shape = (task.replicas, task.marks.size, len(task.schedules), task.record)
    numbers = np.ascontiguousarray(records.reshape(shape).swapaxes(1, 2))
    weights = np.ascontiguousarray(numbers[..., :-2])
    each = ("replica", "schedule", "example")
    variables: dict[str, tuple[tuple[str, ...], Any]] = {
        "weights": ((*each, "weight"), weights),
        "error": (each, task.stream.error(weights)),
        "mistakes": (each, np.ascontiguousarray(numbers[..., -2])),
    }
    if task.tests > 0:
        variables["test_error"] = (each, numbers[..., -1] / (2 * task.tests))
    attributes: dict[str, Any] = {}
    if task.stream.solvable:
        attributes["bayes_error"] = task.stream.bayes_error
    return xr.Dataset(
        {
            name: (dims, values, {"long_name": _ABOUT[name]})
            for name, (dims, values) in variables.items()
        },
        coords={
            "replica": np.arange(task.replicas),
            "schedule": list(task.schedules),
            "example": ("example", task.marks, {"long_name": "examples"}),
            "weight": np.arange(task.stream.features),
        },
        attrs={
            "engine": "classes",
            "rule": repr(task.rule),
            "stream": repr(task.stream),
            "seed": task.seed,
            **attributes,
            "version": version("rosenblatt"),
            "spec": json.dumps(task.describe()),
        },
    )
