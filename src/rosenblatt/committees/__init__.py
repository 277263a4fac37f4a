"""Committees with many hidden units: simulation and theory from one activation.

``committee`` says what is learned, ``reduced`` and ``full`` simulate it. ``theory`` has
its drift, from ``averages`` and ``relu``, its curves and best schedules; ``plateau``
and ``fluctuations`` come from the same drift. Papers may import it; it imports
``simulation``, ``theory`` and below.
"""

from rosenblatt.committees.committee import Committee
from rosenblatt.committees.fluctuations import fluctuations
from rosenblatt.committees.plateau import Plateau, plateau
from rosenblatt.committees.simulate import simulate
from rosenblatt.committees.theory import best_schedule, solve

__all__ = [
    "Committee",
    "Plateau",
    "best_schedule",
    "fluctuations",
    "plateau",
    "simulate",
    "solve",
]
