"""The estimators and records that a model file may name.

A file says "filter", and gets the class that is listed here, or "rules.Perceptron", and
gets a part that :mod:`rosenblatt.specification.codec` lists. No
module is imported by a name in a file, and no other attribute is looked up. Names of
records are those of their schemas: they stay when classes and modules are renamed.
"""

from __future__ import annotations

from typing import Any

from rosenblatt.bayes.experts import EXPERTS, Experts
from rosenblatt.bayes.horizon import HORIZON, Horizon
from rosenblatt.bayes.mixture import MIXTURE, Mixture
from rosenblatt.bayes.schema import FILTER
from rosenblatt.bayes.standardisation import STANDARDISATION, Standardisation
from rosenblatt.bayes.state import Filter
from rosenblatt.bits.container import BITS, Bits
from rosenblatt.core.schema import Schema
from rosenblatt.counting.binary_weights import INFLUENCE_WEIGHTS, Weights
from rosenblatt.counting.class_counts import CLASS_COUNTS, Tally
from rosenblatt.counting.thresholds import (
    PACKED_WEIGHTS,
    THRESHOLD,
    PackedWeights,
    Threshold,
)
from rosenblatt.estimators import (
    BayesPerceptron,
    BinaryBayesPerceptron,
    BinaryPerceptron,
    ClippedHebb,
    GradientPerceptron,
    OnlinePerceptron,
    ShiftedPerceptron,
)
from rosenblatt.estimators.binary_perceptron import BINARY_MODELS, BinaryModels
from rosenblatt.estimators.counting import (
    COUNTED_EXAMPLES,
    LEVELS,
    CountedExamples,
    Levels,
)
from rosenblatt.linear.binary_learner import BINARY_LEARNER, BinaryLearner
from rosenblatt.linear.learner import LEARNER, Learner

__all__ = ["ESTIMATORS", "RECORDS", "estimator_name", "schema_of"]

ESTIMATORS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        BayesPerceptron,
        BinaryBayesPerceptron,
        BinaryPerceptron,
        ClippedHebb,
        GradientPerceptron,
        OnlinePerceptron,
        ShiftedPerceptron,
    )
}
# Records by their names in files: the class and the schema of each.
RECORDS: dict[str, tuple[Any, Schema]] = {
    schema.name: (kind, schema)
    for kind, schema in (
        (BinaryLearner, BINARY_LEARNER),
        (Bits, BITS),
        (Experts, EXPERTS),
        (Filter, FILTER),
        (Standardisation, STANDARDISATION),
        (BinaryModels, BINARY_MODELS),
        (Learner, LEARNER),
        (Levels, LEVELS),
        (CountedExamples, COUNTED_EXAMPLES),
        (Mixture, MIXTURE),
        (Horizon, HORIZON),
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


def estimator_name(model: Any) -> str:
    """Return the name of a model's class; raise TypeError if files cannot hold it.

    Examples
    --------
    >>> estimator_name(ClippedHebb())
    'ClippedHebb'
    """
    name = type(model).__name__
    if type(model) is not ESTIMATORS.get(name):
        raise TypeError(
            f"model must be one of {', '.join(ESTIMATORS)} in rosenblatt, got {name} "
            f"in {type(model).__module__}; a pickle stores other models"
        )
    return name
