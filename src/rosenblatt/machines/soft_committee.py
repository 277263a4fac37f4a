r"""A committee of soft units that all see all inputs.

.. math:: f(s, w) = \sum_{k=1}^K \tanh h_k, \qquad h_k = w_k \cdot s.  \tag{1}

With two units :math:`\tanh h_1 + \tanh h_2` has the sign of :math:`h_1 + h_2`. That is
a perceptron with weights :math:`w_1 + w_2`, and only their sum can be learned. Three
are the fewest that make another dichotomy. Units may be exchanged without changing
anything, so there are K! equivalent targets.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.compiling.vectors import dot, scale
from rosenblatt.core import Machine
from rosenblatt.core.arguments import whole
from rosenblatt.core.types import FloatArray

__all__ = ["SoftCommittee"]


@dataclass(frozen=True)
class SoftCommittee(Machine):
    """The sign of a sum of hyperbolic tangents.

    Parameters
    ----------
    hidden
        Number K of units.
    inputs
        Number of inputs.
    normalised
        Whether the weights of each unit are kept at length 1. Without this they grow,
        the tangents saturate, and learning needs very large rates.

    Examples
    --------
    >>> import numpy as np
    >>> gradient = np.empty(3)
    >>> value = SoftCommittee(hidden=3, inputs=1).bind()
    >>> round(float(value(np.array([1.0]), np.array([0.0, 1.0, 1.0]), gradient)), 4)
    1.5232
    """

    hidden: int = 3
    inputs: int = 10
    normalised: bool = True

    def __post_init__(self) -> None:
        whole("hidden", self.hidden, low=1)
        whole("inputs", self.inputs, low=1)

    @property
    def parameters(self) -> int:
        """Number of weights, one for each input of each unit."""
        return self.hidden * self.inputs

    @property
    def groups(self) -> int:
        """Number of groups, one for each unit if normalised."""
        return self.hidden if self.normalised else 0

    def bind(self) -> Callable[[FloatArray, FloatArray, FloatArray], float]:
        """Return eq. (1)."""
        hidden, size = self.hidden, self.inputs

        def committee(s: FloatArray, w: FloatArray, gradient: FloatArray) -> float:
            total = 0.0
            for first in range(0, hidden * size, size):
                output = math.tanh(dot(w[first : first + size], s))
                total += output
                slope = 1.0 - output * output
                scale(s, slope, gradient[first : first + size])
            return total

        return committee
