r"""The on-line AdaTron: mistakes are corrected in proportion to their size.

.. math:: w \leftarrow w + \eta\, |h|\, y\, x \quad\text{if}\quad y h \le 0.   \tag{1}

The rule of :cite:t:`biehl1994`, with their :math:`\eta`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Percept, Rule, Update

__all__ = ["AdaTron"]


@dataclass(frozen=True)
class AdaTron(Rule):
    """Add the examples that are wrong, in proportion to the size of the mistake.

    Examples
    --------
    >>> step = AdaTron().bind()
    >>> step(Percept(field=-3, label=1, norm2=1, input2=1, rate=0.5, dim=10))
    Update(gain=1.5, decay=0.0)
    """

    @property
    def kinks(self) -> tuple[float, ...]:
        """The slope of the update jumps where a mistake begins."""
        return (0.0,)

    @property
    def mistakes_only(self) -> bool:
        """True, since examples that are right change nothing."""
        return True

    def bind(self) -> Callable[[Percept], Update]:
        """Return eq. (1)."""

        def step(p: Percept) -> Update:
            # on a mistake |h| y = -h
            wrong = p.label * p.field <= 0.0
            return Update(gain=-p.rate * p.field if wrong else 0.0, decay=0.0)

        return step
