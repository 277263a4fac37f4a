import numpy as np

import rosenblatt as rb
from rosenblatt.core.figures import FigureData
from rosenblatt.lab.jobs.experiment import experiment, grid
from rosenblatt.lab.jobs.messages import Job
from rosenblatt.lab.state import State
from rosenblatt.papers.samples import components
from tests.lab.jobs.test_work import done

__all__ = ["done"]

SMALL = State(units=2, schedule="constant", dim=300, alpha=200.0, axes="linear", seed=3)


def test_overlaps_grow_and_are_those_of_one_run_beside_its_theory(done):
    found = [m for m in done(Job(SMALL)) if isinstance(m, FigureData)]
    assert len(found) == 12
    committee = rb.committees.Committee(rb.rules.Erf(), 2, 2)
    schedule = experiment(SMALL).schedule
    run = rb.committees.simulate(
        committee, schedule, dim=300, alpha=grid(SMALL), seed=3, progress=False
    )
    start = run.R.values[0, 0], run.Q.values[0, 0]
    curve = rb.committees.solve(committee, schedule, alpha=grid(SMALL), start=start)
    for figure in found:
        for i, (result, symbol) in enumerate(
            [(run, "R"), (run, "Q"), (curve, "R"), (curve, "Q")]
        ):
            x, y = figure.series[i].x, figure.series[i].y
            size = len(x) // 4 - 1  # four curves, with a NaN after each
            for j, (times, values) in enumerate(components(result, symbol)):
                part = slice(j * (size + 1), j * (size + 1) + size)
                np.testing.assert_array_equal(x[part], times[:size])
                np.testing.assert_array_equal(y[part], values[:size])
    ends = [np.nanmax(figure.series[0].x) for figure in found]
    assert (np.abs(np.diff(ends) - 200 / 12) < 200 / 59).all()  # a step of the grid
    assert ends[-1] == 200
