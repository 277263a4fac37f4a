"""Imports and compiled kernels that processes for jobs inherit."""

from __future__ import annotations

import rosenblatt as rb
from rosenblatt.web.jobs import work
from rosenblatt.web.jobs.fork_server import IS_FORK_SERVER

__all__ = ["compile_kernels"]


def compile_kernels() -> None:
    """Compile common kernels by small runs, without leaving threads."""
    parts = rb.schedules.Constant(), rb.teachers.Sign(), rb.streams.Gaussian()
    rules = (rb.rules.Normalised(rb.rules.Perceptron()), rb.rules.Hebb())
    for rule in rules:
        rb.simulate(rule, *parts, dim=9, alpha=[0, 1], workers=1, progress=False)
        rb.solve(rule, *parts, alpha=[0, 1])
    assert work.PAPERS


if IS_FORK_SERVER:
    compile_kernels()
