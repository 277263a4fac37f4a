r"""A perceptron as the teacher, with label noise.

.. math:: P(y = +1 \mid b) = p + (1 - 2p)\, \Theta(b).   \tag{1}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scipy.special import ndtr

from rosenblatt.core import Teacher, gaussian
from rosenblatt.core.arguments import number
from rosenblatt.core.types import FloatArray

__all__ = ["Sign"]


@dataclass(frozen=True)
class Sign(Teacher):
    """The sign of the teacher's field, wrong with a given probability.

    Parameters
    ----------
    noise
        Probability p of a wrong label, from 0 to 1/2.

    Examples
    --------
    >>> Sign(noise=0.25).bind()(3.0)
    0.75
    """

    noise: float = 0.0

    def __post_init__(self) -> None:
        number("noise", self.noise, low=0, high=0.5)

    def bind(self) -> Callable[[float], float]:
        """Return eq. (1)."""
        noise = self.noise

        def positive(b: float) -> float:
            return 1.0 - noise if b > 0.0 else noise

        return positive

    def moments(
        self, positive: gaussian.Mapped, mean: FloatArray, spread: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the Gaussian moments in closed form."""
        clear = 1 - 2 * self.noise
        t = mean / spread
        return self.noise + clear * ndtr(t), clear * gaussian.normal_density(t)

    def error(
        self, positive: gaussian.Mapped, angle: FloatArray, mean: gaussian.PlaneMean
    ) -> FloatArray:
        """Return p + (1 - 2p) P(the two signs differ)."""
        return self.noise + (1 - 2 * self.noise) * gaussian.disagreement(angle, mean)
