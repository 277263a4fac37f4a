r"""The students of one replica: several schedules on the same labelled examples.

Examples are drawn a few thousand at a time. All students of a replica then learn from
them, one after the other, so that the examples stay in the cache. Students that move on
mistakes only look for the next one among several examples at once.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.addresses import address, rate_at, step_at
from rosenblatt.compiling.jit import inlined
from rosenblatt.compiling.vector.eights import (
    EIGHT,
    first_not_positive,
    load,
    same_eight,
)
from rosenblatt.core import Clock, Percept
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.numerics.class_examples import BLOCK, EACH, ROLES, TESTS, draw_features
from rosenblatt.simulation.classes.task import ClassesTask
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    FAULT,
    MISTAKES,
    RECORDED,
    Batch,
    broken,
)

__all__ = ["Replica"]

_BLOCKS = 8  # drawn at a time, fewer of many features:
_NUMBERS = 2**16  # some hundred kilobytes
_PIECE = 4_000_000  # products a call: some hundredths of a second

_f, _i = types.float64, types.int64
_COLUMNS = _f[:, ::1]  # (feature, example)


@inlined
def _next_mistake(
    X: FloatArray, labels: FloatArray, w: FloatArray, row: int, stop: int
) -> int:
    """Return the first row from this one on that is a mistake, or ``stop``."""
    columns = X.shape[1]
    while row + EIGHT <= stop:
        field = same_eight(0.0)
        for i in range(w.size):
            field = field + same_eight(w[i]) * load(X, i * columns + row)
        ahead: int = first_not_positive(field * load(labels, row))
        if ahead < EIGHT:
            return row + ahead
        row += EIGHT  # a constant: the next eight need not wait for these
    while row < stop:
        h = 0.0
        for i in range(w.size):
            h += w[i] * X[i, row]
        if labels[row] * h <= 0.0:
            return row
        row += 1
    return row


@kernel(
    types.void,
    _i,
    _i,
    types.boolean,
    _COLUMNS,
    _f[::1],
    _i,
    _i,
    _f[::1],
    _i[::1],
    _f[::1],
)
def _learn(
    rule: int,
    schedule: int,
    mistakes_only: bool,
    X: FloatArray,
    labels: FloatArray,
    start: int,
    stop: int,
    w: FloatArray,
    counts: IntArray,
    fault: FloatArray,
) -> None:
    """Show examples to one student: eq. (1) of ``classes``.

    Rule and schedule are addresses: to pass functions takes longer than to learn.
    """
    step, rate = step_at(rule), rate_at(schedule)
    size, examples, mistakes = w.size, counts[EXAMPLES] - start, counts[MISTAKES]
    q = 0.0
    for i in range(size):
        q += w[i] * w[i]
    row = start
    while row < stop:
        if mistakes_only:
            row = _next_mistake(X, labels, w, row, stop)
            if row == stop:
                break
        y, h, x2 = labels[row], 0.0, 0.0
        for i in range(size):
            h += w[i] * X[i, row]
            x2 += X[i, row] * X[i, row]
        if y * h <= 0.0:
            mistakes += 1
        row += 1
        eta = rate(Clock(float(examples + row), float(mistakes), 1.0))
        p = Percept(h, y, q, x2, eta, 1.0, 0.0)
        u = step(p)
        if broken(p, u, counts, fault):
            counts[EXAMPLES] = examples + row
            return
        q = 0.0
        for i in range(size):
            w[i] = (1.0 - u.decay) * w[i] + u.gain * X[i, row - 1]
            q += w[i] * w[i]
    counts[EXAMPLES], counts[MISTAKES] = examples + stop, mistakes


@kernel(_i, _COLUMNS, _f[::1], _f[::1])
def _wrong(X: FloatArray, labels: FloatArray, w: FloatArray) -> int:
    """Return the number of mistakes on a test set."""
    wrong = 0
    for row in range(labels.size):
        h = 0.0
        for i in range(w.size):
            h += w[i] * X[i, row]
        if labels[row] * h <= 0.0:
            wrong += 1
    return wrong


class Replica:
    """The students of one replica, one for each schedule, on their way."""

    def __init__(self, task: ClassesTask, index: int) -> None:
        self.task = task
        self.batch = Batch(1, task.run.marks, task.record_size)
        self.batch.advance = self.advance
        rates = [address(schedule) for schedule in task.schedules.values()]
        self.functions = [(address(task.rule), rate) for rate in rates]
        self.law = task.stream.law()
        self.weights = np.tile(task.start, (len(rates), 1))
        # examples, mistakes and faults of each student, as the ensemble knows them
        self.counts = np.zeros((len(rates), self.batch.counts.shape[1]), np.int64)
        self.words = task.run.generators(range(index, index + 1), ROLES)[0]
        features, dim = task.stream.features, task.stream.dim
        few = min(_BLOCKS, 1 + int(task.run.marks[-1]) // BLOCK)
        size = max(1, min(few, _NUMBERS // (features * BLOCK))) * BLOCK
        self.X, self.labels = np.empty((features, size)), np.empty(size)
        # of an input by its root, of a field, and some for the random numbers
        self.pieces = max(1, _PIECE // (size * (dim * dim + 8 * features)))
        self.tests = self._draw_tests()

    def _draw_tests(self) -> tuple[FloatArray, FloatArray]:
        """Return a test set with as many examples of each class."""
        task = self.task
        wanted = 2 * task.tests
        size = -(-wanted // BLOCK) * BLOCK
        X, labels = np.empty((task.stream.features, size)), np.empty(size)
        balanced = self.law._replace(prior=EACH)
        draw_features(self.words[TESTS:], balanced, 0, X, labels)
        return np.ascontiguousarray(X[:, :wanted]), labels[:wanted]

    def advance(self) -> None:
        """Go on for a piece of work."""
        shared = self.batch.counts[0]
        for _ in range(self.pieces):
            if self.batch.done or shared[FAULT]:
                return
            first = int(shared[EXAMPLES]) // BLOCK
            draw_features(self.words[:TESTS], self.law, first, self.X, self.labels)
            self._learn_all()

    def _learn_all(self) -> None:
        """Present all drawn examples to all students, and record at the marks."""
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
            for (rule, schedule), w, counts in zip(
                self.functions, self.weights, self.counts, strict=True
            ):
                _learn(
                    rule,
                    schedule,
                    self.task.rule.mistakes_only,
                    self.X,
                    self.labels,
                    at,
                    stop,
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
