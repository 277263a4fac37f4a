r"""Normal inputs for machines, in their own units.

Components are independent,

.. math:: s_i \sim \mathcal N(\mu_i, \sigma^2).  \tag{1}

(:class:`~rosenblatt.streams.Gaussian` is the law of a perceptron's inputs as its
teacher sees them.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rosenblatt.core import NormalStream, gaussian
from rosenblatt.core.arguments import number, shown, whole
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import normal, normals64

__all__ = ["Normal"]


@dataclass(frozen=True)
class Normal(NormalStream):
    """Independent normal components; standard normal by default.

    Parameters
    ----------
    dim
        Number of components.
    mean
        Their mean: one number, or one for each.
    scale
        Their standard deviation.

    Examples
    --------
    >>> Normal(2, mean=(0.0, 3.0)).center
    array([0., 3.])
    """

    dim: int
    mean: float | tuple[float, ...] = 0.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        whole("dim", self.dim, low=1)
        number("scale", self.scale, above=0)
        if np.ndim(self.mean) == 0:
            number("mean", self.mean)  # type: ignore[arg-type]
            return
        means = np.asarray(self.mean, dtype=float)
        if means.shape != (self.dim,):
            raise ValueError(
                f"mean must be one number or {self.dim}, one for each component, "
                f"got {shown(self.mean)}"
            )
        given = tuple(number(f"mean[{i}]", m) for i, m in enumerate(means.tolist()))
        object.__setattr__(self, "mean", given)  # a tuple, also of an array or a list

    @property
    def center(self) -> FloatArray:
        """The mean of every component."""
        return np.full(self.dim, self.mean, dtype=float)

    @property
    def spread(self) -> float:
        """The standard deviation of all components."""
        return self.scale

    @property
    def many(self) -> bool:
        """True, since long vectors are filled faster."""
        return True

    def bind(self) -> Callable[[Words, FloatArray], None]:
        """Return eq. (1)."""
        center, scale, dim = self.center, float(self.scale), self.dim
        shifted = bool(center.any()) or scale != 1.0

        def fill(rng: Words, s: FloatArray) -> None:
            even = s.size // 2 * 2
            normals64(s[:even], rng)
            if even < s.size:
                s[even] = normal(rng)
            if shifted:
                for i in range(s.size):
                    s[i] = center[i % dim] + scale * s[i]

        return fill

    def between(self, a: FloatArray, b: FloatArray) -> FloatArray | None:
        """Return the probability that a number lies between a and b."""
        if self.dim > 1:
            return None
        low = (np.minimum(a, b) - self.center[0]) / self.scale
        return gaussian.interval(low, np.abs(np.subtract(b, a)) / self.scale)
