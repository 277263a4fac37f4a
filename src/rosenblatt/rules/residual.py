r"""The perceptron rule with a smooth output: logistic regression, example by example.

With an output :math:`g(h)` and the target :math:`t(y)` of a label,

.. math:: w \leftarrow w + \eta\, [t(y) - g(h)]\, x.   \tag{1}

With a step for :math:`g` this is the perceptron rule; with the logistic function it
descends the cross-entropy, :math:`-\log P(y | x)`. The delta rule, which descends the
squared error, has a factor :math:`g'(h)` more and stops where the output saturates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rosenblatt.compiling import compiled
from rosenblatt.core import Activation, Percept, Rule, Update
from rosenblatt.core.arguments import part
from rosenblatt.rules.activations import Logistic, stability_kinks

__all__ = ["Residual"]


@dataclass(frozen=True)
class Residual(Rule):
    """Add each example times what is missing between its output and its target.

    Parameters
    ----------
    activation
        The output as a function of the field: ``Logistic()``, ``Tanh()``, ``Linear()``
        of :mod:`rosenblatt.rules`, or your own :class:`~rosenblatt.core.Activation`.

    Examples
    --------
    >>> step = Residual().bind()
    >>> step(Percept(field=0.0, label=1, norm2=1, input2=1, rate=1, dim=10))
    Update(gain=0.5, decay=0.0)
    """

    activation: Activation = field(default_factory=Logistic)

    def __post_init__(self) -> None:
        part("activation", Activation, self.activation)

    @property
    def kinks(self) -> tuple[float, ...]:
        """Those of the activation, for either label."""
        return stability_kinks(self.activation)

    def bind(self) -> Callable[[Percept], Update]:
        """Return eq. (1)."""
        output = compiled(self.activation)
        low, high = self.activation.targets

        def step(p: Percept) -> Update:
            value, _ = output(p.field)
            target = high if p.label > 0.0 else low
            return Update(gain=p.rate * (target - value), decay=0.0)

        return step
