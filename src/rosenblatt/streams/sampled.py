"""A user's own law of input vectors, without a class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import VectorStream
from rosenblatt.core.arguments import shown, whole
from rosenblatt.core.types import FloatArray, Words

__all__ = ["Sampled"]


@dataclass(frozen=True)
class Sampled(VectorStream):
    """Inputs that a function draws, which numba compiles.

    Parameters
    ----------
    dim
        Number of components, the size of ``s``.
    function
        Called as ``function(rng, s)``, it fills ``s``. Its random numbers come from
        ``uniform(rng)``, ``normal(rng)`` and the like of
        :mod:`rosenblatt.numerics.random`; any number of them may be drawn.

    Examples
    --------
    >>> import math
    >>> from rosenblatt.numerics.random import uniform
    >>> def circle(rng, s):
    ...     angle = 2 * math.pi * uniform(rng)
    ...     s[0], s[1] = math.cos(angle), math.sin(angle)
    >>> Sampled(2, circle).dim
    2
    """

    dim: int
    function: Callable[[Words, FloatArray], None]

    def __post_init__(self) -> None:
        whole("dim", self.dim, low=1)
        if not callable(self.function):
            raise TypeError(f"function must be callable, got {shown(self.function)}")

    def bind(self) -> Callable[[Words, FloatArray], None]:
        """Return the function itself."""
        return self.function
