"""Starts: the student before its rule acts.

Everything may import it; it imports ``core`` only.
"""

from rosenblatt.core.starts.hebbian import Hebbian
from rosenblatt.core.starts.start import (
    Overlap,
    Random,
    Setting,
    Start,
    StartState,
    Vector,
    Zero,
)

__all__ = [
    "Hebbian",
    "Overlap",
    "Random",
    "Setting",
    "Start",
    "StartState",
    "Vector",
    "Zero",
]
