r"""The passive-aggressive rule: the smallest change that reaches the margin.

.. math::
    w \leftarrow w + \eta\, y\, \min\!\left(C, \frac{[\kappa - y h]_+}{|x|^2}\right) x.
    \tag{1}

With :math:`\eta = 1` this is the variant PA-I of :cite:t:`crammer2006`, and for
:math:`C = \infty` their hard one; other rates do that part of the step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Percept, Rule, Update
from rosenblatt.core.arguments import number

__all__ = ["PassiveAggressive"]


@dataclass(frozen=True)
class PassiveAggressive(Rule):
    """Change the weights as little as the margin requires.

    Parameters
    ----------
    margin
        Stability that every example should reach.
    aggressiveness
        Largest gain of one update, C; infinite: no limit.

    Examples
    --------
    >>> step = PassiveAggressive().bind()
    >>> step(Percept(field=0.5, label=1, norm2=1, input2=2, rate=1, dim=10))
    Update(gain=0.25, decay=0.0)
    """

    margin: float = 1.0
    aggressiveness: float = math.inf

    def __post_init__(self) -> None:
        number("margin", self.margin, low=0)
        limit = self.aggressiveness
        if not (isinstance(limit, float) and limit == math.inf):
            number("aggressiveness", limit, above=0)

    @property
    def kinks(self) -> tuple[float, ...]:
        """The margin, and where the limit on the gain sets in at input length 1."""
        return tuple(
            kink
            for kink in (self.margin, self.margin - self.aggressiveness)
            if math.isfinite(kink)
        )

    @property
    def mistakes_only(self) -> bool:
        """True without a margin, since examples that are right change nothing then."""
        return self.margin == 0

    def bind(self) -> Callable[[Percept], Update]:
        """Return eq. (1)."""
        margin, limit = self.margin, self.aggressiveness

        def step(p: Percept) -> Update:
            loss = margin - p.label * p.field
            if loss <= 0.0 or p.input2 <= 0.0:
                return Update(gain=0.0, decay=0.0)
            return Update(
                gain=p.rate * p.label * min(limit, loss / p.input2), decay=0.0
            )

        return step
