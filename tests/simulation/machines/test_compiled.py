import json

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.machines import Ball, SoftCommittee
from tests.simulation.interrupting import interrupt
from tests.simulation.machines.test_engine import SLOW

COMMITTEE = SoftCommittee(3, 4)


GIVEN = {"target": np.arange(12.0), "noise": 0.1, "tests": 500}


def test_any_number_of_workers_and_replicas_gives_the_same_bits():
    runs = [
        rb.simulate_machine(
            COMMITTEE, SLOW, examples=[0, 7, 3000], replicas=n, workers=w, **GIVEN
        )
        for n, w in ((200, 1), (200, 2), (200, 7), (10, 2))
    ]
    assert runs[0].identical(runs[1])
    assert runs[0].identical(runs[2])
    for name in ("weights", "error", "mistakes"):
        assert np.array_equal(runs[0][name].values[:10], runs[3][name].values)
    assert np.unique(runs[0].weights.values[:, 2, 0]).size == 200


def test_what_is_recorded_changes_nothing_else():
    often = rb.simulate_machine(
        COMMITTEE, SLOW, examples=range(0, 1025, 3), replicas=3, **GIVEN
    )
    once = rb.simulate_machine(COMMITTEE, SLOW, examples=1023, replicas=3, **GIVEN)
    for name in ("weights", "error", "mistakes"):
        assert np.array_equal(often[name].values[:, -1], once[name].values[:, 0])


def test_long_tests_are_done_in_pieces(monkeypatch):
    given = {"examples": [0, 100], "replicas": 2, **GIVEN, "tests": 5000}
    whole = rb.simulate_machine(COMMITTEE, SLOW, **given)
    monkeypatch.setattr("rosenblatt.simulation.machines._PIECE", 3000)
    assert rb.simulate_machine(COMMITTEE, SLOW, **given).identical(whole)


def test_normalised_groups_keep_their_length():
    run = rb.simulate_machine(COMMITTEE, SLOW, examples=[0, 100], **GIVEN)
    lengths = np.linalg.norm(run.weights.values.reshape(2, 3, 4), axis=2)
    assert lengths == pytest.approx(np.ones((2, 3)), rel=1e-14)


def test_results_can_be_run_again_saved_and_loaded(tmp_path):
    run = rb.simulate_machine(Ball(), SLOW, [0.1, 0.2], examples=[0, 10], replicas=3)
    assert rb.rerun(run).identical(run)
    rb.save(run, tmp_path / "run.nc")
    assert rb.rerun(rb.load(tmp_path / "run.nc")).identical(run)
    assert json.loads(run.attrs["spec"])["machine"]["fields"] == {
        "dim": 2,
        "radius": 1.0,
    }


SCRIPT = """
import rosenblatt as rb
given = (rb.machines.SoftCommittee(), rb.schedules.Constant(0.01), [1.0] * 30)
rb.simulate_machine(*given, examples=1, tests=1)
print("ready", flush=True)
rb.simulate_machine(*given, examples=10**12, replicas=2)
"""


def test_ctrl_c_stops_a_long_run_soon(tmp_path):
    assert "KeyboardInterrupt" in interrupt(SCRIPT, tmp_path)


def test_a_progress_bar_names_the_machine(capsys, monkeypatch):
    monkeypatch.setattr("rosenblatt.simulation.ensemble._PATIENCE", 0.0)
    rb.simulate_machine(
        COMMITTEE, SLOW, examples=1e5, replicas=4, progress=True, **GIVEN
    )
    assert "machine: 4 x SoftCommittee" in capsys.readouterr().err
