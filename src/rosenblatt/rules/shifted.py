r"""A rule that moves along :math:`x - T` instead of :math:`x`.

With labels that are wrong at random, mistakes of the perfect student add up to a drift
away from it unless the inputs are symmetric. A uniform shift that cancels the drift is

.. math:: T = M / \langle y \rangle, \qquad M = \langle y\, x \rangle,   \tag{1}

:cite:t:`barkai1995`, eqs. (10)-(13); for Gaussian inputs with mean :math:`U`, overlap
:math:`q_0 = U \cdot W_0` and components of unit variance it is

.. math::
    T = U + W_0 \sqrt{2 / \pi}\, e^{-q_0^2 / 2} / \mathrm{erf}(q_0 / \sqrt 2).
    \tag{2}

It exists where the two labels are not equally frequent. A shift that always exists is

.. math:: T(x) = M\, \frac{w \cdot x}{w \cdot M}.   \tag{3}

Since :math:`\langle y\, T(x) \rangle = M`, the labels' share
:math:`\langle y (x - T) \rangle` of a mistake's :math:`(y - \mathrm{sgn}\, h) / 2`
vanishes for *every* student, whatever the law of the inputs. The effect of noise in the
labels vanishes with it. The rest of the perceptron's drift is

.. math::
    -\frac12 \left[\langle \mathrm{sgn}(h)\, x \rangle
        - M \frac{\langle |h| \rangle}{w \cdot M}\right]
    = -\frac{w \cdot M}{2}\, \nabla F, \qquad
    F(w) = \frac{\langle |w \cdot x| \rangle}{w \cdot M},   \tag{4}

the descent of a convex function over a positive linear one. Where
:math:`w \cdot M > 0` such a ratio has no minima but the lowest, which is the teacher.
There :math:`\langle \mathrm{sgn}(h)\, x \rangle` is parallel to :math:`M`.

With a shift that is not zero the teacher's opposite is a second stable student. It lies
where :math:`w \cdot M < 0`, so a learned shift is zero there, and the plain rule leads
out. A shift that is known beforehand comes without M, and is never zero. It needs a
start on the right side, such as the Hebbian student :math:`w \propto M`, which all
shifted rules begin with. (In ten dimensions large first steps may still carry such a
rule across.)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.compiling import compiled
from rosenblatt.core import (
    AverageShift,
    Combinator,
    FixedShift,
    Percept,
    Rule,
    Shift,
    Update,
    starts,
)
from rosenblatt.core.arguments import number, shown

__all__ = ["Shifted"]


@dataclass(frozen=True)
class Shifted(Combinator):
    """Apply the inner rule along ``x - T`` instead of ``x``.

    It does not matter whether ``Shifted`` is put around ``Normalised`` or inside it.
    The rule of eq. (3) never changes ``w.w`` to first order: ``w.(x - T) = 0``.

    Parameters
    ----------
    rule
        The inner rule.
    by
        ``AverageShift()`` (default): eq. (1) with running averages of ``label * x`` and
        ``label`` over all examples before the current one. The shift is zero as long as
        there are equally many labels of both kinds. ``AverageShift(uniform=False)``:
        eq. (3), for labels that may be balanced. Both are zero while
        ``w.M <= 0``. ``FixedShift(mean, teacher)``: T is known.
    opening
        Examples per weight during which the student is ``M``, scaled to
        ``w.w = N``; the rule takes over from there. 0 starts with what the inner rule
        starts with; with a known shift at the risk of learning the teacher's opposite.

    Examples
    --------
    >>> from rosenblatt.rules import Perceptron
    >>> Shifted.known(Perceptron(), overlap=1.0).shift
    FixedShift(mean=1.0, teacher=0.70887...)
    """

    by: FixedShift | AverageShift = AverageShift()
    opening: float = 20.0

    def __post_init__(self) -> None:
        super().__post_init__()
        number("opening", self.opening, low=0)
        if self.rule.shift is not None:
            raise ValueError(f"rule must not be shifted already, got {self.rule!r}")
        if not isinstance(self.by, FixedShift | AverageShift):
            raise TypeError(
                f"by must be a FixedShift or an AverageShift, got {shown(self.by)}"
            )

    @classmethod
    def known(cls, rule: Rule, overlap: float, opening: float = 20.0) -> Shifted:
        """Return the rule with the shift of eq. (2), for inputs with this q0."""
        number("overlap", overlap)
        if overlap == 0:
            raise ValueError(
                "overlap must not be 0: labels are then balanced and no uniform shift "
                "exists; take Shifted(rule, AverageShift(uniform=False))"
            )
        bulk = math.sqrt(2 / math.pi) * math.exp(-(overlap**2) / 2)
        teacher = bulk / math.erf(overlap / math.sqrt(2))
        return cls(rule, FixedShift(1.0, teacher), opening)

    @property
    def shift(self) -> Shift:
        """Shift that is subtracted from the input."""
        return self.by

    @property
    def start(self) -> starts.Start:
        """The Hebbian student of the first examples."""
        return starts.Hebbian(self.opening) if self.opening > 0 else self.rule.start

    def bind(self) -> Callable[[Percept], Update]:
        """Return the inner rule: engines take the shift from ``shift``."""
        inner = compiled(self.rule)

        def step(p: Percept) -> Update:
            u: Update = inner(p)
            return u

        return step
