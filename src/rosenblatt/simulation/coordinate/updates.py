"""Updates of a few learners by one example each, compiled together.

A rule updates one learner by one example. Here a few learners are updated at once, so
that the processor works on one while another waits for a result. Where a rule moves
each weight by itself, the same pass computes the sums that the next example needs.
Every weight is read once for an example.

Rows of weights and inputs go on with zeros up to a multiple of ``LANES`` numbers. A
loop over whole registers leaves no rest to be done one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rosenblatt.compiling import inlined, types
from rosenblatt.compiling.beliefs import compiled_belief, learning
from rosenblatt.compiling.jit import Rate, remembered
from rosenblatt.core import Belief, BeliefRule, Clock, Observation, Signal
from rosenblatt.core.beliefs import WeightwiseRule
from rosenblatt.core.types import HUGE, FloatArray, IntArray
from rosenblatt.core.vocabulary import Part
from rosenblatt.simulation.ensemble import EXAMPLES, FAULT, MISTAKES

__all__ = [
    "STATISTICS",
    "UPDATE",
    "Examples",
    "Group",
    "GroupUpdate",
    "group_update",
    "learn",
    "padded",
    "sums_of",
]

LANES = 8  # numbers of double precision in a register of 512 bits
# Statistics of a learner: four sums for its next example, the observation of its last
# one (with label 0 if there is none to learn from), and the signal of that.
_SEEN = 4
_SIGNAL = _SEEN + len(Observation._fields)
STATISTICS = _SIGNAL + len(Signal._fields)
_LABEL = _SEEN + Observation._fields.index("label")
_f, _i = types.float64, types.int64
_rows, _sizes = _f[:, ::1], types.UniTuple(_i, 3)
_UPDATE = types.void(_rows, _rows, _rows, _f[:, :, ::1], _rows, _sizes, _f)
UPDATE = types.FunctionType(_UPDATE)
GroupUpdate = Callable[..., None]
Sums = tuple[float, float, float, float]


@inlined
def padded(n: int) -> int:
    """Return how many numbers a row of n has room for."""
    return (n + LANES - 1) // LANES * LANES


@inlined
def sums_of(
    means: FloatArray, variances: FloatArray, inputs: FloatArray, r: int, g: int, k: int
) -> Sums:
    """Return m.s, sum v s^2, the sum of variances and m.m of a learner and an input."""
    h, spread, total, q = 0.0, 0.0, 0.0, 0.0
    for i in range(means.shape[1]):
        mean, variance, x = means[r, i], variances[r, i], inputs[g, k, i]
        h += mean * x
        spread += variance * x * x
        total += variance
        q += mean * mean
    return h, spread, total, q


@inlined
def _seen(stats: FloatArray, g: int) -> Observation:
    return Observation(
        stats[g, _SEEN],
        stats[g, _SEEN + 1],
        stats[g, _SEEN + 2],
        stats[g, _SEEN + 3],
        stats[g, _SEEN + 4],
        stats[g, _SEEN + 5],
        stats[g, _SEEN + 6],
        stats[g, _SEEN + 7],
    )


def _weightwise(rule: WeightwiseRule) -> GroupUpdate:
    signal_of, move = inlined(rule.signal()), inlined(rule.move())

    @inlined
    def move_and_sum(
        states: FloatArray,
        means: FloatArray,
        variances: FloatArray,
        inputs: FloatArray,
        stats: FloatArray,
        place: tuple[int, int, int],
        scale: float,
    ) -> Sums:
        g, k, n = place
        signal = Signal(stats[g, _SIGNAL], stats[g, _SIGNAL + 1])
        h, spread, total, q = 0.0, 0.0, 0.0, 0.0
        for i in range(padded(n)):
            known = Belief(states[g, i], means[g, i], variances[g, i])
            state, mean, variance = move(known, inputs[g, k, i] * scale, signal)
            mean = mean if i < n else 0.0
            variance = variance if i < n else 0.0
            states[g, i], means[g, i], variances[g, i] = state, mean, variance
            x = inputs[g, k + 1, i]
            h += mean * x
            spread += variance * x * x
            total += variance
            q += mean * mean
        return h, spread, total, q

    def update(
        states: FloatArray,
        means: FloatArray,
        variances: FloatArray,
        inputs: FloatArray,
        stats: FloatArray,
        sizes: tuple[int, int, int],
        scale: float,
    ) -> None:
        k, n, _ = sizes
        for g in range(len(means)):
            if stats[g, _LABEL] != 0.0:
                stats[g, _SIGNAL], stats[g, _SIGNAL + 1] = signal_of(_seen(stats, g))
        for g in range(len(means)):
            if stats[g, _LABEL] != 0.0:
                place = (g, k, n)
                sums = move_and_sum(
                    states, means, variances, inputs, stats, place, scale
                )
                (
                    stats[g, 0],
                    stats[g, 1],
                    stats[g, 2],
                    stats[g, 3],
                ) = sums

    return update


def _at_once(rule: BeliefRule) -> GroupUpdate:
    """Return the same for a rule that is one function of arrays."""
    learn = learning(rule)

    def update(
        states: FloatArray,
        means: FloatArray,
        variances: FloatArray,
        inputs: FloatArray,
        stats: FloatArray,
        sizes: tuple[int, int, int],
        scale: float,
    ) -> None:
        k, n, memory = sizes
        for g in range(len(means)):
            if stats[g, _LABEL] != 0.0:
                x = inputs[g, k][:n] * scale
                own = states[g][:memory], means[g][:n], variances[g][:n]
                learn(own[0], own[1], own[2], x, _seen(stats, g))
                sums = sums_of(means, variances, inputs, g, g, k + 1)
                (
                    stats[g, 0],
                    stats[g, 1],
                    stats[g, 2],
                    stats[g, 3],
                ) = sums

    return update


@remembered
def group_update(rule: Part) -> GroupUpdate:
    """Return the update of a few learners by an example, one for equal rules.

    Its arguments are states, means and variances, a row for each learner, inputs for
    each learner and example, and the statistics of each learner. Then come the number
    of the example, the number of weights, and the size of a state. There is one input
    more, for the sums that the next example needs.

    Inputs have components of unit variance. The last argument scales them, after sums:
    signs then give whole numbers, and ties are ties. It is an argument since the
    compiler would divide by the root of a number if it knew it.
    """
    assert isinstance(rule, BeliefRule)
    if isinstance(rule, WeightwiseRule) and type(rule).bind is WeightwiseRule.bind:
        return compiled_belief(_UPDATE, _weightwise(rule), rule)
    return compiled_belief(_UPDATE, _at_once(rule), rule)


class Group(NamedTuple):
    """A few learners that see the same numbers of examples, one in each row."""

    states: FloatArray
    means: FloatArray
    variances: FloatArray
    stats: FloatArray
    counts: IntArray
    faults: FloatArray


class Examples(NamedTuple):
    """Examples of each learner of a group."""

    inputs: FloatArray  # (learner, example, component)
    labels: FloatArray  # (learner, example)
    squares: FloatArray  # x.x


@inlined
def learn(
    update: GroupUpdate,
    rate: Rate,
    group: Group,
    given: Examples,
    sizes: tuple[int, int, int],
    scale: float,
) -> None:
    """Learn a block of examples; a number that is not finite ends a learner.

    ``sizes`` are the number of weights, the size of a state and the examples.
    """
    states, means, variances, stats, counts, faults = group
    inputs, labels, squares = given
    n, memory, examples = sizes
    size = float(n)
    for k in range(examples):
        for g in range(len(means)):
            stats[g, _LABEL] = 0.0
            if counts[g, FAULT]:
                continue
            h, spread = stats[g, 0] * scale, stats[g, 1] * scale * scale
            total, q = stats[g, 2], stats[g, 3]
            y = labels[g, k]
            counts[g, EXAMPLES] += 1
            if y * h <= 0.0:
                counts[g, MISTAKES] += 1
            seen, wrong = counts[g, EXAMPLES] / size, counts[g, MISTAKES] / size
            eta = rate(Clock(seen, wrong, size))
            x2 = squares[g, k]
            o = Observation(h, y, q / size, x2, eta, size, spread, total / size)
            # NaN and infinities of any weight end up in one of these.
            if abs(h) + q + total + abs(eta) <= HUGE:
                for j in range(len(o)):
                    stats[g, _SEEN + j] = o[j]
            else:
                counts[g, FAULT] = 1
                for j in range(len(o)):
                    faults[g, j] = o[j]
        update(states, means, variances, inputs, stats, (k, n, memory), scale)
