"""Simulation of learning: several engines, chosen by ``simulate``.

``full`` draws N-vectors, ``reduced`` projections, ``events`` mistakes only;
``coordinate`` is for beliefs, ``classes`` for labelled classes, ``machines`` for
smooth functions. Each runs an ``experiment``, whose replicas are an ``ensemble``.
Estimators, sweeps and papers may import it; it imports ``specification`` and below.
"""

from rosenblatt.simulation.classes import simulate_classes
from rosenblatt.simulation.machines import simulate_machine
from rosenblatt.simulation.simulate import simulate

__all__ = ["simulate", "simulate_classes", "simulate_machine"]
