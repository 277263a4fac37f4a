"""Machines: thresholded smooth functions.

Each is a ``Machine`` of ``core``, learned by ``simulation.vectors``. Everything above
may import it; it imports ``compiling`` and ``core``.
"""

from rosenblatt.machines.ball import Ball
from rosenblatt.machines.parity import Parity
from rosenblatt.machines.smooth import Smooth
from rosenblatt.machines.threshold import Threshold

__all__ = ["Ball", "Parity", "Smooth", "Threshold"]
