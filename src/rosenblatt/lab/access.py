"""Access control: every request is checked before it is answered.

A page of another site can make a browser send requests here. Its own name may even
resolve to this machine (DNS rebinding). Such requests carry that name as ``Host``, or
the address of that page as ``Origin``, which browsers do not let pages change.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from typing import Any

from bokeh.server.tornado import BokehTornado
from bokeh.util.token import generate_secret_key
from tornado.httputil import HTTPHeaders, HTTPServerRequest
from tornado.web import OutputTransform, RequestHandler

__all__ = ["LOOPBACK", "Access", "Guarded", "loopback"]

LOOPBACK = "127.0.0.1"
_ANY = ("0.0.0.0", "::")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::([0-9]{1,5}))?", re.IGNORECASE)
_SCHEMES = {"http": 80, "https": 443}
# By these a visitor would choose a session, perhaps that of somebody else.
_SESSION = ("bokeh-session-id", "bokeh-token")


def loopback(address: str) -> bool:
    """Return whether only this machine can connect to an address.

    Examples
    --------
    >>> loopback("127.0.0.1"), loopback("0.0.0.0"), loopback("example.org")
    (True, False, False)
    """
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _numeric(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _split(host: str, port: int) -> tuple[str, int] | None:
    """Return the name and the port of a host; the port given is the default."""
    found = _HOST.fullmatch(host)
    if found is None:
        return None
    return found[1].strip("[]").lower(), int(found[2] or port)


@dataclass(frozen=True)
class Access:
    """The address that is served.

    Examples
    --------
    >>> access = Access("127.0.0.1", 5006)
    >>> access.serves("localhost:5006"), access.serves("example.org:5006")
    (True, False)
    """

    address: str
    port: int

    @property
    def names(self) -> tuple[str, ...]:
        """Names of this server; on all addresses also any address as a number."""
        if loopback(self.address):
            return tuple(dict.fromkeys((self.address.lower(), "localhost", LOOPBACK)))
        if self.address in _ANY:
            own = socket.gethostname().lower()
            return ("localhost", own, f"{own}.local", socket.getfqdn().lower())
        return (self.address.lower(),)

    def serves(self, host: str, default: int = 80) -> bool:
        """Return whether a host, with its port, is this server."""
        found = _split(host, default)
        if found is None or found[1] != self.port:
            return False
        # A number is no name, so that nobody can make it resolve to another machine.
        return found[0] in self.names or (self.address in _ANY and _numeric(found[0]))

    def origin(self, origin: str) -> bool:
        """Return whether a page of this origin is one of this server."""
        scheme, mark, host = origin.partition("://")
        default = _SCHEMES.get(scheme)
        return bool(mark) and default is not None and self.serves(host, default)

    def refusal(self, request: HTTPServerRequest) -> str | None:
        """Return why a request is refused, if it is."""
        hosts = request.headers.get_list("Host")
        if len(hosts) != 1 or not self.serves(hosts[0]):
            return "This server has another name."
        if not all(map(self.origin, request.headers.get_list("Origin"))):
            return "Pages of other servers may not use this one."
        chosen = any(name in request.arguments for name in _SESSION)
        if chosen or "Bokeh-Session-Id" in request.headers:
            return "Sessions cannot be chosen."
        if request.headers.get("Sec-Fetch-Site") == "cross-site":
            followed = request.headers.get("Sec-Fetch-User") == "?1"
            if not (followed and request.headers.get("Sec-Fetch-Dest") == "document"):
                return "Pages of other servers may only link to this one."
        return None


class _Refusal(RequestHandler):
    """Answers every request with a refusal."""

    def initialize(self, words: str) -> None:
        self._words = words

    def prepare(self) -> None:
        self.set_status(403)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(self._words + "\n")


class _Headers(OutputTransform):
    """Headers that keep browsers from sending addresses elsewhere."""

    def transform_first_chunk(
        self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool
    ) -> tuple[int, HTTPHeaders, bytes]:
        headers["Referrer-Policy"] = "no-referrer"
        headers["X-Content-Type-Options"] = "nosniff"
        headers["X-Frame-Options"] = "DENY"
        return status_code, headers, chunk


class Guarded(BokehTornado):  # type: ignore[misc]
    """The application of Bokeh behind checks of every request.

    Sessions have names that only this server can make.
    """

    def __init__(self, access: Access, applications: Any, **more: Any) -> None:
        self._access = access
        super().__init__(
            applications,
            secret_key=generate_secret_key().encode(),
            sign_sessions=True,
            generate_session_ids=True,
            # Of all addresses the checks here are stricter than those of Bokeh.
            extra_websocket_origins=[
                f"{'*' if access.address in _ANY else _bracketed(name)}:{access.port}"
                for name in access.names
            ],
            **more,
        )
        self.add_transform(_Headers)

    def find_handler(self, request: HTTPServerRequest, **more: Any) -> Any:
        """Return the handler of a request."""
        words = self._access.refusal(request)
        if words is not None:
            return self.get_handler_delegate(request, _Refusal, {"words": words})
        return super().find_handler(request, **more)


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name
