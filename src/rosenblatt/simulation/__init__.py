"""Simulation of learning: several engines, chosen by ``simulate``.

``full`` draws N-vectors, ``reduced`` projections, ``events`` mistakes only;
``coordinate`` is for beliefs, ``vectors`` for labelled classes and smooth
functions. Each runs an ``experiment``, whose replicas are an ``ensemble``.
Estimators, sweeps and papers may import it; it imports ``specification`` and below.
"""

from rosenblatt.simulation.simulate import simulate
from rosenblatt.simulation.vectors import simulate_classes, simulate_machine

__all__ = ["simulate", "simulate_classes", "simulate_machine"]
