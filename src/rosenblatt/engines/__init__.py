"""Engines: exact simulations of teacher-student learning."""

from rosenblatt.engines.cycles import perceptron_cycle
from rosenblatt.engines.events import events
from rosenblatt.engines.full import full
from rosenblatt.engines.machine import simulate_machine
from rosenblatt.engines.reduced import reduced
from rosenblatt.engines.separability import separability
from rosenblatt.engines.simulate import ENGINES, simulate

__all__ = [
    "ENGINES",
    "events",
    "full",
    "perceptron_cycle",
    "reduced",
    "separability",
    "simulate",
    "simulate_machine",
]
