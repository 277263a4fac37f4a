r"""The simplest machine: a threshold on the line.

.. math:: f(s, w) = s - w, \qquad \partial f / \partial w = -1.  \tag{1}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Machine, VectorStream
from rosenblatt.core.types import FloatArray

__all__ = ["Threshold"]


@dataclass(frozen=True)
class Threshold(Machine):
    """Positive for numbers above the one parameter.

    Examples
    --------
    >>> import numpy as np
    >>> gradient = np.empty(1)
    >>> above = Threshold().bind()
    >>> float(above(np.array([0.5]), np.array([0.25]), gradient)), gradient
    (0.25, array([-1.]))
    """

    @property
    def inputs(self) -> int:
        """Number of inputs, always 1."""
        return 1

    @property
    def parameters(self) -> int:
        """Number of parameters, always 1."""
        return 1

    def bind(self) -> Callable[[FloatArray, FloatArray, FloatArray], float]:
        """Return eq. (1)."""

        def threshold(s: FloatArray, w: FloatArray, gradient: FloatArray) -> float:
            gradient[0] = -1.0
            return s[0] - w[0]  # type: ignore[no-any-return]

        return threshold

    def error(
        self, weights: FloatArray, target: FloatArray, stream: VectorStream
    ) -> FloatArray | None:
        """Return the probability between the two thresholds, if the stream knows it."""
        return stream.between(weights[:, 0], target[0])
