r"""Models as ONNX graphs in double precision, for runtimes in other languages.

The runtime has no error function in double precision, so the normal law comes from a
polynomial. With :math:`t = (x - k) / (x + k)`, :math:`k = 3`, the function
:math:`(1 + 2x)\, e^{x^2} \mathrm{erfc}(x)` is smooth for t from -1 to 1. A polynomial
of degree 24 has an error of 5e-15 for all :math:`x \ge 0`. The change of variable is
that of Shepherd and Laframboise (1981).
"""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.polynomial import chebyshev
from scipy.special import erfcx

from rosenblatt.bayes.curved import BLENDS, LEAST, TINY
from rosenblatt.bayes.experts import Experts
from rosenblatt.bayes.mixture import Mixture
from rosenblatt.bayes.standardisation import SMALLEST
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators import (
    BayesPerceptron,
    BayesRegressor,
    BinaryBayesPerceptron,
)
from rosenblatt.estimators.counting import CountingClassifier
from rosenblatt.linear.binary import DOUBT
from rosenblatt.models.exporting import (
    WAVES,
    FilterNumbers,
    FunctionNumbers,
    class_weights,
    exportable,
    filters,
    functions,
    law,
    table_columns,
)
from rosenblatt.system.atomic_files import write_whole
from rosenblatt.system.extras import missing
from rosenblatt.tables.encoding import DAY, MISSING, MONDAY, WEEK

try:
    import onnx
    from onnx import helper, numpy_helper
except ImportError:
    onnx = None  # type: ignore[assignment, unused-ignore]

__all__ = ["Graph", "export_onnx"]

_OPSET, _IR = 17, 8  # of 2022; runtimes of that year and later read them
_ML, _TEXT_OPSET = "ai.onnx.ml", 2  # which looks up text
_CENTRE, _DEGREE = 3.0, 24
_FAR_TAIL = 1e6  # the tail is 0 long before
_FARTHEST = 300.0  # log-odds, as in engines.mixing_rows
_TINY = 1e-200  # the least variance, as in BinaryBayesPerceptron.predict_proba
_OUTPUTS = ("label", "probabilities", "prediction", "std")


