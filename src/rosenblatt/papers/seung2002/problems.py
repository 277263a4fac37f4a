"""Problems that claims and figures of this lecture share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rosenblatt.core import Activation, Rule, Schedule
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.rows import Learner, learn
from rosenblatt.rules import Tanh

__all__ = [
    "SEED",
    "CautiousTanh",
    "Quadratic",
    "drawn_order",
    "follow",
    "from_weights",
    "quadratic",
]

SEED = 2002  # of everything random in this lecture's claims and figures


@dataclass(frozen=True)
class CautiousTanh(Activation):
    """A hyperbolic tangent with targets of -0.9 and 0.9, which it can reach."""

    @property
    def targets(self) -> tuple[float, float]:
        """Targets inside the range of outputs."""
        return (-0.9, 0.9)

    def bind(self) -> Callable[[float], tuple[float, float]]:
        """Return the hyperbolic tangent and its slope."""
        return Tanh().bind()


class Quadratic(NamedTuple):
    """Examples whose cost with linear outputs has a Hessian of given eigenvalues."""

    X: FloatArray
    y: IntArray  # 0 or 1
    curvatures: FloatArray


def quadratic(curvatures: FloatArray, rows: int = 40) -> Quadratic:
    """Return examples with a Hessian of these eigenvalues, along random directions."""
    rng = np.random.default_rng([SEED, curvatures.size])
    size = curvatures.size
    columns, _ = np.linalg.qr(rng.standard_normal((rows, size)))
    axes, _ = np.linalg.qr(rng.standard_normal((size, size)))
    X = np.sqrt(rows) * columns * np.sqrt(curvatures) @ axes
    return Quadratic(X, rng.integers(0, 2, rows), curvatures)


def from_weights(weights: FloatArray) -> Learner:
    """Return a learner that begins with these weights."""
    return Learner.zero(weights.size)._replace(weights=np.array(weights, dtype=float))


def drawn_order(rows: int, steps: int, *seed: int) -> IntArray:
    """Return examples drawn at random, one for each step."""
    return np.random.default_rng([SEED, *seed]).integers(0, rows, steps)


def follow(
    rule: Rule,
    schedule: Schedule,
    X: FloatArray,
    labels: FloatArray,
    start: FloatArray,
    order: IntArray,
    times: IntArray,
) -> FloatArray:
    """Return the weights after each of these numbers of examples, in rows."""
    learner, before, found = from_weights(start), 0, []
    for time in times:
        learner = learn(rule, schedule, X, labels, learner, order=order[before:time])
        before = time
        found.append(learner.weights)
    return np.array(found)
