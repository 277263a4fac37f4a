"""Who may use the laboratory, asked of a real server and in a real browser."""

import contextlib
import http.client
import re
import shutil
from urllib.parse import urlsplit

import pytest
from bokeh.util.token import generate_jwt_token, generate_session_id, get_session_id
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine

from rosenblatt.lab.access import Access, loopback
from rosenblatt.lab.style import numbers
from tests.browser import NAMES
from tests.laboratory import PATIENCE, browser, opened, servers, visit

__all__ = ["browser", "opened", "servers", "visit"]
SOON = 60  # seconds on a busy machine


def test_what_is_loopback_is_known():
    for address in ("127.0.0.1", "127.8.8.8", "::1", "localhost"):
        assert loopback(address)
    for address in ("0.0.0.0", "192.0.2.7", "::", "example.org", ""):
        assert not loopback(address)


@pytest.mark.parametrize(
    ("address", "good", "bad"),
    [
        ("127.0.0.1", ["127.0.0.1:80", "LOCALHOST", "localhost:80"], ["10.0.0.1"]),
        ("::1", ["[::1]", "[::1]:80", "localhost"], ["[::2]", "::1:80"]),
        ("192.0.2.7", ["192.0.2.7"], ["192.0.2.8", "localhost"]),
        ("lab.example.org", ["lab.example.org", "Lab.Example.org:80"], ["127.0.0.1"]),
        ("0.0.0.0", ["10.1.2.3", "[fe80::1]", "localhost"], ["evil.example.org"]),
    ],
)
def test_a_server_knows_its_names(address, good, bad):
    access = Access(address, 80)
    never = ["", "evil.org", "localhost:81", "localhost.evil.org", "localhost@evil.org"]
    never += ["localhost:80:80", "localhost:080808", "localhost\x00", " localhost"]
    for host in good:
        assert access.serves(host), host
        assert access.origin(f"http://{host.lower()}"), host
    for host in [*bad, *never]:
        assert not access.serves(host), host
        assert not access.origin(f"http://{host}"), host
    for origin in ("null", "", "file://", "ftp://localhost", "localhost", "https://"):
        assert not access.origin(origin)


def asked(uri="/", **headers):
    line = RequestStartLine("GET", uri, "HTTP/1.1")
    return HTTPServerRequest(start_line=line, headers=HTTPHeaders(headers))


def test_a_request_is_judged_by_all_it_carries():
    access, page = Access("127.0.0.1", 80), "/"
    assert access.refusal(asked(page, Host="localhost")) is None
    assert (
        access.refusal(asked(page, Host="localhost", Origin="http://localhost")) is None
    )
    assert access.refusal(asked(page, Host="evil.example")) is not None
    twice = asked(page, Host="localhost")
    twice.headers.add("Host", "localhost")
    assert access.refusal(twice) is not None
    chosen = {"Host": "localhost", "Bokeh-Session-Id": "x"}
    assert "chosen" in access.refusal(asked(page, **chosen))
    for name in ("bokeh-session-id", "bokeh-token"):
        uri = f"/?{name}=x"
        assert "chosen" in access.refusal(asked(uri, Host="localhost"))


def test_pages_of_others_may_link_here_and_nothing_else():
    access, fetched = Access("127.0.0.1", 80), {"Sec-Fetch-Site": "cross-site"}
    link = fetched | {"Sec-Fetch-User": "?1", "Sec-Fetch-Dest": "document"}
    for headers, refused in (
        (fetched, True),
        (fetched | {"Sec-Fetch-Dest": "image"}, True),
        (fetched | {"Sec-Fetch-Dest": "document"}, True),  # a script opened a window
        (link | {"Sec-Fetch-Dest": "iframe"}, True),
        (link, False),
        ({"Sec-Fetch-Site": "same-origin"}, False),
        ({}, False),
    ):
        found = access.refusal(asked(Host="localhost", **headers))
        assert (found is not None) == refused, headers


def test_text_of_others_is_no_html():
    shown = numbers({"<i>": "<img src=x onerror=alert(1)>&"})
    assert re.findall(r"<(\w+)", shown) == ["dl", "div", "dt", "dd"]


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
    evil = [{"Host": f"evil.example:{port}"}, {"Origin": f"http://evil.example:{port}"}]
    evil += [
        {"Origin": "null"},
        {"Host": "127.0.0.1:1"},
        {"Origin": "http://localhost"},
    ]
    for path in ("/", "/static/js/bokeh.min.js", "/download/x/curve.csv"):
        for headers in evil:
            status, _, text = answer(lab, path, **headers)
            assert status == 403, (path, headers)
            assert text.count("\n") == 1
    for headers in evil:
        assert answer(lab, "/ws", **SOCKET, **headers)[0] == 403
    rebound = f"evil.example:{port}"  # both agree, as they do after rebinding
    headers = {"Host": rebound, "Origin": f"http://{rebound}"}
    assert answer(lab, "/ws", **SOCKET, **headers)[0] == 403


def test_bodies_are_refused_before_they_are_read(lab):
    """A body of 99 MB that is announced, and one in pieces that never ends."""
    for headers, body in (
        ({"Content-Length": str(99 * 2**20)}, b""),
        ({"Transfer-Encoding": "chunked"}, b"100000\r\n" + bytes(2**20)),
    ):
        connection = http.client.HTTPConnection(lab.netloc, timeout=SOON)
        connection.putrequest("POST", "/")
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        with contextlib.suppress(ConnectionError):
            connection.send(body)
            assert connection.getresponse().status in (400, 403, 413)
        connection.close()


def test_answers_keep_addresses_here_and_are_in_no_frame(lab):
    _, headers, _ = answer(lab, "/")
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"


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


def test_a_rebound_name_is_refused_by_a_real_browser(servers, browser, visit):
    """The browser believes that evil.example is this machine, as after rebinding."""
    path = next(filter(None, map(shutil.which, NAMES)))
    port = urlsplit(servers.address("plain")).port
    rules = f"--host-resolver-rules=MAP evil.example 127.0.0.1:{port}"
    other = browser.browser_type.launch(
        executable_path=path, args=["--no-sandbox", rules]
    )
    try:
        page = other.new_page()
        page.goto(f"http://evil.example:{port}/")
        assert "This server has another name" in page.content()
        opened = page.evaluate(
            """port => new Promise(answer => {
                const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, "bokeh");
                socket.onopen = () => answer("open");
                socket.onerror = () => answer("refused");
            })""",
            port,
        )
        assert opened == "refused"
    finally:
        other.close()


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


def test_html_in_a_visitors_file_is_shown_and_not_run(servers, visit):
    bad = "<img src=x onerror='window.ran=1'>"
    page = visit(f"{servers.address('plain')}?dim=50&alpha=20&replicas=20").page
    page.set_default_timeout(1000 * PATIENCE)
    page.get_by_role("tab", name="Data").click()
    upload = {"name": f"{bad}.csv", "mimeType": "text/csv", "buffer": b"1,2,<img>\n"}
    page.locator("input[type=file]").set_input_files(upload)
    page.get_by_text("must have two classes").wait_for()
    page.wait_for_timeout(300)  # a script would run at once
    assert page.evaluate("window.ran") is None
    assert page.locator("img").count() == 0
