"""Pages of Parquet's columns: one after the other, as numbers in memory.

Read are columns of numbers without gaps, plain or with a dictionary, packed by Snappy
or not: what writers make of numbers unless they are told otherwise. All else is said to
be unknown, and left to a reader that knows it. Nothing in a file is trusted: no byte
outside of it is looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from rosenblatt.core.files.headers import (
    COMPRESSED,
    COUNT,
    ENCODING,
    KIND,
    LEVELS,
    PACKED,
    SIZE,
    read_header,
)
from rosenblatt.core.files.memory import half_word_at, word_at
from rosenblatt.core.files.snappy import unpacked
from rosenblatt.core.jit import IntArray, inlined, kernel

__all__ = [
    "AT",
    "CURSOR",
    "KNOWN",
    "LEFT",
    "MARGIN",
    "MOST",
    "NEED_ENTRIES",
    "NEED_PAGE",
    "NEED_WORDS",
    "OPTIONAL",
    "PLACE",
    "SNAPPY",
    "STOP",
    "UNKNOWN",
    "open_double",
    "open_single",
]

# A cursor in a column: next page, end, whether there are levels, whether it is packed,
# entries of the dictionary, the numbers that are open: where, and how many; and how
# many there can be in a page.
AT, STOP, OPTIONAL, SNAPPY, KNOWN, PLACE, LEFT, MOST = range(8)
CURSOR = 8
# What may be the matter; of what there is too little room, the header says how much.
UNKNOWN, NEED_PAGE, NEED_WORDS, NEED_ENTRIES = -1, -2, -3, -4
_DENSEST = 64  # Snappy makes at most 64 bytes of three
MARGIN = 8  # bytes after each page that may be read, as part of a word

_DATA, _DICTIONARY, _DATA2 = 0, 2, 3  # kinds of pages in the standard
_PLAIN, _PLAIN_DICTIONARY, _RLE_DICTIONARY = 0, 2, 8  # encodings there


@inlined
def _indices(
    place: int, size: int, count: int, dictionary: Any, known: int, out: Any
) -> bool:
    """Replace indices by entries of the dictionary; return whether all was right.

    Indices are in runs: of one repeated, or of groups of eight, packed bit by bit.
    """
    width = word_at(place, 0) & 255
    if width > 32:
        return False
    stop, at, done = place + size, place + 1, 0
    mask = (1 << width) - 1
    while done < count:
        run, shift = 0, 0
        while True:
            if at >= stop or shift > 35:
                return False
            byte = word_at(at, 0) & 255
            at += 1
            run |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        length = run >> 1
        if run & 1:
            if at + length * width > stop:
                return False
            many = min(8 * length, count - done)
            to = out[done : done + many]
            for k in range(many):
                bit = k * width
                index = (word_at(at + (bit >> 3), 0) >> (bit & 7)) & mask
                if index >= known:
                    return False
                to[k] = dictionary[index]
            at += length * width
        else:
            bytes_ = (width + 7) >> 3
            if at + bytes_ > stop:
                return False
            index = word_at(at, 0) & ((1 << (8 * bytes_)) - 1)
            many = min(length, count - done)
            if index >= known or many == 0:
                return False
            out[done : done + many] = dictionary[index]
            at += bytes_
        done += many
    return True


@inlined
def _open(
    data: Any,
    base: int,
    cursor: IntArray,
    page: Any,
    words: Any,
    dictionary: Any,
    header: IntArray,
) -> int:
    """Open the next page of numbers; return 0, or what is the matter.

    If that is too little room, the cursor stays before the page.
    """
    wide = words.itemsize
    while True:
        body = read_header(data, cursor[AT], cursor[STOP], header)
        count, size, stop = header[COUNT], header[SIZE], body + header[PACKED]
        if body < 0 or min(count, size, header[PACKED]) < 0 or stop > cursor[STOP]:
            return UNKNOWN
        kind = header[KIND]
        dictionaries = kind == _DICTIONARY
        if not (dictionaries or kind in (_DATA, _DATA2)) or count == 0:
            return UNKNOWN
        # Whoever claims more than this has not packed it by Snappy, or not so many.
        if size > _DENSEST * (header[PACKED] + 1) or count > cursor[MOST]:
            return UNKNOWN
        if dictionaries and size != count * wide:
            return UNKNOWN
        encoding = header[ENCODING]
        plain = dictionaries or encoding == _PLAIN
        packed = cursor[SNAPPY] and header[COMPRESSED]
        if dictionaries and count > dictionary.size:
            return NEED_ENTRIES
        if not plain and count > words.size:
            return NEED_WORDS
        if packed and not dictionaries and size + MARGIN > page.size:
            return NEED_PAGE
        levels = header[LEVELS] if kind == _DATA2 else 0
        if levels < 0 or levels > min(size, header[PACKED]):
            return UNKNOWN
        if packed:
            room = dictionary.view(np.uint8) if dictionaries else page
            left = unpacked(data, body + levels, stop, room[: size - levels])
            if left != size - levels:
                return UNKNOWN
            place = room.ctypes.data
        else:
            left = header[PACKED] - levels
            place = base + body + levels
        if cursor[OPTIONAL] and kind == _DATA:
            if left < 4:
                return UNKNOWN
            levels = 4 + half_word_at(place, 0)
            if levels < 4 or levels > left:
                return UNKNOWN
            place += levels
            left -= levels
        cursor[AT] = stop
        if plain:
            if left < count * wide:
                return UNKNOWN
            if not dictionaries:
                cursor[PLACE], cursor[LEFT] = place, count
                return 0
            for k in range(0 if packed else count):
                if wide == 8:
                    dictionary[k] = word_at(place, k)
                else:
                    dictionary[k] = half_word_at(place, k)
            cursor[KNOWN] = count
        elif encoding in (_PLAIN_DICTIONARY, _RLE_DICTIONARY) and cursor[KNOWN]:
            if left < 1 or not _indices(
                place, left, count, dictionary, cursor[KNOWN], words
            ):
                return UNKNOWN
            cursor[PLACE], cursor[LEFT] = words.ctypes.data, count
            return 0
        else:
            return UNKNOWN


def _open_all(
    data: Any,
    cursors: IntArray,
    pages: Any,
    words: Any,
    dictionaries: Any,
    header: IntArray,
) -> Any:
    """Open pages of all columns that have none open; return what is open of all.

    If it is negative, it says what is the matter.
    """
    base = data.ctypes.data
    least = np.int64(2**62)
    for c in range(len(cursors)):
        if cursors[c, LEFT] == 0:
            status = _open(
                data,
                base,
                cursors[c],
                pages[c],
                words[c],
                dictionaries[c],
                header,
            )
            if status < 0:
                return status
        least = min(least, cursors[c, LEFT])
    return least


_bytes = types.Array(types.uint8, 1, "C", readonly=True)


def _for(word: Any) -> tuple[Any, ...]:
    return (
        _bytes,
        types.int64[:, ::1],
        types.uint8[:, ::1],
        word[:, ::1],
        word[:, ::1],
        types.int64[::1],
    )


open_single = kernel(types.int64, *_for(types.int32))(_open_all)
open_double = kernel(types.int64, *_for(types.int64))(_open_all)
