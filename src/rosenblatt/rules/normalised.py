r"""A rule followed by normalisation of the weights to :math:`w \cdot w = N`.

If the inner rule keeps :math:`c = 1 - s / N` of the weights and adds
:math:`g\, (x - T)`, the new squared length over :math:`N` is

.. math:: r^2 = c^2 Q + [2 c g\, w \cdot (x - T) + g^2 |x - T|^2] / N,   \tag{1}

and all is divided by :math:`r`. So a decay of the inner rule is a larger gain,
:math:`g / c`. For :math:`N \to \infty`, where :math:`Q = 1` at all times, it has no
effect, and to normalise is a decay of
:math:`g\, w \cdot (x - T) + g^2 |x - T|^2 / 2`. Examples that
move nothing leave the length alone, so a start of another length keeps it until then.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.compiling import compiled
from rosenblatt.core import Combinator, Percept, Update, starts

__all__ = ["Normalised"]


@dataclass(frozen=True)
class Normalised(Combinator):
    """Apply the inner rule, then scale the weights to length ``sqrt(N)``.

    Parameters
    ----------
    rule
        The inner rule. If it decays, as :class:`Decay` does with a strength of s, its
        gain counts as ``1 / (1 - s / N)`` times as much.

    Examples
    --------
    >>> from rosenblatt.rules import Hebb
    >>> step = Normalised(Hebb()).bind()
    >>> u = step(Percept(field=0, label=1, norm2=1, input2=1, rate=3, dim=3))
    >>> u.gain, u.decay  # length 2 before the division: all is halved
    (1.5, 1.5)
    """

    @property
    def normalised(self) -> bool:
        """True, since every update ends at ``w.w = N``."""
        return True

    @property
    def start(self) -> starts.Start:
        """Start of the inner rule; a random direction if that is zero."""
        start = self.rule.start
        return starts.Random() if isinstance(start, starts.Zero) else start

    def bind(self) -> Callable[[Percept], Update]:
        """Return eq. (1)."""
        inner = compiled(self.rule)

        def step(p: Percept) -> Update:
            u: Update = inner(p)
            if u.gain == 0.0 and u.decay == 0.0:
                return u
            along = p.field - p.shift
            if math.isinf(p.dim):
                change = u.gain * (2.0 * along + u.gain * p.input2)
                return Update(gain=u.gain, decay=0.5 * change / p.norm2)
            keep = 1.0 - u.decay / p.dim
            added = u.gain * (2.0 * (keep * along) + u.gain * p.input2) / p.dim
            length2 = keep * keep * p.norm2 + added  # eq. (1)
            if length2 <= 0.0:
                return u  # nothing is left to be scaled
            length = math.sqrt(length2)
            # 1 - keep/length without cancellation
            excess = keep * keep * (p.norm2 - 1.0) + added
            return Update(
                gain=u.gain / length,
                decay=p.dim * excess / (length * (keep + length))
                if keep > 0.0
                else p.dim * (1.0 - keep / length),
            )

        return step
