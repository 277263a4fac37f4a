"""The vocabulary: named tuples, base classes, and what kernels are made of."""

from rosenblatt.core import gaussian, starts
from rosenblatt.core.jit import compiled, inlined, kernel
from rosenblatt.core.vocabulary import (
    Activation,
    AverageShift,
    Clock,
    Combinator,
    Conditions,
    FixedShift,
    GaussianStream,
    Part,
    Percept,
    Rule,
    Schedule,
    Shift,
    Stream,
    Teacher,
    Update,
)

__all__ = [
    "Activation",
    "AverageShift",
    "Clock",
    "Combinator",
    "Conditions",
    "FixedShift",
    "GaussianStream",
    "Part",
    "Percept",
    "Rule",
    "Schedule",
    "Shift",
    "Stream",
    "Teacher",
    "Update",
    "compiled",
    "gaussian",
    "inlined",
    "kernel",
    "starts",
]
