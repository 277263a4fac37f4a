"""Checks of the sizes that an Arrow file declares, before memory is allocated.

Each compressed buffer begins with its size without compression, which a reader
allocates. A small file may declare any size, so the sizes are added up first. The
buffers themselves are read by pyarrow. The metadata of a message are a FlatBuffers
table, `Message.fbs` in Arrow's specification.
"""

from __future__ import annotations

import struct
from typing import Any

__all__ = ["LARGEST", "message_rows"]

LARGEST = 2**29  # bytes of a record batch or dictionary without compression
_HEADER_TYPE, _HEADER = 1, 2  # fields of Message
_DICTIONARY, _BATCH = 2, 3  # values of the type of its header
_ROWS, _BUFFERS, _COMPRESSION = 0, 2, 3  # fields of RecordBatch
_DATA = 1  # field of DictionaryBatch: its RecordBatch
_PAIR = 16  # bytes of a Buffer: offset and length


class _Table:
    """A table of FlatBuffers; reading beyond the data raises ``struct.error``."""

    def __init__(self, data: memoryview, at: int) -> None:
        self.data, self.at = data, at
        self._fields = at - self._read("<i", at)

    def _read(self, form: str, at: int) -> int:
        if at < 0:
            raise struct.error("an offset is negative")
        return int(struct.unpack_from(form, self.data, at)[0])

    def _place(self, field: int) -> int | None:
        """Return the position of a field; None if it has its default."""
        spot = 4 + 2 * field
        if spot + 2 > self._read("<H", self._fields):
            return None
        skip = self._read("<H", self._fields + spot)
        return self.at + skip if skip else None

    def number(self, field: int, form: str) -> int:
        """Return a number, 0 by default."""
        place = self._place(field)
        return 0 if place is None else self._read(form, place)

    def table(self, field: int) -> _Table | None:
        """Return a table within this one."""
        place = self._place(field)
        if place is None:
            return None
        return _Table(self.data, place + self._read("<I", place))

    def pairs(self, field: int) -> list[tuple[int, int]]:
        """Return a vector of structs of two numbers."""
        place = self._place(field)
        if place is None:
            return []
        begin = place + self._read("<I", place)
        count = self._read("<I", begin)
        if count * _PAIR > len(self.data) - begin - 4:
            raise struct.error("a vector is too long")
        raw = self.data[begin + 4 : begin + 4 + count * _PAIR]
        return list(struct.iter_unpack("<qq", raw))


def message_rows(message: Any) -> int:
    """Return the rows of a message of pyarrow; raise ValueError if it is too large.

    A message that is no record batch has no rows.
    """
    try:
        return _checked(memoryview(message.metadata), message.body)
    except struct.error:
        raise ValueError("the metadata of a record batch are damaged") from None


def _checked(data: memoryview, body: Any) -> int:
    root = _Table(data, struct.unpack_from("<I", data)[0])
    kind, header = root.number(_HEADER_TYPE, "<B"), root.table(_HEADER)
    batch = header
    if kind == _DICTIONARY and header is not None:
        batch = header.table(_DATA)
    if kind not in (_DICTIONARY, _BATCH) or batch is None:
        return 0
    buffers = batch.pairs(_BUFFERS)
    size = 0 if body is None else body.size
    total = 0
    content = memoryview(b"" if body is None else body)
    for offset, length in buffers:
        if offset < 0 or length < 0 or offset + length > size:
            raise ValueError("a buffer must be within its record batch")
        declared = length
        if batch.table(_COMPRESSION) is not None and length >= 8:
            declared = max(struct.unpack_from("<q", content, offset)[0], length)
        total += declared
    if total > LARGEST:
        raise ValueError(
            f"a record batch must not have more than {LARGEST} bytes, got {total}"
        )
    rows = batch.number(_ROWS, "<q")
    if not 0 <= rows <= 8 * total:  # no column has less than a bit for a row
        raise ValueError(f"a record batch of {total} bytes must not have {rows} rows")
    return 0 if kind == _DICTIONARY else rows
