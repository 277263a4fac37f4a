"""Records: stored results as bytes, with digests that reveal damage.

A record is a header (mark, length, key of the item, digest of the body, digest of all
that) and a body. A reader that meets anything else looks for the next mark, so that a
damaged record costs that record only.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from typing import NamedTuple

from rosenblatt.system.digests import SIZE

__all__ = ["HEADER", "Damage", "RecordRange", "read_record", "record", "scan"]

_MARK = b"\x93RB1"  # no text begins like this, and few numbers
_HEAD = struct.Struct(f"<4sQ{SIZE}s{SIZE}s")
_CHECK = 8  # bytes of the digest of a header
HEADER = _HEAD.size + _CHECK


class RecordRange(NamedTuple):
    """A whole record, from ``start`` to ``stop``."""

    key: bytes
    start: int
    stop: int


class Damage(NamedTuple):
    """Byte range of a damaged record."""

    start: int
    stop: int
    cut: bool  # whether it is the beginning of a record at the end of the file


def _digest(data: bytes | memoryview, size: int) -> bytes:
    return hashlib.blake2b(data, digest_size=size).digest()


def record(key: bytes, body: bytes) -> bytes:
    """Return a result as a record.

    Examples
    --------
    >>> data = record(b"k" * 16, b"result")
    >>> [found.stop == len(data) for found in scan(data)]
    [True]
    >>> [type(found).__name__ for found in scan(data[:-1])]
    ['Damage']
    """
    head = _HEAD.pack(_MARK, len(body), key, _digest(body, SIZE))
    return head + _digest(head, _CHECK) + body


def _header(data: memoryview, at: int) -> tuple[int, bytes, bytes] | None:
    """Return length, key and digest, if there is a header."""
    head = data[at : at + _HEAD.size]
    if len(data) - at < HEADER or head[:4] != _MARK:
        return None
    if _digest(head, _CHECK) != data[at + _HEAD.size : at + HEADER]:
        return None
    _, length, key, digest = _HEAD.unpack(head)
    return length, key, digest


def scan(data: bytes) -> Iterator[RecordRange | Damage]:
    """Yield records and damaged ranges in order; together they are all bytes."""
    view, at, bad = memoryview(data), 0, -1  # where bytes of no record began
    while at < len(data):
        head = _header(view, at)
        whole = head is not None and at + HEADER + head[0] <= len(data)
        if head is not None and whole:
            stop = at + HEADER + head[0]
            if _digest(view[at + HEADER : stop], SIZE) == head[2]:
                if bad >= 0:
                    yield Damage(bad, at, cut=False)
                    bad = -1
                yield RecordRange(head[1], at, stop)
                at = stop
                continue
        elif head is not None or len(data) - at < HEADER:
            # A good header whose body is not there, or the beginning of a header: still
            # being written, or cut off. More records behind it mean the latter.
            after = data.find(_MARK, at + 1)
            if after < 0:
                if bad >= 0:
                    yield Damage(bad, at, cut=False)
                yield Damage(at, len(data), cut=True)
                return
        bad = at if bad < 0 else bad
        following = data.find(_MARK, at + 1)
        at = len(data) if following < 0 else following
    if bad >= 0:
        yield Damage(bad, len(data), cut=False)


def read_record(data: bytes) -> tuple[bytes, bytes]:
    """Return key and body of one record; raise ValueError if it is damaged."""
    for found in scan(data):
        if isinstance(found, RecordRange) and found.stop == len(data):
            return found.key, data[HEADER:]
    raise ValueError(f"{len(data)} bytes that should be a record are damaged")
