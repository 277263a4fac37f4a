"""The server: one process on this machine, a session for every visitor."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import logging
import re
import socket
import threading
from collections.abc import Callable, Sequence
from typing import Any

from rosenblatt.system.extras import missing

try:
    from bokeh.application import Application
    from bokeh.application.handlers.function import FunctionHandler
    from bokeh.protocol.exceptions import ProtocolError
    from bokeh.server.server import BaseServer
    from bokeh.server.tornado import BokehTornado
    from bokeh.server.util import bind_sockets
    from bokeh.util.token import generate_secret_key
    from tornado.httpserver import HTTPServer
    from tornado.httputil import HTTPServerRequest
    from tornado.ioloop import IOLoop
    from tornado.web import ErrorHandler
except ImportError as failure:
    raise missing("bokeh", "the laboratory") from failure

from rosenblatt.lab.curves import Shared
from rosenblatt.lab.job import CONTEXT, start_fork_server
from rosenblatt.lab.page import Visitor
from rosenblatt.lab.points import compile_all
from rosenblatt.lab.state import offer

_REQUEST = 2**13  # bytes of a request: pages are asked for, and nothing is posted
_MESSAGE = 2**20  # bytes that a browser may send at once: a small file fits
_UNUSED = 15_000  # milliseconds that a page is kept after its browser has gone
_ANY = ("0.0.0.0", "::")
# By these a visitor would choose a session, perhaps that of somebody else.
_SESSION = ("bokeh-session-id", "bokeh-token")


def _numeric(address: str) -> bool:
    try:
        ipaddress.ip_address(address.strip("[]"))
    except ValueError:
        return False
    return True


def loopback(address: str) -> bool:
    """Return whether only this machine can connect to an address.

    Examples
    --------
    >>> loopback("127.0.0.1"), loopback("0.0.0.0"), loopback("example.org")
    (True, False, False)
    """
    if not _numeric(address):
        return address == "localhost"
    return ipaddress.ip_address(address).is_loopback


class _Guarded(BokehTornado):  # type: ignore[misc]
    """The application of Bokeh, which answers only its own pages.

    A page of another site can make a browser send requests here, even under a name of
    its own that resolves to this machine. Such requests carry that name as ``Host``, or
    the address of the page as ``Origin``, which pages cannot change.
    """

    def __init__(self, address: str, port: int, applications: Any, **more: Any) -> None:
        own = socket.gethostname().lower()
        names = {"localhost", own, f"{own}.local", socket.getfqdn().lower()}
        if address not in _ANY:
            names = {"localhost", "127.0.0.1"} if loopback(address) else set()
            names.add(f"[{address}]" if ":" in address else address.lower())
        self._any, self._names, self._port = address in _ANY, names, port
        super().__init__(
            applications,
            secret_key=generate_secret_key().encode(),
            sign_sessions=True,
            generate_session_ids=True,
            # the check of origins here is stricter than that of Bokeh
            extra_websocket_origins=[f"*:{port}"],
            **more,
        )

    def _serves(self, host: str) -> bool:
        """Return whether a host with its port is this server.

        Under an address for all, any number is: nobody can make it resolve elsewhere.
        """
        whole = host if re.search(r":[0-9]+$", host) else f"{host}:80"
        name, _, port = whole.rpartition(":")
        known = name in self._names or (self._any and _numeric(name))
        return known and port == str(self._port)

    def refuses(self, request: HTTPServerRequest) -> bool:
        """Return whether a request is refused."""
        fetched = request.headers.get
        hosts = [host.lower() for host in request.headers.get_list("Host")]
        origins = request.headers.get_list("Origin")
        followed = fetched("Sec-Fetch-User") == "?1"  # a link that somebody clicked
        return (
            len(hosts) != 1
            or not self._serves(hosts[0])
            or any(origin != f"http://{hosts[0]}" for origin in origins)
            or any(name in request.arguments for name in _SESSION)
            or "Bokeh-Session-Id" in request.headers
            or (
                fetched("Sec-Fetch-Site") == "cross-site"
                and not (followed and fetched("Sec-Fetch-Dest") == "document")
            )
        )

    def find_handler(self, request: HTTPServerRequest, **more: Any) -> Any:
        """Return the handler of a request."""
        if self.refuses(request):
            forbidden = {"status_code": 403}
            return self.get_handler_delegate(request, ErrorHandler, forbidden)
        return super().find_handler(request, **more)

    async def _cleanup_sessions(self) -> None:
        """End sessions that nobody uses, with one search for garbage for all of them.

        Bokeh searches after each session, while other visitors wait. What is frozen is
        not searched.
        """
        before = len(self.get_sessions("/"))
        gc.freeze()
        await super()._cleanup_sessions()
        if len(self.get_sessions("/")) < before:
            gc.unfreeze()
            _forget_garbage()


def _compile_learners() -> None:
    """Compile the learners of the second tab, in a thread of the server."""
    # in another process first: compiling here would stop the server
    child = CONTEXT.Process(target=compile_all, daemon=True)
    child.start()
    child.join()
    compile_all()
    _forget_garbage()


def _forget_garbage() -> None:
    """Exclude all that is loaded now from the search for garbage.

    A search of all modules takes half a second, one of new objects milliseconds.
    """
    gc.collect()
    gc.freeze()


def _worth_logging(record: logging.LogRecord) -> bool:
    """Return whether a log record is more than a visitor who left or was refused.

    Bokeh asserts that a connection that ends has a session, and it may not have yet. A
    connection without a token that this server made is an error of the protocol.
    """
    failed = record.exc_info[0] if record.exc_info else None
    known = failed in (AssertionError, ProtocolError)
    return not (known and " /ws" in record.getMessage())


def serve(
    address: str = "127.0.0.1",
    port: int = 0,
    *,
    rules: Sequence[str] = (),
    stop_after: float | None = None,
    ready: Callable[[str], None] = print,
) -> None:
    """Serve the page until Ctrl-C is pressed.

    Parameters
    ----------
    address, port
        Address and port to listen on; port 0 takes a free one.
    rules
        Rules in files that visitors may choose, as ``file.py:Name``.
    stop_after
        Seconds after which to stop, if at all.
    ready
        Called with the page's address once it can be visited.
    """
    offer(rules)
    logging.getLogger("bokeh.server.views.ws").setLevel(logging.ERROR)
    logging.getLogger("tornado.application").addFilter(_worth_logging)
    asyncio.set_event_loop(asyncio.new_event_loop())
    loop = IOLoop.current()
    try:
        sockets, port = bind_sockets(address, port)
    except OSError as failure:
        why = failure.strerror or failure
        raise OSError(f"cannot listen on {address}, port {port}: {why}") from None
    start_fork_server()
    threading.Thread(target=_compile_learners, daemon=True).start()
    shared = Shared()

    def open_page(document: Any) -> None:
        Visitor(document, shared)

    application = _Guarded(
        address,
        port,
        {"/": Application(FunctionHandler(open_page))},
        unused_session_lifetime_milliseconds=_UNUSED,
        check_unused_sessions_milliseconds=_UNUSED // 3,
        websocket_max_message_size_bytes=_MESSAGE,
        use_index=False,
    )
    http = HTTPServer(
        application,
        max_body_size=_REQUEST,
        max_header_size=2 * _REQUEST,
        max_buffer_size=2 * _MESSAGE,
    )
    http.add_sockets(sockets)
    server = BaseServer(loop, application, http)
    server.start()
    _forget_garbage()
    ready(f"http://{f'[{address}]' if ':' in address else address}:{port}/")
    if stop_after is not None:
        loop.call_later(stop_after, loop.stop)
    try:
        loop.start()
    finally:
        server.stop()
        for job in list(shared.jobs):
            shared.stop(job)
