"""Motions of the teacher.

Each is a frozen dataclass, a ``Motion`` of ``core``. Simulation, theory and everything
above may import it; it imports ``core`` only.
"""

from rosenblatt.motions.abrupt import Abrupt
from rosenblatt.motions.random_walk import RandomWalk
from rosenblatt.motions.retreat import Retreat
from rosenblatt.motions.rotation import Rotation

__all__ = ["Abrupt", "RandomWalk", "Retreat", "Rotation"]
