"""Models as ONNX graphs, for runtimes in other languages."""

from __future__ import annotations

import copy
import json
import os
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from rosenblatt.estimators.bayes_perceptron import BayesPerceptron
from rosenblatt.estimators.binary_bayes_perceptron import BinaryBayesPerceptron
from rosenblatt.estimators.counting import CountingClassifier
from rosenblatt.estimators.inputs import check_class_weight, class_factors
from rosenblatt.linear.binary_learner import DOUBT
from rosenblatt.models.onnx.belief import belief
from rosenblatt.models.onnx.graph import Graph
from rosenblatt.models.saving import estimator_name
from rosenblatt.system.atomic_files import write_whole

__all__ = ["export_onnx"]

_TINY = 1e-200  # the least variance, as in BinaryBayesPerceptron.predict_proba


def export_onnx(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted model as an ONNX graph, which gives the same predictions.

    The graph is in double precision. Its input ``X`` has the shape (rows, columns), its
    output ``label`` the labels, text if they are text. Models that have probabilities
    have the output ``probabilities`` too. The labels are those of ``predict``, but for
    rows that are within rounding of the boundary. Needs the extra
    ``rosenblatt[onnx]``.

    The exported graph checks nothing. This package refuses an infinite input, or a
    third level in a column that should have two; a runtime computes with them.

    Parameters
    ----------
    model
        A fitted estimator of rosenblatt.
    path
        The file, written whole or not at all.

    Examples
    --------
    >>> import tempfile, onnxruntime
    >>> import rosenblatt as rb
    >>> model = rb.OnlinePerceptron().fit([[1.0, 2.0], [2.0, 1.0]], ["no", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rb.export_onnx(model, f"{folder}/model.onnx")
    ...     session = onnxruntime.InferenceSession(f"{folder}/model.onnx")
    >>> session.run(["label"], {"X": np.array([[0.0, 3.0]])})
    [array(['no'], dtype=object)]
    """
    estimator_name(model)
    check_is_fitted(model)
    model = copy.copy(model)  # another thread may be learning
    graph = Graph(int(model.n_features_in_))
    if isinstance(model, BayesPerceptron):
        scores, chances = belief(graph, model._ahead())
    elif isinstance(model, BinaryBayesPerceptron):
        scores, chances = _binary_belief(graph, model)
    elif isinstance(model, CountingClassifier):
        scores, chances = _linear(graph, _levels(graph, model), model), ""
    else:
        scores, chances = _linear(graph, graph.input, model), ""
    if chances and model.class_weight is not None:
        scores = chances = _weighed(graph, chances, model)
    classes = _labels(model.classes_)
    best = graph("ArgMax", scores, axis=1, keepdims=0)
    found = graph("Gather", graph.constant(classes), best, axis=0)
    graph.output("label", found, classes.dtype, ["rows"])
    if chances:
        shape = ["rows", len(classes)]
        graph.output("probabilities", chances, np.float64, shape)
    properties = {"estimator": type(model).__name__}
    if hasattr(model, "feature_names_in_"):
        properties["feature_names"] = json.dumps(list(model.feature_names_in_))
    write_whole(path, graph.finished(properties))


def _labels(classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return labels in a type that ONNX has."""
    if classes.dtype.kind == "b":
        return classes
    if classes.dtype.kind in "iu":
        return classes.astype(np.int64)
    if classes.dtype.kind == "f":
        return classes.astype(np.float64)
    if all(isinstance(label, str) for label in classes.tolist()):
        return classes.astype(object)
    raise TypeError(f"classes must be numbers or text for ONNX, got {classes.tolist()}")


def _linear(graph: Graph, rows: str, model: Any) -> str:
    weights = np.asarray(model.coef_, np.float64)
    scores = graph.product(rows, weights.T, model.intercept_)
    return graph.compared(scores, len(weights))


def _signs(graph: Graph, high: str) -> str:
    return graph("Where", high, 1.0, -1.0)


def _levels(graph: Graph, model: Any) -> str:
    """Return +1 for high entries and -1 for low ones."""
    levels = model._counted.levels
    if levels is None:  # packed bits: 1 is high, and -1 or 0 low
        return _signs(graph, graph("Greater", graph.input, 0.0))
    edge = np.where(np.isnan(levels.cut), levels.low, levels.cut)
    above = _signs(graph, graph("Greater", graph.input, edge))
    if not levels.single.any():
        return above
    same = _signs(graph, graph("Equal", graph.input, levels.low))
    alone = np.where(levels.low > 0, 1.0, -1.0)
    return graph("Where", levels.single, graph("Mul", same, alone), above)


def _binary_belief(graph: Graph, model: Any) -> tuple[str, str]:
    """Return scores, and eq. (7) of winther1997 for each class."""
    # Scales are in the weights: onnxruntime joins a product of matrices and a number
    # into one step whose number is in single precision.
    known = model._learner
    z, size, factors = graph.input, model.n_features_in_, model._factors()
    if model._packed:
        z = _signs(graph, graph("Greater", z, 0.0))
    else:
        z = graph("Sub", z, known.center)
    weights = model._weights() * factors / np.sqrt(size)
    fields = graph.product(z, weights.T, model._intercepts())
    spreads = (known.variance.mean(axis=0) * factors**2 / size)[:, None]
    doubt = known.numbers[:, DOUBT].mean(keepdims=True)
    spread = graph.product(graph("Mul", z, z), spreads, doubt)
    spread = graph("Max", spread, _TINY)
    u = graph("Div", fields, graph("Sqrt", spread))
    small, _ = graph.tail(graph("Abs", u))
    normal = graph("Where", graph("Greater", u, 0.0), graph("Sub", 1.0, small), small)
    noise = float(model.noise_.mean())
    chances = graph("Add", graph("Mul", normal, 1.0 - 2.0 * noise), noise)
    scores = graph.compared(fields, len(weights))
    if len(weights) == 1:
        return scores, graph("Concat", graph("Sub", 1.0, chances), chances, axis=1)
    return scores, _normalised(graph, chances)


def _weighed(graph: Graph, chances: str, model: Any) -> str:
    """Return probabilities multiplied by the class weights."""
    check_class_weight(model.class_weight, model.classes_)
    factors = class_factors(model.class_weight, model.classes_, model._counts)
    return _normalised(graph, graph("Mul", chances, factors))


def _normalised(graph: Graph, parts: str) -> str:
    """Return the entries of each row divided by their sum."""
    total = graph("ReduceSum", parts, np.array([1]), keepdims=1)
    return graph("Div", parts, total)
