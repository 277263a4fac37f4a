"""Drifts: motions of the teacher.

Each is a frozen dataclass, a ``Drift`` of ``core``. Simulation, theory and everything
above may import it; it imports ``core`` only.
"""

from rosenblatt.drifts.abrupt import Abrupt
from rosenblatt.drifts.random_walk import RandomWalk
from rosenblatt.drifts.retreat import Retreat
from rosenblatt.drifts.rotation import Rotation

__all__ = ["Abrupt", "RandomWalk", "Retreat", "Rotation"]
