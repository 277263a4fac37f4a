import contextlib
import errno
import http.client
import logging
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rosenblatt.cli.app import app
from rosenblatt.lab import server as module
from rosenblatt.lab.server import _worth_logging

COMMAND = [sys.executable, "-m", "rosenblatt", "lab"]
SOON = 60  # seconds on a busy machine


def test_wrong_options_are_one_line():
    for arguments in (
        ["--port", "-1"],
        ["--port", "x"],
        ["--address", "not an address"],
    ):
        done = CliRunner().invoke(app, ["lab", *arguments])
        assert done.exit_code in (1, 2)
        assert "Traceback" not in done.output


def test_a_port_that_is_taken_is_named(monkeypatch):
    def taken(*_):
        raise OSError(errno.EADDRINUSE, "Address already in use")

    monkeypatch.setattr(module, "bind_sockets", taken)
    done = CliRunner().invoke(app, ["lab", "--port", "5006"])
    assert done.exit_code == 1
    words = "cannot listen on 127.0.0.1, port 5006: Address already in use"
    assert words in done.stderr


def test_visitors_who_leave_while_they_arrive_are_no_news(caplog, monkeypatch):
    """Bokeh asserts that they have a session, and tornado prints where."""
    told = logging.getLogger("tornado.application")
    monkeypatch.setattr(told, "propagate", True)  # which Dask changes
    told.addFilter(_worth_logging)
    try:
        for failure in (AssertionError(), ValueError()):
            try:
                raise failure
            except Exception:
                told.exception("Uncaught exception GET /ws?dim=20 (127.0.0.1)")
    finally:
        told.removeFilter(_worth_logging)
    (record,) = caplog.records
    assert record.exc_info[0] is ValueError


@pytest.fixture
def server():
    """Start a server that stops by itself, and return it with its address."""
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_DISABLE_JIT"}
    with subprocess.Popen(
        [*COMMAND, "--stop-after", "120"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        yield process, process.stdout.readline().strip()
        process.kill()


def get(address):
    with urllib.request.urlopen(address, timeout=SOON) as answer:
        return answer.read().decode()


def connected(address, origin):
    """Return how the server answers a page of some origin that wants a connection."""
    asked = http.client.HTTPConnection(address.split("/")[2], timeout=SOON)
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Origin": origin,
    }
    asked.request("GET", "/ws", headers=headers)
    with asked.getresponse() as answer:
        status = answer.status
    asked.close()
    return status


def test_a_server_answers_itself_only_and_stops_at_an_interrupt(server):
    process, address = server
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
    page = get(address)
    hosts = set(re.findall(r"https?://([\w.:-]+)", page))
    assert hosts <= {address.split("/")[2], "www.w3.org"}  # names of formats
    for origin in ("http://example.org", "null", "http://localhost:1"):
        assert connected(address, origin) == 403
    with pytest.raises(urllib.error.HTTPError) as missing:
        get(f"{address}download/guess/curve.csv")
    assert missing.value.code == 404
    missing.value.close()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SOON)
    assert process.returncode == 0, err
    assert out.endswith("stopped\n")
    assert "Traceback" not in err


def members(group):
    """Return the processes of a group that have not ended."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, _, its_group = (
                (entry / "stat").read_text().rpartition(")")[2].split()[:3]
            )
            if int(its_group) == group and state != "Z":
                found.append(entry.name)
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_server_that_is_killed_leaves_no_process():
    """Its fork server may first have to end its imports."""
    with subprocess.Popen(
        COMMAND, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, process_group=0
    ) as process:
        assert process.stdout.readline().startswith(b"http://")
        time.sleep(1.0)  # its first child compiles now
        assert len(members(process.pid)) > 1
        process.kill()
    deadline = time.monotonic() + SOON
    while members(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert members(process.pid) == []


def test_another_address_comes_with_a_warning_and_the_time_is_kept():
    options = ["--address", "0.0.0.0", "--stop-after", "0"]
    done = subprocess.run(
        [*COMMAND, *options], capture_output=True, text=True, timeout=SOON
    )
    assert done.returncode == 0, done.stderr
    (line,) = [row for row in done.stderr.splitlines() if row.startswith("rosenblatt:")]
    assert "everybody who can reach 0.0.0.0" in line
