"""The server: one process on this machine, a session for every visitor."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any

from rosenblatt.system.extras import missing

try:
    from bokeh.application import Application
    from bokeh.application.handlers.function import FunctionHandler
    from bokeh.protocol.exceptions import ProtocolError
    from bokeh.server.server import BaseServer
    from bokeh.server.util import bind_sockets
    from tornado.httpserver import HTTPServer
    from tornado.ioloop import IOLoop
except ImportError as failure:
    raise missing("bokeh", "the laboratory") from failure

from rosenblatt.lab.access import LOOPBACK, Access, Guarded, loopback
from rosenblatt.lab.data import learner
from rosenblatt.lab.downloads import Downloads, Handler
from rosenblatt.lab.jobs.process import JobProcess, run_in_process, start_fork_server
from rosenblatt.lab.jobs.scheduler import JobScheduler
from rosenblatt.lab.page import Visitor
from rosenblatt.lab.state import offer
from rosenblatt.system.threads import core_count

__all__ = ["loopback", "serve"]

_REQUEST = 2**13  # bytes of a request: pages are asked for, and nothing is posted
_MESSAGE = 2**20  # bytes that a browser may send at once: a small file fits
_UNUSED = 15_000  # milliseconds that a page is kept after its browser has gone


class _Learners:
    """Compilation of the learners of the second tab, in the background."""

    def __init__(self) -> None:
        self.ready = False
        threading.Thread(target=self._prepare, daemon=True).start()

    def _prepare(self) -> None:
        # in another process first: compiling here would stop the server
        run_in_process(learner.compile_all)
        learner.compile_all()
        _forget_garbage()
        self.ready = True


def _forget_garbage() -> None:
    """Exclude all that is loaded now from the search for garbage.

    Bokeh searches when a session ends. Among all modules that takes half a second, in
    which other visitors wait; among new objects milliseconds.
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
    address: str = LOOPBACK,
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
    # that a visitor has left is no news
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
    learners, downloads = _Learners(), Downloads()
    # Twice as many as cores: a long piece of work does not hold up the short ones, and
    # the system divides the time.
    scheduler = JobScheduler(JobProcess, slots=2 * core_count())

    def open_page(document: Any) -> None:
        Visitor(document, scheduler, downloads, lambda: learners.ready)

    application = Guarded(
        Access(address, port),
        {"/": Application(FunctionHandler(open_page))},
        extra_patterns=[
            (r"/download/([\w-]+)/([\w.]+)", Handler, {"downloads": downloads})
        ],
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
    host = f"[{address}]" if ":" in address else address
    _forget_garbage()
    ready(f"http://{host}:{port}/")
    if stop_after is not None:
        loop.call_later(stop_after, loop.stop)
    try:
        loop.start()
    finally:
        server.stop()
        scheduler.close()
