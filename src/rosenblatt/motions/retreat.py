r"""The worst steady motion: the teacher turns away from the student.

Before every example the teacher turns by :math:`\varphi = \delta / N` in the plane of
student and teacher. Their angle grows by :math:`\varphi`:

.. math:: \frac{d\theta}{d\alpha} = \ldots + \delta.   \tag{1}

This is the deterministic motion of :cite:t:`biehl1993`. No other motion of that speed
takes the teacher away from the student faster.
"""

from __future__ import annotations

from dataclasses import dataclass

from rosenblatt.core import Heading
from rosenblatt.core.parts import SteadyMotion

__all__ = ["Retreat"]


@dataclass(frozen=True)
class Retreat(SteadyMotion):
    """Turn away from the student before every example.

    Parameters
    ----------
    speed
        Angle that it adds to theirs, in radians, per unit of alpha; at most pi N.

    Examples
    --------
    >>> Retreat(0.5).angle(100)
    0.005
    """

    heading = Heading.AWAY
