"""A user's own machine: two plain functions, without a class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.compiling import inlined
from rosenblatt.core import Machine
from rosenblatt.core.arguments import shown, whole
from rosenblatt.core.types import FloatArray

__all__ = ["Smooth"]


@dataclass(frozen=True)
class Smooth(Machine):
    """Any function and its gradient, which numba compiles.

    Parameters
    ----------
    value
        ``value(s, w)`` returns f.
    gradient
        ``gradient(s, w, out)`` writes the derivatives of f by each weight into ``out``.
    inputs
        Number of components of ``s``.
    parameters
        Number of components of ``w``.
    groups
        Number of equal consecutive groups of weights that are kept at length 1.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> def above(s, w):
    ...     return s[1] - w[0] - w[1] * s[0] ** 2
    >>> def gradient(s, w, out):
    ...     out[0] = -1.0
    ...     out[1] = -s[0] ** 2
    >>> parabola = Smooth(above, gradient, inputs=2, parameters=2)
    >>> run = rb.simulate_machine(parabola, rb.schedules.Power(10.0, 1.0, 100.0),
    ...     target=[0.0, 1.0], start=[1.0, 0.0], examples=10_000)
    >>> bool(run.error[0, 0] < 0.01)
    True
    """

    value: Callable[[FloatArray, FloatArray], float]
    gradient: Callable[[FloatArray, FloatArray, FloatArray], None]
    inputs: int
    parameters: int
    groups: int = 0

    def __post_init__(self) -> None:
        for name in ("value", "gradient"):
            if not callable(getattr(self, name)):
                raise TypeError(
                    f"{name} must be a function, got {shown(getattr(self, name))}"
                )
        whole("inputs", self.inputs, low=1)
        whole("parameters", self.parameters, low=1)
        whole("groups", self.groups, low=0)

    def bind(self) -> Callable[[FloatArray, FloatArray, FloatArray], float]:
        """Return the function and its gradient as one function."""
        return _joined(inlined(self.value), inlined(self.gradient))

    def plain(self) -> Callable[[FloatArray, FloatArray, FloatArray], float]:
        """Return the function of ``bind``, not compiled: then indices are checked."""
        value = getattr(self.value, "py_func", self.value)  # if it is compiled already
        slope = getattr(self.gradient, "py_func", self.gradient)
        return _joined(value, slope)


def _joined(
    value: Callable[..., float], slope: Callable[..., None]
) -> Callable[[FloatArray, FloatArray, FloatArray], float]:
    def smooth(s: FloatArray, w: FloatArray, gradient: FloatArray) -> float:
        slope(s, w, gradient)
        return float(value(s, w))

    return smooth
