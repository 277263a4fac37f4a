"""Tasks that are lost are handed out again, and nobody waits for ever."""

from types import SimpleNamespace

import pytest

import rosenblatt as rb
from rosenblatt.training.distributed import watch
from rosenblatt.training.distributed.watch import Refused, watched
from tests.training.distributed.pieces import cut

distributed = pytest.importorskip("distributed")


class Future:
    """The outcome of a task is decided when it is handed out."""

    def __init__(self, status, value=None):
        self.status, self.value = status, value

    def add_done_callback(self, call):
        if self.status in ("finished", "error"):
            call(self)

    def exception(self):
        return self.value

    def result(self, timeout=None):
        if self.status == "error":
            raise self.value
        return self.value

    def release(self):
        pass


class Client:
    """A scheduler that loses tasks, as a list says that begins with the first."""

    def __init__(self, fates, counts=None, status="running"):
        self.fates, self.status = list(fates), status
        self.workers = [] if counts is None else [counts]
        self.sent, self.cancelled, self.refused = [], [], set()

    def send(self, tasks):
        self.sent.append(sorted(tasks))
        return {
            Future(self.fates.pop(0) if self.fates else "finished", task): number
            for number, task in tasks.items()
        }

    def scheduler_info(self, n_workers):
        found = [{"metrics": {"task_counts": counts}} for counts in self.workers]
        return {"workers": dict(enumerate(found))}

    def cancel(self, futures):
        self.cancelled += futures


SECONDS = {"_LOOK": 0.01, "_ASK": 0.01, "_TOLD": 0.02, "_IDLE": 0.05}


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    for name, seconds in SECONDS.items():
        monkeypatch.setattr(watch, name, seconds)
    monkeypatch.setattr(watch, "patience", lambda: 0.1)


def results(client, tasks="abc"):
    given = dict(enumerate(tasks))
    return dict(watched(client, client.send, given, lambda: None, client.refused))


@pytest.mark.parametrize("fate", ["lost", "cancelled"])
def test_what_is_lost_is_handed_out_again(fate):
    client = Client(["finished", fate, "finished"], {"executing": 1})
    assert results(client) == {0: "a", 1: "b", 2: "c"}
    assert client.sent == [[0, 1, 2], [1]]


def test_what_nobody_works_at_is_handed_out_again():
    client = Client(["finished", "finished", "pending"], {"memory": 3})
    assert results(client) == {0: "a", 1: "b", 2: "c"}
    assert client.sent == [[0, 1, 2], [2]]


def test_a_result_that_is_lost_with_a_worker_and_made_again_is_waited_for():
    class Again(Future):
        def add_done_callback(self, call):
            self.status = "pending" if self.status == "ready" else "finished"
            call(self)

    client = Client([], {"executing": 1})
    futures = [Again("ready", "a")]
    client.send = lambda tasks: {futures.pop(): 0}  # handed out once
    assert results(client, "a") == {0: "a"}


def test_what_is_lost_again_and_again_is_an_error():
    client = Client(["lost"] * 9, {"executing": 1})
    with pytest.raises(RuntimeError, match="lost the same task 4 times"):
        results(client, "a")
    assert len(client.sent) == 4


def test_without_workers_it_says_so_and_gives_up():
    client = Client(["pending"])
    with (
        pytest.warns(UserWarning, match="Dask has no workers; waiting"),
        pytest.raises(ConnectionError, match="no workers, for 0 seconds now"),
    ):
        results(client, "a")
    assert len(client.cancelled) == 1


def test_a_closed_client_is_no_reason_to_wait():
    client = Client(["pending"], {"executing": 1}, status="closed")
    with pytest.raises(ConnectionError, match="scheduler is closed, for 0 s"):
        results(client, "a")


def test_without_a_scheduler_it_says_so_and_gives_up():
    client = Client(["pending"], {"executing": 1}, status="connecting")
    with (
        pytest.warns(UserWarning, match="scheduler is lost; waiting"),
        pytest.raises(ConnectionError, match="scheduler is lost, for 0 s"),
    ):
        results(client, "a")
    assert not client.sent


def test_a_piece_that_kills_every_worker_is_said():
    client = Client([])
    died = distributed.KilledWorker("learn-3", SimpleNamespace(address="a"), 3)
    client.send = lambda tasks: {Future("error", died): 0}
    with pytest.raises(RuntimeError, match="again and again while they learned rows"):
        results(client, [["rows"]])
    with pytest.raises(RuntimeError, match="learned first to last, perhaps"):
        results(client, [["first", "middle", "last"]])


def test_a_task_that_workers_cannot_load_is_said():
    client = Client([])
    failure = ModuleNotFoundError("No module named 'rosenblatt'")
    client.send = lambda tasks: {Future("error", failure): 0}
    with pytest.raises(RuntimeError, match="cannot run this: No module named 'rosenb"):
        results(client, "a")


def test_what_a_worker_of_another_version_had_goes_to_others():
    client = Client([], {"executing": 1})

    def send(tasks):
        value = "found" if client.refused else Refused("w")
        return {Future("finished", value): number for number in tasks}

    client.send = send
    with pytest.warns(UserWarning, match="the worker w of Dask has another version"):
        assert results(client, "ab") == {0: "found", 1: "found"}
    assert client.refused == {"w"}


def test_errors_of_tasks_come_through_and_the_rest_is_cancelled():
    client = Client([])
    client.send = lambda tasks: {
        Future("error", OSError("no such disk")): 0,
        Future("pending"): 1,
    }
    with pytest.raises(OSError, match="no such disk"):
        results(client, "ab")
    assert [future.status for future in client.cancelled] == ["pending"]


def test_a_cluster_without_workers_does_not_keep_anybody_waiting(real):
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0") as empty,
        distributed.Client(empty, set_as_default=False) as client,
        pytest.warns(UserWarning, match="Dask has no workers"),
        pytest.raises(ConnectionError, match="Dask has no workers"),
    ):
        rb.fit_parts(rb.OnlinePerceptron(), cut(*real), client=client)
