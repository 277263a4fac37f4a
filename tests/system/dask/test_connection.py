import pytest

from rosenblatt.system.dask import connection as module
from rosenblatt.system.dask.connection import Connection, connected, patience
from tests.system.dask.fakes import Client

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


def test_a_connection_is_open_while_its_client_runs():
    for status, wanted in (
        ("running", (True, False)),
        ("connecting", (False, False)),
        ("closed", (False, True)),
    ):
        found = Connection(Client(status=status))
        assert (found.open, found.closed) == wanted


def test_a_scheduler_is_looked_for_at_its_address(monkeypatch):
    closed = []
    second = Client()
    second.close = lambda: closed.append(second)
    answers = [ConnectionError("nobody"), second]

    def connect(address):
        found = answers.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(module, "connect", connect)
    found = Connection(Client(), "tcp://a:1")
    assert not found.renew()
    assert found.renew()
    assert found.client is second
    found.close()
    assert closed == [second]
    assert not Connection(Client()).renew()  # of no known address


def test_workers_or_a_scheduler_must_be_given():
    for given in ({}, {"workers": 1, "scheduler": "tcp://a:1"}):
        with (
            pytest.raises(ValueError, match="workers or scheduler must be given"),
            connected(**given),
        ):
            pass


def test_an_address_without_a_scheduler_is_an_error(monkeypatch):
    monkeypatch.setattr(module, "_CONNECT", 0.2)
    for address in ("tcp://127.0.0.1:9", "nonsense"):
        with (
            pytest.raises(ConnectionError, match="must be the address of a running"),
            connected(scheduler=address),
        ):
            pass


def test_patience_is_a_setting_of_dask():
    assert patience() == 900
    with dask.config.set({"rosenblatt.patience": "2m"}):
        assert patience() == 120
    with (
        dask.config.set({"rosenblatt.patience": "a while"}),
        pytest.raises(ValueError, match="must be a time such as 12h, got 'a while'"),
    ):
        patience()


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(module, "dask", None)
    with (
        pytest.raises(ImportError, match=r"install the extra rosenblatt\[dask\]"),
        connected(workers=1),
    ):
        pass
