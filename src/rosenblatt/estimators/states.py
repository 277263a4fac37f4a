"""The state of each estimator: the attributes that learning goes on from.

All else that an estimator keeps follows from these attributes and its parameters. Model
files hold exactly this state.
"""

from __future__ import annotations

from rosenblatt.bayes.experts import EXPERTS
from rosenblatt.core.schema import (
    Array,
    Field,
    Flag,
    Labels,
    Nested,
    Relation,
    Schema,
    Texts,
    Whole,
)
from rosenblatt.counting.thresholds import PACKED_WEIGHTS
from rosenblatt.estimators.bases.binary_models import BINARY_MODELS
from rosenblatt.estimators.bases.counted_examples import COUNTED_EXAMPLES
from rosenblatt.linear.binary_learner import BINARY_LEARNER
from rosenblatt.linear.learner import LEARNER

__all__ = ["STATES"]

_COLUMNS: dict[str, Field] = {
    "n_features_in_": Whole(low=1, size="columns"),
    "feature_names_in_": Texts("columns"),
}
_CLASSES: dict[str, Field] = {"classes_": Labels(), **_COLUMNS}
_LATER: dict[str, Field] = {"_open": Flag()}  # classes may appear later
_COUNTS = Array((("classes",),), "int64", low=0, high=2**53)
_MODELS = Relation(
    "one model for two classes, and else one for each class",
    lambda _, sizes: (
        sizes["models"] == (1 if sizes["classes"] == 2 else sizes["classes"])
    ),
)
_NAMES = {
    "classes_": "classes",
    "_open": "open_classes",
    "n_features_in_": "columns",
    "feature_names_in_": "column_names",
    "_counts": "class_counts",
    "_experts": "filters",
    "_learner": "weights",
    "_packed": "packed_weights",
    "_counted": "counts",
    "_models": "hypothesis",
    "n_iter_": "passes",
    "costs_": "costs",
    "gradients_": "gradients",
    "converged_": "converged",
}
_MAY_LACK = frozenset(
    {"_open", "feature_names_in_", "n_iter_", "costs_", "gradients_", "converged_"}
)


def _state(name: str, fields: dict[str, Field], *relations: Relation) -> Schema:
    names = {key: _NAMES[key] for key in fields}
    return Schema(name, fields, relations, names, _MAY_LACK & fields.keys())


def _linear(name: str, **more: Field) -> Schema:
    """Return the state of an estimator with linear weights."""
    own = {"_learner": Nested(LEARNER), "n_iter_": Whole()}
    fields = {**_CLASSES, **_LATER, **own, **more}
    intercept = Relation(
        "a weight for each column, and perhaps one more for the intercept",
        lambda _, sizes: 0 <= sizes["weights"] - sizes["columns"] <= 1,
    )
    return _state(name, fields, _MODELS, intercept)


_BINARY = {**_CLASSES, "_learner": Nested(BINARY_LEARNER), "_counts": _COUNTS}
_COUNTING = {
    **_COLUMNS,
    "_counted": Nested(COUNTED_EXAMPLES),
    "_packed": Nested(PACKED_WEIGHTS),
}
STATES = {
    state.name: state
    for state in (
        _state(
            "BayesPerceptron",
            {**_CLASSES, **_LATER, "_experts": Nested(EXPERTS), "_counts": _COUNTS},
            _MODELS,
            Relation(
                "a weight for each column, and one for the intercept",
                lambda _, sizes: sizes["weights"] == sizes["columns"] + 1,
            ),
            Relation(
                "standardised columns",
                lambda model, _: model._experts.first.sums.size > 0,
            ),
        ),
        _state("BinaryBayesPerceptron", {**_BINARY, "_packed": Flag()}, _MODELS),
        _state(
            "BinaryPerceptron", {**_COUNTING, "_models": Nested(BINARY_MODELS)}, _MODELS
        ),
        _state("ClippedHebb", _COUNTING, _MODELS),
        _linear(
            "GradientPerceptron",
            costs_=Array((("passes", "models"),)),
            gradients_=Array((("passes", "models"),)),
            converged_=Flag(),
        ),
        _linear("OnlinePerceptron"),
        _linear("ShiftedPerceptron"),
    )
}
