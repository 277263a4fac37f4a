"""Sweeps on Dask: scheduler and workers are processes here, on the loopback device."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.system import dask_client

distributed = pytest.importorskip("distributed")
ROOT = Path(__file__).parents[2]


class Cluster:
    """A scheduler and workers, each a process."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address, self.processes = f"tcp://127.0.0.1:{self.port}", []
        self.start("scheduler", "--host", "127.0.0.1", "--port", str(self.port))
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(0.05)

    def start(self, *arguments, package=ROOT / "src"):
        place = os.environ | {"PYTHONPATH": os.pathsep.join([str(package), str(ROOT)])}
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        process = subprocess.Popen(command, env=place, stderr=subprocess.DEVNULL)
        self.processes.append(process)
        return process

    def start_worker(self, **more):
        return self.start(
            "worker", self.address, "--nthreads", "1", "--no-nanny",
            "--host", "127.0.0.1", "--death-timeout", "20", **more,
        )  # fmt: skip

    def wait_for(self, workers):
        with distributed.Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=60)

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster():
    started = Cluster()
    yield started
    started.close()


def slow(x, log):
    with open(log, "a") as file:
        file.write(f"{x}\n")
    time.sleep(0.02)
    return x**0.5


def swept(cluster, folder, items):
    given, axes = {"log": str(folder / "log")}, {"x": range(items)}
    store, where = folder / "store", cluster.address
    return rb.sweep(slow, given, axes=axes, store=store, scheduler=where)


def soon(folder, act):
    """Do something as soon as some experiments have been computed."""

    def watch():
        log = folder / "log"
        while not log.exists() or len(log.read_text().split()) < 5:
            time.sleep(0.01)
        act()

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


def test_dask_gives_the_same_bits_and_a_killed_worker_costs_nothing(cluster, tmp_path):
    dying = cluster.start_worker()
    given = {"schedule": rb.schedules.Constant(), "dim": 10, "alpha": [1, 3]}
    axes = {"rule": [rb.rules.Hebb(), rb.rules.Perceptron()], "seed": [0, 1]}
    local = rb.sweep("simulate", given, axes=axes, cores=0)
    remote = rb.sweep("simulate", given, axes=axes, scheduler=cluster.address)
    assert local.identical(remote)
    cluster.start_worker()
    cluster.wait_for(2)
    killer = soon(tmp_path, lambda: os.kill(dying.pid, signal.SIGKILL))
    found = swept(cluster, tmp_path, 80)
    killer.join()
    assert np.array_equal(found.value, np.arange(80) ** 0.5)


def test_a_lost_scheduler_is_said_and_the_sweep_resumes(cluster, tmp_path):
    cluster.start_worker()
    killer = soon(tmp_path, cluster.processes[0].kill)
    with pytest.raises(ConnectionError, match="Dask was lost; run the same sweep"):
        swept(cluster, tmp_path, 200)
    killer.join()
    assert rb.open_sweep(tmp_path / "store").attrs["items"] == 200


@pytest.mark.slow  # a copy of the package is compiled from nothing
def test_workers_of_another_version_are_refused(cluster, tmp_path):
    other = tmp_path / "other" / "rosenblatt"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "rosenblatt", other, ignore=ignored)
    with open(other / "core" / "parts.py", "a") as file:
        file.write("# another version\n")
    cluster.start_worker(package=other.parent)
    with pytest.raises(ImportError, match="another version of rosenblatt"):
        swept(cluster, tmp_path, 20)
    assert not (tmp_path / "log").exists()


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(dask_client, "dask", None)
    with pytest.raises(ImportError, match=r"pip install 'rosenblatt\[dask\]"):
        rb.sweep("theory.critical_alpha", {}, workers=1)
