r"""The perceptron rule, with a margin.

With stability :math:`y h` and margin :math:`\kappa`,

.. math:: w \leftarrow w + \eta\, y\, x \quad\text{if}\quad y h \le \kappa.   \tag{1}

With :math:`\kappa = 0` this is the rule of :cite:t:`rosenblatt1958`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Percept, Rule, Update
from rosenblatt.core.arguments import number

__all__ = ["Perceptron"]


@dataclass(frozen=True)
class Perceptron(Rule):
    """Add the examples that are not learnt with the margin asked for.

    Parameters
    ----------
    margin
        Largest stability that still causes an update.

    Examples
    --------
    >>> step = Perceptron().bind()
    >>> step(Percept(field=-1, label=1, norm2=1, input2=1, rate=0.5, dim=10))
    Update(gain=0.5, decay=0.0)
    """

    margin: float = 0.0

    def __post_init__(self) -> None:
        number("margin", self.margin, low=0)

    @property
    def kinks(self) -> tuple[float, ...]:
        """The margin is the only point where the update jumps."""
        return (self.margin,)

    @property
    def mistakes_only(self) -> bool:
        """True without a margin, since examples that are right are not added then."""
        return self.margin == 0

    def bind(self) -> Callable[[Percept], Update]:
        """Return eq. (1)."""
        margin = self.margin

        def step(p: Percept) -> Update:
            learnt = p.label * p.field > margin
            return Update(gain=0.0 if learnt else p.rate * p.label, decay=0.0)

        return step
