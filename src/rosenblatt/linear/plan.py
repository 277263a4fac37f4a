"""Rule and schedule of a row learner, as numbers that kernels take fast."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import compiled, inlined, storage, types
from rosenblatt.compiling.jit import remembered
from rosenblatt.compiling.pointers import address
from rosenblatt.core import FixedShift, Percept, Rule, Update
from rosenblatt.core.shifts import shift_kind
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.linear.learner import Learner, hebbian_start
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import RefusalError, ScheduleLike, gather

__all__ = [
    "CONSTANT",
    "HEBBIAN",
    "KIND",
    "LENGTH2",
    "LENGTHS",
    "QUIET",
    "RATE",
    "SETTINGS",
    "SHARED",
    "STEP",
    "Plan",
    "Settings",
    "note_fault",
    "plan_of",
    "prepared",
    "reads_lengths",
]

_recent: dict[tuple[int, int, int], Plan] = {}
_MOST = 256  # plans that are remembered; a stream needs one
# Fields to try a rule at: both sides of the boundary, within any margin and beyond.
_FIELDS = (-1e9, -3.0, -0.1, 0.0, 0.1, 3.0, 1e9)

# Whole numbers of a plan: addresses of rule and schedule, whether rows that are right
# change nothing, whether the rule reads x.x or w.w, the kind of shift, and the examples
# of a Hebbian start.
STEP, RATE, QUIET, LENGTHS, KIND, HEBBIAN = range(6)
# Its other numbers: a constant rate (negative: ask), and w.w after a Hebbian start.
CONSTANT, LENGTH2 = range(2)

_f, _i = types.float64, types.int64
_whole = types.Array(_i, 1, "C", readonly=True)
_numbers = types.Array(_f, 1, "C", readonly=True)


class Settings(NamedTuple):
    """Numbers of a plan."""

    whole: IntArray
    numbers: FloatArray


_rows = _f[:, ::1]
SETTINGS = types.structure(Settings, _i[::1], _f[::1])
# Arguments of all kernels after the table: classes of the rows; their order, and the
# repetitions of each (if not empty); plan, learner, numbers of a fault. A structure
# cannot hold arrays that may be read-only.
SHARED = (
    _whole,
    _whole,
    _numbers,
    SETTINGS,
    types.structure(Learner, _rows, _rows, _rows),
    _f[::1],
)


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
    rule: Rule
    schedule: ScheduleLike
    shifted: bool  # the rule moves along the input less an average
    own: bool  # rule or schedule are a user's, which may take long


@remembered
def reads_lengths(rule: Rule) -> bool:
    """Return whether the update depends on the lengths of input and weights.

    The rule is tried with NaN as lengths. A rule that reads them returns NaN, or
    another update. This is no proof for rules with branches that the trials miss, so it
    is used for this package's own rules only.

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
    places = address(parts.rule), address(parts.schedule)
    whole = (*places, rule.mistakes_only, reads_lengths(rule), kind, hebbian)
    settings = Settings(np.array(whole, dtype=np.int64), np.array([rate, length2]))
    own = storage.name_of((rule, schedule)) is None
    return Plan(settings, rule, schedule, rule.shift is not None, own)


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
