"""Engines: exact simulations of teacher-student learning."""

from rosenblatt.engines import filtering
from rosenblatt.engines.coordinate import coordinate
from rosenblatt.engines.events import events
from rosenblatt.engines.full import full
from rosenblatt.engines.machine import simulate_machine
from rosenblatt.engines.reduced import reduced
from rosenblatt.engines.simulate import ENGINES, simulate

__all__ = [
    "ENGINES",
    "coordinate",
    "events",
    "filtering",
    "full",
    "reduced",
    "simulate",
    "simulate_machine",
]
