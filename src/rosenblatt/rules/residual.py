r"""The perceptron rule with a smooth output: logistic regression, example by example.

With an output :math:`g(h)` and the target :math:`t(y)` of a label,

.. math:: w \leftarrow w + \eta\, [t(y) - g(h)]\, x.   \tag{1}

With a step for :math:`g` this is the perceptron rule; with the logistic function it
descends the cross-entropy, :math:`-\log P(y | x)`. The delta rule, which descends the
squared error, has a factor :math:`g'(h)` more and stops where the output saturates.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rosenblatt.core import Activation
from rosenblatt.rules.activations import Logistic, OutputRule

__all__ = ["Residual"]


@dataclass(frozen=True)
class Residual(OutputRule):
    """Add each example times the difference between its target and its output.

    Parameters
    ----------
    activation
        The output as a function of the field, any that :class:`Delta` takes; by default
        a probability.

    Examples
    --------
    >>> from rosenblatt.core import Percept
    >>> p = Percept(field=0.0, label=1, norm2=1, input2=1, rate=1, dim=10)
    >>> Residual().bind()(p).gain
    0.5
    """

    activation: Activation = field(default_factory=Logistic)
    squared = False
