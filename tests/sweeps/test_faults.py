"""Faults on one machine while a sweep runs in a process of its own."""

import os
import resource
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import rosenblatt as rb

ITEMS, PATIENCE = 60, 60.0
SCRIPT = """
import os, sys, time
import rosenblatt as rb

def root(x, log):
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(handle, f"{x}\\n".encode())
    os.close(handle)
    time.sleep(0.02)
    return x**0.5

axes = {"x": range(60)}
found = rb.sweep(root, {"log": "log"}, axes=axes, store="store", cores=int(sys.argv[1]))
print(float(found.value.sum()))
"""


def start(folder, cores=2, **more):
    (folder / "script.py").write_text(SCRIPT)
    command = [sys.executable, "-W", "always", "script.py", str(cores)]
    return subprocess.Popen(
        command, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True, **more,
    )  # fmt: skip


def computed(folder):
    path = folder / "log"
    return [int(x) for x in path.read_text().split()] if path.exists() else []


def wait(done):
    until = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < until
        time.sleep(0.02)


def children(pid):
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()]


def alive(pid):
    try:
        return (
            Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        )
    except FileNotFoundError:
        return False


def kept(folder):
    found = rb.open_sweep(folder / "store")
    return set(found.x.values[found.value.notnull().values].tolist())


def stored_now(folder):
    return rb.open_sweep(folder / "store").attrs["done"]


def finish(process, folder):
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    assert float(out) == pytest.approx(sum(np.arange(ITEMS) ** 0.5), rel=1e-12)
    assert kept(folder) == set(range(ITEMS))
    return said


@pytest.mark.slow  # a death of one worker is below
def test_killed_workers_cost_nothing(tmp_path):
    process = start(tmp_path)
    wait(lambda: len(computed(tmp_path)) > 5)
    pids = [p for p in children(process.pid) if "LokyProcess" in _command(p)]
    os.kill(pids[0], signal.SIGKILL)
    said = finish(process, tmp_path)
    assert "SIGKILL" in said
    assert "are computed again" in said


def _command(pid):
    return Path(f"/proc/{pid}/cmdline").read_text()


@pytest.mark.parametrize(
    "how", [pytest.param(signal.SIGKILL, marks=pytest.mark.slow), signal.SIGINT]
)
def test_a_stopped_sweep_leaves_no_process_and_resumes(tmp_path, how):
    process = start(tmp_path)
    wait(lambda: len(computed(tmp_path)) > 0 and stored_now(tmp_path) > 10)
    helpers = children(process.pid)
    process.send_signal(how)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode != 0
    wait(lambda: not any(map(alive, helpers)))
    stored, before = kept(tmp_path), len(computed(tmp_path))
    assert len(stored) > 10
    if how == signal.SIGINT:
        assert f"stopped; {len(stored)} of 60 experiments are in 'store'" in said
    finish(start(tmp_path), tmp_path)
    assert not stored & set(computed(tmp_path)[before:])


def test_a_full_disk_stops_the_sweep_in_one_line_and_it_resumes(tmp_path):
    """A limit of the size of files gives the same error of writing."""
    rb.sweep(lambda x: x, {"x": 1}, store=tmp_path / "store", cores=0)
    size = (tmp_path / "store").stat().st_size

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    process = start(tmp_path, cores=0, preexec_fn=limit)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert said.splitlines()[-1].startswith("rosenblatt.sweeps.store.StoreError: the")
    assert "cannot be used" in said
    assert "run the same sweep again to resume" in said
    finish(start(tmp_path), tmp_path)


def test_two_sweeps_may_share_a_store(tmp_path):
    both = [start(tmp_path, cores=0) for _ in range(2)]
    for process in both:
        finish(process, tmp_path)


def fatal(x, log):
    if x == 1:
        with open(log, "a") as file:
            file.write("x")
        os.kill(os.getpid(), signal.SIGKILL)
    return float(x)


def test_an_experiment_that_kills_whoever_computes_it_is_given_up(tmp_path):
    log = tmp_path / "log"
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = rb.sweep(fatal, {"log": str(log)}, axes={"x": range(4)}, cores=1)
    told = [str(w.message) for w in said if w.category is UserWarning]
    assert any("SIGKILL" in line and "computed again" in line for line in told)
    assert "1 of 4 experiments failed" in told[-1]
    assert "x=1: the process that computed it ended" in told[-1]
    assert found.value.notnull().values.tolist() == [True, False, True, True]
    assert log.read_text() == "xxx"  # it is tried three times
