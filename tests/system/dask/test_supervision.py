"""Every task has an end, and no process waits for ever."""

from types import SimpleNamespace

import pytest

from rosenblatt.system.dask import supervision
from rosenblatt.system.dask.connection import Connection
from rosenblatt.system.dask.supervision import (
    Failed,
    Finished,
    Killed,
    Lost,
    Refused,
    Supervisor,
    run_same_code,
)
from tests.system.dask.fakes import Client, Future

distributed = pytest.importorskip("distributed")

SECONDS = {"_ASK": 0.01, "_WARN": 0.02, "_IDLE": 0.05, "_FRESH": 0.0}


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    for name, seconds in SECONDS.items():
        monkeypatch.setattr(supervision, name, seconds)
    monkeypatch.setattr(supervision, "patience", lambda: 0.1)


def watching(client, *futures):
    found = Supervisor(Connection(client))
    found.watch({future: name for name, future in zip("abcd", futures, strict=False)})
    return found


def events(tasks):
    """Return the events of all tasks."""
    found = []
    while tasks.running:
        found += tasks.events(0.01)
    return sorted(found)


@pytest.mark.parametrize("status", ["lost", "cancelled"])
def test_what_is_lost_is_reported_beside_what_is_finished(status):
    client = Client(counts={"executing": 1})
    found = events(watching(client, Future("finished", 1), Future(status)))
    assert found[0] == Finished("a", 1)
    assert isinstance(found[1], Lost)
    assert found[1].task == "b"


def test_tasks_that_no_worker_computes_are_lost():
    client = Client(counts={"memory": 3})
    (found,) = events(watching(client, Future("pending")))
    assert isinstance(found, Lost)


def test_a_result_that_dask_computes_again_is_waited_for():
    class Again(Future):
        def add_done_callback(self, call):
            self.status = "pending" if self.status == "ready" else "finished"
            call(self)

    client = Client(counts={"executing": 1})
    assert events(watching(client, Again("ready", 1))) == [Finished("a", 1)]


def test_errors_and_deaths_are_events():
    error = OSError("no such disk")
    died = distributed.KilledWorker("learn-3", SimpleNamespace(address="w"), 3)
    tasks = watching(Client(), Future("error", error), Future("error", died))
    assert events(tasks) == [Failed("a", error), Killed("b", "w")]


@pytest.mark.parametrize(
    ("status", "words"),
    [("running", "Dask has no workers"), ("connecting", "scheduler is lost")],
)
def test_without_workers_or_scheduler_it_warns_and_gives_up(status, words):
    tasks = watching(Client(status=status), Future("pending"))
    with (
        pytest.warns(UserWarning, match=f"{words}; waiting"),
        pytest.raises(ConnectionError, match=f"{words}, for 0 seconds now.* 12h"),
    ):
        events(tasks)
    tasks.cancel()
    assert not tasks.running


def test_a_closed_client_without_an_address_is_no_reason_to_wait():
    tasks = watching(Client(status="closed"), Future("pending"))
    with pytest.raises(ConnectionError, match="scheduler is closed, for 0 s"):
        events(tasks)


def test_a_restarted_scheduler_is_reached_and_old_tasks_are_lost(monkeypatch):
    tasks = watching(Client(status="closed"), Future("pending"))
    tasks.connection.address = "tcp://a:1"
    answers = [False, True]
    monkeypatch.setattr(tasks.connection, "renew", lambda: answers.pop(0))
    (found,) = events(tasks)
    assert isinstance(found, Lost)
    assert not answers


def test_a_worker_with_other_code_gets_no_more_tasks():
    client = Client(counts={"executing": 1})
    tasks = watching(client, *(Future("finished", Refused("w", "1234")) for _ in "ab"))
    assert tasks.allowed() is None
    with pytest.warns(UserWarning, match="the worker w of Dask has another") as said:
        found = events(tasks)
    assert len(said) == 1
    assert all(event.refused for event in found)
    with pytest.raises(ValueError, match="all 1 workers of Dask have another version"):
        tasks.allowed()
    client.workers["v"] = {}
    assert tasks.allowed() == ["v"]
    assert tasks.threads() == {"v": 1}


def test_workers_that_are_gone_are_named():
    client = Client(counts={})
    tasks = watching(client)
    assert tasks.threads() == {"w": 1}
    client.workers.clear()
    with pytest.warns(UserWarning, match=r"workers of Dask are gone \(w\)"):
        assert tasks.threads() == {}


def test_running_tasks_are_cancelled():
    client = Client()
    tasks = watching(client, Future("pending"))
    tasks.cancel()
    assert [future.status for future in client.cancelled] == ["pending"]


def test_a_worker_runs_a_task_only_with_the_same_code(monkeypatch):
    monkeypatch.setattr(supervision, "code_digest", lambda: "here")
    monkeypatch.setattr(
        supervision.distributed, "get_worker", lambda: SimpleNamespace(address="w")
    )
    assert run_same_code("here", max, 1, 2) == 2
    assert run_same_code("there", max, 1, 2) == Refused("w", "here")
