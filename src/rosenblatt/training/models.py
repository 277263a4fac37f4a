"""Models by name, and learning of a batch with evaluation before."""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.core import Part, Rule, Schedule
from rosenblatt.estimators import (
    BayesPerceptron,
    BinaryBayesPerceptron,
    BinaryPerceptron,
    ClippedHebb,
    OnlinePerceptron,
)
from rosenblatt.estimators.inputs.new_classes import may_appear
from rosenblatt.spelling import parse
from rosenblatt.spelling.values import split

__all__ = ["MODELS", "Evaluation", "evaluates_rows", "learn_batch", "make", "parts_of"]

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
_WORDS = {"none": None, "true": True, "false": False}
_TINY = 1e-300  # probabilities have no smaller logarithm


class Evaluation(NamedTuple):
    """Evaluation of predictions that were made before learning."""

    rows: int
    mistakes: int
    log_loss: float | None  # summed; None without probabilities


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
    known = kind().get_params()
    for piece in split(after):
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
    return kind(**given)


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


def evaluates_rows(model: Any, classes: int) -> bool:
    """Return whether a model is evaluated row by row, not batch by batch."""
    later = hasattr(model, "classes_") and may_appear(model, None)
    counts = isinstance(model, OnlinePerceptron) and classes == 2 and not later
    return counts or isinstance(model, BayesPerceptron)


def learn_batch(
    model: Any, X: Any, codes: npt.NDArray[np.int64], classes: npt.NDArray[Any]
) -> Evaluation:
    """Let a model learn a batch; return the evaluation of its predictions before.

    A Bayesian perceptron counts mistakes and evidence of each row just before it learns
    it, a perceptron with two classes its mistakes. Others predict the whole batch and
    then learn it: they are judged by what they knew a batch ago, and on the first not
    at all.
    """
    new = not hasattr(model, "classes_")
    first = {"classes": classes} if new and len(classes) > 1 else {}
    labels = classes[codes]
    if evaluates_rows(model, len(classes)):  # it counts what it did not know before
        mistakes, evidence = (0, 0.0) if new else _counted(model)
        model.partial_fit(X, labels, **first)
        after = _counted(model)
        loss = evidence - after[1] if isinstance(model, BayesPerceptron) else None
        return Evaluation(len(codes), after[0] - mistakes, loss)
    judged = Evaluation(0, 0, None)
    if not new:
        if hasattr(model, "predict_proba"):
            judged = _judged(model.predict_proba(X), codes)
        else:
            wrong = int(np.sum(model.predict(X) != labels))
            judged = Evaluation(len(codes), wrong, None)
    model.partial_fit(X, labels, **first)
    return judged


def _counted(model: Any) -> tuple[int, float]:
    """Return mistakes and log-evidence so far; not all models have the latter."""
    evidence = getattr(model, "log_evidence_", np.zeros(1))
    return int(model.mistakes_[0]), float(evidence[0])


def _judged(shares: npt.NDArray[Any], codes: npt.NDArray[np.int64]) -> Evaluation:
    wrong = int(np.count_nonzero(shares.argmax(axis=1) != codes))
    given = np.maximum(shares[np.arange(len(codes)), codes], _TINY)
    return Evaluation(len(codes), wrong, -float(np.log(given).sum()))
