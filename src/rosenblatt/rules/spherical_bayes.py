r"""Bayesian on-line learning with a spherical prior.

With :math:`\rho = 1 - Q` and :math:`u = y h / \sqrt{\rho}`,

.. math::
    w \leftarrow w + \sqrt{\rho}\, y\, F(u)\, x, \qquad
    F(u) = \frac{(1 - 2k)\, \phi(u)}{k + (1 - 2k)\, \Phi(u)}.  \tag{1}

:cite:t:`winther1997`, eqs. (7)-(9), where :math:`w` is the posterior mean,
:math:`N\rho` the posterior variance that the prior's length leaves, and :math:`k` the
probability of a wrong label. With any other likelihood the step is
:math:`\rho\, \partial_h \ln Z`, of which (1) is the case of noisy signs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rosenblatt.core import Likelihood, Percept, Rule, Update, starts
from rosenblatt.core.arguments import number
from rosenblatt.numerics.likelihood import evidence_of, one_law

__all__ = ["SphericalBayes"]

_TINY = 2.0**-52  # the smallest 1 - Q that a norm near 1 can show


@dataclass(frozen=True)
class SphericalBayes(Rule):
    """Move the posterior mean; there is no learning rate, so the schedule is ignored.

    Inputs should have a squared length of about 1, as in all engines. If ``w.w``
    reaches N there is no variance left, and with noise the rule stops.

    Parameters
    ----------
    noise
        Probability k of a wrong label that the learner assumes, eq. (1).
    likelihood
        Law of the labels that the learner assumes; None: signs with this noise.

    Examples
    --------
    >>> step = SphericalBayes().bind()
    >>> step(Percept(field=0, label=1, norm2=0, input2=1, rate=1, dim=10)).gain
    0.797884560802865...
    """

    noise: float = 0.0
    likelihood: Likelihood | None = None

    def __post_init__(self) -> None:
        number("noise", self.noise, low=0, high=0.5)
        one_law(self.likelihood, self.noise)

    @property
    def start(self) -> starts.Start:
        """The prior mean is zero."""
        return starts.Zero()

    def bind(self) -> Callable[[Percept], Update]:
        """Return eq. (1)."""
        evidence = evidence_of(self.likelihood, self.noise)

        def step(p: Percept) -> Update:
            rho = max(1.0 - p.norm2, _TINY)
            slope = evidence(p.field, rho, p.label).slope
            return Update(gain=rho * slope, decay=0.0)

        return step
