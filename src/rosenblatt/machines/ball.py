r"""A ball of known radius at an unknown place.

.. math:: f(s, w) = r^2 - |s - w|^2, \qquad \nabla f = 2 (s - w).  \tag{1}

Two discs differ in two lunes. Let :math:`x` run along the displacement, which has
length :math:`\delta`, and :math:`y = r \sin\phi` across it. On such a line the discs
are intervals of half length :math:`c = r \cos\phi` around 0 and :math:`\delta`. They
differ in two intervals, which begin at

.. math:: -c \;\text{ and }\; \max(c, \delta - c),
    \quad\text{both of length}\quad \min(\delta, 2 c).  \tag{2}

Under a normal law their probabilities are differences of error functions, and the
integral over :math:`\phi` is smooth apart from :math:`2 c = \delta`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import roots_legendre

from rosenblatt.core import Machine, NormalStream, VectorStream
from rosenblatt.core.arguments import number, whole
from rosenblatt.core.gaussian import interval, normal_density
from rosenblatt.core.types import FloatArray

__all__ = ["Ball"]

_POINTS, _WEIGHTS = (np.asarray(a) for a in roots_legendre(20))
_CHUNK = 2000  # students at a time, so that tables stay small


@dataclass(frozen=True)
class Ball(Machine):
    """Positive inside a ball whose centre is learned.

    Parameters
    ----------
    dim
        Number of dimensions, of inputs and of the centre.
    radius
        Radius r of the ball.

    Examples
    --------
    >>> gradient = np.empty(2)
    >>> inside = Ball().bind()
    >>> float(inside(np.array([0.5, 0.0]), np.array([0.0, 0.0]), gradient)), gradient
    (0.75, array([1., 0.]))
    """

    dim: int = 2
    radius: float = 1.0

    def __post_init__(self) -> None:
        whole("dim", self.dim, low=1)
        number("radius", self.radius, above=0)

    @property
    def inputs(self) -> int:
        """Number of inputs, one for each dimension."""
        return self.dim

    @property
    def parameters(self) -> int:
        """Number of parameters, the coordinates of the centre."""
        return self.dim

    def bind(self) -> Callable[[FloatArray, FloatArray, FloatArray], float]:
        """Return eq. (1)."""
        dim, square = self.dim, float(self.radius) ** 2

        def ball(s: FloatArray, w: FloatArray, gradient: FloatArray) -> float:
            value = square
            for i in range(dim):
                off = s[i] - w[i]
                gradient[i] = 2.0 * off
                value -= off * off
            return value

        return ball

    def error(
        self, weights: FloatArray, target: FloatArray, stream: VectorStream
    ) -> FloatArray | None:
        """Return the probability of the two lunes; known for discs, normal inputs."""
        if self.dim != 2 or not isinstance(stream, NormalStream):
            return None
        centre = (target - stream.center) / stream.spread
        away = (weights - target) / stream.spread
        rows = [
            _lunes(away[first : first + _CHUNK], centre, self.radius / stream.spread)
            for first in range(0, len(away), _CHUNK)
        ]
        return np.concatenate(rows)


def _lunes(away: FloatArray, centre: FloatArray, radius: float) -> FloatArray:
    """Return the probability of where discs differ, by eq. (2).

    ``away`` is how far each is displaced from the one at ``centre``, in units in which
    inputs are standard normal around 0.
    """
    delta = np.hypot(away[:, 0], away[:, 1])
    moved = delta > 0
    unit = np.divide(away.T, delta, out=np.zeros_like(away.T), where=moved)
    # the disc that stays, along the displacement and across it
    x0 = (unit[0] * centre[0] + unit[1] * centre[1])[:, None]
    y0 = (unit[0] * centre[1] - unit[1] * centre[0])[:, None]
    crossing = np.arccos(np.minimum(0.5 * delta / radius, 1.0))
    total = np.zeros(len(away))
    for first, last in (
        (np.full_like(crossing, -0.5 * np.pi), -crossing),
        (-crossing, crossing),
        (crossing, np.full_like(crossing, 0.5 * np.pi)),
    ):
        # panels narrow enough for a density whose features have the width 1 / radius
        panels = 1 + int(0.5 * radius * (last - first).max())
        for low, high in itertools.pairwise(np.linspace(0.0, 1.0, panels + 1)):
            at = low + 0.5 * (1 + _POINTS) * (high - low)
            phi = first[:, None] + np.outer(last - first, at)
            c = radius * np.cos(phi)
            length = np.minimum(delta[:, None], 2 * c)
            both = interval(x0 - c, length) + interval(
                x0 + np.maximum(c, delta[:, None] - c), length
            )
            density = normal_density(y0 + radius * np.sin(phi))
            total += (last - first) * (
                (c * both * density) @ (0.5 * (high - low) * _WEIGHTS)
            )
    return np.asarray(total)
