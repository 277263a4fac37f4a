r"""Learners with a belief about every weight, on simulated examples.

Every example has an input of N components, in tiles that stay in the innermost cache:
Gaussians of single precision, random signs, or whatever a stream draws, all divided by
:math:`\sqrt N`. One pass over the weights sums up what the learner may look at; the
learner's own loop then moves them. Sums and weights are of double precision.

All numbers of an example depend on seed, replica and the example's number alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from numba import types

from rosenblatt.core import BeliefRule, Clock, Observation, Stream, Teacher, kernel
from rosenblatt.core.arrays import mapped
from rosenblatt.core.beliefs import LEARN, Learn
from rosenblatt.core.blocks import FILL, Fill
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import POSITIVE, RATE, IntArray, Positive, Rate
from rosenblatt.core.random import Words, uniform
from rosenblatt.core.trace import trace
from rosenblatt.engines.coordinate_inputs import TILE, look_over, next_input, summary
from rosenblatt.engines.coordinate_task import (
    GAUSSIANS,
    INPUTS,
    LABELS,
    TESTS,
    BeliefTask,
    set_up,
)
from rosenblatt.engines.ensemble import (
    EXAMPLES,
    FAULT,
    HUGE,
    MISTAKES,
    RECORDED,
    Batch,
    run,
)
from rosenblatt.parts import ScheduleLike
from rosenblatt.streams import Gaussian

__all__ = ["coordinate"]

_PIECE = 10_000_000  # components a call: some hundredths of a second
_MOST = 64  # replicas a call
_ROOM = 2**22  # numbers that the replicas of a call may remember: 32 MiB
_ABOUT = {
    "agreement": "fraction of the weights whose sign is the teacher's",
    "solved": "whether all signs are the teacher's",
    "estimate": "the learner's own estimate of its error",
}
_f, _i = types.float64, types.int64


@kernel(
    types.void,
    LEARN,
    RATE,
    POSITIVE,
    FILL,
    _i,
    _f[:, ::1],
    _f[:, ::1],
    _f[:, ::1],
    _f[:, ::1],
    _i[:, ::1],
    _i[::1],
    _f[:, :, ::1],
    _f[:, ::1],
    types.uint64[:, :, ::1],
    _i,
    _i,
)
def _advance(
    learn: Learn,
    rate: Rate,
    positive: Positive,
    fill: Fill,
    law: int,
    states: FloatArray,
    means: FloatArray,
    variances: FloatArray,
    targets: FloatArray,
    all_counts: IntArray,
    marks: IntArray,
    all_records: FloatArray,
    faults: FloatArray,
    generators: Words,
    tests: int,
    piece: int,
) -> None:
    n = targets.shape[1]
    size, scale = float(n), 1.0 / math.sqrt(float(n))
    x, drawn = np.empty(n), np.empty((1, n))
    single = np.empty(n + n % 2, dtype=np.float32)
    scratch = np.empty(TILE // 2, dtype=np.uint64)
    field, chance = np.empty(1), np.empty(1)
    for r in range(len(means)):
        state, mean, variance = states[r], means[r], variances[r]
        target, counts, words = targets[r], all_counts[r], generators[r]
        mark = counts[RECORDED]
        stop = counts[EXAMPLES] + max(1, piece)
        while True:
            while mark < marks.size and marks[mark] == counts[EXAMPLES]:
                record = all_records[r, mark]
                summary(mean, variance, target, record)
                record[5] = counts[MISTAKES]
                wrong = 0.0
                for k in range(tests):
                    test = counts[EXAMPLES] * tests + k
                    next_input(law, fill, words[TESTS], test, x, drawn, single, scratch)
                    h, b, _, _, _, _ = look_over(x, mean, variance, target, scale)
                    field[0] = b
                    positive(field, chance)
                    wrong += 0.5 if h == 0.0 else abs((h > 0.0) - chance[0])
                record[6] = wrong / max(tests, 1)
                mark += 1
                counts[RECORDED] = mark
            if mark == marks.size or counts[EXAMPLES] >= stop:
                break
            next_input(
                law, fill, words[INPUTS], counts[EXAMPLES], x, drawn, single, scratch
            )
            words[LABELS, 2] = np.uint64(counts[EXAMPLES])
            counts[EXAMPLES] += 1
            h, b, spread, total, q, x2 = look_over(x, mean, variance, target, scale)
            field[0] = b
            positive(field, chance)
            y = 1.0 if uniform(words[LABELS]) < chance[0] else -1.0
            if y * h <= 0.0:
                counts[MISTAKES] += 1
            eta = rate(Clock(counts[EXAMPLES] / size, counts[MISTAKES] / size, size))
            o = Observation(h, y, q / size, x2, eta, size, spread, total / size)
            # NaN and infinities of any weight end up in one of these.
            if not abs(h) + q + total + abs(eta) <= HUGE:
                counts[FAULT] = 1
                for j in range(len(o)):
                    faults[r, j] = o[j]
                break
            learn(state, mean, variance, x, o)


def _records(task: BeliefTask) -> FloatArray:
    """Run all replicas."""
    memory = task.rule.memory(task.dim)
    most = max(1, min(_MOST, _ROOM // (memory + 3 * task.dim)))

    def begin(replicas: range) -> Batch:
        batch = Batch(len(replicas), task.marks, task.width)
        states = np.zeros((batch.size, memory))
        means, variances = np.zeros((2, batch.size, task.dim))
        for r in range(batch.size):
            task.rule.begin(states[r], means[r], variances[r])
        arguments: tuple[Any, ...] = (
            *task.functions,
            task.law,
            states,
            means,
            variances,
            task.targets(replicas),
            batch.counts,
            batch.marks,
            batch.records,
            batch.fault,
            task.generators(replicas),
            0 if task.law == GAUSSIANS else task.tests,
            _PIECE // (batch.size * max(memory, task.dim)),
        )
        batch.advance = lambda: _advance(*arguments)
        return batch

    return run(task, "coordinate", begin, most=most)


def _result(task: BeliefTask, records: FloatArray) -> xr.Dataset:
    """Label the records."""
    along, rest, norm2, total, agreeing, mistakes, tested = np.moveaxis(records, -1, 0)
    scale = math.sqrt(task.dim)
    result = trace(
        np.stack([along, np.zeros_like(along), rest], axis=-1) / scale,
        mistakes,
        task.alpha,
        task.teacher,
        mapped(task.teacher),
        Gaussian(),
        engine="coordinate",
        dim=task.dim,
        spec=task.describe(),
    ).drop_vars("mean_overlap")
    exact = task.law == GAUSSIANS
    if not exact:
        result["error"] = result.error.copy(data=tested)
    # winther1997, eq. (8): cos^2 = <w>.<w> / <w.w>
    angle = np.arctan2(np.sqrt(total), np.sqrt(norm2))
    noise = task.rule.noise
    variables = {
        "agreement": agreeing / task.dim,
        "solved": agreeing == task.dim,
        "estimate": noise + (1 - 2 * noise) * angle / np.pi,
    }
    for name, values in variables.items():
        about = {"long_name": _ABOUT[name]}
        result[name] = (("replica", "alpha"), values, about)
    result.attrs["exact"] = int(exact)
    return result


def coordinate(
    rule: BeliefRule,
    schedule: ScheduleLike,
    teacher: Teacher | None = None,
    stream: Stream | None = None,
    *,
    dim: int,
    alpha: float | Iterable[float],
    replicas: int = 1,
    seed: int = 0,
    target: npt.ArrayLike | None = None,
    tests: int = 1000,
    workers: int | None = None,
    progress: bool | None = None,
) -> xr.Dataset:
    """Simulate learners that keep a belief about every weight.

    Parameters
    ----------
    rule
        The learner, such as :class:`~rosenblatt.rules.BinaryBayes`.
    schedule
        The learning rate, for learners that have one.
    teacher
        Who labels; by default without noise.
    stream
        The inputs: ``streams.Gaussian()``, the default, ``streams.UniformBits(dim)``
        for inputs -1 and +1, or any ``VectorStream`` of components of about unit
        variance. All are divided by ``sqrt(dim)``.
    dim
        Number N of weights.
    alpha
        Numbers of examples per dimension after which the state is recorded, increasing;
        0 is allowed.
    replicas
        Number of independent students.
    seed
        The same seed gives the same bits, whatever the number of workers; replica k is
        the same however many there are, and whatever else is recorded.
    target
        The teacher's weights, for all replicas or one row for each; by default from the
        learner's prior: +1 everywhere for binary weights, where by symmetry nothing is
        lost, and standard normal for Gaussian ones.
    tests
        Number of fresh inputs on which an error is measured where inputs are not
        Gaussian; for Gaussian ones it is exact.
    workers
        Number of threads; by default one per core.
    progress
        Whether to show a bar; by default in a terminal, after the first second.

    Returns
    -------
    xarray.Dataset
        Dimensions ``replica`` and ``alpha``; variables ``overlap``, ``angle``,
        ``norm``, ``error`` and ``mistakes`` of the mean weights, see
        :mod:`rosenblatt.core.trace`; ``agreement``, the fraction of them that have the
        teacher's sign; ``solved``, whether all have; ``estimate``, what the learner
        itself thinks its error is (:cite:t:`winther1997`, eq. 8). The attribute
        ``exact`` is 1 where the error is exact, 0 where it is a fraction of tests.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> run = rb.engines.coordinate(
    ...     rb.rules.BinaryBayes(), rb.schedules.Constant(), dim=50, alpha=[3, 20],
    ...     replicas=100)
    >>> bool(run.solved.sel(alpha=20).all())
    True
    """
    task = set_up(
        rule,
        schedule,
        teacher,
        stream,
        dim=dim,
        alpha=alpha,
        replicas=replicas,
        seed=seed,
        target=target,
        tests=tests,
        workers=workers,
        progress=progress,
    )
    return _result(task, _records(task))
