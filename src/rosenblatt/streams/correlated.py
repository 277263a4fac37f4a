r"""Gaussian inputs with any covariance.

.. math:: s \sim \mathcal N(0, C), \qquad s = L z, \quad L L^T = C,   \tag{1}

with independent standard normal :math:`z` and a triangular :math:`L`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rosenblatt.core import VectorStream
from rosenblatt.core.arguments import covariance
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import normals64

__all__ = ["Correlated"]


@dataclass(frozen=True)
class Correlated(VectorStream):
    """Normal inputs whose components are correlated.

    Parameters
    ----------
    covariance
        A symmetric positive definite matrix, in rows. Components of about unit variance
        have the scale of the other streams.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> neighbours = 0.9 ** abs(np.subtract.outer(np.arange(50), np.arange(50)))
    >>> run = rb.simulate(
    ...     rb.rules.Perceptron(), rb.schedules.Constant(1.0),
    ...     stream=Correlated(neighbours), dim=50, alpha=[0, 40], replicas=10)
    >>> first, last = run.error.mean("replica").values
    >>> run.attrs["engine"], bool(last < first / 2)
    ('full', True)
    """

    covariance: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        given = covariance("covariance", self.covariance, None)
        object.__setattr__(self, "covariance", given)

    @property
    def dim(self) -> int:
        """Number of components."""
        return len(self.covariance)

    def bind(self) -> Callable[[Words, FloatArray], None]:
        """Return eq. (1)."""
        factor = np.linalg.cholesky(np.array(self.covariance))

        def fill(rng: Words, s: FloatArray) -> None:
            n = s.size
            z = np.empty(n + n % 2)
            normals64(z, rng)
            for i in range(n):
                total = 0.0
                for j in range(i + 1):
                    total += factor[i, j] * z[j]
                s[i] = total

        return fill
