r"""Outputs of a unit as functions of its field, and rules that give them targets.

With an output :math:`g(h)` and the target :math:`t(y)` of a label, such a rule is

.. math:: w \leftarrow w + \eta\, [t(y) - g(h)]\, g'(h)^p\, x, \tag{1}

where :math:`p` is 1 if the squared error is descended, and else 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from rosenblatt.compiling import compiled
from rosenblatt.core import Activation, Percept, Rule, Update
from rosenblatt.core.arguments import number, part
from rosenblatt.numerics.special import erf_and_slope

__all__ = ["Erf", "Linear", "Logistic", "OutputRule", "ReLU", "Tanh"]


@dataclass(frozen=True)
class Erf(Activation):
    """``erf(h / sqrt(2))``, for which Gaussian averages have closed forms.

    Examples
    --------
    >>> value, slope = Erf().bind()(1.0)
    >>> round(value, 4), round(slope, 4)
    (0.6827, 0.4839)
    """

    def bind(self) -> Callable[[float], tuple[float, float]]:
        """Return the error function and its slope."""

        def output(h: float) -> tuple[float, float]:
            return erf_and_slope(h)  # type: ignore[no-any-return]

        return output


@dataclass(frozen=True)
class Linear(Activation):
    """The field itself; the targets are -1 and +1.

    Examples
    --------
    >>> Linear().bind()(0.3)
    (0.3, 1.0)
    """

    def bind(self) -> Callable[[float], tuple[float, float]]:
        """Return h and 1."""

        def output(h: float) -> tuple[float, float]:
            return h, 1.0

        return output


@dataclass(frozen=True)
class Tanh(Activation):
    """``tanh(gain * h)``; the targets are -1 and +1.

    Examples
    --------
    >>> Tanh().bind()(0.0)
    (0.0, 1.0)
    """

    gain: float = 1.0

    def __post_init__(self) -> None:
        number("gain", self.gain)

    def bind(self) -> Callable[[float], tuple[float, float]]:
        """Return the hyperbolic tangent and its slope."""
        gain = self.gain

        def output(h: float) -> tuple[float, float]:
            value = math.tanh(gain * h)
            return value, gain * (1.0 - value * value)

        return output


@dataclass(frozen=True)
class Logistic(Activation):
    """``1 / (1 + exp(-gain * h))``; the targets are 0 and 1.

    Examples
    --------
    >>> Logistic().bind()(0.0)
    (0.5, 0.25)
    """

    gain: float = 1.0

    def __post_init__(self) -> None:
        number("gain", self.gain)

    @property
    def targets(self) -> tuple[float, float]:
        """The output is a probability."""
        return (0.0, 1.0)

    def bind(self) -> Callable[[float], tuple[float, float]]:
        """Return the logistic function and its slope."""
        gain = self.gain

        def output(h: float) -> tuple[float, float]:
            value = 0.5 + 0.5 * math.tanh(0.5 * gain * h)  # overflows nowhere
            return value, gain * value * (1.0 - value)

        return output


@dataclass(frozen=True)
class ReLU(Activation):
    """The field where it is positive, else 0.

    Examples
    --------
    >>> ReLU().bind()(-0.3), ReLU().bind()(0.3)
    ((0.0, 0.0), (0.3, 1.0))
    """

    @property
    def kinks(self) -> tuple[float, ...]:
        """The slope jumps at 0."""
        return (0.0,)

    def bind(self) -> Callable[[float], tuple[float, float]]:
        """Return the positive part and its slope."""

        def output(h: float) -> tuple[float, float]:
            return (h, 1.0) if h > 0.0 else (0.0, 0.0)

        return output


@dataclass(frozen=True)
class OutputRule(Rule):
    """A rule that moves a smooth output towards the target of the label."""

    activation: Activation
    squared: ClassVar[bool]  # whether it descends the squared error

    def __post_init__(self) -> None:
        part("activation", Activation, self.activation)

    @property
    def kinks(self) -> tuple[float, ...]:
        """Kinks of the activation, for either label."""
        fields = self.activation.kinks
        return tuple(sorted({side * k + 0.0 for k in fields for side in (-1, 1)}))

    def bind(self) -> Callable[[Percept], Update]:
        """Return eq. (1)."""
        output, squared = compiled(self.activation), self.squared
        low, high = self.activation.targets

        def step(p: Percept) -> Update:
            value, slope = output(p.field)
            target = high if p.label > 0.0 else low
            factor = slope if squared else 1.0
            return Update(gain=p.rate * (target - value) * factor, decay=0.0)

        return step
