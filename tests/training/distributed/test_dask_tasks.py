"""Workers that come, go and die change nothing; lost tasks are sent again."""

import functools
import os
import pickle
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import clone

import rosenblatt as rb
from rosenblatt.system.dask import supervision
from rosenblatt.system.dask.connection import Connection
from rosenblatt.training.distributed import dask_tasks
from rosenblatt.training.distributed.dask_tasks import results
from tests.system.dask.fakes import Client
from tests.training.distributed.pieces import (
    CHUNKS,
    COLUMNS,
    COUNTERS,
    cut,
    lazy,
    saved,
)

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
# The middle one of three classes cannot be told from the rest, which is said.
pytestmark = pytest.mark.filterwarnings(
    "ignore:the share of positive:sklearn.exceptions.ConvergenceWarning"
)


def dangerous(number, flag):
    """Rows of a piece; the process that first asks for the third is killed."""
    if number == 3 and not Path(flag).exists():
        Path(flag).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    rng = np.random.default_rng(number)
    X = rng.standard_normal((200, COLUMNS))
    return X, (X[:, 0] + 0.3 * rng.standard_normal(200) > 0).astype(int)


@pytest.mark.slow  # Dask takes its time; killed processes are in other files
def test_a_worker_killed_in_the_middle_changes_nothing(client, tmp_path):
    model = rb.BayesPerceptron("diagonal")
    flag = tmp_path / "killed"
    pieces = [functools.partial(dangerous, i, str(flag)) for i in range(6)]
    found = rb.fit_parts(clone(model), pieces, classes=[0, 1], client=client)
    assert flag.exists()
    same = rb.fit_parts(clone(model), pieces, classes=[0, 1])
    assert saved(found, tmp_path) == saved(same, tmp_path)


def test_workers_of_another_version_learn_nothing(client, real, monkeypatch):
    monkeypatch.setattr(dask_tasks, "code_digest", lambda: "newer")
    model = rb.OnlinePerceptron()
    with (
        pytest.warns(UserWarning, match="tcp://.* of Dask has another version"),
        pytest.raises(ValueError, match=r"all \d workers of Dask have another version"),
    ):
        rb.fit_parts(model, cut(*real), client=client)
    assert not hasattr(model, "coef_")


def test_a_cluster_without_workers_is_not_waited_for_for_ever(real, monkeypatch):
    for name, seconds in {"_ASK": 0.01, "_WARN": 0.02}.items():
        monkeypatch.setattr(supervision, name, seconds)
    monkeypatch.setattr(dask_tasks, "_POLL", 0.01)
    with (
        dask.config.set({"rosenblatt.patience": "100ms"}),
        distributed.LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0") as empty,
        distributed.Client(empty, set_as_default=False) as alone,
        pytest.warns(UserWarning, match="Dask has no workers"),
        pytest.raises(ConnectionError, match="Dask has no workers"),
    ):
        rb.fit_parts(rb.OnlinePerceptron(), cut(*real), client=alone)


def found(client, count=3, group=("rows",)):
    """Return the results of groups from a scheduler that is no real one."""
    groups = dict.fromkeys(range(count), group)
    return dict(results(len, groups, None, Connection(client), lambda: None))


@pytest.fixture
def untied(monkeypatch):
    """Let groups be sent that are no pieces."""
    monkeypatch.setattr(dask_tasks, "_tasks", lambda work, shared, groups: groups)
    monkeypatch.setattr(dask_tasks, "_POLL", 0.01)


def test_only_what_is_lost_is_sent_again(untied):
    scheduler = Client(["finished", "lost", "finished"], {"executing": 1})
    assert sorted(found(scheduler)) == [0, 1, 2]
    assert scheduler.sent == [3, 1]


def test_a_task_that_is_lost_again_and_again_is_an_error(untied):
    scheduler = Client(["lost"] * 9, {"executing": 1})
    with pytest.raises(RuntimeError, match="lost the same task 4 times"):
        found(scheduler, 1)
    assert scheduler.sent == [1] * 4


def test_a_piece_that_kills_every_worker_is_named(untied):
    died = distributed.KilledWorker("learn-3", SimpleNamespace(address="a"), 3)
    with pytest.raises(RuntimeError, match="again and again while they learned rows"):
        found(Client([died]), 1)
    with pytest.raises(RuntimeError, match="learned first to last, perhaps"):
        found(Client([died]), 1, ("first", "middle", "last"))


def test_a_task_that_workers_cannot_load_is_an_error(untied):
    failure = ModuleNotFoundError("No module named 'rosenblatt'")
    with pytest.raises(RuntimeError, match="cannot run this: No module named 'rosenb"):
        found(Client([failure]), 1)


def test_errors_of_tasks_are_raised_and_the_rest_is_cancelled(untied):
    scheduler = Client([OSError("no such disk"), "pending"])
    with pytest.raises(OSError, match="no such disk"):
        found(scheduler, 2)
    assert [future.status for future in scheduler.cancelled] == ["pending"]


def test_what_a_task_returns_does_not_grow_with_its_rows():
    X, y = dangerous(0, "")
    model = rb.BayesPerceptron("diagonal").fit(X, y)
    few = len(pickle.dumps(model))
    model.partial_fit(np.tile(X, (50, 1)), np.tile(y, 50))
    assert len(pickle.dumps(model)) < few + 100  # longer numbers of examples


def test_any_number_of_workers_gives_the_same_bits(
    workers, client, binary, real, tmp_path
):
    models = [*COUNTERS, rb.BayesPerceptron("diagonal"), rb.OnlinePerceptron()]
    given = [binary if model in COUNTERS else real for model in models]
    wanted = []
    for model, (X, y) in zip(models, given, strict=True):
        alone = rb.fit_parts(clone(model), cut(X, y, CHUNKS[3]))
        wanted.append(saved(alone, tmp_path))
        if model in COUNTERS:
            assert wanted[-1] == saved(clone(model).fit(X, y), tmp_path)
    for count in (3, 2, 1):  # to stop workers costs nothing, to start them does
        workers.scale(count)
        deadline = time.monotonic() + 60
        while len(client.nthreads()) != count and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(client.nthreads()) == count
        for model, data, bits in zip(models, given, wanted, strict=True):
            parts = lazy(*data, CHUNKS[3])
            found = rb.fit_parts(clone(model), *parts, client=client)
            assert saved(found, tmp_path) == bits
