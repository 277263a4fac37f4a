r"""A rule that moves along :math:`x - T` instead of :math:`x`.

With labels that are wrong at random, mistakes of the perfect student add up to a drift
away from it unless the inputs are symmetric. A uniform shift that cancels the drift is

.. math:: T = \langle y\, x \rangle / \langle y \rangle,   \tag{1}

:cite:t:`barkai1995`, eqs. (10)-(13); for Gaussian inputs with mean :math:`U`, overlap
:math:`q_0 = U \cdot W_0` and components of unit variance it is

.. math::
    T = U + W_0 \sqrt{2 / \pi}\, e^{-q_0^2 / 2} / \mathrm{erf}(q_0 / \sqrt 2).
    \tag{2}

It exists where the two labels are not equally frequent.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import (
    AverageShift,
    Combinator,
    FixedShift,
    Percept,
    Rule,
    Shift,
    Update,
    compiled,
)
from rosenblatt.core.arguments import number

__all__ = ["Shifted"]


@dataclass(frozen=True)
class Shifted(Combinator):
    """Do what the inner rule says, but along ``x - T``.

    It does not matter whether ``Shifted`` is put around ``Normalised`` or inside it.

    Parameters
    ----------
    rule
        The inner rule.
    by
        ``AverageShift()`` (default): T is the ratio of the running averages of
        ``label * x`` and ``label`` over all examples before the current one, and zero
        as long as there are equally many labels of both kinds.
        ``FixedShift(mean, teacher)``: T is known.

    Examples
    --------
    >>> from rosenblatt.rules import Perceptron
    >>> Shifted.known(Perceptron(), overlap=1.0).shift
    FixedShift(mean=1.0, teacher=0.70887...)
    """

    by: FixedShift | AverageShift = AverageShift()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rule.shift is not None:
            raise ValueError(f"rule must not be shifted already, got {self.rule!r}")
        if not isinstance(self.by, FixedShift | AverageShift):
            raise TypeError(
                f"by must be a FixedShift or an AverageShift, got {self.by!r}"
            )

    @classmethod
    def known(cls, rule: Rule, overlap: float) -> Shifted:
        """Return the rule with the shift of eq. (2), for inputs with this q0."""
        number("overlap", overlap)
        if overlap == 0:
            raise ValueError(
                "overlap must not be 0: labels are then balanced and no uniform shift "
                "exists"
            )
        bulk = math.sqrt(2 / math.pi) * math.exp(-(overlap**2) / 2)
        return cls(rule, FixedShift(1.0, bulk / math.erf(overlap / math.sqrt(2))))

    @property
    def shift(self) -> Shift:
        """What is taken from the input."""
        return self.by

    def bind(self) -> Callable[[Percept], Update]:
        """Return the inner rule: engines take the shift from ``shift``."""
        inner = compiled(self.rule)

        def step(p: Percept) -> Update:
            u: Update = inner(p)
            return u

        return step
