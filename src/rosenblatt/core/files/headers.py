"""Headers of Parquet's pages, in Thrift's compact protocol.

A structure is fields: a byte with the distance to the number of the field before it and
with the type, then the value. Only what a page needs is kept; what else there is, such
as statistics, is passed over.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.core.jit import IntArray, inlined

__all__ = [
    "COMPRESSED",
    "COUNT",
    "ENCODING",
    "FIELDS",
    "KIND",
    "LEVELS",
    "PACKED",
    "SIZE",
    "read_header",
]

# Where a header is kept.
KIND, SIZE, PACKED, COUNT, ENCODING, LEVELS, COMPRESSED = range(7)
FIELDS = 7

# Numbers of fields of the structure PageHeader, as the standard of Parquet has them.
_KIND, _SIZE, _PACKED = 1, 2, 3
_DATA, _DICTIONARY, _DATA2 = 5, 7, 8  # structures within it
# Of these: number of values and encoding; of the latter also bytes of levels.
_COUNT, _ENCODING, _ENCODING2, _LEVELS1, _LEVELS2, _COMPRESSED2 = 1, 2, 4, 5, 6, 7
# Types of Thrift's compact protocol.
_TRUE, _FALSE, _BYTE, _INT64, _DOUBLE, _BINARY, _STRUCTURE = 1, 2, 3, 6, 7, 8, 12
_DEEPEST = 4


@inlined
def _varint(data: Any, at: int, stop: int) -> tuple[int, int]:
    """Return a number of as many bytes as it needs, and where it ends or -1."""
    value: Any
    value, shift = 0, 0
    while at < stop and shift < 63:
        byte = np.int64(data[at])
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    return 0, -1


@inlined
def _keep(found: IntArray, depth: int, inside: int, field: int, value: int) -> None:
    """Keep a number, if it is one of those that are wanted."""
    if depth == 0:
        if field == _KIND:
            found[KIND] = value
        elif field == _SIZE:
            found[SIZE] = value
        elif field == _PACKED:
            found[PACKED] = value
    elif depth == 1 and inside in (_DATA, _DICTIONARY, _DATA2):
        second = inside == _DATA2
        if field == _COUNT:
            found[COUNT] = value
        elif field == (_ENCODING2 if second else _ENCODING):
            found[ENCODING] = value
        elif second and field in (_LEVELS1, _LEVELS2):
            found[LEVELS] += value
        elif second and field == _COMPRESSED2:
            found[COMPRESSED] = value


@inlined
def read_header(data: Any, at: int, stop: int, found: IntArray) -> int:
    """Read the header at ``at``; return where it ends, or -1 if it is none."""
    found[:] = 0
    found[COMPRESSED] = 1
    last = np.zeros(_DEEPEST, np.int64)
    depth = 0
    while at < stop:
        byte = np.int64(data[at])
        at += 1
        if byte == 0:
            depth -= 1
            if depth < 0:
                return at
            continue
        kind = byte & 15
        if byte >> 4:
            last[depth] += byte >> 4
        else:
            number, at = _varint(data, at, stop)
            if at < 0:
                return -1
            last[depth] = number >> 1
        field = last[depth]
        inside = last[depth - 1] if depth else 0
        if kind in (_TRUE, _FALSE):
            _keep(found, depth, inside, field, 1 if kind == _TRUE else 0)
        elif kind == _BYTE:
            at += 1
        elif _BYTE < kind <= _INT64:
            number, at = _varint(data, at, stop)
            if at < 0:
                return -1
            _keep(found, depth, inside, field, (number >> 1) ^ -(number & 1))
        elif kind == _DOUBLE:
            at += 8
        elif kind == _BINARY:
            number, at = _varint(data, at, stop)
            if at < 0 or number < 0 or number > stop - at:
                return -1
            at += number
        elif kind == _STRUCTURE and depth + 1 < _DEEPEST:
            depth += 1
            last[depth] = 0
        else:
            return -1
    return -1
