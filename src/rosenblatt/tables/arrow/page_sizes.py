"""Checks of the sizes that a Parquet file declares, before memory is allocated.

A reader allocates what the header of a page declares. A small file may declare two
gibibytes for each column, so all headers of the columns to read are checked first. The
pages themselves are decoded by pyarrow. Its own view of the metadata is of no use here:
it ends the process at some metadata that contradict each other (pyarrow 26).

Footer and headers are structs of Thrift's compact protocol; field numbers are those of
`parquet.thrift` in Parquet's specification.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Collection
from typing import Any, NamedTuple

__all__ = ["LARGEST", "LONGEST_FOOTER", "Group", "check_pages", "row_groups"]

LARGEST = 2**29  # bytes that one page of each column may need together
LONGEST_FOOTER = 2**24  # bytes of metadata; pyarrow needs many times as many
_MAGIC = b"PAR1"
_TAIL = 8  # the length of the footer and the magic number
_DEEPEST = 16  # values within values; the footer has about eight
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_WHOLE = (4, 5, 6)  # of 16, 32 and 64 bits
_DAMAGED = "its metadata or page headers are damaged"


class Group(NamedTuple):
    """A row group, and the byte range of each of its columns."""

    rows: int
    columns: list[tuple[str, int, int]]  # name, begin, stop


class _Thrift:
    """A reader of Thrift data; reading beyond the end raises ValueError."""

    def __init__(self, data: Any, at: int = 0) -> None:
        self.data, self.at = data, at

    def _varint(self) -> int:
        """Return an unsigned number of at most 64 bits."""
        found = 0
        for shift in range(0, 70, 7):
            byte = self._bytes(1)[0]
            found |= (byte & 127) << shift
            if byte < 128:
                return found
        raise ValueError(_DAMAGED)

    def _whole(self) -> int:
        """Return a signed number."""
        coded = self._varint()
        return (coded >> 1) ^ -(coded & 1)

    def _value(self, kind: int, depth: int) -> Any:
        """Return a value: a number, bytes, a list, or a struct."""
        if depth > _DEEPEST:
            raise ValueError(_DAMAGED)
        if kind in _WHOLE:
            return self._whole()
        if kind == _STRUCT:
            return self.struct(depth)
        if kind == _BINARY:
            return self._bytes(self._varint())
        if kind in (_LIST, _SET):
            first = self._bytes(1)[0]
            count = self._varint() if first >> 4 == 15 else first >> 4
            if count > len(self.data) - self.at:
                raise ValueError(_DAMAGED)
            one = _BYTE if first & 15 in (_TRUE, _FALSE) else first & 15
            return [self._value(one, depth + 1) for _ in range(count)]
        if kind in (_BYTE, _DOUBLE):
            return self._bytes(1 if kind == _BYTE else 8)
        if kind in (_TRUE, _FALSE):
            return kind == _TRUE
        raise ValueError(_DAMAGED)

    def _bytes(self, count: int) -> bytes:
        begin, self.at = self.at, self.at + count
        if self.at > len(self.data):
            raise ValueError(_DAMAGED)
        return bytes(self.data[begin : self.at])

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Return the values of a struct by the numbers of its fields."""
        found: dict[int, Any] = {}
        field = 0
        while byte := self._bytes(1)[0]:
            field = field + (byte >> 4) if byte >> 4 else self._whole()
            found[field] = self._value(byte & 15, depth + 1)
        return found


def row_groups(path: str | os.PathLike[str]) -> list[Group]:
    """Return the groups of rows of a Parquet file; raise ValueError if it is damaged.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     row_groups(file.name)
    Traceback (most recent call last):
    ValueError: it does not end as a Parquet file does
    """
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - _TAIL, 0))
        tail = file.read(_TAIL)
        length = int.from_bytes(tail[:4], "little")
        if tail[4:] != _MAGIC or length > size - _TAIL:
            raise ValueError("it does not end as a Parquet file does")
        if length > LONGEST_FOOTER:
            raise ValueError(
                f"its metadata must not have more than {LONGEST_FOOTER} bytes, "
                f"got {length}"
            )
        file.seek(size - _TAIL - length)
        footer = file.read(length)
    try:
        found = [_group(each, size) for each in _Thrift(footer).struct()[4]]
    except (KeyError, TypeError, AttributeError, IndexError):
        raise ValueError(_DAMAGED) from None
    return found


def _group(given: dict[int, Any], size: int) -> Group:
    """Return a row group from its metadata."""
    columns = []
    for chunk in given[1]:
        if 1 in chunk:
            raise ValueError("its columns must not be in other files")
        about = chunk[3]
        begin = min(about[9], about.get(11) or about[9])
        stop = begin + about[7]
        if not 0 <= begin <= stop <= size:
            raise ValueError("its columns must be within the file")
        columns.append((about[3][0].decode(), begin, stop))
    rows = given[3]
    if not isinstance(rows, int) or rows < 0:
        raise ValueError(_DAMAGED)
    return Group(rows, columns)


def check_pages(
    path: str | os.PathLike[str],
    groups: list[Group],
    names: Collection[str] | None = None,
) -> None:
    """Raise ValueError if some columns of a Parquet file need too much memory.

    Parameters
    ----------
    path
        The file.
    groups
        Its groups of rows.
    names
        The columns that will be read; None for all.
    """
    wanted = None if names is None else set(names)
    with (
        open(path, "rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
    ):
        for group in groups:
            need = sum(
                _largest(data, begin, stop)
                for name, begin, stop in group.columns
                if wanted is None or name in wanted
            )
            if need > LARGEST:
                raise ValueError(
                    f"one page of each column must not need more than {LARGEST} bytes, "
                    f"got {need}"
                )


def _largest(data: Any, begin: int, stop: int) -> int:
    """Return the size of the largest page of a column, without compression."""
    here, most = _Thrift(data, begin), 0
    while here.at < stop:
        try:
            header = here.struct()
            unpacked, packed = int(header[2]), int(header[3])
        except (KeyError, TypeError, ValueError):
            raise ValueError(_DAMAGED) from None
        if unpacked < 0 or not 0 <= packed <= len(data) - here.at:
            raise ValueError("a page must be within the file")
        most = max(most, unpacked, packed)
        here.at += packed
    return most
