r"""Motions of the teacher while it teaches.

The teacher turns on its sphere, so that :math:`B \cdot B = N` holds exactly. It turns
by an angle :math:`\varphi` towards a unit vector :math:`e` at a right angle to it,

.. math:: B \leftarrow B \cos\varphi + \sqrt N\, e \sin\varphi,   \tag{1}

before every example, or only at given times. A motion says how far, and in which
direction. The state that is recorded after :math:`n` examples has the teacher of the
last one. A change at a given time acts on the examples after it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import IntEnum

from rosenblatt.core.arguments import number
from rosenblatt.core.vocabulary import Part


class Heading(IntEnum):
    """Direction in which a teacher turns."""

    STILL = 0  # it does not turn
    RANDOM = 1  # uniform, a new one for each turn
    PLANE = 2  # along a circle that is fixed in space
    AWAY = 3  # from the student


class Motion(Part, ABC):
    """A motion of the teacher: how far it turns, when, and in which direction."""

    @property
    @abstractmethod
    def heading(self) -> Heading:
        """Direction of all turns."""

    def angle(self, dim: float) -> float:
        """Return the angle of one turn, in radians, for N = ``dim``.

        By default these angles add up to ``velocity`` per unit of alpha.
        """
        if self.velocity > math.pi * dim:
            raise ValueError(
                f"{self!r} must turn by at most pi before an example, which is "
                f"{math.pi * dim:g} per unit of alpha for dim = {dim:g}"
            )
        return self.velocity / dim

    @property
    def changes(self) -> tuple[float, ...] | None:
        """Times alpha of the turns; None if there is one before every example."""
        return None

    @property
    def velocity(self) -> float:
        """Motion per unit of alpha for N to infinity; 0 if there are changes only.

        It is the angle per unit of alpha. For random turns, whose angles do not add up,
        it is the rate at which the overlap with an old teacher decays.
        """
        return 0.0


@dataclass(frozen=True)
class SteadyMotion(Motion):
    """A motion by the same angle before every example, so that the angles add up."""

    speed: float

    def __post_init__(self) -> None:
        number("speed", self.speed, low=0)

    @property
    def velocity(self) -> float:
        """Angle per unit of alpha."""
        return float(self.speed)
