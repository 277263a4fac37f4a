from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

from rosenblatt.papers.bhattacharya1995 import problems, table_cells
from rosenblatt.papers.bhattacharya1995.table_cells import STORED, agrees, outside, rank
from rosenblatt.papers.claims import Verdict, settle

PROBLEMS = [*problems.LINEAR.values(), *problems.NONLINEAR.values()]


def test_all_32_cells_have_a_claim_or_an_erratum():
    assert len(table_cells.CLAIMS) + len(table_cells.ERRATA) == 32
    assert {p.name for p in PROBLEMS} == set(STORED)
    assert all(len(cells) == 4 for cells in STORED.values())


def test_stored_ranks_belong_to_the_stored_ranges():
    inside = 0
    for problem in PROBLEMS:
        for value, cell in zip(problem.table, STORED[problem.name], strict=True):
            within = cell.low <= value <= cell.high
            assert within == (0.05 <= cell.rank <= 0.95)
            inside += within
    assert inside == 30


def faked(monkeypatch, values):
    """Let all runs of a problem end with these percentages, whatever the gain."""
    test_error = np.repeat(np.asarray(values)[:, None, None] / 100, 4, axis=1)
    result = xr.Dataset(
        {"test_error": (("replica", "schedule", "example"), test_error)}
    )
    monkeypatch.setattr(table_cells, "run", lambda problem, quick: result)


@pytest.mark.parametrize(
    ("centre", "verdict"),
    [(7.1, Verdict.REPRODUCED), (3.0, Verdict.NOT_REPRODUCED)],
)
@pytest.mark.parametrize("quick", [False, True])
def test_runs_elsewhere_reject_a_published_value(monkeypatch, centre, verdict, quick):
    claim = next(c for c in table_cells.CLAIMS if c.id.endswith("sigma10-eta1"))
    runs = np.linspace(-0.1, 0.1, 6) if quick else np.linspace(-1, 1, 200)
    faked(monkeypatch, centre + runs)
    assert settle(claim, quick=quick).verdict is verdict


def test_ranks_count_ties_half_and_ends_reject():
    runs = np.linspace(0, 1, 200)
    assert rank(-1, runs) == 0
    assert rank(2, runs) == 1
    assert rank(0.5, np.full(7, 0.5)) == 0.5
    claim = table_cells.CLAIMS[0]
    for position, verdict in (
        (0.05, Verdict.REPRODUCED),
        (0.01, Verdict.NOT_REPRODUCED),
        (0.99, Verdict.NOT_REPRODUCED),
        (float("nan"), Verdict.NOT_REPRODUCED),
    ):
        found = outside(position)
        moved = replace(claim, measure=lambda quick, found=found: found)
        assert settle(moved, quick=True).verdict is verdict


def test_right_runs_are_hardly_ever_taken_for_others():
    rng = np.random.default_rng(1995)
    cell = table_cells.Cell(0.05, 0.95, 0.5)
    wrong = sum(not agrees(cell, rng.random(6)) for _ in range(20_000))
    # 5.5e-5 of them: 1.1 on average, and 9 with probability 1e-5
    assert wrong < 9
    assert not agrees(cell, 1 + rng.random(6))
