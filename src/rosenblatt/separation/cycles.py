"""The perceptron rule on examples that cannot be learned: the cycle it ends in.

The weights stay bounded whatever the examples (the perceptron cycling theorem). Within
bounds there are finitely many whole numbers. So the weights at the beginning of some
pass must have occurred before. From there on everything repeats.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.core.arguments import whole
from rosenblatt.separation.separability import signed

__all__ = ["Cycle", "Presentation", "perceptron_cycle"]


class Presentation(NamedTuple):
    """An example, and the update that it causes."""

    row: int
    stability: float  # sign * field, before; an error if it is not positive
    weights: tuple[float, ...]  # after it; an intercept comes last


class Cycle(NamedTuple):
    """States that repeat for ever."""

    first: int  # passes before it begins
    passes: int  # its length
    start: tuple[float, ...]  # weights at its beginning and end
    presentations: tuple[Presentation, ...]

    @property
    def errors(self) -> int:
        """Errors in one round of the cycle; none if the examples are learned."""
        return sum(one.stability <= 0 for one in self.presentations)

    def __str__(self) -> str:
        lines = [f"after {self.first} passes, for ever: weights {list(self.start)}"]
        for one in self.presentations:
            what = "error" if one.stability <= 0 else "right"
            lines.append(
                f"  example {one.row}, stability {one.stability:g}: {what}, "
                f"weights {list(one.weights)}"
            )
        return "\n".join(lines)


def perceptron_cycle(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    fit_intercept: bool = True,
    passes: int = 1000,
) -> Cycle | None:
    """Present examples in their order until weights repeat; None if they do not.

    Parameters
    ----------
    X, y
        The examples, of two classes, the last of which counts as +1.
    fit_intercept
        Whether there is a constant input 1 besides.
    passes
        When to give up.

    Examples
    --------
    >>> print(perceptron_cycle([[1.0], [1.0]], [1, -1], fit_intercept=False))
    after 0 passes, for ever: weights [0.0]
      example 0, stability 0: error, weights [1.0]
      example 1, stability -1: error, weights [0.0]
    """
    passes = whole("passes", passes, low=1)
    Z, _ = signed(X, y, fit_intercept=fit_intercept)
    w = np.zeros(Z.shape[1])
    seen: dict[tuple[float, ...], int] = {}
    history: list[Presentation] = []
    for count in range(passes + 1):
        state = tuple(w.tolist())
        if state in seen:
            first = seen[state]
            shown = tuple(history[first * len(Z) :])
            return Cycle(first, count - first, state, shown)
        seen[state] = count
        for row, z in enumerate(Z):
            stability = float(w @ z)
            if stability <= 0:
                w = w + z
            history.append(Presentation(row, stability, tuple(w.tolist())))
    return None
