"""Engines: exact simulations of learning from a teacher or from labelled classes."""

from rosenblatt.engines import filtering
from rosenblatt.engines.classes import simulate_classes
from rosenblatt.engines.coordinate import coordinate
from rosenblatt.engines.cycles import perceptron_cycle
from rosenblatt.engines.events import events
from rosenblatt.engines.full import full
from rosenblatt.engines.machine import simulate_machine
from rosenblatt.engines.reduced import reduced
from rosenblatt.engines.separability import separability
from rosenblatt.engines.simulate import ENGINES, simulate

__all__ = [
    "ENGINES",
    "coordinate",
    "events",
    "filtering",
    "full",
    "perceptron_cycle",
    "reduced",
    "separability",
    "simulate",
    "simulate_classes",
    "simulate_machine",
]
