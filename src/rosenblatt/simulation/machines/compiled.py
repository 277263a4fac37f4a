r"""A machine's own learning, example after example, compiled.

Inputs are drawn in blocks. Weights move on mistakes only. So a loop that is compiled
with the machine goes through a block from one mistake to the next.

All numbers of an example depend on seed, replica and the example's number alone: a
block that is left in the middle is drawn again. So do the inputs of a test.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import compiled, force_inlined, inlined, kernel, types
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
from rosenblatt.numerics.random import apart, uniforms
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    FAULT,
    MISTAKES,
    PROGRESS,
    RECORDED,
    Batch,
    Progress,
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
    """Turn the target's values into labels; NaN stays, and is reported later."""
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


class Problem(NamedTuple):
    """Numbers that stay the same during a run."""

    target: FloatArray  # weights to be learned
    noise: float  # probability of a wrong label
    dim: int  # components of an input
    block: int  # inputs drawn together
    groups: int  # of weights that are normalised
    tests: int  # inputs of a test
    piece: int  # inputs of a call


class Room(NamedTuple):
    """Memory for a block of inputs."""

    inputs: FloatArray
    fresh: FloatArray  # inputs of a test
    values: FloatArray  # of the student
    theirs: FloatArray  # of the target
    labels: FloatArray
    flips: FloatArray  # uniform numbers, or the target's values in a test
    gradient: FloatArray
    nothing: FloatArray


_WORDS = types.uint64[:, :, ::1]
_PROBLEM = types.structure(Problem, _f[::1], _f, _i, _i, _i, _i, _i)


@inlined
def _test(
    scan: Scan,
    fill: Fill,
    problem: Problem,
    room: Room,
    w: FloatArray,
    most: int,
    counts: IntArray,
    words: Words,
) -> int:
    """Continue the test of a student, and return what work is left of the most."""
    inputs, theirs, ours, tests = room.fresh, room.flips, room.values, problem.tests
    rng = apart(words, counts[EXAMPLES])
    rng[2] = words[2]  # where the test was left
    while counts[TESTED] < tests and most > 0:
        last = min(problem.block, tests - counts[TESTED])
        fill(rng, inputs)
        scan(inputs, room.nothing, problem.target, 0, last, theirs, room.gradient)
        scan(inputs, room.nothing, w, 0, last, ours, room.gradient)
        for i in range(last):
            if (ours[i] > 0.0) != (theirs[i] > 0.0):
                counts[WRONG] += 1
        counts[TESTED] += last
        most -= last
    words[2] = rng[2] if counts[TESTED] < tests else np.uint64(0)
    return most


@force_inlined
def _draw(scan: Scan, fill: Fill, problem: Problem, room: Room, words: Words) -> None:
    """Draw a block of inputs and their labels."""
    fill(words[INPUTS], room.inputs)
    scan(
        room.inputs, room.nothing, problem.target, 0, problem.block, room.theirs,
        room.gradient
    )  # fmt: skip
    if problem.noise > 0.0:
        uniforms(room.flips, words[NOISE])
    _label(room.theirs, room.flips, problem.noise, room.labels)


@force_inlined
def _record(w: FloatArray, counts: IntArray, record: FloatArray) -> None:
    """Record weights, mistakes and errors in the test, which then begins anew."""
    for i in range(w.size):
        record[i] = w[i]
    record[w.size] = counts[MISTAKES]
    record[w.size + 1] = counts[WRONG]
    counts[TESTED], counts[WRONG] = 0, 0


@kernel(
    types.void, SCAN, FILL, RATE, _PROBLEM, _f[:, ::1], _WORDS, PROGRESS, allocates=True
)
def _advance(
    scan: Scan,
    fill: Fill,
    rate: Rate,
    problem: Problem,
    students: FloatArray,
    generators: Words,
    progress: Progress,
) -> None:
    """Advance some replicas by a piece of work each."""
    block, marks, groups = problem.block, progress.marks, problem.groups
    shape = (block, problem.dim)
    room = Room(
        np.zeros(shape), np.zeros(shape), np.empty(block), np.empty(block),
        np.empty(block), np.empty(block), np.empty(problem.target.size), np.empty(0)
    )  # fmt: skip
    inputs, y, values, gradient = room.inputs, room.labels, room.values, room.gradient
    for r in range(len(students)):
        w, words, counts = students[r], generators[r], progress.counts[r]
        records, fault = progress.records[r], progress.fault[r]
        mark, examples = counts[RECORDED], counts[EXAMPLES]
        left = problem.piece
        while mark < marks.size and left > 0 and counts[FAULT] == 0:
            at = examples % block
            drawn, flipped = words[INPUTS, 2], words[NOISE, 2]
            _draw(scan, fill, problem, room, words)
            while at < block:
                if marks[mark] == examples:
                    counts[EXAMPLES] = examples
                    left = _test(
                        scan, fill, problem, room, w, left, counts, words[TESTS]
                    )
                    if counts[TESTED] < problem.tests:
                        break
                    _record(w, counts, records[mark])
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
                    fault[0], fault[1] = room.theirs[found], values[found]
                    fault[2], fault[3] = eta, most
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
        problem = Problem(
            task.target,
            task.noise,
            dim,
            block_size(dim),
            machine.groups,
            tests,
            max(1, _PIECE // (batch.size * (dim + machine.parameters))),
        )
        state = task.students(replicas), task.generators(replicas), batch.arrays
        batch.advance = lambda: _advance(*functions, problem, *state)
        return batch

    return run_replicas(task, "machine", begin, most=_MOST)
