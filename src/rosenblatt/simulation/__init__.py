"""Simulation of learning: several engines, chosen by ``simulate``.

``full`` draws N-vectors, ``reduced`` projections, ``events`` mistakes only;
``coordinate`` is for beliefs, ``classes`` for labelled classes, ``machines`` for
smooth functions. ``run`` holds the checked numbers that all of them take.
Estimators, sweeps and papers may import it; it imports ``specification`` and below.
"""

from rosenblatt.simulation.beliefs import coordinate
from rosenblatt.simulation.classes import simulate_classes
from rosenblatt.simulation.machines import simulate_machine
from rosenblatt.simulation.simulate import ENGINES, events, full, reduced, simulate

__all__ = [
    "ENGINES",
    "coordinate",
    "events",
    "full",
    "reduced",
    "simulate",
    "simulate_classes",
    "simulate_machine",
]
