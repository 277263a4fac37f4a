"""Imports and compiled kernels that processes for jobs inherit."""

from __future__ import annotations

import rosenblatt as rb
from rosenblatt.lab.jobs import work
from rosenblatt.lab.jobs.experiment import experiment
from rosenblatt.lab.jobs.fork_server import IS_FORK_SERVER
from rosenblatt.lab.state import State

__all__ = ["compile_kernels"]


def compile_kernels() -> None:
    """Compile common kernels by small runs, without leaving threads."""
    for rule in ("perceptron", "hebb"):
        for schedule in ("power", "constant"):
            parts = experiment(State(rule=rule, schedule=schedule))._asdict()
            rb.simulate(**parts, dim=9, alpha=[0, 1], workers=1, progress=False)
            rb.solve(**parts, alpha=[0, 1])
    assert work.PAPERS


if IS_FORK_SERVER:
    compile_kernels()
