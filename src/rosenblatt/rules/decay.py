r"""Weight decay beside a rule.

.. math:: w \leftarrow (1 - \lambda / N)\, w + \text{what the inner rule adds}.  \tag{1}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.compiling import compiled
from rosenblatt.core import Combinator, Percept, Update
from rosenblatt.core.arguments import number

__all__ = ["Decay"]


@dataclass(frozen=True)
class Decay(Combinator):
    """Shrink the weights at every example, then apply the inner rule.

    Parameters
    ----------
    rule
        The inner rule, to whose decay this adds.
    strength
        The weights lose the factor ``exp(-strength)`` while alpha grows by 1, whatever
        the learning rate is.

    Examples
    --------
    >>> from rosenblatt.rules import Hebb
    >>> step = Decay(Hebb(), 0.5).bind()
    >>> step(Percept(field=0, label=1, norm2=1, input2=1, rate=1, dim=10))
    Update(gain=1.0, decay=0.5)
    """

    strength: float

    def __post_init__(self) -> None:
        super().__post_init__()
        number("strength", self.strength, low=0)

    @property
    def mistakes_only(self) -> bool:
        """False, since decay acts on every example."""
        return self.strength == 0 and self.rule.mistakes_only

    def bind(self) -> Callable[[Percept], Update]:
        """Return eq. (1)."""
        inner = compiled(self.rule)
        strength = self.strength

        def step(p: Percept) -> Update:
            u = inner(p)
            return Update(gain=u.gain, decay=u.decay + strength)

        return step
