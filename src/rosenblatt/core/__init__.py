"""The vocabulary: named tuples, base classes, arguments, results, types.

Everything may import it; it imports ``system`` only, and nothing of numba.
"""

from rosenblatt.core import arguments, figures, gaussian, starts, types
from rosenblatt.core.beliefs import (
    Belief,
    BeliefRule,
    Observation,
    Signal,
    WeightwiseRule,
)
from rosenblatt.core.machine import Machine, NormalStream, VectorStream
from rosenblatt.core.motion import Heading, Motion
from rosenblatt.core.shifts import AverageShift, FixedShift, Shift
from rosenblatt.core.vocabulary import (
    Activation,
    Clock,
    Combinator,
    Conditions,
    GaussianStream,
    Part,
    Percept,
    Rule,
    Schedule,
    Stream,
    Teacher,
    Update,
)

__all__ = [
    "Activation",
    "AverageShift",
    "Belief",
    "BeliefRule",
    "Clock",
    "Combinator",
    "Conditions",
    "FixedShift",
    "GaussianStream",
    "Heading",
    "Machine",
    "Motion",
    "NormalStream",
    "Observation",
    "Part",
    "Percept",
    "Rule",
    "Schedule",
    "Shift",
    "Signal",
    "Stream",
    "Teacher",
    "Update",
    "VectorStream",
    "WeightwiseRule",
    "arguments",
    "figures",
    "gaussian",
    "starts",
    "types",
]
