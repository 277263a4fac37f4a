r"""The delta rule: gradient descent on the squared error of a smooth output.

With an output :math:`g(h)` and the target :math:`t(y)` of a label,

.. math:: w \leftarrow w + \eta\, [t(y) - g(h)]\, g'(h)\, x.   \tag{1}
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rosenblatt.core import Activation
from rosenblatt.rules.activations import Linear, OutputRule

__all__ = ["Delta"]


@dataclass(frozen=True)
class Delta(OutputRule):
    """Descend the squared error between the output and the label's target.

    Parameters
    ----------
    activation
        The output as a function of the field: ``Linear()``, ``Logistic()``, ``Tanh()``
        of :mod:`rosenblatt.rules`, or your own :class:`~rosenblatt.core.Activation`.

    Examples
    --------
    >>> from rosenblatt.core import Percept
    >>> step = Delta().bind()
    >>> step(Percept(field=0.25, label=1, norm2=1, input2=1, rate=1, dim=10))
    Update(gain=0.75, decay=0.0)
    """

    activation: Activation = field(default_factory=Linear)
    squared = True
