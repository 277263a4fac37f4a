r"""A machine's own learning, example after example, compiled.

Inputs are drawn in blocks. Since weights move on mistakes only, a block is gone
through from one mistake to the next by a loop that is compiled with the machine.

All numbers of an example depend on seed, replica and the example's number alone: a
block that is left in the middle is drawn again. So do the inputs of a test.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.compiling import compiled, inlined, kernel, types
from rosenblatt.compiling.blocks import (
    FILL,
    SCAN,
    Fill,
    Scan,
    block_size,
    filling,
    scanning,
)
from rosenblatt.compiling.jit import RATE, Rate
from rosenblatt.compiling.vectors import normalise
from rosenblatt.core import Clock
from rosenblatt.core.types import HUGE, FloatArray, IntArray, Words
from rosenblatt.numerics.random import (
    apart,
    uniforms,
)
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    FAULT,
    MISTAKES,
    RECORDED,
    Batch,
    run_replicas,
)
from rosenblatt.simulation.machines.task import INPUTS, NOISE, TESTS, MachineTask

__all__ = ["records"]

TESTED, WRONG = 4, 5  # entries of a replica's counts: of the test under way
_PIECE = 10_000_000  # components a call: some hundredths of a second
_MOST = 64  # replicas a call

_f, _i = types.float64, types.int64


@inlined
def _label(values: FloatArray, flips: FloatArray, noise: float, y: FloatArray) -> None:
    """Turn the target's values into labels; NaN stays, for somebody to notice."""
    for i in range(values.size):
        y[i] = 1.0 if values[i] > 0.0 else (-1.0 if values[i] <= 0.0 else values[i])
        if noise > 0.0 and flips[i] < noise:
            y[i] = -y[i]


@inlined
def _move(
    w: FloatArray, gain: float, gradient: FloatArray, groups: int
) -> tuple[bool, float]:
    """Move the weights; return whether all are finite, and the largest derivative."""
    finite, most = True, 0.0
    for i in range(w.size):
        w[i] += gain * gradient[i]
        if not abs(gradient[i]) <= most:
            most = abs(gradient[i])
    normalise(w, groups)
    for i in range(w.size):
        finite = finite and abs(w[i]) <= HUGE
    return finite, most


@inlined
def _test(
    scan: Scan,
    fill: Fill,
    w: FloatArray,
    target: FloatArray,
    tests: int,
    most: int,
    counts: IntArray,
    words: Words,
    inputs: FloatArray,
    theirs: FloatArray,
    ours: FloatArray,
    gradient: FloatArray,
) -> int:
    """Go on with the test of a student, and return what work is left of the most."""
    rng = apart(words, counts[EXAMPLES])
    rng[2] = words[2]  # where the test was left
    nothing = np.empty(0)
    block = len(inputs)
    while counts[TESTED] < tests and most > 0:
        last = min(block, tests - counts[TESTED])
        fill(rng, inputs)
        scan(inputs, nothing, target, 0, last, theirs, gradient)
        scan(inputs, nothing, w, 0, last, ours, gradient)
        for i in range(last):
            if (ours[i] > 0.0) != (theirs[i] > 0.0):
                counts[WRONG] += 1
        counts[TESTED] += last
        most -= last
    words[2] = rng[2] if counts[TESTED] < tests else np.uint64(0)
    return most


@kernel(
    types.void,
    SCAN,
    FILL,
    RATE,
    _f[:, ::1],
    _f[::1],
    _f,
    _i,
    _i,
    _i,
    _i,
    _i[:, ::1],
    _i[::1],
    _f[:, :, ::1],
    _f[:, ::1],
    types.uint64[:, :, ::1],
    _i,
)
def _advance(
    scan: Scan,
    fill: Fill,
    rate: Rate,
    students: FloatArray,
    target: FloatArray,
    noise: float,
    dim: int,
    block: int,
    groups: int,
    tests: int,
    all_counts: IntArray,
    marks: IntArray,
    all_records: FloatArray,
    faults: FloatArray,
    generators: Words,
    piece: int,
) -> None:
    size = target.size
    inputs, fresh = np.zeros((block, dim)), np.zeros((block, dim))
    values, theirs, y = np.empty(block), np.empty(block), np.empty(block)
    flips, gradient, nothing = np.empty(block), np.empty(size), np.empty(0)
    for r in range(len(students)):
        w, counts, records = students[r], all_counts[r], all_records[r]
        words = generators[r]
        mark, examples = counts[RECORDED], counts[EXAMPLES]
        left = piece
        while mark < marks.size and left > 0 and counts[FAULT] == 0:
            at = examples % block
            drawn, flipped = words[INPUTS, 2], words[NOISE, 2]
            fill(words[INPUTS], inputs)
            scan(inputs, nothing, target, 0, block, theirs, gradient)
            if noise > 0.0:
                uniforms(flips, words[NOISE])
            _label(theirs, flips, noise, y)
            while at < block:
                if marks[mark] == examples:
                    counts[EXAMPLES] = examples
                    left = _test(
                        scan, fill, w, target, tests, left, counts, words[TESTS],
                        fresh, flips, values, gradient,
                    )  # fmt: skip
                    if counts[TESTED] < tests:
                        break
                    for i in range(size):
                        records[mark, i] = w[i]
                    records[mark, size] = counts[MISTAKES]
                    records[mark, size + 1] = counts[WRONG]
                    counts[TESTED], counts[WRONG] = 0, 0
                    mark += 1
                    if mark == marks.size:
                        break
                if left <= 0:
                    break
                last = min(block, at + marks[mark] - examples)
                found = scan(inputs, y, w, at, last, values, gradient)
                examples += found - at
                left -= found - at + 1
                at = found
                if found == last:
                    continue
                at += 1
                examples += 1
                counts[MISTAKES] += 1
                eta = rate(Clock(float(examples), float(counts[MISTAKES]), 1.0))
                finite, most = _move(w, eta * y[found], gradient, groups)
                if not (finite and abs(values[found]) <= HUGE):
                    counts[FAULT] = 1
                    faults[r, 0], faults[r, 1] = theirs[found], values[found]
                    faults[r, 2], faults[r, 3] = eta, most
                    break
            if at < block:
                words[INPUTS, 2], words[NOISE, 2] = drawn, flipped
        counts[EXAMPLES], counts[RECORDED] = examples, mark


def records(task: MachineTask) -> FloatArray:
    """Run all replicas: weights, mistakes, and errors in tests at every mark."""
    machine = task.machine
    functions = scanning(machine), filling(task.stream), compiled(task.schedule)
    dim = machine.inputs
    tests = 0 if task.exact else task.tests

    def begin(replicas: range) -> Batch:
        batch = Batch(len(replicas), task.run.marks, task.record_size)
        arguments: tuple[Any, ...] = (
            *functions,
            task.students(replicas),
            task.target,
            task.noise,
            dim,
            block_size(dim),
            machine.groups,
            tests,
            batch.counts,
            batch.marks,
            batch.records,
            batch.fault,
            task.generators(replicas),
            max(1, _PIECE // (batch.size * (dim + machine.parameters))),
        )
        batch.advance = lambda: _advance(*arguments)
        return batch

    return run_replicas(task, "machine", begin, most=_MOST)
