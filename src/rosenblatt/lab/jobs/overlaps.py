"""Overlaps of a committee, simulated in stages beside its theory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import xarray as xr

import rosenblatt as rb
from rosenblatt.core.figures import FigureData, Role
from rosenblatt.lab.jobs.experiment import STAGES, check, experiment, grid
from rosenblatt.lab.jobs.messages import Job, Message, Turn
from rosenblatt.lab.state import State
from rosenblatt.papers.samples import components, joined

__all__ = ["overlaps"]


def _figure(state: State, run: xr.Dataset, curve: xr.Dataset) -> FigureData:
    """Return overlaps R and Q of a run so far, and by theory."""
    found: dict[Role, xr.Dataset] = {"simulation": run, "theory": curve}
    log = state.axes == "logarithmic"
    shown = {
        role: one.sel(alpha=one.alpha > 0) if log else one
        for role, one in found.items()
    }
    return FigureData(
        title=f"A committee, K = M = {state.units}",
        caption=(
            f"One student with N = {state.dim} and {state.units} units of the error "
            "function learns from a teacher with as many. R: overlaps of its units "
            "with the teacher's; Q: with each other. Theory, for N to infinity, begins "
            "at the same overlaps."
        ),
        x_label=r"examples per dimension $\alpha$",
        y_label="overlap per dimension",
        series=tuple(
            joined(f"${name}$, {role}", components(one, symbol), role)
            for role, one in shown.items()
            for symbol, name in (("R", "R_{in}"), ("Q", "Q_{ik}"))
        ),
        x_log=log,
    )


def overlaps(job: Job, turn: Turn) -> Iterator[Message]:
    """Yield the overlaps of a committee as they become known.

    The student begins at random with the seed, and its theory where it begins. Stages
    end at even times, since the units specialise late.
    """
    state, alpha = job.state, grid(job.state)
    parts = experiment(state)
    check(state, parts)
    committee = rb.committees.Committee(rb.rules.Erf(), state.units, state.units)
    simulate, solve = (
        partial(function, committee, parts.schedule, motion=parts.motion)
        for function in (rb.committees.simulate, rb.committees.solve)
    )
    ends = np.searchsorted(alpha, state.alpha * np.arange(1, STAGES) / STAGES, "right")
    curve = None
    for end in sorted({*ends.tolist(), alpha.size}):
        turn()
        run = simulate(
            dim=state.dim,
            alpha=alpha[:end],
            seed=state.seed,
            workers=1,
            progress=False,
        )
        if curve is None:
            start = run.R.values[0, 0], run.Q.values[0, 0]
            curve = solve(alpha=alpha, start=start)
        yield _figure(state, run, curve)
