"""Examples one after the other for a few learners, as one compiled loop.

A rule says what one example does to one learner. Here this is compiled together with
all that happens once for an example, and a few learners go at the same pace: while one
waits for what its example tells, another moves. Where a rule moves each weight by
itself, the pass that moves them sums up what the next example will be looked at with,
so that every weight is read once for an example.

Rows of weights and inputs go on with zeros up to a multiple of ``LANES`` numbers: a
loop over whole registers leaves no rest to be done one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types

from rosenblatt.core import Belief, BeliefRule, Clock, Observation, Signal, inlined
from rosenblatt.core.beliefs import WeightwiseRule, compiled_belief, learning
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import RATE, IntArray, Rate, remembered
from rosenblatt.core.vocabulary import Part
from rosenblatt.engines.ensemble import EXAMPLES, FAULT, HUGE, MISTAKES

__all__ = ["LANES", "NOTES", "TEACH", "Teach", "look_over", "padded", "teaching"]

LANES = 8  # numbers of double precision in a register of 512 bits
# What is noted of a learner between examples: four sums, then what an example tells.
_SUMS = 4
NOTES = _SUMS + len(Observation._fields)
_f, _i = types.float64, types.int64
_rows = _f[:, ::1]
_TEACH = types.void(
    RATE,
    _rows,
    _rows,
    _rows,
    _f[:, :, ::1],
    _rows,
    _rows,
    _i[:, ::1],
    _rows,
    _rows,
    types.UniTuple(_i, 3),  # type: ignore[no-untyped-call]
    _f,
)
TEACH = types.FunctionType(_TEACH)
Teach = Callable[..., None]
Sums = tuple[float, float, float, float]


@inlined
def padded(n: int) -> int:
    """Return how many numbers a row of n has room for."""
    return (n + LANES - 1) // LANES * LANES


@inlined
def look_over(
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


def _weightwise(rule: WeightwiseRule) -> tuple[Any, Any]:
    """Return what notes down what an example tells, and the pass that moves."""
    look, move = inlined(rule.look()), inlined(rule.move())

    @inlined
    def tell(o: Observation, notes: FloatArray, g: int) -> None:
        notes[g, _SUMS], notes[g, _SUMS + 1] = look(o)

    @inlined
    def pass_over(
        states: FloatArray,
        means: FloatArray,
        variances: FloatArray,
        inputs: FloatArray,
        notes: FloatArray,
        place: tuple[int, int],
        sizes: tuple[int, int, int],
        scale: float,
    ) -> Sums:
        g, k = place
        n = sizes[0]
        signal = Signal(notes[g, _SUMS], notes[g, _SUMS + 1])
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

    return tell, pass_over


def _at_once(rule: BeliefRule) -> tuple[Any, Any]:
    """Return the same for a rule that is one function of arrays."""
    learn = learning(rule)

    @inlined
    def tell(o: Observation, notes: FloatArray, g: int) -> None:
        for j in range(len(o)):
            notes[g, _SUMS + j] = o[j]

    @inlined
    def pass_over(
        states: FloatArray,
        means: FloatArray,
        variances: FloatArray,
        inputs: FloatArray,
        notes: FloatArray,
        place: tuple[int, int],
        sizes: tuple[int, int, int],
        scale: float,
    ) -> Sums:
        g, k = place
        n, memory, _ = sizes
        told = notes[g][_SUMS:]
        o = Observation(
            told[0], told[1], told[2], told[3], told[4], told[5], told[6], told[7]
        )
        x = inputs[g, k][:n] * scale
        learn(states[g][:memory], means[g][:n], variances[g][:n], x, o)
        sums: Sums = look_over(means, variances, inputs, g, g, k + 1)
        return sums

    return tell, pass_over


@remembered
def teaching(rule: Part) -> Teach:
    """Return the compiled loop over examples, the same one for equal rules.

    It is called with the schedule; states, means and variances, a row for each learner;
    inputs, labels and squared lengths of inputs for each learner and example; counts,
    faults and notes of each learner; and the sizes: how many weights there are, how
    many numbers a state has, how many examples are to be presented. There is one input
    more than these, since the notes begin and end with the sums of the next.

    Inputs have components of unit variance; the last argument is what they are to be
    scaled with, after sums: signs then give whole numbers, and ties are ties. It is
    given, since the compiler would divide by the root of a number if it knew it.
    """
    assert isinstance(rule, BeliefRule)
    if isinstance(rule, WeightwiseRule) and type(rule).bind is WeightwiseRule.bind:
        tell, pass_over = _weightwise(rule)
    else:
        tell, pass_over = _at_once(rule)

    def teach(
        rate: Rate,
        states: FloatArray,
        means: FloatArray,
        variances: FloatArray,
        inputs: FloatArray,
        labels: FloatArray,
        squares: FloatArray,
        counts: IntArray,
        faults: FloatArray,
        notes: FloatArray,
        sizes: tuple[int, int, int],
        scale: float,
    ) -> None:
        size, examples = float(sizes[0]), sizes[2]
        for k in range(examples):
            for g in range(len(means)):
                if counts[g, FAULT]:
                    continue
                h, spread = notes[g, 0] * scale, notes[g, 1] * scale * scale
                total, q = notes[g, 2], notes[g, 3]
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
                    tell(o, notes, g)
                    continue
                counts[g, FAULT] = 1
                for j in range(len(o)):
                    faults[g, j] = o[j]
            for g in range(len(means)):
                if counts[g, FAULT]:
                    continue
                place = (g, k)
                sums = pass_over(
                    states, means, variances, inputs, notes, place, sizes, scale
                )
                notes[g, 0], notes[g, 1], notes[g, 2], notes[g, 3] = sums

    return compiled_belief(_TEACH, teach, rule)
