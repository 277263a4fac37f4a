"""Estimators with hostile arguments, tables, labels and weights."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import is_classifier

import rosenblatt as rb
from tests.fuzz import hostile
from tests.fuzz.cases import Case, FaultError
from tests.fuzz.model import attempt, check_answer, exercise, fitted, rows, state
from tests.models.examples import SETTINGS

_PREDICT = (
    "predict",
    "predict",
    "decision_function",
    "predict_proba",
    "predict_std",
    "score",
    "takes",
)
_LEARN = ("fit", "partial_fit", "partial_fit", "predict_then_learn")
_ENDLESS = ("max_iter",)  # parameters of which a large number is long work


class Call(NamedTuple):
    """A method, what it is given, and both in words."""

    method: str
    given: tuple[Any, ...]
    named: dict[str, Any]
    said: str


class Plan(NamedTuple):
    """An estimator, its parameters, and calls."""

    name: str
    parameters: dict[str, Any]
    calls: list[Call]


def prepare(folder):
    """Compile what the estimators use, with every setting."""
    kinds = ("dense", "single", "sparse", "packed")
    for _, model, kind, labels in fitted(*((kind, "abc") for kind in kinds)):
        exercise(model, *rows(kind, labels), folder, lambda text: None)


def mutate(golden, random):
    """Return an estimator and two to four calls."""
    name = random.choice(rb.estimators.__all__)
    parameters = dict(random.choice(SETTINGS.get(name, [{}])))
    said = [name]
    if random.random() < 0.15:
        known = sorted(getattr(rb, name)().get_params(deep=False))
        key = random.choice(known)
        parameters[key] = hostile.value(random)
        if key not in _ENDLESS or not isinstance(parameters[key], int | float):
            said.append(f"{key}={parameters[key]!r}")
        else:
            parameters[key] = -1
    shape = random.choice(((12, 4), (12, 4), (1, 1), (3, 1), (2, 9)))
    calls = [_learning(random, *shape, told=0.9)]
    for _ in range(random.choice((1, 2, 3))):
        if random.random() < 0.4:
            rows = random.choice((shape[0], 1))  # a stream has single rows
            calls.append(_learning(random, rows, shape[1], told=0.2))
        else:
            X, words = hostile.table(random, *shape)
            method = random.choice(_PREDICT)
            more = ()
            if method == "score":
                y, more_words = hostile.labels(random, shape[0])
                more, words = (y,), f"{words}, y {more_words}"
            calls.append(Call(method, (X, *more), {}, f"{method}({words})"))
    said += [call.said for call in calls]
    return Case(", ".join(said)[:2000], {}, Plan(name, parameters, calls))


def _learning(random, rows, columns, *, told):
    """Return a call that learns; classes are told with this probability."""
    X, table = hostile.table(random, rows, columns)
    y, labels = hostile.labels(random, rows)
    weight, words = hostile.weights(random, rows)
    method = random.choice(_LEARN)
    named = {} if weight is None else {"sample_weight": weight}
    said = f"{method}({table}, y {labels}, weights {words}"
    if method != "fit" and random.random() < told:
        classes = _unique(y)
        if random.random() < 0.2:
            classes, said = hostile.value(random), f"{said}, classes hostile"
        named["classes"] = classes
    return Call(method, (X, y), named, f"{said})")


def _unique(y):
    """Return the labels that there are, if they can be compared; else some numbers."""
    try:
        return np.unique(np.asarray(y))
    except (TypeError, ValueError):
        return [0, 1]


def run(case, folder, stage):
    """Make the calls; after a refusal the estimator must be as it was."""
    plan = case.given
    stage("construct")
    model = getattr(rb, plan.name)(**plan.parameters)
    refused = None
    if not is_classifier(model):
        for call in plan.calls:
            call.named.pop("classes", None)
    for call in plan.calls:
        if not hasattr(model, call.method):
            continue
        before = state(model, folder)
        method = partial(getattr(model, call.method), *call.given, **call.named)
        answer, failure = attempt(model, folder, stage, call.said, method)
        refused = failure or refused
        if failure is None and call.method in _PREDICT:
            if state(model, folder) != before:
                raise FaultError(f"{call.method} changed the model")
            if call.method != "score" and hasattr(call.given[0], "shape"):
                check_answer(model, call.given[0], call.method, answer)
    if refused is not None:
        raise refused
