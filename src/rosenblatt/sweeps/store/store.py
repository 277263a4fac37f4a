"""Result store: a folder, and the one segment that a sweep writes in it.

Every sweep that runs appends to a file of its own, ``records/*.records``; all read the
files of all. A record has left the process when :meth:`Store.append` returns, and so
survives the end of the process. It is on the disk after :meth:`Store.sync`, which the
coordinator calls every second, and so survives a crash of the machine.
"""

from __future__ import annotations

import errno
import os
import uuid
from collections.abc import Iterator
from pathlib import Path

from rosenblatt.sweeps.store.locks import ItemLocks
from rosenblatt.sweeps.store.segments import (
    ENDING,
    DamagedRange,
    Segments,
    StoredRecord,
)
from rosenblatt.system.atomic_files import write_whole

__all__ = ["Store", "StoreError", "check_format"]

_sync = getattr(os, "fdatasync", os.fsync)  # without dates, where that exists
_FORMAT = "rosenblatt sweep store, format 1\n"  # a test asks for another number
_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the quota is used up",
    errno.EFBIG: "the file may not grow any more",
    errno.EROFS: "it is read-only",
    errno.EACCES: "you may not write there",
    errno.EPERM: "you may not write there",
}


class StoreError(OSError):
    """Error of a store that cannot be used; the message says what to do."""


def _write_error(folder: Path, failure: OSError) -> StoreError:
    reason = _REASONS.get(failure.errno or 0, str(failure))
    return StoreError(f"the store {str(folder)!r} cannot be written: {reason}")


def check_format(folder: Path) -> None:
    """Raise StoreError for a store of another format, or another folder."""
    try:
        with open(folder / "FORMAT", "rb") as file:
            found = file.read(2 * len(_FORMAT))
    except OSError:
        raise StoreError(
            f"store must be the folder of a sweep, got {str(folder)!r}"
        ) from None
    if found != _FORMAT.encode():
        raise StoreError(
            f"the store {str(folder)!r} must be of the form {_FORMAT.strip()!r}, "
            f"got {found.decode('ascii', 'replace').strip()!r}"
        )


def _sync_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk, where folders can be opened."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Store:
    """A folder of results, open for one sweep."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.records = folder / "records"
        self.segments = Segments(self.records)
        self._name = f"{uuid.uuid4().hex}{ENDING}"  # of no clock, which may be wrong
        self._file: int | None = None
        self._length = 0
        self._unsynced = False
        try:
            self.records.mkdir(parents=True, exist_ok=True)
            if not (folder / "FORMAT").exists():
                write_whole(folder / "FORMAT", _FORMAT.encode())
            self.locks = ItemLocks(folder / "claims")
        except OSError as failure:
            raise _write_error(folder, failure) from failure
        check_format(folder)

    def new_records(self) -> Iterator[StoredRecord]:
        """Yield the records of other sweeps since the last call; at first, all."""
        return self.segments.new_records(skip=self._name)

    def write(self, path: Path, data: bytes) -> None:
        """Write a file of the store, whole or not at all."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, data)
        except OSError as failure:
            raise _write_error(self.folder, failure) from failure

    def append(self, data: bytes) -> None:
        """Append a record; if that fails, the file is unchanged."""
        try:
            if self._file is None:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
                self._file = os.open(self.records / self._name, flags, 0o644)
                self.locks.mark_writing(self._name)
                _sync_folder(self.records)
            written, left = 0, memoryview(data)
            try:
                while written < len(data):
                    written += os.write(self._file, left[written:])
            except OSError:
                os.ftruncate(self._file, self._length)
                raise
        except OSError as failure:
            raise _write_error(self.folder, failure) from failure
        self._length += len(data)
        self._unsynced = True

    def sync(self) -> None:
        """Flush records to the disk; raise StoreError if their file is deleted."""
        if self._file is not None and os.fstat(self._file).st_nlink == 0:
            raise StoreError(
                f"the store {str(self.folder)!r} was deleted during the sweep"
            )
        if self._file is not None and self._unsynced:
            try:
                _sync(self._file)
            except OSError as failure:  # a disk that turns out to be full only now
                raise _write_error(self.folder, failure) from failure
            self._unsynced = False

    def new_damage(self) -> list[DamagedRange]:
        """Return damaged ranges that were not reported before.

        A range that another sweep is writing is not reported. Damaged bytes stay where
        they are: a sweep changes its own files only.
        """
        dead = [
            t for t in self.segments.incomplete if not self.locks.is_writing(t.segment)
        ]
        path = self.folder / "damages"
        reported = path.read_bytes() if path.exists() else b""
        known = reported.decode(
            "ascii", "replace"
        ).splitlines()  # may be damaged itself
        found = {" ".join(map(str, d)): d for d in self.segments.damaged + dead}
        new = {line: damage for line, damage in found.items() if line not in known}
        if new:
            self.write(path, "".join(f"{line}\n" for line in [*known, *new]).encode())
        return list(new.values())

    def close(self) -> None:
        """Close all files."""
        self.locks.close()
        if self._file is not None:
            os.close(self._file)
            self._file = None
