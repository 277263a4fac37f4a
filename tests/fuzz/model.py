"""Model files of all estimators, changed, with a checksum that is right again."""

import contextlib
import pickle
from typing import Any, NamedTuple

import numpy as np

import rosenblatt as rb
from rosenblatt.models.saving import unpack
from tests.fuzz.byte_changes import changed_bytes
from tests.fuzz.cases import REFUSED, Case, FaultError, judged
from tests.fuzz.model_changes import changed_model, named
from tests.models.examples import SETTINGS, shaped

_FILE = "model.safetensors"
_ROWS, _COLUMNS = 30, 7


class Golden(NamedTuple):
    """A saved model, and rows to go on with."""

    name: str
    content: bytes
    kind: str
    labels: tuple[Any, ...]


def rows(kind, labels, seed=0):
    """Return examples of a kind, with levels -1 and 1."""
    X = np.random.default_rng(seed).choice([-1.0, 1.0], (_ROWS, _COLUMNS))
    order = np.digitize(X[:, :4].sum(axis=1), [-1.5, 0.5])
    return shaped(X, kind), np.array([*labels])[np.minimum(order, len(labels) - 1)]


def fitted(*given):
    """Yield a model of every estimator and setting for each kind of rows and labels."""
    for name in rb.estimators.__all__:
        for i, parameters in enumerate(SETTINGS.get(name, [{}])):
            for kind, labels in given:
                model = getattr(rb, name)(**parameters)
                try:
                    model.fit(*rows(kind, labels))
                except (TypeError, ValueError):  # rows that this model refuses
                    continue
                yield f"{name}-{i}-{kind}-{len(labels)}", model, kind, labels


def prepare(folder):
    """Save models with every setting, on dense, sparse and packed rows."""
    found = []
    words, numbers = ("no", "perhaps", "yes"), (-3, 7)
    kinds = (
        ("dense", words),
        ("dense", numbers),
        ("sparse", "ab"),
        ("packed", (0, 1, 2)),
    )
    for name, model, kind, labels in fitted(*kinds):
        path = folder / f"{name}.safetensors"
        rb.save_model(model, path)
        exercise(model, *rows(kind, labels, 1), folder, lambda text: None)
        rb.load_model(path)
        found.append(Golden(name, path.read_bytes(), kind, labels))
    return found


def mutate(golden, random):
    """Return a file with other tensors, records, names or numbers."""
    chosen = random.choice(golden)
    if random.random() < 0.02:
        content, said = changed_bytes(chosen.content, random)
    else:
        classes = ["OnlinePerceptron", "BayesPerceptron", "ClippedHebb"]
        for one in golden:
            found = named(unpack(one.content)[0])
            classes += [record[key] for record, key in found]
        names = sorted(set(classes))
        content, said = changed_model(chosen.content, names, random)
    given = (chosen.kind, chosen.labels)
    return Case(f"{chosen.name}: {said}", {_FILE: content}, given)


def run(case, folder, stage):
    """Load the file; if it is a model, use all that it offers."""
    stage("load_model")
    try:
        model = rb.load_model(folder / _FILE)
    except rb.models.ModelFileError as failure:
        if "\n" in str(failure) or _FILE not in str(failure):
            raise FaultError(f"not one line with the file: {failure}") from failure
        raise
    kind, labels = case.given or ("dense", ("no", "perhaps", "yes"))
    exercise(model, *rows(kind, labels, 1), folder, stage)


def state(model, folder):
    """Return all that a model is, as bytes; None if it cannot be kept."""
    path = folder / "state.safetensors"
    try:
        rb.save_model(model, path)
        return path.read_bytes()
    except (TypeError, ValueError):  # wrong parameters are not saved
        with contextlib.suppress(TypeError, AttributeError, pickle.PicklingError):
            return pickle.dumps(model)


def attempt(model, folder, stage, what, call):
    """Call a method; return its answer and its refusal, which changes nothing."""
    stage(what)
    before = state(model, folder)
    try:
        return call(), None
    except Exception as failure:
        outcome = judged(failure)
        if outcome.kind != REFUSED:
            raise FaultError(f"{what}: {outcome.detail}") from failure
        if state(model, folder) != before:
            raise FaultError(f"{what} failed and changed the model") from failure
        return None, failure


def exercise(model, X, y, folder, stage):
    """Use a model in every way: predict, learn, merge, save and load."""

    def tried(what, call):
        return attempt(model, folder, stage, what, call)[0]

    stage("save_model")
    first = state(model, folder)
    for method in ("predict", "decision_function", "predict_proba", "predict_std"):
        with contextlib.suppress(AttributeError):
            call = getattr(model, method)
            check_answer(model, X, method, tried(method, lambda call=call: call(X)))
    if state(model, folder) != first:
        raise FaultError("predictions changed the model")
    stage("load_model again")
    other = rb.load_model(folder / "state.safetensors")
    if state(other, folder) != first:
        raise FaultError("a model that is saved and loaded is another one")
    if hasattr(model, "merge"):
        tried("merge", lambda: model.merge(other))
    tried("partial_fit", lambda: model.partial_fit(X, y))
    tried("predict", lambda: model.predict(X))
    stage("save_model")
    state(model, folder)


def check_answer(model, X, method, answer):
    """Raise a fault if predictions have a wrong shape, or are no labels."""
    if answer is None:
        return
    if np.shape(answer)[:1] != (X.shape[0],):
        raise FaultError(f"{method} returned shape {np.shape(answer)}")
    known = getattr(model, "classes_", answer)
    if method == "predict" and not np.isin(answer, known).all():
        raise FaultError("predict returned labels that are not in classes_")
    if method == "predict_proba" and not np.allclose(answer.sum(axis=1), 1.0):
        raise FaultError("probabilities are not numbers that add up to 1")
