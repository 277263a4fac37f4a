r"""The tree parity machine: a product of fields over disjoint blocks of inputs.

.. math:: f(s, w) = \prod_{k=1}^K h_k, \qquad h_k = w_k \cdot s_k.  \tag{1}

The same dichotomy is the sign of

.. math:: f(s, w) = \min_k |h_k| \prod_k \operatorname{sgn} h_k,  \tag{2}

whose gradient moves only the unit with the smallest field, since its sign is changed at
the least cost. This is the least action rule studied by Kabashima (1994).

For isotropic inputs each unit disagrees with its target independently, with
probability :math:`\theta_k / \pi`, so that

.. math:: E = \tfrac12 \Bigl[1 - \prod_k (1 - 2 \theta_k / \pi)\Bigr].  \tag{3}
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rosenblatt.compiling.vectors import dot, scale
from rosenblatt.core import Machine, NormalStream, VectorStream
from rosenblatt.core.arguments import flag, whole
from rosenblatt.core.types import FloatArray

__all__ = ["Parity"]

Value = Callable[[FloatArray, FloatArray, FloatArray], float]


@dataclass(frozen=True)
class Parity(Machine):
    """The product of the signs of hidden units, each with inputs of its own.

    Parameters
    ----------
    hidden
        Number K of units.
    inputs_each
        Inputs of each unit.
    least_action
        Whether to use eq. (2), which moves one unit at a time, instead of eq. (1).
    normalised
        Whether the weights of each unit are kept at length 1.

    Examples
    --------
    >>> gradient = np.empty(4)
    >>> value = Parity(hidden=2, inputs_each=2).bind()
    >>> s, w = np.array([3.0, 0.0, 0.0, 2.0]), np.array([1.0, 0.0, 0.0, 1.0])
    >>> float(value(s, w, gradient))
    6.0
    >>> gradient
    array([6., 0., 0., 6.])
    """

    hidden: int = 2
    inputs_each: int = 10
    least_action: bool = False
    normalised: bool = True

    def __post_init__(self) -> None:
        whole("hidden", self.hidden, low=1)
        whole("inputs_each", self.inputs_each, low=1)
        flag("least_action", self.least_action)
        flag("normalised", self.normalised)

    @property
    def inputs(self) -> int:
        """Number of inputs of all units."""
        return self.hidden * self.inputs_each

    @property
    def parameters(self) -> int:
        """Number of weights, one for each input."""
        return self.inputs

    @property
    def groups(self) -> int:
        """Number of groups, one for each unit if normalised."""
        return self.hidden if self.normalised else 0

    def bind(self) -> Value:
        """Return eq. (1) or (2)."""
        make = _least_action if self.least_action else _product
        return make(self.hidden, self.inputs_each)

    def error(
        self, weights: FloatArray, target: FloatArray, stream: VectorStream
    ) -> FloatArray | None:
        """Return eq. (3), for normal inputs without a mean."""
        if not isinstance(stream, NormalStream) or stream.center.any():
            return None
        shape = (-1, self.hidden, self.inputs_each)
        u, v = weights.reshape(shape), target.reshape(shape)
        # Kahan's formula, which does not lose small angles as a cosine does, and has
        # a right angle (a guess) where there is no direction
        long_u, long_v = (np.linalg.norm(a, axis=2, keepdims=True) for a in (u, v))
        sides = (u * long_v - v * long_u, u * long_v + v * long_u)
        apart, along = (np.linalg.norm(d, axis=2) for d in sides)
        angle = 2 * np.arctan2(apart, along)
        turned = 2 / np.pi * np.where(apart + along > 0, angle, 0.5 * np.pi)
        # eq. (3), unit after unit, without a difference of nearly equal numbers
        total = np.zeros(len(weights))
        for k in range(self.hidden):
            total += turned[:, k] * (1 - total)
        return np.asarray(0.5 * total)


def _product(hidden: int, size: int) -> Value:
    """Return eq. (1)."""

    def parity(s: FloatArray, w: FloatArray, gradient: FloatArray) -> float:
        # There is no room for the fields but in the gradient: the first entry of each
        # unit holds the product of those before it for a while.
        product = 1.0
        for first in range(0, hidden * size, size):
            gradient[first] = product
            product *= dot(w[first : first + size], s[first : first + size])
        after = 1.0
        for k in range(hidden - 1, -1, -1):
            first, last = k * size, (k + 1) * size
            others = gradient[first] * after
            after *= dot(w[first:last], s[first:last])
            scale(s[first:last], others, gradient[first:last])
        return product

    return parity


def _least_action(hidden: int, size: int) -> Value:
    """Return eq. (2)."""

    def parity(s: FloatArray, w: FloatArray, gradient: FloatArray) -> float:
        sign, least, own, chosen = 1.0, math.inf, 1.0, 0
        for first in range(0, hidden * size, size):
            h = dot(w[first : first + size], s[first : first + size])
            if h < 0.0:
                sign = -sign
            if not abs(h) >= least:
                least, own, chosen = abs(h), 1.0 if h >= 0.0 else -1.0, first
        gradient[:] = 0.0
        last = chosen + size
        scale(s[chosen:last], sign * own, gradient[chosen:last])
        return sign * least

    return parity
