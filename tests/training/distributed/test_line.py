"""A scheduler that is gone and comes back."""

import contextlib
import warnings
from types import SimpleNamespace

import pytest

from rosenblatt.training.distributed import dask_tasks as cluster
from rosenblatt.training.distributed import line
from rosenblatt.training.distributed.line import Line
from rosenblatt.training.distributed.watch import SchedulerGoneError

pytest.importorskip("distributed")


@pytest.fixture
def clients(monkeypatch):
    """Answers of an address: clients, or None where nobody is."""
    answers = []

    def reached(address):
        found = answers.pop(0)
        if found is None:
            raise ConnectionError(address)
        return contextlib.nullcontext(found)

    monkeypatch.setattr(line, "reached", reached)
    return answers


def test_only_what_is_missing_is_handed_out_to_the_new_scheduler(clients, monkeypatch):
    handed = []

    def watched(client, send, tasks, look, refused):
        handed.append((client, sorted(tasks)))
        yield min(tasks), f"of {client}"
        if client == "first":
            raise SchedulerGoneError("gone")
        yield from ((number, f"of {client}") for number in sorted(tasks)[1:])

    monkeypatch.setattr(cluster, "watched", watched)
    clients += [None, "second"]
    groups = {number: [number] for number in range(3)}
    looks = []
    found = cluster.results(
        len, groups, None, Line("first", "tcp://a:1"), lambda: looks.append(1)
    )
    with pytest.warns(UserWarning, match="scheduler is gone; waiting for it"):
        assert dict(found) == {0: "of first", 1: "of second", 2: "of second"}
    assert handed == [("first", [0, 1, 2]), ("second", [1, 2])]
    assert len(looks) == 2  # so that whoever waits can be interrupted


def test_nobody_waits_for_a_scheduler_for_ever(clients, monkeypatch):
    clients += [None] * 10_000
    monkeypatch.setattr(line, "patience", lambda: 0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not Line(SimpleNamespace(), "tcp://a:1").renewed(lambda: None)
    assert not Line(SimpleNamespace()).renewed(lambda: None)  # of no known address
