r"""The delta rule: gradient descent on the squared error of a smooth output.

With an output :math:`g(h)` and the target :math:`t(y)` of a label,

.. math:: w \leftarrow w + \eta\, [t(y) - g(h)]\, g'(h)\, x.   \tag{1}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rosenblatt.compiling import compiled
from rosenblatt.core import Activation, Percept, Rule, Update
from rosenblatt.core.arguments import part
from rosenblatt.rules.activations import Linear, stability_kinks

__all__ = ["Delta"]


@dataclass(frozen=True)
class Delta(Rule):
    """Descend the squared error between the output and the label's target.

    Parameters
    ----------
    activation
        The output as a function of the field: ``Linear()``, ``Logistic()``, ``Tanh()``
        of :mod:`rosenblatt.rules`, or your own :class:`~rosenblatt.core.Activation`.

    Examples
    --------
    >>> step = Delta().bind()
    >>> step(Percept(field=0.25, label=1, norm2=1, input2=1, rate=1, dim=10))
    Update(gain=0.75, decay=0.0)
    """

    activation: Activation = field(default_factory=Linear)

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
            value, slope = output(p.field)
            target = high if p.label > 0.0 else low
            return Update(gain=p.rate * (target - value) * slope, decay=0.0)

        return step
