"""Memory that a model needs for a table, and its limit.

The estimates are of arrays only: what a model keeps for each feature, its copies while
it learns, and the batches that are in memory together.
"""

from __future__ import annotations

from typing import Any

from rosenblatt.estimators import BayesPerceptron, OnlinePerceptron
from rosenblatt.training.models import MODELS, make

__all__ = ["BUDGET", "check_memory", "memory", "takes_sparse"]

BUDGET = 2**31  # bytes
_NUMBER = 8  # bytes of a number
_FILTERS = 4  # of the model bayes
_VECTORS = 16  # numbers for each weight: mean, variance, scales, and copies
_MATRICES = 8  # for each covariance, with copies; measured: 7.1 at 600 features
_WIDEST = 2**11  # features of a full covariance; a row takes milliseconds then
_WAITING = 6  # batches that are read ahead or learned, and one of work


def memory(model: Any, features: int, classes: int, rows: int, sparse: bool) -> int:
    """Return the estimated memory of a model, in bytes.

    Parameters
    ----------
    model
        A model that has learned nothing yet.
    features, classes
        How many there are.
    rows
        How many a batch has.
    sparse
        Whether its rows are sparse. Models that take dense rows only make them dense.

    Examples
    --------
    >>> memory(BayesPerceptron("full"), 2**16, 2, 8192, sparse=True) > 2**36
    True
    >>> memory(BayesPerceptron("diagonal"), 2**16, 2, 8192, sparse=True) < 2**25
    True
    """
    models = 1 if classes == 2 else classes
    need, filters, covariance = 0, 1, None
    if isinstance(model, BayesPerceptron):
        covariance = model.covariance
        if covariance == "auto":  # full ones are so small that they do not count
            filters, covariance = _FILTERS, "diagonal"
        if covariance == "full":
            need += _MATRICES * models * (features + 1) ** 2 * _NUMBER
    need += filters * _VECTORS * models * features * _NUMBER
    if not sparse:
        need += _WAITING * rows * features * _NUMBER
    elif not (covariance == "diagonal" or isinstance(model, OnlinePerceptron)):
        need += rows * features * _NUMBER
    return need


def takes_sparse(text: str) -> bool:
    """Return whether a model that a text describes takes sparse rows as they are.

    Examples
    --------
    >>> takes_sparse("bayes"), takes_sparse("bayes-full"), takes_sparse("clipped-hebb")
    (True, False, False)
    """
    model = make(text)
    if isinstance(model, BayesPerceptron):
        return model.covariance in ("auto", "diagonal")
    return isinstance(model, OnlinePerceptron)


def check_memory(
    text: str, features: int, classes: int, rows: int, sparse: bool
) -> None:
    """Raise ValueError if a model that a text describes needs more than the budget.

    Examples
    --------
    >>> check_memory("bayes-spherical", 2**16, 2, 8192, sparse=True)
    Traceback (most recent call last):
    ValueError: model bayes-spherical must need at most 2.0 GiB, got about 4.0 GiB for
    65536 features; take bayes or bayes-diagonal or perceptron or fewer features ...
    """
    model = make(text)
    full = isinstance(model, BayesPerceptron) and model.covariance == "full"
    if full and features > _WIDEST:
        raise ValueError(
            f"model {text} must have at most {_WIDEST} features, got {features}: each "
            "row takes time with their square; take bayes or bayes-diagonal"
        )
    need = memory(model, features, classes, rows, sparse)
    if need <= BUDGET:
        return
    instead = [
        name
        for name in MODELS
        if memory(make(name), features, classes, rows, sparse) <= BUDGET
    ]
    names = [*instead, "fewer features (hash_bits, ignore)"]
    raise ValueError(
        f"model {text} must need at most {BUDGET / 2**30:.1f} GiB, got about "
        f"{need / 2**30:.1f} GiB for {features} features; take {' or '.join(names)}"
    )
