r"""Weight decay beside a rule.

.. math:: w \leftarrow (1 - \lambda / N)\, w + \text{what the inner rule adds}.  \tag{1}

While alpha grows by 1 that is a factor of :math:`(1 - \lambda / N)^N`, which is
:math:`e^{-\lambda}` for :math:`N \to \infty`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from rosenblatt.compiling import compiled
from rosenblatt.core import Combinator, Percept, Rule, Update
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
        The weights lose the factor ``exp(-strength)`` while alpha grows by 1 for N to
        infinity, and ``(1 - strength / N)**N`` otherwise, whatever the learning rate
        is. It is at most N, where each example makes the learner forget all others.

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

    def check_dim(self, dim: int) -> None:
        """Refuse a strength above N, which would turn the weights around."""
        total, rule = 0.0, cast("Rule", self)
        while isinstance(rule, Decay):
            total, rule = total + rule.strength, rule.rule
        if total > dim:
            raise ValueError(
                f"strength must be a number from 0 to dim, which is {dim}, got "
                f"{total:g} of {self!r}"
            )
        rule.check_dim(dim)

    def bind(self) -> Callable[[Percept], Update]:
        """Return eq. (1)."""
        inner = compiled(self.rule)
        strength = self.strength

        def step(p: Percept) -> Update:
            u = inner(p)
            return Update(gain=u.gain, decay=u.decay + strength)

        return step
