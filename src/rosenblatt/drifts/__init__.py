"""Drifts: one file per motion of the teacher."""

from rosenblatt.drifts.abrupt import Abrupt
from rosenblatt.drifts.random_walk import RandomWalk
from rosenblatt.drifts.retreat import Retreat
from rosenblatt.drifts.rotation import Rotation

__all__ = ["Abrupt", "RandomWalk", "Retreat", "Rotation"]
