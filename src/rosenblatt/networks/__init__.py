"""Committees with many hidden units: simulation and theory from one activation.

``committee`` says what is learned, ``reduced`` and ``full`` simulate it. Its theory is
in ``ode``, ``plateau``, ``fluctuations`` and ``control``. Papers may import it; it
imports ``simulation``, ``theory`` and below.
"""

from rosenblatt.networks.committee import Committee
from rosenblatt.networks.control import best_schedule
from rosenblatt.networks.engine import rerun, simulate
from rosenblatt.networks.fluctuations import fluctuations
from rosenblatt.networks.ode import solve
from rosenblatt.networks.plateau import Plateau, plateau

__all__ = [
    "Committee",
    "Plateau",
    "best_schedule",
    "fluctuations",
    "plateau",
    "rerun",
    "simulate",
    "solve",
]
