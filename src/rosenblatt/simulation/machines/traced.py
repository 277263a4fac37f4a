"""The learning of machines that JAX differentiates, many replicas side by side.

Inputs, labels and tests are those of :mod:`rosenblatt.simulation.machines.compiled`:
both give the same weights up to rounding. Replicas go through their examples together,
always so many at a time and each in the same place. The numbers of replicas and threads
change no bit.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator
from typing import Any

import lazy_loader
import numpy as np

from rosenblatt.compiling import compiled, kernel, types
from rosenblatt.compiling.blocks import FILL, Fill, block_size, filling
from rosenblatt.compiling.jit import RATE, Rate
from rosenblatt.core import Clock, TracedMachine
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import apart, uniforms
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    FAULT,
    MISTAKES,
    RECORDED,
    Batch,
    run_replicas,
)
from rosenblatt.simulation.machines.task import INPUTS, NOISE, TESTS, MachineTask
from rosenblatt.specification.parts import RefusalError

__all__ = ["records"]

_TOGETHER = 64  # replicas; a step of so many takes hardly longer than one of a few
autodiff: Any = lazy_loader.load("rosenblatt.core.autodiff", suppress_warning=True)

Functions = tuple[Callable[..., Any], Callable[..., Any], Fill, Rate]
_f, _words = types.float64, types.uint64[:, ::1]


@kernel(types.void, FILL, _words, _f[:, :, ::1])
def _draw(fill: Fill, words: Words, inputs: FloatArray) -> None:
    for r in range(len(words)):
        fill(words[r], inputs[r])


@kernel(types.void, _words, _f[:, ::1])
def _chances(words: Words, out: FloatArray) -> None:
    for r in range(len(words)):
        uniforms(out[r], words[r])


@kernel(types.void, _words, types.int64, _words, allocates=True)
def _apart(words: Words, example: int, out: Words) -> None:
    for r in range(len(words)):
        moved = apart(words[r], example)
        for i in range(moved.size):
            out[r, i] = moved[i]


@kernel(types.void, RATE, types.int64, _f[:, ::1])
def _rates(rate: Rate, examples: int, out: FloatArray) -> None:
    for i in range(out.shape[1]):
        n = float(examples + i + 1)
        out[0, i], out[1, i] = rate(Clock(n, 1.0, 1.0)), rate(Clock(n, n, 1.0))


class _Students:
    """A few replicas on their way through the same numbers of examples."""

    def __init__(
        self, task: MachineTask, functions: Functions, batch: Batch, replicas: range
    ) -> None:
        self.task, self.batch = task, batch
        self.learn, self.values, self.fill, self.rate = functions
        self.words = task.generators(replicas).swapaxes(0, 1).copy()
        shape = (_TOGETHER, block_size(task.stream.dim), task.stream.dim)
        self.inputs = np.zeros(shape)  # rows beyond the last replica stay zero
        self.target = np.tile(task.target, (_TOGETHER, 1))
        self.weights = self.target.copy()
        self.weights[: batch.size] = task.students(replicas)

    def advance(self) -> Generator[None, None, None]:
        """Go on to the last mark; a bounded piece of work at a time."""
        counts, marks, size = self.batch.counts, self.task.run.marks, self.batch.size
        block = self.inputs.shape[1]
        examples = mark = 0
        while True:
            _draw(self.fill, self.words[INPUTS], self.inputs[:size])
            theirs, labels = self._labels()
            rates = self._rates(examples)
            at = 0
            while at < block:
                if marks[mark] == examples:
                    wrong = yield from self._test(examples)
                    record = (self.weights[:size], counts[:, MISTAKES], wrong)
                    self.batch.records[:, mark] = np.column_stack(record)
                    mark += 1
                    counts[:, RECORDED] = mark
                    if mark == marks.size:
                        return
                last = int(min(block, at + marks[mark] - examples))
                self.weights, mistakes, broken, seen = self.learn(
                    self.weights, self.inputs, labels, rates, at, last
                )
                counts[:, MISTAKES] += mistakes[:size]
                for row in np.flatnonzero(broken[:size] >= 0):
                    i = broken[row]
                    counts[row, FAULT] = 1
                    counts[row, EXAMPLES] = examples + i - at + 1
                    fault = theirs[row, i], seen[row, 0], rates[i], seen[row, 1]
                    self.batch.fault[row, :4] = fault
                    yield
                examples += last - at
                at = last
            counts[:, EXAMPLES] = examples
            yield

    def _labels(self) -> tuple[FloatArray, FloatArray]:
        """Return the target's values and the labels that come of them."""
        (theirs,) = self.values(self.inputs, self.target)
        labels = np.where(theirs > 0, 1.0, np.where(theirs <= 0, -1.0, np.nan))
        if self.task.noise > 0:
            chances = np.ones(labels.shape)
            _chances(self.words[NOISE], chances[: self.batch.size])
            labels[chances < self.task.noise] *= -1
        return theirs, labels

    def _rates(self, examples: int) -> FloatArray:
        """Return the rates of a block, the same for all replicas."""
        rates = np.empty((2, self.inputs.shape[1]))
        _rates(self.rate, examples, rates)
        if not np.array_equal(rates[0], rates[1], equal_nan=True):
            raise RefusalError(
                f"schedule {self.task.schedule!r} depends on the number of mistakes, "
                "which differentiated machines do not offer; machines.Smooth does"
            )
        return np.asarray(rates[0])

    def _test(self, examples: int) -> Generator[None, None, FloatArray]:
        """Return how many signs of each student are wrong in its tests."""
        size = self.batch.size
        wrong = np.zeros(size)
        words = np.empty_like(self.words[TESTS])
        _apart(self.words[TESTS], examples, words)
        fresh = np.zeros_like(self.inputs)
        left = 0 if self.task.exact else self.task.tests
        while left > 0:
            _draw(self.fill, words, fresh[:size])
            signs = [self.values(fresh, w)[0] > 0 for w in (self.target, self.weights)]
            wrong += (signs[0] != signs[1])[:size, :left].sum(axis=1)
            left -= fresh.shape[1]
            yield
        return wrong


def records(task: MachineTask) -> FloatArray:
    """Run all replicas: weights, mistakes, and errors in tests at every mark."""
    assert isinstance(task.machine, TracedMachine)
    value = task.machine.trace()
    functions = (  # here, since JAX must not be imported by two threads at once
        autodiff.learner(value, task.machine.groups),
        autodiff.values(value),
        filling(task.stream),
        compiled(task.schedule),
    )

    def begin(replicas: range) -> Batch:
        batch = Batch(len(replicas), task.run.marks, task.record_size)
        pieces = _Students(task, functions, batch, replicas).advance()
        batch.advance = functools.partial(next, pieces, None)
        return batch

    return run_replicas(task, "machine", begin, most=_TOGETHER, least=_TOGETHER)
