r"""N-vectors: the learner as everybody would write it, and the reference for the rest.

Since inputs are isotropic around their mean, nothing is lost by putting the teacher
on the first axis and the mean in the plane of the first two. Inputs are generated in
the kernel, in single precision and in tiles that stay in the innermost cache; weights
and sums are kept in double precision.

All numbers of an example depend on seed, replica and the example's number alone.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.jit import POSITIVE, RATE, STEP, Positive, Rate, Step
from rosenblatt.core import Clock, Percept, starts
from rosenblatt.core.shifts import NO_AVERAGE, UNIFORM, shift_kind
from rosenblatt.core.types import FloatArray, IntArray, Words
from rosenblatt.numerics.random import (
    normals32,
    uniform,
)
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    LABELS,
    MISTAKES,
    RECORDED,
    Batch,
    broken,
    run_replicas,
)
from rosenblatt.simulation.task import TeacherTask

__all__ = ["records", "refusal"]

_TILE = 512  # components generated at a time
_PIECE = 20_000_000  # components a call: some hundredths of a second
AnyArray = FloatArray | npt.NDArray[np.float32]
_f, _i = types.float64, types.int64


@inlined
def _fields(w: FloatArray, x: npt.NDArray[np.float32]) -> tuple[float, float]:
    """Return w.x and x.x."""
    h = 0.0
    x2 = 0.0
    for i in range(w.size):
        xi = np.float64(x[i])
        h += w[i] * xi
        x2 += xi * xi
    return h, x2


@inlined
def _dot(a: FloatArray, b: AnyArray) -> float:
    """Return a.b in double precision."""
    total = 0.0
    for i in range(a.size):
        total += a[i] * np.float64(b[i])
    return total


@inlined
def _move(w: FloatArray, keep: float, gain: float, x: AnyArray) -> None:
    """Replace w by keep * w + gain * x."""
    for i in range(w.size):
        w[i] = keep * w[i] + gain * np.float64(x[i])


@kernel(
    types.void,
    STEP,
    RATE,
    POSITIVE,
    _f[::1],
    _f[::1],
    _f[::1],
    _f[::1],
    _i,
    _i[::1],
    _i[::1],
    _f[:, ::1],
    _f[::1],
    types.uint64[::1],
    _i,
)
def _advance(
    step: Step,
    rate: Rate,
    positive: Positive,
    w: FloatArray,
    average: FloatArray,
    center: FloatArray,
    shift: FloatArray,
    kind: int,
    counts: IntArray,
    marks: IntArray,
    records: FloatArray,
    fault: FloatArray,
    rng: Words,
    piece: int,
) -> None:
    n = w.size
    padded = n + n % 2
    x = np.empty(padded, dtype=np.float32)
    scratch = np.empty(_TILE // 2, dtype=np.uint64)
    words = np.uint64(padded // 2 + 1)
    size = float(n)
    field, chance = np.empty(1), np.empty(1)
    learned = kind != NO_AVERAGE
    axes = min(n, 2)
    q = _dot(w, w)
    stop = counts[EXAMPLES] + max(1, piece // n)
    mark = counts[RECORDED]
    while True:
        while mark < marks.size and marks[mark] == counts[EXAMPLES]:
            records[mark, 0] = w[0]
            records[mark, 1] = w[1] if center[1] > 0.0 else 0.0
            first = 2 if center[1] > 0.0 else 1
            records[mark, 2] = np.sqrt(_dot(w[first:], w[first:]))
            records[mark, 3] = counts[MISTAKES]
            mark += 1
            counts[RECORDED] = mark
        if mark == marks.size or counts[EXAMPLES] >= stop:
            return
        rng[2] = np.uint64(counts[EXAMPLES]) * words
        counts[EXAMPLES] += 1
        for tile in range(0, padded, _TILE):
            normals32(x[tile : tile + _TILE], scratch, rng)
        for j in range(axes):
            x[j] += np.float32(center[j])
        h, x2 = _fields(w, x)
        field[0] = x[0]
        positive(field, chance)
        y = 1.0 if uniform(rng) < chance[0] else -1.0
        along, ratio = 0.0, 0.0
        for j in range(axes):
            along += w[j] * shift[j]
            x2 += shift[j] * (shift[j] - 2.0 * np.float64(x[j]))
        if learned:
            product = _dot(w, average)
            above, below = h, product
            if kind == UNIFORM:
                above, below = counts[EXAMPLES] - 1.0, float(counts[LABELS])
            right = product > 0.0 and below != 0.0  # else it is too early for a shift
            ratio = above / below if right else 0.0
            along = ratio * product
            x2 += ratio * (ratio * _dot(average, average) - 2.0 * _dot(average, x))
        if y * h <= 0.0:
            counts[MISTAKES] += 1
        eta = rate(Clock(counts[EXAMPLES] / size, counts[MISTAKES] / size, size))
        p = Percept(h, y, q, x2 / size, eta, size, along)
        u = step(p)
        if broken(p, u, counts, fault):
            return
        keep = 1.0 - u.decay / size
        gain = u.gain / size
        if gain != 0.0 or keep != 1.0:
            q = keep * keep * q + gain * (2.0 * keep * (h - along) + gain * x2)
            _move(w, keep, gain, x)
            for j in range(axes):
                w[j] -= gain * shift[j]
            if learned:
                _move(w, 1.0, -gain * ratio, average)
        if learned:
            counts[LABELS] += int(y)
            part = 1.0 / counts[EXAMPLES]
            _move(average, 1.0 - part, part * y, x)


def _bytes(task: TeacherTask) -> int:
    """Return the memory that all replicas under way at a time need."""
    vectors = 8 + 4 + 8 * (shift_kind(task.parts.rule.shift) != NO_AVERAGE)
    workers = min(task.run.workers or os.cpu_count() or 1, task.run.replicas)
    return workers * vectors * task.dim


def refusal(task: TeacherTask) -> str | None:
    """Return why this engine cannot take the task, or None if it can."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if _bytes(task) > memory:
        return (
            f"dim = {task.dim} needs {_bytes(task) / 2**30:.0f} GiB of memory, "
            f"this machine has {memory / 2**30:.0f}; 'reduced' keeps a few numbers only"
        )
    if isinstance(task.parts.start, starts.Vector):
        given = len(task.parts.start.weights)
        if given != task.dim:
            return f"start has {given} weights where dim is {task.dim}"
    return None


