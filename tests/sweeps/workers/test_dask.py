"""The same on Dask: scheduler and workers are processes here, on the loopback device.

They are started once; the tests use them in this order.
"""

import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import rosenblatt as rb
from benchmarks.dask_faults import Here, other_version
from rosenblatt.system.dask import connection, supervision

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def here():
    with Here() as started:
        started.start_worker()
        yield started


def slow(x, log):
    with open(log, "a") as file:
        file.write(f"{x}\n")
    time.sleep(0.02)
    return x**0.5


def swept(here, folder, items):
    """Run a sweep, and return it, what it said and what it computed."""
    log = folder / "log"
    log.touch()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = rb.sweep(
            slow,
            {"log": str(log)},
            axes={"x": range(items)},
            store=folder / "store",
            scheduler=here.address,
        )
    told = [str(w.message) for w in said if w.category is UserWarning]
    assert np.array_equal(found.value, np.arange(items) ** 0.5)
    assert found.attrs["done"] == items
    return told, [int(x) for x in log.read_text().split()]


def meanwhile(log, lines, act):
    """Do something as soon as some items have been computed."""

    def watch():
        while not log.exists() or len(log.read_text().split()) < lines:
            time.sleep(0.01)
        act()

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


def test_dask_gives_the_same_bits(here):
    given = {"schedule": rb.schedules.Constant(), "dim": 10, "alpha": [1, 3]}
    axes = {"rule": [rb.rules.Hebb(), rb.rules.Perceptron()], "seed": [0, 1]}
    local = rb.sweep("simulate", given, axes=axes, cores=0)
    assert local.identical(
        rb.sweep("simulate", given, axes=axes, scheduler=here.address)
    )


def test_a_worker_of_another_version_is_refused(here, tmp_path):
    here.start_worker(other_version(tmp_path))
    with distributed.Client(here.address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    told, computed = swept(here, tmp_path, 20)
    assert any("has another version of rosenblatt" in line for line in told)
    assert sorted(computed) == list(range(20))  # the other one has computed nothing
    foreign = here.workers.pop()
    foreign.kill()
    foreign.wait()


def test_a_killed_worker_costs_nothing(here, tmp_path):
    here.start_worker()
    with distributed.Client(here.address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    dying = here.workers.pop(0)
    killer = meanwhile(tmp_path / "log", 5, lambda: os.kill(dying.pid, signal.SIGKILL))
    _, computed = swept(here, tmp_path, 80)
    killer.join()
    dying.wait()
    assert set(computed) == set(range(80))


@pytest.mark.slow  # it waits for both to find each other; killed workers are above
def test_a_restarted_scheduler_is_found_again(here, tmp_path):
    def restart():
        here.scheduler.kill()
        here.scheduler.wait()
        here.start_scheduler()
        here.start_worker()

    restarter = meanwhile(tmp_path / "log", 10, restart)
    told, _ = swept(here, tmp_path, 60)
    restarter.join()
    assert any("lost" in line for line in told)


def test_a_sweep_does_not_wait_for_workers_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(supervision, "_ASK", 0.1)
    with (
        Here() as lonely,
        dask.config.set({"rosenblatt.patience": "500ms"}),
        pytest.raises(ConnectionError, match=r"has no workers, for .* 12h"),
    ):
        swept(lonely, tmp_path, 3)


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(connection, "dask", None)
    with pytest.raises(ImportError, match=r"install the extra rosenblatt\[dask\]"):
        rb.sweep("theory.critical_alpha", {}, workers=1)
