r"""Steady rotation of the teacher in a plane that is fixed in space.

Before every example the teacher turns by

.. math:: \varphi = \delta / N   \tag{1}

along the circle. The student lags behind: besides its overlap :math:`R` with the
teacher it has one with the teacher's velocity. With a unit vector :math:`v` in that
direction and :math:`d = w \cdot v / \sqrt N`, the motion adds :math:`\delta d` to
:math:`dR/d\alpha` and :math:`-\delta R` to :math:`dd/d\alpha`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rosenblatt.core import Heading
from rosenblatt.core.parts import SteadyMotion

__all__ = ["Rotation"]


@dataclass(frozen=True)
class Rotation(SteadyMotion):
    """Turn by the same small angle in the same plane before every example.

    Parameters
    ----------
    speed
        Angle, in radians, per unit of alpha; at most pi N.

    Examples
    --------
    >>> Rotation(0.5).angle(100)
    0.005
    """

    heading = Heading.PLANE