def _weights(
    task: TeacherTask, student: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Return weights over sqrt(N) that have these coordinates."""
    along, across, rest = student
    axes = task.axes
    w = np.empty(task.dim)
    w[:axes] = (along, across)[:axes]
    if task.dim > axes:
        direction = rng.standard_normal(task.dim - axes)
        w[axes:] = direction * (rest / np.linalg.norm(direction))
    return w


def records(task: TeacherTask) -> FloatArray:
    """Run all replicas and return their records, (replica, alpha, 4)."""
    functions = task.functions
    center = task.center
    kind = shift_kind(task.parts.rule.shift)
    start = task.parts.start

    def begin(replicas: range) -> Batch:
        (index,) = replicas
        batch = Batch(1, task.run.marks)
        average = np.zeros(task.dim if kind != NO_AVERAGE else 0)
        if isinstance(start, starts.Vector):
            w = np.array(start.weights, dtype=float) / np.sqrt(task.dim)
        else:
            first = task.run.seeds(index)[0]
            state = task.first_student(first)
            batch.begin(0, state)
            w = _weights(task, state.student, first)
            if kind != NO_AVERAGE:
                average = state.average * w
        arguments: tuple[Any, ...] = (
            *functions,
            w,
            average,
            center,
            task.fixed_shift,
            kind,
            batch.counts[0],
            batch.marks,
            batch.records[0],
            batch.fault[0],
            task.run.seeds(index)[1],
            _PIECE,
        )
        batch.advance = lambda: _advance(*arguments)
        return batch

    return run_replicas(task, "full", begin, most=1)