def export_onnx(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted model as an ONNX graph, which gives the same predictions.

    The graph is in double precision. Its input ``X`` has the shape (rows, columns), its
    output ``label`` the labels, text if they are text. Models that have probabilities
    have the output ``probabilities`` too. The labels are those of ``predict``, but for
    rows that are within rounding of the boundary. A ``BayesPerceptron`` predicts for
    its ``horizon``. A ``BayesRegressor`` has the outputs ``prediction`` and ``std``, of
    shape (rows, 1): mean and standard deviation of the target. Needs the extra
    ``rosenblatt[onnx]``.

    A model that has learned a table with text, dates or gaps has an input of shape
    (rows, 1) for each column, of its name. Numbers are doubles, and NaN where they are
    missing; categories are text, and empty where they are missing; dates are seconds
    since 1970, as doubles, and NaN where they are missing. Hashed columns are refused.

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
    graph = Graph()
    model = exportable(model)
    encoding = table_columns(model, "ONNX")
    if encoding is None:
        graph.features = graph.input("X", np.float64, int(model.n_features_in_))
    else:
        graph.features = _table(graph, encoding)
    if isinstance(model, BayesRegressor):
        for output, value in zip(
            ("prediction", "std"), _law(graph, model), strict=True
        ):
            graph.output(output, value, np.float64, ["rows", 1])
        return _write(graph, model, path)
    if isinstance(model, BayesPerceptron):
        scores, chances = _belief(graph, model._ahead())
    elif isinstance(model, BinaryBayesPerceptron):
        scores, chances = _binary_belief(graph, model)
    elif isinstance(model, CountingClassifier):
        scores, chances = _linear(graph, _levels(graph, model), model), ""
    else:
        scores, chances = _linear(graph, graph.features, model), ""
    factors = class_weights(model)
    if chances and factors is not None:
        scores = chances = _normalised(graph, graph("Mul", chances, factors))
    classes = _labels(model.classes_)
    best = graph("ArgMax", scores, axis=1, keepdims=0)
    found = graph("Gather", graph.constant(classes), best, axis=0)
    graph.output("label", found, classes.dtype, ["rows"])
    if chances:
        shape = ["rows", len(classes)]
        graph.output("probabilities", chances, np.float64, shape)
    _write(graph, model, path)


def _write(graph: Graph, model: Any, path: str | os.PathLike[str]) -> None:
    """Write a graph with the names of the model's columns."""
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


def _table(graph: Graph, encoding: Any) -> str:
    """Return the features of a table, whose columns become inputs of the graph."""
    blocks, gaps = [], []
    size = 1.0
    if encoding.scales is not None:  # multiplied here: see _binary_belief
        size = 1.0 / np.sqrt(len(encoding.numbers) + len(encoding.coded))
    for j, column in enumerate(encoding.numbers):
        x = graph.input(column, np.float64)
        gaps.append(graph("IsNaN", x))
        x = graph("Where", gaps[j], encoding.means[j], x)
        if encoding.scales is not None:
            x = graph("Sub", x, encoding.means[j])
            x = graph("Div", x, encoding.scales[j])
        blocks.append(x)
    blocks += [graph.double(gaps[j]) for j in encoding.indicators]
    for column, coding in encoding.coded:
        if coding.kind == "date":
            blocks += _date(graph, graph.input(column, np.float64), coding)
            continue
        number = {level: i for i, level in enumerate(coding.levels)}
        last = len(coding.levels) - 1
        number.setdefault("", number.get(MISSING, last))
        text = graph.input(column, np.object_)
        place = graph(
            "LabelEncoder",
            text,
            domain=_ML,
            keys_strings=list(number),
            values_int64s=list(number.values()),
            default_int64=last,
        )
        places = np.arange(len(coding.levels))
        blocks.append(graph.double(graph("Equal", place, places)))
    if size != 1.0:
        blocks = [graph("Mul", block, size) for block in blocks]
    return graph("Concat", *blocks, axis=1)


def _date(graph: Graph, seconds: str, coding: Any) -> list[str]:
    """Return the parts of dates, in the order of their features."""
    gone = graph("IsNaN", seconds)
    days = graph("Div", graph("Where", gone, 0.0, seconds), DAY)
    weekday = graph("Mod", graph.whole(days, MONDAY), np.int64(len(WEEK)))
    found = []
    for part in coding.levels:
        if part == MISSING:
            found.append(graph.double(gone))
            continue
        if part == "elapsed":
            value = graph("Div", graph("Sub", days, coding.mean), coding.scale)
        elif part in WEEK:
            value = graph.double(graph("Equal", weekday, np.int64(WEEK.index(part))))
        else:
            turns, quarter = WAVES[part]
            angle = graph("Mul", days, turns)
            value = graph("Sin", graph("Add", angle, quarter))
        found.append(graph("Where", gone, 0.0, value))
    return found


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
        return _signs(graph, graph("Greater", graph.features, 0.0))
    edge = np.where(np.isnan(levels.cut), levels.low, levels.cut)
    above = _signs(graph, graph("Greater", graph.features, edge))
    if not levels.single.any():
        return above
    same = _signs(graph, graph("Equal", graph.features, levels.low))
    alone = np.where(levels.low > 0, 1.0, -1.0)
    return graph("Where", levels.single, graph("Mul", same, alone), above)


def _binary_belief(graph: Graph, model: Any) -> tuple[str, str]:
    """Return scores, and eq. (7) of winther1997 for each class."""
    # Scales are in the weights: onnxruntime joins a product of matrices and a number
    # into one step whose number is in single precision.
    known = model._learner
    z, size, factors = graph.features, model.n_features_in_, model._factors()
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
    noise = float(model.noise_.mean())
    chances = graph("Add", graph("Mul", _normal(graph, u), 1.0 - 2.0 * noise), noise)
    scores = graph.compared(fields, len(weights))
    if len(weights) == 1:
        return scores, graph("Concat", graph("Sub", 1.0, chances), chances, axis=1)
    return scores, _normalised(graph, chances)


def _normalised(graph: Graph, parts: str) -> str:
    """Return the entries of each row divided by their sum."""
    total = graph("ReduceSum", parts, np.array([1]), keepdims=1)
    return graph("Div", parts, total)


def _belief(graph: Graph, experts: Experts) -> tuple[str, str]:
    """Return the scores of classes, whose largest is the label, and probabilities."""
    found = [_log_odds(graph, one) for one in filters(experts.filters)]
    two = len(experts.first.mean) == 1
    if experts.mixture is None:
        odds, mean = found[0]
        chances = graph("Softmax", _logits(graph, odds, two), axis=1)
        # the sign of the field itself, since probabilities near 1/2 are rounded
        return (graph.compared(mean, 1) if two else chances), chances
    mixed = _mixed(graph, experts.mixture, [odds for odds, _ in found], two)
    if experts.curved is not None:
        linear = _log_odds_of(graph, graph("Max", mixed, TINY), two)
        each = [_function_odds(graph, own, two) for own in functions(experts.curved)]
        blends = [_blend(graph, [linear, *each], shares) for shares in BLENDS]
        mixed = _mixed(graph, experts.curved.mixture, blends, two)
    return mixed, mixed


def _mixed(graph: Graph, mixture: Mixture, each: list[str], two: bool) -> str:
    """Return the probabilities of a mixture, from log-odds of its parts."""
    # vectors: onnxruntime leaves out factors that are 1 in single precision
    total, every = None, np.ones(mixture.offsets.shape[1])
    for e, odds in enumerate(each):
        odds = graph("Clip", odds, -_FARTHEST, _FARTHEST)
        logits = _logits(graph, odds, two)
        for layer, weight in enumerate(mixture.weights[e]):
            if weight == 0.0:
                continue
            score = graph("Mul", logits, mixture.slopes[e, layer] * every)
            if layer > 0:
                score = graph("Add", score, mixture.offsets[e])
            chances = graph("Softmax", score, axis=1)
            part = graph("Mul", chances, weight * every)
            total = part if total is None else graph("Add", total, part)
    assert total is not None
    return total


def _blend(graph: Graph, each: list[str], shares: FloatArray) -> str:
    """Return the mean of the log-odds of some parts."""
    total = ""
    for odds, share in zip(each, shares, strict=True):
        if share > 0.0:
            part = graph("Mul", odds, share)
            total = graph("Add", total, part) if total else part
    return total


def _log_odds_of(graph: Graph, chances: str, two: bool) -> str:
    """Return the log-odds of the second of two classes; of more, the logarithms."""
    logs = graph("Log", chances)
    return graph("MatMul", logs, np.array([[-1.0], [1.0]])) if two else logs


def _function_odds(graph: Graph, numbers: FunctionNumbers, two: bool) -> str:
    """Return the log-odds of a length scale, eq. (1) of bayes.curved."""
    mean, variance = _function(graph, numbers)
    variance = graph("Add", variance, numbers.floor)
    deviation = graph("Sqrt", variance)
    t = graph("Div", mean, deviation)
    t = graph("Max", t, LEAST)
    half = graph("Mul", graph("Mul", t, t), -0.5)
    density = graph("Mul", graph("Exp", half), 1.0 / np.sqrt(2.0 * np.pi))
    part = graph("Add", density, graph("Mul", t, _normal(graph, t)))
    return _log_odds_of(graph, graph("Mul", part, deviation), two)


def _function(graph: Graph, numbers: FunctionNumbers) -> tuple[str, str]:
    """Return the means of functions and the variance of all of them."""
    center, factor = numbers.units
    z = graph("Mul", graph("Sub", graph.features, center), factor)
    z = graph("Clip", z, -numbers.clip, numbers.clip)
    angles = graph.product(z, numbers.frequencies.T, numbers.phases)
    waves = graph("Mul", graph("Sin", angles), numbers.amplitudes)
    features = graph("Concat", waves, z, axis=1)
    square = graph("Mul", graph("MatMul", features, numbers.covariance), features)
    variance = graph("ReduceSum", square, np.array([1]), keepdims=1)
    return graph("MatMul", features, numbers.mean), graph("Max", variance, 0.0)


def _law(graph: Graph, model: BayesRegressor) -> tuple[str, str]:
    """Return mean and standard deviation of the law of a number."""
    numbers, means, variances = law(model), [], []
    for part, wider in zip(numbers.parts, numbers.wider, strict=True):
        mean, variance = _function(graph, part)
        variance = graph("Mul", graph("Add", variance, part.floor), np.array([wider]))
        if numbers.counts:
            half = graph("Mul", variance, 0.5)
            mean = graph("Exp", graph("Add", mean, half))
            more = graph("Sub", graph("Exp", variance), 1.0)
            square = graph("Mul", graph("Mul", mean, mean), more)
            variance = graph("Add", mean, square)
        means.append(mean)
        variances.append(variance)
    each, weights = graph("Concat", *means, axis=1), numbers.weights[:, None]
    mean, away = graph("MatMul", each, weights), ""
    away = graph("Sub", each, mean)
    spread = graph("Concat", *variances, axis=1)
    spread = graph("Add", spread, graph("Mul", away, away))
    return mean, graph("Sqrt", graph("MatMul", spread, weights))


def _normal(graph: Graph, u: str) -> str:
    """Return the probability that a normal number is below u."""
    small, _ = graph.tail(graph("Abs", u))
    return graph("Where", graph("Greater", u, 0.0), graph("Sub", 1.0, small), small)


def _log_odds(graph: Graph, numbers: FilterNumbers) -> tuple[str, str]:
    """Return the log-odds of a filter, and the mean fields."""
    z = graph("Mul", graph("Sub", graph.features, numbers.center), numbers.factor)
    z = graph("Clip", z, -numbers.clip, numbers.clip)
    mean = graph.product(z, numbers.mean[:, :-1].T, numbers.mean[:, -1])
    if numbers.full:
        each = []
        for root in numbers.spread:
            spread = graph.product(z, root[:-1], root[-1])
            square = graph("Mul", spread, spread)
            each.append(graph("ReduceSum", square, np.array([1]), keepdims=1))
        variance = graph("Concat", *each, axis=1) if len(each) > 1 else each[0]
    else:
        known = numbers.spread
        square = graph("Mul", z, z)
        variance = graph.product(square, known[:, :-1].T, known[:, -1])
    if len(numbers.mean) > 1:
        return _class_odds(graph, numbers, mean, variance), mean
    deviation = graph("Sqrt", graph("Add", variance, numbers.label_variance))
    return _two_odds(graph, graph("Div", mean, deviation), numbers.noise), mean


def _two_odds(graph: Graph, u: str, noise: float) -> str:
    """Return eq. (1) of numerics.evidence, +1 against -1, as log-odds.

    They are computed for the absolute value of the field, and take its sign.
    """
    small, log_small = graph.tail(graph("Abs", u))
    clear = 1.0 - 2.0 * noise
    if noise > 0.0:
        log_small = graph("Log", graph("Add", graph("Mul", small, clear), noise))
    large = graph("Add", graph("Mul", graph("Sub", 1.0, small), clear), noise)
    size = graph("Sub", graph("Log", large), log_small)
    return graph("Mul", graph("Sign", u), size)


def _class_odds(graph: Graph, numbers: FilterNumbers, mean: str, variance: str) -> str:
    """Return eqs. (5) and (6) of numerics.evidence, as logarithms."""
    blurred = graph("Mul", variance, 0.125 * np.pi)
    blurred = graph("Sqrt", graph("Add", blurred, numbers.label_variance))
    chances = graph("Softmax", graph("Div", mean, blurred), axis=1)
    noise = numbers.noise
    other = noise / (len(numbers.mean) - 1.0)
    noisy = graph("Add", graph("Mul", chances, 1.0 - noise - other), other)
    return graph("Log", graph("Max", noisy, float(SMALLEST)))


def _logits(graph: Graph, odds: str, two: bool) -> str:
    """Return logits of all classes: the first of two has 0."""
    if not two:
        return odds
    return graph("Concat", graph("Mul", odds, 0.0), odds, axis=1)


def _coefficients() -> npt.NDArray[np.float64]:
    """Return the polynomial of the scaled complementary error function."""
    nodes = chebyshev.chebpts1(_DEGREE + 1)  # 1 is none of them
    x = _CENTRE * (1.0 + nodes) / (1.0 - nodes)
    fitted = chebyshev.chebfit(nodes, (1.0 + 2.0 * x) * erfcx(x), _DEGREE)
    return np.asarray(chebyshev.cheb2poly(fitted), np.float64)


class Graph:
    """An ONNX graph; each call adds a node and returns the name of its result.

    Examples
    --------
    >>> graph = Graph()
    >>> total = graph("ReduceSum", graph.input("X", np.float64, 2), np.array([1]))
    >>> graph.output("total", total, np.float64, [None, 1])
    >>> len(graph.finished({})) > 0
    True
    """

    features = ""  # the features of the rows, before the model

    def __init__(self) -> None:
        if onnx is None:
            raise missing("onnx", "exporting to ONNX")
        self._inputs: list[Any] = []
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._outputs: list[Any] = []

    def __call__(self, operation: str, *inputs: Any, **attributes: Any) -> str:
        """Add a node; inputs are names, or numbers and arrays, which are constants."""
        names = [
            given if isinstance(given, str) else self.constant(given)
            for given in inputs
        ]
        name = f"/{operation}/{len(self._nodes)}"
        self._nodes.append(helper.make_node(operation, names, [name], **attributes))
        return name

    def constant(self, value: Any) -> str:
        """Add a constant."""
        array = np.asarray(value)
        name = f"/constant/{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(array, name))
        return name

    def input(self, name: str, dtype: Any, columns: int = 1) -> str:
        """Add an input of the graph."""
        if name in _OUTPUTS:
            raise ValueError(
                f"model must not have a column {name!r}, which is an output of the "
                "graph; rename it"
            )
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        shape = ["rows", columns]
        self._inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, name: str, source: str, dtype: Any, shape: list[Any]) -> None:
        """Add an output of the graph."""
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        self._nodes.append(helper.make_node("Identity", [source], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, kind, shape))

    def product(self, rows: str, matrix: Any, added: Any) -> str:
        """Return rows times a matrix, plus a vector."""
        return self("Add", self("MatMul", rows, matrix), np.asarray(added, np.float64))

    def double(self, values: str) -> str:
        """Return truth values as 0 and 1."""
        return self("Cast", values, to=onnx.TensorProto.DOUBLE)

    def whole(self, values: str, added: int) -> str:
        """Return numbers rounded down, plus a whole number, as integers."""
        floor = self("Cast", self("Floor", values), to=onnx.TensorProto.INT64)
        return self("Add", floor, np.int64(added))

    def compared(self, scores: str, models: int) -> str:
        """Return one score for each class; the first of the largest wins.

        One model tells two classes apart: the second if its score is above 0.
        """
        if models > 1:
            return scores
        return self("Concat", self("Neg", scores), scores, axis=1)

    def tail(self, far: str) -> tuple[str, str]:
        r"""Return the probability of more than far >= 0 deviations, and its logarithm.

        .. math:: \Phi(-a) = \tfrac12 e^{-x^2} \mathrm{erfcx}(x), \quad x = a/\sqrt 2.
        """
        x = self("Min", self("Mul", far, np.sqrt(0.5)), _FAR_TAIL)
        t = self("Div", self("Sub", x, _CENTRE), self("Add", x, _CENTRE))
        last = np.array([-1])
        powers = self("Pow", self("Unsqueeze", t, last), np.arange(_DEGREE + 1.0))
        smooth = self("Squeeze", self("MatMul", powers, _coefficients()[:, None]), last)
        half = self("Div", smooth, self("Add", self("Mul", x, 4.0), 2.0))
        square = self("Mul", x, x)
        small = self("Mul", half, self("Exp", self("Neg", square)))
        return small, self("Sub", self("Log", half), square)

    def finished(self, properties: dict[str, str]) -> bytes:
        """Check the model with ONNX's own checks, and return its bytes."""
        graph = helper.make_graph(
            self._nodes, "rosenblatt", self._inputs, self._outputs, self._constants
        )
        model = helper.make_model(
            graph,
            producer_name="rosenblatt",
            opset_imports=[
                helper.make_opsetid("", _OPSET),
                helper.make_opsetid(_ML, _TEXT_OPSET),
            ],
            ir_version=_IR,
        )
        helper.set_model_props(model, properties)
        onnx.checker.check_model(model)
        content: bytes = model.SerializeToString(deterministic=True)
        return content
