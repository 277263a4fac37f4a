"""Learning of pieces by each kind of model, and merging of the results.

Models that count add their counts. Beliefs are multiplied, the prior counted once. The
weights of perceptrons are averaged after every pass, and sent out again.
"""

from __future__ import annotations

import copy
import functools
import itertools
import operator
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning

from rosenblatt.core.arguments import whole
from rosenblatt.core.shifts import NO_AVERAGE, shift_kind
from rosenblatt.estimators import (
    BayesPerceptron,
    BinaryBayesPerceptron,
    BinaryPerceptron,
    ClippedHebb,
    OnlinePerceptron,
)
from rosenblatt.estimators.binary_perceptron import NO_THRESHOLD
from rosenblatt.estimators.inputs import two_or_more
from rosenblatt.linear.learner import Learner
from rosenblatt.training.distributed.execution import Execution
from rosenblatt.training.distributed.pieces import Piece
from rosenblatt.training.distributed.tree_reduction import join_both
from rosenblatt.training.record import Record

__all__ = ["LearnedModel", "check_model", "classes_in", "learned"]

_MERGED = (ClippedHebb, BinaryPerceptron, BayesPerceptron, BinaryBayesPerceptron)


class LearnedModel(NamedTuple):
    """A model that has learned some pieces, and its record."""

    model: Any
    rows: float  # learned in this round, weights counted
    record: Record | None


def check_model(model: Any) -> None:
    """Raise an error if models of pieces cannot be merged."""
    if not isinstance(model, (*_MERGED, OnlinePerceptron)):
        raise TypeError(
            "model must be ClippedHebb, BinaryPerceptron, BayesPerceptron, "
            "BinaryBayesPerceptron or OnlinePerceptron, whose pieces can be joined, "
            f"got {type(model).__name__}"
        )
    if getattr(model, "half_life", None) is not None:
        raise ValueError(
            "half_life must be None for pieces that are learned side by side, since "
            f"none is older than another, got {model.half_life!r}"
        )
    if model.warm_start and hasattr(model, "classes_"):
        raise ValueError(
            "warm_start must be False: pieces are learned from the beginning; learn "
            "new pieces with a new model, and take model.merge(new)"
        )
    if isinstance(model, OnlinePerceptron):
        if model.shuffle:
            raise ValueError(
                "shuffle must be False: the rows of a piece are taken in their order"
            )
        if model.rule is not None and shift_kind(model.rule.shift) != NO_AVERAGE:
            raise ValueError(
                "rule must not have an average shift, which starts with the first "
                f"examples of all pieces, got {model.rule!r}"
            )


def classes_in(pieces: Sequence[Piece], execution: Execution) -> npt.NDArray[Any]:
    """Return all labels of all pieces, sorted."""
    found = execution.run("labels", _labels, pieces, np.union1d)
    return two_or_more("y", np.empty(0) if found is None else found)


def _labels(piece: Piece, shared: None) -> npt.NDArray[Any] | None:
    found = piece.labels()
    return found if found.size else None


def learned(
    model: Any, pieces: Sequence[Piece], classes: npt.NDArray[Any], execution: Execution
) -> LearnedModel:
    """Return a copy of a model that has learned all pieces."""
    if isinstance(model, OnlinePerceptron):
        return _averaged(model, pieces, classes, execution)
    found = _round(0, clone(model), pieces, classes, execution)
    if not isinstance(model, BinaryPerceptron):
        return found
    now = execution.run(
        "thresholds", _with_threshold, pieces, _joined_thresholds, found.model
    )
    if not now.threshold_found_.all():
        share = f"1 - eps/4 = {1 - now.eps / 4:g}"
        warnings.warn(NO_THRESHOLD.format(share), ConvergenceWarning, stacklevel=3)
    return found._replace(model=now)


def _averaged(
    model: OnlinePerceptron,
    pieces: Sequence[Piece],
    classes: npt.NDArray[Any],
    execution: Execution,
) -> LearnedModel:
    """Learn in rounds; each begins with the mean of the weights of all pieces.

    The clock of a piece begins with the examples of all pieces in all rounds before,
    and counts its own from there.
    """
    rounds = whole("max_iter", model.max_iter, low=1)
    found = _round(0, clone(model), pieces, classes, execution)
    record = found.record
    for number in range(1, rounds):
        before = found.model._learner.counts
        found = _round(number, found.model, pieces, classes, execution)
        gained = found.model._learner
        found.model._learner = gained._replace(counts=before + gained.counts)
    found.model.n_iter_ = rounds
    return found._replace(record=record)


def _round(
    number: int,
    model: Any,
    pieces: Sequence[Piece],
    classes: npt.NDArray[Any],
    execution: Execution,
) -> LearnedModel:
    """Let copies of a model learn all pieces, and merge them."""
    task = functools.partial(_learn_piece, classes=classes)
    found: LearnedModel | None = execution.run(
        f"round {number + 1}", task, pieces, _joined, model
    )
    if found is None:
        raise ValueError("X must have a row or more, got none")
    return found


def _learn_piece(
    piece: Piece, model: Any, classes: npt.NDArray[Any]
) -> LearnedModel | None:
    """Let a copy of a model learn a piece; a perceptron returns the counts it adds."""
    twin = copy.copy(model)
    known = hasattr(model, "classes_")
    with warnings.catch_warnings():
        # of what a piece alone does not tell
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", DataConversionWarning)
        record = piece.learn(twin, classes)
    rows = 0 if not hasattr(twin, "classes_") else twin.t_ - (model.t_ if known else 0)
    if not rows:
        return None
    if known:
        gain = twin._learner.counts - model._learner.counts
        twin._learner = twin._learner._replace(counts=gain)
    return LearnedModel(twin, rows, record)


def _check_columns(first: Any, second: Any) -> None:
    """Raise an error if two pieces had other columns, or in another order."""
    for name in ("n_features_in_", "feature_names_in_"):
        ours, theirs = getattr(first, name, None), getattr(second, name, None)
        if ours is None or theirs is None or np.array_equal(ours, theirs):
            continue
        ours, theirs = np.asarray(ours).tolist(), np.asarray(theirs).tolist()
        raise ValueError(
            f"all pieces must have the same columns, got {ours} and {theirs}"
        )


def _joined(first: LearnedModel, second: LearnedModel) -> LearnedModel:
    """Return the merged result of two groups of pieces."""
    _check_columns(first.model, second.model)
    model = copy.copy(first.model)
    rows = first.rows + second.rows
    if isinstance(model, OnlinePerceptron):
        a, b = first.model._learner, second.model._learner
        weights = a.weights + (b.weights - a.weights) * (second.rows / rows)
        model._learner = Learner(weights, a.sums, a.counts + b.counts)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.merge(second.model)
    record = join_both(first.record, second.record, operator.add)
    return LearnedModel(model, rows, record)


def _with_threshold(piece: Piece, model: BinaryPerceptron) -> BinaryPerceptron | None:
    """Return the model with the threshold for one piece."""
    batches = piece.batches()
    first = next(batches, None)
    if first is None:
        return None
    twin: BinaryPerceptron = copy.copy(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return twin.fit_threshold(itertools.chain([first], batches))


def _joined_thresholds(
    first: BinaryPerceptron, second: BinaryPerceptron
) -> BinaryPerceptron:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return copy.copy(first).merge_threshold(second)
