"""Models by name, and learning of a batch with evaluation before."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
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
from rosenblatt.training.evaluation.decisions import decide
from rosenblatt.training.evaluation.metrics import Metrics

__all__ = [
    "DESCRIPTIONS",
    "MODELS",
    "Evaluation",
    "evaluates_rows",
    "learn_batch",
    "make",
    "parts_of",
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
    "bayes-full": "one filter with all correlations; up to about 500 features",
    "bayes-diagonal": "one filter without correlations; fastest for many features",
    "bayes-spherical": "one filter with one variance for all weights; for research",
    "perceptron": "with --rule, --schedule and --passes; no probabilities",
    "clipped-hebb": "weights of +1 and -1 by counting; columns of two levels",
    "binary-perceptron": "weights of +1 and -1, one pass; columns of two levels",
    "binary-bayes": "beliefs about weights of +1 and -1; columns of two levels",
}
_WORDS = {"none": None, "true": True, "false": False}


class Evaluation(NamedTuple):
    """Evaluation of predictions that were made before learning."""

    rows: int
    mistakes: int
    log_loss: float | None  # summed; None without probabilities
    labels: Sequence[int] = ()  # how often each class was learned
    metrics: Metrics | None = None


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
    model: Any,
    X: Any,
    codes: npt.NDArray[np.int64],
    classes: npt.NDArray[Any],
    weights: npt.NDArray[Any] | None = None,
    factors: npt.NDArray[np.float64] | None = None,
    opened: bool = False,
) -> Evaluation:
    """Let a model learn a batch; return the evaluation of its predictions before.

    A Bayesian perceptron predicts each row just before it learns it; a perceptron with
    two classes counts its mistakes likewise. Others predict the whole batch and then
    learn it: they are judged by what they knew a batch ago, and on the first not at
    all.

    Parameters
    ----------
    weights
        How often each row counts.
    factors
        Of the probabilities of classes, for decisions.
    opened
        Whether classes may appear later; then predictions are not counted by class.
    """
    new = not hasattr(model, "classes_")
    more: dict[str, Any] = {"classes": classes} if new and len(classes) > 1 else {}
    if weights is not None:
        more["sample_weight"] = weights
    labels = classes[codes]
    if opened and not evaluates_rows(model, len(classes)):
        wrong = 0 if new else int(np.sum(model.predict(X) != labels))
        model.partial_fit(X, labels, **more)
        return Evaluation(0 if new else len(codes), wrong, None)
    if opened:
        before = (0, 0.0) if new else _counted(model)
        model.partial_fit(X, labels, **more)
        wrong, evidence = _counted(model)
        bayes = isinstance(model, BayesPerceptron)
        loss = before[1] - evidence if bayes else None
        return Evaluation(len(codes), wrong - before[0], loss)
    seen = np.bincount(codes, weights, len(classes)).astype(np.int64).tolist()
    if isinstance(model, BayesPerceptron):
        shares = model.predict_then_learn(X, labels, **more)
        return _judged(codes, shares, weights, factors, seen)
    if evaluates_rows(model, len(classes)):  # it counts what it did not know before
        mistakes = 0 if new else _counted(model)[0]
        model.partial_fit(X, labels, **more)
        return Evaluation(sum(seen), _counted(model)[0] - mistakes, None, seen)
    judged = Evaluation(0, 0, None, seen)
    if not new:
        if hasattr(model, "predict_proba"):
            shares = model.predict_proba(X)
            judged = _judged(codes, shares, weights, factors, seen)
        else:
            predicted = np.searchsorted(classes, model.predict(X))
            found = Metrics.of(codes, predicted, len(classes), None, weights)
            judged = Evaluation(found.rows, sum(found.wrong), None, seen, found)
    model.partial_fit(X, labels, **more)
    return judged


def _counted(model: Any) -> tuple[int, float]:
    """Return mistakes and log-evidence so far; not all models have the latter."""
    evidence = getattr(model, "log_evidence_", np.zeros(1))
    return int(model.mistakes_[0]), float(evidence[0])


def _judged(
    codes: npt.NDArray[np.int64],
    shares: npt.NDArray[np.float64],
    weights: npt.NDArray[Any] | None,
    factors: npt.NDArray[np.float64] | None,
    seen: list[int],
) -> Evaluation:
    """Return the evaluation of probabilities."""
    predicted = decide(shares, factors)
    found = Metrics.of(codes, predicted, shares.shape[1], shares, weights)
    return Evaluation(found.rows, sum(found.wrong), found.log_loss, seen, found)
