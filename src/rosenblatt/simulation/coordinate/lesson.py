"""Examples for a few learners that go at the same pace.

A rule says what one example does to one learner. What one example does to a few of them
is compiled together here: while one waits for what its example tells, another moves.
Where a rule moves each weight by itself, the pass that moves them sums up what the next
example will be looked at with, so that every weight is read once for an example.

Rows of weights and inputs go on with zeros up to a multiple of ``LANES`` numbers: a
loop over whole registers leaves no rest to be done one by one.
"""

from __future__ import annotations

from collections.abc import Callable

from rosenblatt.compiling import inlined, types
from rosenblatt.compiling.beliefs import compiled_belief, learning
from rosenblatt.compiling.jit import Rate, remembered
from rosenblatt.core import Belief, BeliefRule, Clock, Observation, Signal
from rosenblatt.core.beliefs import WeightwiseRule
from rosenblatt.core.types import HUGE, FloatArray, IntArray
from rosenblatt.core.vocabulary import Part
from rosenblatt.simulation.ensemble import EXAMPLES, FAULT, MISTAKES

__all__ = ["LESSON", "NOTES", "Lesson", "lesson", "look_over", "padded", "teach"]

LANES = 8  # numbers of double precision in a register of 512 bits
# What is noted of a learner: four sums for its next example, the observation of its
# last one (with label 0 if there is none to learn from), and what this tells.
_SEEN = 4
_TOLD = _SEEN + len(Observation._fields)
NOTES = _TOLD + len(Signal._fields)
_LABEL = _SEEN + Observation._fields.index("label")
_f, _i = types.float64, types.int64
_rows, _sizes = _f[:, ::1], types.UniTuple(_i, 3)
_LESSON = types.void(_rows, _rows, _rows, _f[:, :, ::1], _rows, _sizes, _f)
LESSON = types.FunctionType(_LESSON)
Lesson = Callable[..., None]
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


@inlined
def _seen(notes: FloatArray, g: int) -> Observation:
    return Observation(
        notes[g, _SEEN],
        notes[g, _SEEN + 1],
        notes[g, _SEEN + 2],
        notes[g, _SEEN + 3],
        notes[g, _SEEN + 4],
        notes[g, _SEEN + 5],
        notes[g, _SEEN + 6],
        notes[g, _SEEN + 7],
    )


def _weightwise(rule: WeightwiseRule) -> Lesson:
    look, move = inlined(rule.look()), inlined(rule.move())

    @inlined
    def pass_over(
        states: FloatArray,
        means: FloatArray,
        variances: FloatArray,
        inputs: FloatArray,
        notes: FloatArray,
        place: tuple[int, int, int],
        scale: float,
    ) -> Sums:
        g, k, n = place
        signal = Signal(notes[g, _TOLD], notes[g, _TOLD + 1])
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

    def present(
        states: FloatArray,
        means: FloatArray,
        variances: FloatArray,
        inputs: FloatArray,
        notes: FloatArray,
        sizes: tuple[int, int, int],
        scale: float,
    ) -> None:
        k, n, _ = sizes
        for g in range(len(means)):
            if notes[g, _LABEL] != 0.0:
                notes[g, _TOLD], notes[g, _TOLD + 1] = look(_seen(notes, g))
        for g in range(len(means)):
            if notes[g, _LABEL] != 0.0:
                place = (g, k, n)
                sums = pass_over(states, means, variances, inputs, notes, place, scale)
                notes[g, 0], notes[g, 1], notes[g, 2], notes[g, 3] = sums

    return present


def _at_once(rule: BeliefRule) -> Lesson:
    """Return the same for a rule that is one function of arrays."""
    learn = learning(rule)

    def present(
        states: FloatArray,
        means: FloatArray,
        variances: FloatArray,
        inputs: FloatArray,
        notes: FloatArray,
        sizes: tuple[int, int, int],
        scale: float,
    ) -> None:
        k, n, memory = sizes
        for g in range(len(means)):
            if notes[g, _LABEL] != 0.0:
                x = inputs[g, k][:n] * scale
                own = states[g][:memory], means[g][:n], variances[g][:n]
                learn(own[0], own[1], own[2], x, _seen(notes, g))
                sums = look_over(means, variances, inputs, g, g, k + 1)
                notes[g, 0], notes[g, 1], notes[g, 2], notes[g, 3] = sums

    return present


@remembered
def lesson(rule: Part) -> Lesson:
    """Return what one example does to a few learners, compiled once for equal rules.

    It is called with states, means and variances, a row for each learner; inputs for
    each learner and example; the notes of each learner; the number of the example, how
    many weights there are, and how many numbers a state has. There is one input more,
    of which sums are noted.

    Inputs have components of unit variance; the last argument is what they are to be
    scaled with, after sums: signs then give whole numbers, and ties are ties. It is
    given, since the compiler would divide by the root of a number if it knew it.
    """
    assert isinstance(rule, BeliefRule)
    if isinstance(rule, WeightwiseRule) and type(rule).bind is WeightwiseRule.bind:
        return compiled_belief(_LESSON, _weightwise(rule), rule)
    return compiled_belief(_LESSON, _at_once(rule), rule)


@inlined
def teach(
    present: Lesson,
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
    """Present examples to a few learners; what is not finite ends one of them."""
    n, memory, examples = sizes
    size = float(n)
    for k in range(examples):
        for g in range(len(means)):
            notes[g, _LABEL] = 0.0
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
                for j in range(len(o)):
                    notes[g, _SEEN + j] = o[j]
            else:
                counts[g, FAULT] = 1
                for j in range(len(o)):
                    faults[g, j] = o[j]
        present(states, means, variances, inputs, notes, (k, n, memory), scale)
