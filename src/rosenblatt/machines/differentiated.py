"""A user's own machine: one function, and its gradient by automatic differentiation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rosenblatt.core import TracedMachine
from rosenblatt.core.arguments import shown, whole

__all__ = ["Differentiated"]


@dataclass(frozen=True)
class Differentiated(TracedMachine):
    """Any function written with ``jax.numpy``; needs the extra ``rosenblatt[jax]``.

    A :class:`Smooth` machine with a gradient of its own is faster, and is the same.

    Parameters
    ----------
    value
        ``value(s, w)`` returns f, a number.
    inputs, parameters, groups
        As in :class:`Smooth`.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> def above(s, w):
    ...     return s[1] - w[0] - w[1] * s[0] ** 2
    >>> parabola = Differentiated(above, inputs=2, parameters=2)
    >>> run = rb.simulate_machine(parabola, rb.schedules.Power(10.0, 1.0, 100.0),
    ...     target=[0.0, 1.0], start=[1.0, 0.0], examples=10_000)
    >>> bool(run.error[0, 0] < 0.01)
    True
    """

    value: Callable[[Any, Any], Any]
    inputs: int
    parameters: int
    groups: int = 0

    def __post_init__(self) -> None:
        if not callable(self.value):
            raise TypeError(f"value must be a function, got {shown(self.value)}")
        whole("inputs", self.inputs, low=1)
        whole("parameters", self.parameters, low=1)
        whole("groups", self.groups, low=0)

    def trace(self) -> Callable[[Any, Any], Any]:
        """Return the function itself."""
        return self.value
