"""Locks on items, for sweeps that share a store.

A lock is on one byte of a file, at an offset made from the key of the item. The system
releases it when the process ends, however it ends, so locks need no clock. Systems
other than Linux, and some file systems, have no such locks. Two sweeps at once may then
compute an item twice, and one of the equal results is used.
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

# Locks of the open file, not of the process: they exclude sweeps in other threads too,
# and closing another handle releases none.
_SET: Any = getattr(fcntl, "F_OFD_SETLK", None)
_BYTES = 1 << 61  # offsets of items; those of files begin there
_HELD = (errno.EACCES, errno.EAGAIN)


class ItemLocks:
    """Locks of one sweep."""

    def __init__(self, path: Path) -> None:
        self._handle: int | None = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        self._works = _SET is not None

    def _ask(self, kind: int, offset: int) -> bool:
        """Acquire or release the lock on a byte; return False if another has it."""
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
        """Lock an item; return False if another sweep computes it."""
        return self._ask(fcntl.F_WRLCK if fcntl else 0, _offset(key))

    def release(self, key: bytes) -> None:
        """Unlock an item."""
        self._ask(fcntl.F_UNLCK if fcntl else 0, _offset(key))

    def mark_writing(self, segment: str) -> None:
        """Mark a file as written by this sweep, until it ends."""
        self._ask(fcntl.F_WRLCK if fcntl else 0, _BYTES + _offset(segment.encode()))

    def is_writing(self, segment: str) -> bool:
        """Return whether a sweep writes a file."""
        offset = _BYTES + _offset(segment.encode())
        if not self._ask(fcntl.F_WRLCK if fcntl else 0, offset):
            return True
        self._ask(fcntl.F_UNLCK if fcntl else 0, offset)
        return False

    def close(self) -> None:
        """Release all locks; a forked process calls this for its copy."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _offset(key: bytes) -> int:
    return int.from_bytes(joined(key)[:8], "little") % _BYTES
