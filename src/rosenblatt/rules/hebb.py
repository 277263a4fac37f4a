r"""The Hebb rule: every example is added, right or wrong.

.. math:: w \leftarrow w + \eta\, y\, x.   \tag{1}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Percept, Rule, Update, starts

__all__ = ["Hebb"]


@dataclass(frozen=True)
class Hebb(Rule):
    """Add every example.

    Examples
    --------
    >>> step = Hebb().bind()
    >>> step(Percept(field=3, label=-1, norm2=1, input2=1, rate=0.5, dim=10))
    Update(gain=-0.5, decay=0.0)
    """

    @property
    def start(self) -> starts.Start:
        """A sum starts at zero."""
        return starts.Zero()

    def bind(self) -> Callable[[Percept], Update]:
        """Return eq. (1)."""

        def step(p: Percept) -> Update:
            return Update(gain=p.rate * p.label, decay=0.0)

        return step
