"""The server: who is answered, in a real browser too, and how it ends."""

import contextlib
import errno
import http.client
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from bokeh.util.token import generate_jwt_token, generate_session_id, get_session_id
from tornado.httputil import (
    HTTPHeaders,
    HTTPInputError,
    HTTPServerRequest,
    RequestStartLine,
)
from typer.testing import CliRunner

from rosenblatt.cli.app import app
from rosenblatt.lab import server as module
from rosenblatt.lab.server import _Guarded as Guarded
from tests.laboratory import PATIENCE, browser, opened, servers, visit

__all__ = ["browser", "opened", "servers", "visit"]

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


def listening(address):
    return Guarded(address, 80, {})


@pytest.mark.parametrize(
    ("address", "good", "bad"),
    [
        ("127.0.0.1", ["127.0.0.1:80", "LOCALHOST", "localhost:80"], ["10.0.0.1"]),
        ("::1", ["[::1]", "[::1]:80", "localhost"], ["[::2]"]),
        ("192.0.2.7", ["192.0.2.7"], ["192.0.2.8", "localhost"]),
        ("lab.example.org", ["lab.example.org", "Lab.Example.org:80"], ["127.0.0.1"]),
        ("0.0.0.0", ["10.1.2.3", "[fe80::1]", "localhost"], ["evil.example.org"]),
    ],
)
def test_a_server_answers_under_its_names_only(address, good, bad):
    server = listening(address)
    never = ["", "evil.org", "localhost:81", "localhost.evil.org", "localhost@evil.org"]
    never += ["localhost:80:80", "localhost:080808", "localhost\x00", " localhost"]
    for host in good:
        origin = f"http://{host.lower()}"
        assert not server.refuses(asked(Host=host, Origin=origin)), host
    for host in [*bad, *never]:
        with contextlib.suppress(HTTPInputError):  # tornado refuses it
            assert server.refuses(asked(Host=host)), host
        assert server.refuses(asked(Host=good[0], Origin=f"http://{host}")), host
    for origin in ("null", "", "file://", "ftp://localhost", "localhost", "https://"):
        assert server.refuses(asked(Host=good[0], Origin=origin))


def asked(uri="/", **headers):
    line = RequestStartLine("GET", uri, "HTTP/1.1")
    return HTTPServerRequest(start_line=line, headers=HTTPHeaders(headers))


LINK = {
    "Sec-Fetch-Site": "cross-site",
    "Sec-Fetch-User": "?1",
    "Sec-Fetch-Dest": "document",
}


@pytest.mark.parametrize(
    ("uri", "headers", "refused"),
    [
        ("/", {}, False),
        ("/", {"Bokeh-Session-Id": "x"}, True),
        ("/?bokeh-session-id=x", {}, True),
        ("/?bokeh-token=x", {}, True),
        ("/", {"Sec-Fetch-Site": "same-origin"}, False),
        ("/", LINK, False),
        ("/", {"Sec-Fetch-Site": "cross-site"}, True),
        ("/", LINK | {"Sec-Fetch-Dest": "iframe"}, True),
        ("/", LINK | {"Sec-Fetch-User": ""}, True),  # a script opened a window
    ],
)
def test_pages_of_others_may_link_here_and_nothing_else(uri, headers, refused):
    request = asked(uri, Host="localhost", **headers)
    assert listening("127.0.0.1").refuses(request) == refused


def test_two_hosts_in_a_request_are_refused():
    twice = asked(Host="localhost")
    twice.headers.add("Host", "localhost")
    assert listening("127.0.0.1").refuses(twice)


@pytest.fixture(scope="module")
def lab(servers):
    """Return the address of a laboratory."""
    return urlsplit(servers.address("plain"))


def answer(address, path, **headers):
    """Return how a server answers; names of headers have _ for -."""
    connection = http.client.HTTPConnection(address.netloc, timeout=SOON)
    given = {"Host": address.netloc} | headers
    connection.putrequest("GET", path, skip_host=True)
    for name, value in given.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    with connection.getresponse() as got:
        found = got.status, dict(got.headers), got.read().decode("utf-8", "replace")
    connection.close()
    return found


SOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def test_other_hosts_and_origins_are_refused_by_http_and_by_the_socket(lab):
    port = lab.port
    assert answer(lab, "/")[0] == 200
    assert answer(lab, "/", Host=f"localhost:{port}")[0] == 200
    own = f"http://{lab.netloc}"
    assert answer(lab, "/ws", Origin=own, **SOCKET)[0] == 101
    rebound = f"evil.example:{port}"  # both agree, as they do after rebinding
    for headers in (
        {"Host": rebound, "Origin": f"http://{rebound}"},
        {"Host": rebound},
        {"Origin": "null"},
    ):
        for path, more in (("/", {}), ("/static/js/bokeh.min.js", {}), ("/ws", SOCKET)):
            assert answer(lab, path, **more, **headers)[0] == 403, (path, headers)


def test_bodies_are_refused_before_they_are_read(lab):
    """A body of 99 MB that is announced, and one in pieces that never ends."""
    for name, value, body in (
        ("Content-Length", str(99 * 2**20), b""),
        ("Transfer-Encoding", "chunked", b"100000\r\n" + bytes(2**20)),
    ):
        connection = http.client.HTTPConnection(lab.netloc, timeout=SOON)
        connection.putrequest("POST", "/")
        connection.putheader(name, value)
        connection.endheaders()
        with contextlib.suppress(ConnectionError):
            connection.send(body)
            assert connection.getresponse().status in (400, 403, 405, 413)
        connection.close()


@pytest.mark.slow  # unused sessions are discarded after half a minute
def test_visitors_who_do_not_stay_let_nobody_wait(lab):
    for _ in range(40):
        assert answer(lab, "/")[0] == 200
    other = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"}
    assert answer(lab, "/", **other)[0] == 403
    until = time.monotonic() + 45
    while (began := time.monotonic()) < until:
        answer(lab, "/")
        assert time.monotonic() - began < 5
        time.sleep(0.5)


def test_sessions_are_ours(lab):
    """Each page has its own; one that somebody made up or was given is not taken."""
    made_up = generate_session_id(signed=False)
    given, other = (
        re.search(r'"token":"([^"]+)"', answer(lab, "/")[2])[1] for _ in range(2)
    )
    assert get_session_id(given) != get_session_id(other)
    for chosen in ("x", made_up):
        path = f"/?bokeh-session-id={chosen}"
        assert answer(lab, path)[0] == 403
        headers = {"Bokeh_Session_Id": chosen}
        assert answer(lab, "/", **headers)[0] == 403
    assert answer(lab, f"/?bokeh-token={given}")[0] == 403
    forged = generate_jwt_token(made_up, signed=False, expiration=300)
    for token, opens in ((given, True), (forged, False)):
        connection = http.client.HTTPConnection(lab.netloc, timeout=SOON)
        headers = {k.replace("_", "-"): v for k, v in SOCKET.items()}
        headers["Sec-WebSocket-Protocol"] = f"bokeh, {token}"
        connection.request("GET", "/ws", headers=headers)
        with connection.getresponse() as got:
            assert got.status == 101
            first = got.fp.read(1)[0]
        connection.close()
        # a message (of an acknowledgement), or the end of the connection
        assert first & 0x0F == (1 if opens else 8)


def test_html_in_an_address_is_shown_and_not_run(servers, visit):
    bad = "%3Cimg%20src%3Dx%20onerror%3D%22window.ran%3D1%22%3E"
    names = ("rule", "schedule", "figure", "data", "learner", "points", "noise", bad)
    query = "&".join(f"{name}={bad}" for name in names)
    few = "dim=50&alpha=20&replicas=20"
    page = visit(f"{servers.address('plain')}?{few}&{query}").page
    page.set_default_timeout(1000 * PATIENCE)
    page.get_by_text("onerror").first.wait_for(state="attached")
    page.wait_for_timeout(300)  # a script would run at once
    assert page.evaluate("window.ran") is None
    assert page.locator("img").count() == 0


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


def test_a_server_answers_itself_only_and_stops_at_an_interrupt(server):
    process, address = server
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
    page = get(address)
    hosts = set(re.findall(r"https?://([\w.:-]+)", page))
    assert hosts <= {address.split("/")[2], "www.w3.org"}  # names of formats
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
