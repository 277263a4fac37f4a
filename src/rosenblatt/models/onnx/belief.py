"""The graph of Gaussian beliefs: standardisation, fields, log-odds and mixture."""

from __future__ import annotations

import numpy as np

from rosenblatt.bayes import Filter
from rosenblatt.bayes.experts import Experts
from rosenblatt.bayes.standardisation import SMALLEST
from rosenblatt.models.onnx.graph import Graph

__all__ = ["belief"]

_FARTHEST = 300.0  # log-odds, as in engines.mixing_rows


def belief(graph: Graph, experts: Experts) -> tuple[str, str]:
    """Return the scores of classes, whose largest is the label, and probabilities."""
    odds, means = zip(*(_log_odds(graph, f) for f in experts.filters), strict=True)
    two = len(experts.first.mean) == 1
    if experts.mixture is None:
        chances = graph("Softmax", _logits(graph, odds[0], two), axis=1)
        # the sign of the field itself, since probabilities near 1/2 are rounded
        return (graph.compared(means[0], 1) if two else chances), chances
    mixture, total = experts.mixture, None
    for e, log_odds in enumerate(odds):
        log_odds = graph("Clip", log_odds, -_FARTHEST, _FARTHEST)
        logits = _logits(graph, log_odds, two)
        for layer, weight in enumerate(mixture.weights[e]):
            if weight == 0.0:
                continue
            score = graph("Mul", logits, mixture.slopes[e, layer])
            if layer > 0:
                score = graph("Add", score, mixture.offsets[e])
            chances = graph("Softmax", score, axis=1)
            part = graph("Mul", chances, weight)
            total = part if total is None else graph("Add", total, part)
    assert total is not None
    return total, total


def _standardised(graph: Graph, filter: Filter) -> str:
    """Return the standardised inputs, clipped."""
    z = graph.input
    if not filter.sparse:
        z = graph("Sub", z, filter.center)
    z = graph("Mul", z, filter.inverse_scale)
    return graph("Clip", z, float(-filter.clip), float(filter.clip))


def _log_odds(graph: Graph, filter: Filter) -> tuple[str, str]:
    """Return the log-odds of a filter, and the mean fields."""
    z = _standardised(graph, filter)
    columns = filter.center.size
    weights, rest = filter.mean[:, :columns], filter.mean[:, columns:]
    mean = graph.product(z, weights.T, rest.sum(axis=1))
    if filter.belief.ndim == 3:
        each = []
        for root in np.linalg.cholesky(filter.belief):
            spread = graph.product(z, root[:columns], root[columns:].sum(axis=0))
            square = graph("Mul", spread, spread)
            each.append(graph("ReduceSum", square, np.array([1]), keepdims=1))
        variance = graph("Concat", *each, axis=1) if len(each) > 1 else each[0]
    else:
        known = filter.variances
        square = graph("Mul", z, z)
        intercept = known[:, columns:].sum(axis=1)
        variance = graph.product(square, known[:, :columns].T, intercept)
    if len(filter.mean) > 1:
        return _class_odds(graph, filter, mean, variance), mean
    deviation = graph("Sqrt", graph("Add", variance, filter.label_variance))
    return _two_odds(graph, graph("Div", mean, deviation), float(filter.noise[0])), mean


def _two_odds(graph: Graph, u: str, noise: float) -> str:
    """Return eq. (1) of numerics.evidence, +1 against -1, as log-odds.

    It is computed for the side on which the field is; the other has the other sign.
    """
    small, log_small = graph.tail(graph("Abs", u))
    clear = 1.0 - 2.0 * noise
    if noise > 0.0:
        log_small = graph("Log", graph("Add", graph("Mul", small, clear), noise))
    large = graph("Add", graph("Mul", graph("Sub", 1.0, small), clear), noise)
    size = graph("Sub", graph("Log", large), log_small)
    return graph("Mul", graph("Sign", u), size)


def _class_odds(graph: Graph, filter: Filter, mean: str, variance: str) -> str:
    """Return eqs. (5) and (6) of numerics.evidence, as logarithms."""
    blurred = graph("Mul", variance, 0.125 * np.pi)
    blurred = graph("Sqrt", graph("Add", blurred, filter.label_variance))
    chances = graph("Softmax", graph("Div", mean, blurred), axis=1)
    noise = float(filter.noise[0])
    other = noise / (len(filter.mean) - 1.0)
    noisy = graph("Add", graph("Mul", chances, 1.0 - noise - other), other)
    return graph("Log", graph("Max", noisy, float(SMALLEST)))


def _logits(graph: Graph, odds: str, two: bool) -> str:
    """Return logits of all classes: the first of two has 0."""
    if not two:
        return odds
    return graph("Concat", graph("Mul", odds, 0.0), odds, axis=1)
