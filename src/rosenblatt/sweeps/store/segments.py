"""Segments: the files of records in a store, read also while they grow."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rosenblatt.sweeps.store.records import HEADER, Damage, RecordRange, scan

__all__ = ["ENDING", "DamagedRange", "Segments", "StoredRecord"]

ENDING = ".records"
_WINDOW = 1 << 23  # bytes read at a time, more only where one record is larger


class StoredRecord(NamedTuple):
    """A whole record: the key of an item, its result, and its position."""

    key: bytes
    body: memoryview
    segment: str
    start: int


class DamagedRange(NamedTuple):
    """Byte range of a damaged or incomplete record."""

    segment: str
    start: int
    stop: int
    cut: bool


class Segments:
    """The segments of a folder, each read up to its last whole record."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[str, int] = {}
        self.damaged: list[DamagedRange] = []
        self._incomplete: dict[str, DamagedRange] = {}

    def _names(self) -> list[tuple[str, int]]:
        """Return all segments and their lengths; other files are ignored."""
        try:
            with os.scandir(self.folder) as entries:
                files = [e for e in entries if e.name.endswith(ENDING) and e.is_file()]
        except FileNotFoundError:
            return []
        found = []
        for file in files:
            with contextlib.suppress(FileNotFoundError):  # gone since
                found.append((file.name, file.stat().st_size))
        return sorted(found)

    def new_records(self, skip: str | None = None) -> Iterator[StoredRecord]:
        """Yield the records since the last call.

        An incomplete record at the end is read again at the next call.
        """
        for name, size in self._names():
            if name == skip:
                continue
            if size > self._read.get(name, 0):
                yield from self._segment(name, size)

    def _segment(self, name: str, size: int) -> Iterator[StoredRecord]:
        at, window = self._read.get(name, 0), _WINDOW
        self._incomplete.pop(name, None)
        with open(self.folder / name, "rb") as file:
            while at < size:
                file.seek(at)
                data = file.read(min(window, size - at))
                last = at + len(data) >= size or not data
                end, tail = at, None
                for piece in scan(data):
                    start, stop = at + piece.start, at + piece.stop
                    if isinstance(piece, RecordRange):
                        if tail is not None:  # bytes between two records
                            self.damaged.append(tail)
                        end, tail = stop, None
                        body = memoryview(data)[piece.start + HEADER : piece.stop]
                        yield StoredRecord(piece.key, body, name, start + HEADER)
                    elif isinstance(piece, Damage):
                        begun = tail.start if tail else start
                        tail = DamagedRange(name, begun, stop, piece.cut)
                if last:
                    if tail is not None:
                        self._incomplete[name] = tail
                    self._read[name] = end
                    return
                window = _WINDOW if end > at else 2 * window
                at = end
                self._read[name] = end

    @property
    def incomplete(self) -> list[DamagedRange]:
        """Ends of segments that are no whole record, or not yet."""
        return list(self._incomplete.values())
