"""Faults on one machine; ``python -m benchmarks.fault_table`` injects many more."""

import os
import signal
import warnings

import pytest

import rosenblatt as rb
from benchmarks import disk_faults, fault_trial, faults


@pytest.fixture
def trial(tmp_path):
    return fault_trial.Trial(tmp_path)


def test_workers_killed_in_the_middle_cost_nothing(trial):
    faults.workers_killed(trial, rounds=2)
    assert trial.survived == trial.injected == 2


def test_a_killed_coordinator_leaves_nothing_behind_and_loses_nothing(trial):
    faults.coordinator_killed(trial, rounds=1)
    assert trial.survived == 1


def test_control_c_stops_at_once_and_says_how_to_go_on(trial):
    process = trial.start()
    trial.wait_for(5)
    helpers = fault_trial.children(process.pid)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=fault_trial.PATIENCE)
    assert process.returncode != 0
    assert "experiments are in" in said
    assert "run the same sweep again to resume" in said
    assert not any(map(fault_trial.alive, helpers))
    assert len(trial.kept()) == len(trial.records()) >= 5


def test_damaged_files_are_told_and_mended(trial):
    trial.items = 20
    disk_faults.torn_writes(trial, rounds=12)
    assert trial.survived == 12


@pytest.mark.skipif(not disk_faults.mounts_work(), reason="nothing can be mounted here")
def test_a_full_and_a_read_only_disk_are_said_and_survived(trial):
    """A tmpfs of 48 KiB, in a view of the file system that nobody else has."""
    disk_faults.disk_full(trial, rounds=1)
    assert trial.survived == 2


def test_a_store_that_becomes_read_only_stops_the_sweep(trial, monkeypatch):
    write, writes = os.write, []

    def failing(handle, data):
        writes.append(handle)
        if len(data) > 64 and len(writes) > 20:
            raise OSError(30, "Read-only file system")
        return write(handle, data)

    trial.pause = 0.0
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", failing)
        with pytest.raises(OSError, match=r"it is read-only; \d+ of 60 .* to resume"):
            trial.here()
    kept = trial.kept()
    assert 0 < len(kept) < trial.items
    before = len(trial.lines())
    trial.here()
    trial.check()
    assert not kept & set(trial.lines()[before:])


def fatal(x):
    if x == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return float(x)


def test_an_item_that_kills_whoever_computes_it_is_given_up(tmp_path):
    """After three deaths; all others are there."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = rb.sweep(fatal, axes={"x": range(4)}, store=tmp_path, cores=1)
    told = [str(w.message) for w in said]
    assert sum("signal 9 (SIGKILL); " in line for line in told) == 3
    assert "1 of 4 experiments failed" in told[-1]
    assert "x=1: the process that computed it was killed" in told[-1]
    assert found.value.notnull().values.tolist() == [True, False, True, True]
