"""Models by name, and the memory that each needs for a table."""

from __future__ import annotations

import inspect
from typing import Any

from rosenblatt.core import Part, Rule, Schedule
from rosenblatt.estimators import (
    BayesPerceptron,
    BinaryBayesPerceptron,
    BinaryPerceptron,
    ClippedHebb,
    OnlinePerceptron,
)
from rosenblatt.estimators.base import checked_parameters
from rosenblatt.specification.codec import parse, split

__all__ = [
    "BUDGET",
    "DESCRIPTIONS",
    "MODELS",
    "check_memory",
    "make",
    "memory",
    "parts_of",
    "takes_sparse",
]

MODELS: dict[str, tuple[Any, dict[str, Any]]] = {
    "bayes": (BayesPerceptron, {}),
    "bayes-full": (BayesPerceptron, {"covariance": "full"}),
    "bayes-diagonal": (BayesPerceptron, {"covariance": "diagonal"}),
    "bayes-spherical": (BayesPerceptron, {"covariance": "spherical"}),
    "perceptron": (OnlinePerceptron, {}),
    "clipped-hebb": (ClippedHebb, {}),
    "binary-perceptron": (BinaryPerceptron, {}),
    "binary-bayes": (BinaryBayesPerceptron, {}),
}
# Each model in a line: its estimator, and when to take it.
DESCRIPTIONS = {
    "bayes": "the default: probabilities, nothing to tune, follows changes",
    "bayes-full": "one filter with all correlations; slow above 500 features",
    "bayes-diagonal": "one filter without correlations; fastest for many features",
    "bayes-spherical": "one filter with one variance for all weights; for research",
    "perceptron": "with --rule, --schedule and --passes; no probabilities",
    "clipped-hebb": "weights of +1 and -1 by counting; columns of two levels",
    "binary-perceptron": "weights of -1, 0 and +1, two readings; columns of two levels",
    "binary-bayes": "beliefs about weights of +1 and -1; columns of two levels",
}
_OF_FIT = ("max_iter", "shuffle", "warm_start")  # files are learned by partial_fit
_WORDS = {"none": None, "true": True, "false": False}


def make(text: str, rule: str | None = None, schedule: str | None = None) -> Any:
    """Return the model that a text describes, ``name`` or ``name:key=value,...``.

    Examples
    --------
    >>> make("bayes:half_life=1000")
    BayesPerceptron(half_life=1000.0)
    >>> make("perceptron", rule="passive-aggressive").rule
    PassiveAggressive(margin=1.0, aggressiveness=inf)
    >>> make("forest")
    Traceback (most recent call last):
    ValueError: model must be one of bayes, ..., binary-bayes, got 'forest'
    """
    name, _, after = text.partition(":")
    if name not in MODELS:
        raise ValueError(f"model must be one of {', '.join(MODELS)}, got {name!r}")
    kind, given = MODELS[name]
    given = dict(given)
    known = [key for key in kind().get_params() if key not in _OF_FIT]
    for piece in split(after) if after else ():
        key, equals, written = (side.strip() for side in piece.partition("="))
        key = key.replace("-", "_")
        if not equals or key not in known or key in given:
            raise ValueError(
                f"model {name} has no parameter {piece!r}; possible: "
                f"{', '.join(k for k in known if k not in given)}"
            )
        given[key] = _value(written)
    for option, wanted, kinds in (
        ("rule", rule, Rule),
        ("schedule", schedule, Schedule),
    ):
        if wanted is not None:
            if kind is not OnlinePerceptron:
                raise ValueError(f"{option} goes with the model perceptron only")
            given[option] = parse(kinds, wanted)
    model = kind(**given)
    checked_parameters(model)
    return model


def parts_of(model: Any) -> dict[str, Any]:
    """Return rules, schedules and functions of a model, as its file asks for them.

    Examples
    --------
    >>> parts_of(make("perceptron", "adatron", "power"))
    {'Power': <class '...Power'>, 'AdaTron': <class '...AdaTron'>}
    """
    found: dict[str, Any] = {}
    left = list(model.get_params(deep=False).values())
    while left:
        part = left.pop()
        if inspect.isfunction(part):
            found[part.__name__] = part
        elif isinstance(part, Part):
            found[type(part).__name__] = type(part)
            left += vars(part).values()  # parts may be made of others
    return found


def _value(text: str) -> Any:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return float(text)
    except ValueError:
        return text


BUDGET = 2**31  # bytes
_NUMBER = 8  # bytes of a number
_FILTERS = 5  # of the model bayes
_VECTORS = 16  # numbers for each weight: mean, variance, scales, and copies
_MATRICES = 3  # for each covariance, with copies; measured: 2.1 at 600 features
_WIDEST = 2**11  # features of a full covariance; a row takes milliseconds then
_WAITING = 6  # batches that are read ahead or learned, and one of work


def memory(model: Any, features: int, classes: int, rows: int, sparse: bool) -> int:
    """Return the estimated memory of a model, in bytes.

    It counts arrays only: what a model keeps for each feature, its copies while it
    learns, and the batches that are in memory together.

    Parameters
    ----------
    model
        A model that has learned nothing yet.
    features, classes
        Numbers of features and of classes.
    rows
        Number of rows of a batch.
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
