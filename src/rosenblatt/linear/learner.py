"""State of linear learners on real examples.

A plan has rule and schedule as numbers that kernels take fast.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.compiling import compiled, inlined, storage, types
from rosenblatt.compiling.jit import remembered
from rosenblatt.compiling.pointers import address
from rosenblatt.core import FixedShift, Percept, Rule, Update, starts
from rosenblatt.core.parts import NO_AVERAGE, UNIFORM, shift_kind
from rosenblatt.core.schema import Array, Schema, record
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import RefusalError, ScheduleLike, gather

# Entries of a learner's counts: the last is the sum of the labels.
EXAMPLES, MISTAKES, LABELS = range(3)
COUNTED = 3
LEARNER = Schema(
    "linear-weights",
    {
        "weights": Array((("models", "weights"),)),
        "sums": Array((("models", "weights"),)),
        "counts": Array((("models", COUNTED),)),
    },
)


def hebbian_start(rule: Rule, dim: int) -> tuple[int, float]:
    """Return the number of examples of a Hebbian start, and w.w after it."""
    learned = shift_kind(rule.shift) != NO_AVERAGE
    if not learned or not isinstance(rule.start, starts.Hebbian):
        return 0, 0.0
    return rule.start.examples(dim), dim * rule.start.norm**2


@record(LEARNER)
class Learner(NamedTuple):
    """All that learning goes on from: one model, or several in rows of the arrays.

    Two classes have one model, more have one for each. Counts are whole numbers in
    double precision unless examples have weights that are not.
    """

    weights: types.Matrix  # an intercept comes last
    sums: types.Matrix  # of label * input, for rules with an average shift
    counts: types.Matrix

    @classmethod
    def zero(cls, dim: int, models: int | None = None) -> Learner:
        """Return one model, or several, before any example."""
        several = () if models is None else (models,)
        weights, sums = (np.zeros((*several, dim)) for _ in range(2))
        return cls(weights, sums, np.zeros((*several, COUNTED)))

    def balanced(self, rule: Rule) -> npt.NDArray[np.bool_]:
        """Return for each model whether labels leave its uniform shift undetermined.

        The mean label is then within three standard errors of 0.
        """
        hebbian, _ = hebbian_start(rule, self.weights.shape[-1])
        examples, labels = self.counts[..., EXAMPLES], self.counts[..., LABELS]
        determined = (examples <= hebbian) | (labels**2 > 9 * examples)
        return np.asarray(~determined & (shift_kind(rule.shift) == UNIFORM))

    def balance_warnings(self, rule: Rule, classes: npt.NDArray[Any]) -> list[str]:
        """Return a text for each model whose labels do not determine the shift."""
        if rule.shift is None:
            return []
        found, texts = self.balanced(rule), []
        for k in np.flatnonzero(found):
            of = f" of {classes.tolist()[k]!r}" if len(found) > 1 else ""
            mean = self.counts[k, LABELS] / self.examples
            texts.append(
                f"labels{of} are balanced: their mean over {self.examples} examples is "
                f"{mean:.2g}, which does not determine a uniform shift; take "
                "Shifted(rule, AverageShift(uniform=False))"
            )
        return texts

    @property
    def examples(self) -> float:
        """Number of examples seen, an integer unless they had other weights."""
        seen = float(self.counts[..., EXAMPLES].flat[0])
        return int(seen) if seen.is_integer() else seen

    def copy(self) -> Learner:
        """Return a learner that shares nothing with this one."""
        return Learner(*(array.copy() for array in self))

    def grown(self, columns: int, *, intercept: bool) -> Learner:
        """Return the learner with more columns, which were all zero so far.

        Their weights are zero, as those of columns that were always zero are, and the
        intercept stays last. The counts stay, but clocks count examples per weight, and
        there are more weights now. So rates that fall with time become larger again.
        With a constant rate and no decay the learner is what it would be if it had
        known the columns before.

        Parameters
        ----------
        columns
            The new number of columns, the intercept not among them.
        intercept
            Whether the last weight is that of a constant input.

        Examples
        --------
        >>> learner = Learner.zero(2)._replace(weights=np.array([3.0, 1.0]))
        >>> learner.grown(3, intercept=True).weights
        array([3., 0., 0., 1.])
        """
        before = self.weights.shape[-1] - intercept
        if columns < before:
            raise ValueError(f"columns must not be below {before}, got {columns}")
        places = np.full(columns - before, before)
        weights, sums = (np.insert(a, places, 0.0, axis=-1) for a in self[:2])
        return Learner(weights, sums, self.counts.copy())

    def with_class(self, place: int, classes: int) -> Learner:
        """Return the learner with one more class, of which no example was seen.

        The old classes keep their models. One model for two classes becomes two of
        opposite sign, which is what each class against the other would have learned.
        The new class has weights of zero and no mistakes; all models have one clock.

        Parameters
        ----------
        place
            The index of the new class among all.
        classes
            The number of classes before. A single class is the first of two, and the
            second has the same model.

        Examples
        --------
        >>> learner = Learner.zero(1, models=1)._replace(weights=np.array([[2.0]]))
        >>> learner.with_class(0, 1).weights.tolist()
        [[-2.0]]
        >>> learner.with_class(2, 2).weights.tolist()
        [[-2.0], [2.0], [0.0]]
        """
        opposite = Learner(-self.weights, -self.sums, self.counts * [1.0, 1.0, -1.0])
        if classes == 1:
            return self.copy() if place else opposite
        old: tuple[Learner, ...] = (opposite, self) if classes == 2 else (self,)
        arrays = (np.concatenate(each) for each in zip(*old, strict=True))
        found = Learner(*(np.insert(array, place, 0.0, axis=0) for array in arrays))
        found.counts[place, EXAMPLES] = self.counts[0, EXAMPLES]
        return found


_recent: dict[tuple[int, int, int], Plan] = {}
_MOST = 256  # plans that are remembered; a stream needs one
# Fields to try a rule at: both sides of the boundary, within any margin and beyond.
_FIELDS = (-1e9, -3.0, -0.1, 0.0, 0.1, 3.0, 1e9)


class Settings(NamedTuple):
    """A plan as kernels take it."""

    step: int  # address of the rule's function
    rate: int  # and of the schedule's
    quiet: bool  # whether rows that are right change nothing
    lengths: bool  # whether the rule reads x.x or w.w
    kind: int  # of shift
    hebbian: int  # examples of a Hebbian start
    constant: float  # rate; negative: ask the schedule
    length2: float  # w.w after a Hebbian start


_NORM2, _INPUT2 = Percept._fields.index("norm2"), Percept._fields.index("input2")


@inlined
def note_fault(p: Percept, u: Update, lengths: bool, fault: FloatArray) -> None:
    """Write the percept and the update of a rule, for the error that follows.

    Lengths are unknown to kernels whose rule does not read them.
    """
    for j in range(len(p)):
        fault[j] = p[j]
    if not lengths:
        fault[_NORM2], fault[_INPUT2] = np.nan, np.nan
    fault[len(p)] = u.gain
    fault[len(p) + 1] = u.decay


class Plan(NamedTuple):
    """A rule and a schedule for learners with a given number of weights.

    It holds addresses, which mean nothing to another process: never keep it in a model.
    """

    settings: Settings
    arrays: tuple[IntArray, FloatArray]  # the same, whole numbers first
    rule: Rule
    schedule: ScheduleLike
    shifted: bool  # the rule moves along the input less an average
    own: bool  # rule or schedule are a user's, which may take long


@remembered
def reads_lengths(rule: Rule) -> bool:
    """Return whether the update depends on the lengths of input and weights.

    The rule is called with NaN as lengths. A rule that reads them returns NaN, or
    another update. The trials can miss a branch of a rule, so only this package's own
    rules are tested this way.

    Examples
    --------
    >>> from rosenblatt.rules import PassiveAggressive, Perceptron
    >>> reads_lengths(Perceptron(margin=0.5)), reads_lengths(PassiveAggressive())
    (False, True)
    """
    if storage.name_of(rule) is None:
        return True
    step = compiled(rule)
    for field, label in itertools.product(_FIELDS, (-1.0, 1.0)):
        found = [
            step(Percept(field, label, q, x2, 0.5, 10.0, 0.0))
            for q, x2 in ((1.0, 1.0), (math.nan, 1.0), (1.0, math.nan), (0.1, 7.0))
        ]
        if any(tuple(other) != tuple(found[0]) for other in found):
            return True
    return False


def plan_of(rule: Rule, schedule: ScheduleLike, dim: int) -> Plan:
    """Return the parts as kernels take them."""
    parts = gather(rule, schedule, None, None, None)
    if isinstance(rule.shift, FixedShift):
        raise RefusalError(
            f"rule {rule!r} has a fixed shift, made of a teacher and a mean input that "
            "real examples do not have; take Shifted(rule), with its AverageShift()"
        )
    hebbian, length2 = hebbian_start(rule, dim)
    kind = shift_kind(rule.shift)
    rate = float(schedule.rate) if type(schedule) is Constant else -1.0
    settings = Settings(
        address(parts.rule), address(parts.schedule), bool(rule.mistakes_only),
        reads_lengths(rule), kind, hebbian, rate, length2
    )  # fmt: skip
    own = storage.name_of((rule, schedule)) is None
    arrays = np.array(settings[:6], np.int64), np.array(settings[6:])
    return Plan(settings, arrays, rule, schedule, rule.shift is not None, own)


def prepared(rule: Rule, schedule: ScheduleLike, dim: int) -> Plan:
    """Return the plan of :func:`plan_of`, fast if it was asked for before.

    Parts are identified by their addresses. The plan holds references to them, so the
    addresses are not used again.
    """
    key = (id(rule), id(schedule), dim)
    found = _recent.get(key)
    if found is None:
        found = plan_of(rule, schedule, dim)
        if len(_recent) >= _MOST:
            _recent.clear()
        _recent[key] = found
    return found
