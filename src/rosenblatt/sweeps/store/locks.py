"""ItemLocks on items, where several sweeps share a store.

A claim is a lock on one byte of a file, at an offset made from the key of the item. The
system takes it back when the process ends, however it ends; there is no time after
which a claim is too old, and no clock. Where there are no such locks (on other systems
than Linux, and on file systems without them) nobody is kept from anything: two sweeps
at once may then compute an item twice, and one of the equal results is used.
"""

from __future__ import annotations

import errno
import os
import struct
import warnings
from pathlib import Path
from typing import Any

from rosenblatt.system.digests import joined

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["ItemLocks"]

# Locks that belong to the open file and not to the process: two sweeps in threads of
# one process keep each other off too, and closing another handle takes no lock away.
_SET: Any = getattr(fcntl, "F_OFD_SETLK", None)
_BYTES = 1 << 61  # where claims of items end, and those of files that grow begin
_HELD = (errno.EACCES, errno.EAGAIN)


class ItemLocks:
    """The claims of one sweep."""

    def __init__(self, path: Path) -> None:
        self._handle: int | None = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        self._works = _SET is not None

    def _ask(self, kind: int, offset: int) -> bool:
        """Take or give back the lock on a byte; return whether that could be done."""
        if not self._works or self._handle is None:
            return True
        # struct flock: type, whence, start, length, process (0 for this sort of lock)
        wanted = struct.pack("hhqqi4x", kind, os.SEEK_SET, offset, 1, 0)
        try:
            fcntl.fcntl(self._handle, _SET, wanted)
        except OSError as failure:
            if failure.errno in _HELD:
                return False
            self._works = False
            warnings.warn(
                "the file system of the store has no locks "
                f"({failure.strerror}): sweeps that share it at the same time may "
                "compute the same item twice",
                stacklevel=2,
            )
        return True

    def acquire(self, key: bytes) -> bool:
        """Claim an item; False if another sweep computes it."""
        return self._ask(fcntl.F_WRLCK if fcntl else 0, _offset(key))

    def release(self, key: bytes) -> None:
        """End a claim."""
        self._ask(fcntl.F_UNLCK if fcntl else 0, _offset(key))

    def mark_writing(self, segment: str) -> None:
        """Say that this sweep writes a file, until it ends."""
        self._ask(fcntl.F_WRLCK if fcntl else 0, _BYTES + _offset(segment.encode()))

    def is_writing(self, segment: str) -> bool:
        """Return whether somebody writes a file."""
        offset = _BYTES + _offset(segment.encode())
        if not self._ask(fcntl.F_WRLCK if fcntl else 0, offset):
            return True
        self._ask(fcntl.F_UNLCK if fcntl else 0, offset)
        return False

    def close(self) -> None:
        """Give everything back; a forked process calls this for its copy."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _offset(key: bytes) -> int:
    return int.from_bytes(joined(key)[:8], "little") % _BYTES
