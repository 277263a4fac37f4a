"""The estimators, parts and records that a model file may name, and nothing else.

A file says "rules.Perceptron" or "filter", and gets the class that is listed here. No
module is imported by a name in a file, and no other attribute is looked up. Names of
records are those of their schemas: they stay when classes and modules are renamed.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

from rosenblatt import core, estimators, machines, rules, schedules, teachers
from rosenblatt.core.bits.container import BITS, Bits
from rosenblatt.core.schema import Schema
from rosenblatt.engines.binary_dataset import BINARY_LEARNER, BinaryLearner
from rosenblatt.engines.counts import (
    CLASS_COUNTS,
    INFLUENCE_WEIGHTS,
    Tally,
    Weights,
)
from rosenblatt.engines.experts import EXPERTS, Experts
from rosenblatt.engines.filter_state import FILTER, Filter
from rosenblatt.engines.frame import STANDARDISATION, Frame
from rosenblatt.engines.learner import LEARNER, Learner
from rosenblatt.engines.mixing import MIXTURE, Mixture
from rosenblatt.engines.thresholds import (
    PACKED_WEIGHTS,
    THRESHOLD,
    PackedWeights,
    Threshold,
)
from rosenblatt.estimators.hypothesis import HYPOTHESIS, Hypothesis
from rosenblatt.estimators.levels import LEVELS, Levels
from rosenblatt.estimators.memory import MEMORY, Memory

__all__ = ["ESTIMATORS", "RECORDS", "part_name", "parts", "schema_of"]

ESTIMATORS: dict[str, Any] = {
    name: getattr(estimators, name) for name in estimators.__all__
}
# Records by their names in files: the class and the schema of each.
RECORDS: dict[str, tuple[Any, Schema]] = {
    schema.name: (kind, schema)
    for kind, schema in (
        (BinaryLearner, BINARY_LEARNER),
        (Bits, BITS),
        (Experts, EXPERTS),
        (Filter, FILTER),
        (Frame, STANDARDISATION),
        (Hypothesis, HYPOTHESIS),
        (Learner, LEARNER),
        (Levels, LEVELS),
        (Memory, MEMORY),
        (Mixture, MIXTURE),
        (PackedWeights, PACKED_WEIGHTS),
        (Tally, CLASS_COUNTS),
        (Threshold, THRESHOLD),
        (Weights, INFLUENCE_WEIGHTS),
    )
}
_SCHEMAS = dict(RECORDS.values())


def schema_of(kind: Any) -> Schema | None:
    """Return the schema of a class of records, or None if it is not one.

    Examples
    --------
    >>> schema_of(Filter).name, schema_of(dict)
    ('filter', None)
    """
    return _SCHEMAS.get(kind)


@functools.cache
def parts() -> dict[str, type]:
    """Return the parts that models are made with, by where users find them.

    Examples
    --------
    >>> parts()["rules.Perceptron"]
    <class 'rosenblatt.rules.perceptron.Perceptron'>
    >>> "os.system" in parts()
    False
    """
    found = {}
    for package in (rules, schedules, teachers, machines, core.starts):
        for name in package.__all__:
            kind = getattr(package, name)
            if inspect.isclass(kind) and not inspect.isabstract(kind):
                found[f"{package.__name__.rpartition('.')[2]}.{name}"] = kind
    return found


@functools.cache
def _part_names() -> dict[type, str]:
    return {kind: name for name, kind in parts().items()}


def part_name(kind: Any) -> str | None:
    """Return the name of a part in files, or None if it is not one of this package.

    Examples
    --------
    >>> part_name(rules.Perceptron), part_name(dict)
    ('rules.Perceptron', None)
    """
    return _part_names().get(kind)
