r"""Learners with a belief about every weight, on simulated examples.

Every example has an input of N components: Gaussians of single precision, random signs,
or whatever a stream draws, all divided by :math:`\sqrt N`. Inputs and labels do not
depend on the weights, so a block of them is drawn ahead. A few replicas then learn it
example by example, see :mod:`rosenblatt.simulation.coordinate.updates`. Sums and
weights are of double precision.

All numbers of an example depend on seed, replica and the example's number alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import xarray as xr

from rosenblatt.compiling import force_inlined, kernel, types
from rosenblatt.compiling.blocks import FILL, Fill
from rosenblatt.compiling.jit import POSITIVE, RATE, Positive, Rate
from rosenblatt.compiling.vectors import aligned_table
from rosenblatt.core import BeliefRule, Stream, Teacher
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.simulation.coordinate.inputs import (
    Spare,
    draw_examples,
    room,
    share_wrong,
    summary,
)
from rosenblatt.simulation.coordinate.result import labelled
from rosenblatt.simulation.coordinate.task import (
    GAUSSIANS,
    USES,
    BeliefTask,
    belief_task,
)
from rosenblatt.simulation.coordinate.updates import (
    STATISTICS,
    UPDATE,
    Examples,
    Group,
    GroupUpdate,
    learn,
    padded,
    sums_of,
)
from rosenblatt.simulation.ensemble import (
    EXAMPLES,
    MISTAKES,
    PROGRESS,
    RECORDED,
    Batch,
    Progress,
    run_replicas,
)
from rosenblatt.simulation.run import Run
from rosenblatt.specification.parts import ScheduleLike

__all__ = ["coordinate"]

_PIECE = 10_000_000  # components a call: some hundredths of a second
_MOST = 64  # replicas a call
_ROOM = 2**22  # numbers that the replicas of a call may remember: 32 MiB
# Inputs are drawn ahead of a few learners that go at the same pace, for so many
# learners and examples, or fewer: as many numbers as stay in the second cache. Short
# rows need company, since what happens once for an example takes as long as they do.
_AHEAD, _GROUP, _NUMBERS = 64, 4, 2**14
_LEAST = 4  # examples: the first of each block is looked at in a pass of its own
_f, _i = types.float64, types.int64


class Law(NamedTuple):
    """Numbers that stay the same during a run."""

    law: int  # of the inputs
    n: int  # weights
    memory: int  # size of a state
    tests: int  # inputs of a test
    piece: int  # examples of a call


class Learners(NamedTuple):
    """State of some replicas, one in each row."""

    states: FloatArray
    means: FloatArray
    variances: FloatArray
    targets: FloatArray
    statistics: FloatArray
    inputs: FloatArray  # memory for those of a few replicas
    generators: Words


_rows = _f[:, ::1]
_LAW = types.structure(Law, _i, _i, _i, _i, _i)
_LEARNERS = types.structure(
    Learners, _rows, _rows, _rows, _rows, _rows, _f[:, :, ::1], types.uint64[:, :, ::1]
)


@force_inlined
def _record(
    positive: Positive,
    fill: Fill,
    law: Law,
    learners: Learners,
    progress: Progress,
    place: tuple[int, int],
    spare: Spare,
) -> None:
    """Record a replica at a mark."""
    r, mark = place
    record, target, mean = (
        progress.records[r, mark],
        learners.targets[r],
        learners.means[r],
    )
    summary(mean, learners.variances[r], target, record)
    record[5] = progress.counts[r, MISTAKES]
    first = progress.counts[r, EXAMPLES] * law.tests
    record[6] = share_wrong(
        law.law, fill, positive, learners.generators[r], (first, law.tests),
        (target, mean), spare,
    )  # fmt: skip
    progress.counts[r, RECORDED] = mark + 1


@kernel(
    types.void, UPDATE, RATE, POSITIVE, FILL, _LAW, _LEARNERS, PROGRESS, allocates=True
)
def _advance(
    update: GroupUpdate,
    rate: Rate,
    positive: Positive,
    fill: Fill,
    law: Law,
    learners: Learners,
    progress: Progress,
) -> None:
    """Advance some replicas by a piece of work each, a few of them together."""
    states, means, variances, targets, statistics, inputs, generators = learners
    counts, marks, faults = progress.counts, progress.marks, progress.fault
    n, scale = law.n, 1.0 / math.sqrt(float(law.n))
    group, ahead = len(inputs), inputs.shape[1] - 1
    # The last example of a block is the first of the next.
    labels, squares = np.empty((group, ahead + 1)), np.empty((group, ahead + 1))
    spare = room(n, ahead + 1)
    for first in range(0, len(means), group):
        last = min(first + group, len(means))
        some = slice(first, last)
        together = Group(
            states[some], means[some], variances[some], statistics[some], counts[some],
            faults[some],
        )  # fmt: skip
        done, mark = counts[first, EXAMPLES], counts[first, RECORDED]
        stop, block = done + max(1, law.piece), 0
        while True:
            while mark < marks.size and marks[mark] == done:
                for r in range(first, last):
                    _record(positive, fill, law, learners, progress, (r, mark), spare)
                mark += 1
            if mark == marks.size or done >= stop:
                break
            ready, before = min(block, 1), block
            block = min(ahead, stop - done, marks[mark] - done)
            for g in range(last - first):
                r = first + g
                if ready:
                    for i in range(inputs.shape[2]):
                        inputs[g, 0, i] = inputs[g, before, i]
                    labels[g, 0], squares[g, 0] = labels[g, before], squares[g, before]
                new = slice(ready, block + 1)
                draw_examples(
                    law.law, fill, positive, generators[r], done + ready, targets[r],
                    (inputs[g, new], labels[g, new], squares[g, new]), spare,
                )  # fmt: skip
                if done == 0:
                    sums = sums_of(means, variances, inputs, r, g, 0)
                    for j in range(len(sums)):
                        statistics[r, j] = sums[j]
            given = Examples(inputs, labels, squares)
            learn(update, rate, together, given, (n, law.memory, block), scale)
            done += block


def _records(task: BeliefTask) -> FloatArray:
    """Run all replicas."""
    n, width = task.run.dim, padded(task.run.dim)
    memory = task.rule.memory(n)
    most = max(1, min(_MOST, _ROOM // (memory + 3 * n)))
    tests = 0 if task.law == GAUSSIANS else task.tests

    def begin(replicas: range) -> Batch:
        batch = Batch(len(replicas), task.run.marks, task.record_size)
        # Whole lines of the cache: what is in two takes twice as long.
        states = aligned_table(batch.size, padded(max(memory, n)))
        means, variances, targets = (aligned_table(batch.size, width) for _ in range(3))
        group = max(1, min(_GROUP, batch.size, _NUMBERS // (_LEAST * width)))
        ahead = max(_LEAST, min(_AHEAD, _NUMBERS // (group * width)))
        targets[:, :n] = task.targets(replicas)
        for r in range(batch.size):
            task.rule.begin(states[r, :memory], means[r, :n], variances[r, :n])
        learners = Learners(
            states,
            means,
            variances,
            targets,
            np.zeros((batch.size, STATISTICS)),
            aligned_table(group, ahead + 1, width),
            task.run.generators(replicas, USES),
        )
        piece = _PIECE // (batch.size * max(memory, n))
        law = Law(task.law, n, memory, tests, piece)
        batch.advance = lambda: _advance(*task.functions, law, learners, batch.arrays)
        return batch

    return run_replicas(task, "coordinate", begin, most=most)


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
    dim, alpha, replicas, seed, workers, progress
        As in :func:`rosenblatt.simulate`.
    target
        The teacher's weights, for all replicas or one row for each. By default from the
        learner's prior: standard normal for Gaussian weights, +1 for binary weights. By
        symmetry these stand for all binary teachers.
    tests
        Number of fresh inputs on which an error is measured where inputs are not
        Gaussian; for Gaussian ones it is exact.

    Returns
    -------
    xarray.Dataset
        Dimensions ``replica`` and ``alpha``; variables ``overlap``, ``angle``,
        ``norm``, ``error`` and ``mistakes`` of the mean weights, see
        :mod:`rosenblatt.core.trace`. ``agreement`` is the fraction of weights with the
        teacher's sign, and ``solved`` is true if all have it. ``estimate`` is the
        learner's own estimate of its error (:cite:t:`winther1997`, eq. 8). The
        attribute ``exact`` is 1 where the error is exact, 0 where it is a fraction of
        tests.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> run = rb.engines.coordinate(
    ...     rb.rules.BinaryBayes(), rb.schedules.Constant(), dim=50, alpha=[3, 20],
    ...     replicas=100)
    >>> bool(run.solved.sel(alpha=20).all())
    True
    """
    run = Run.at_alpha(alpha, dim, replicas, seed, workers, progress)
    task = belief_task(
        rule, schedule, teacher, stream, target=target, tests=tests, run=run
    )
    return labelled(task, _records(task))
