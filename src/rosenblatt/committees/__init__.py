"""Committees with many hidden units: simulation and theory from one activation.

``committee`` says what is learned, ``reduced`` and ``full`` simulate it. Its theory is
in ``ode``, ``plateau``, ``fluctuations`` and ``control``. Papers may import it; it
imports ``simulation``, ``theory`` and below.
"""

from rosenblatt.committees.committee import Committee
from rosenblatt.committees.control import best_schedule
from rosenblatt.committees.engine import simulate
from rosenblatt.committees.fluctuations import fluctuations
from rosenblatt.committees.ode import solve
from rosenblatt.committees.plateau import Plateau, plateau

__all__ = [
    "Committee",
    "Plateau",
    "best_schedule",
    "fluctuations",
    "plateau",
    "simulate",
    "solve",
]
