"""Parser of svmlight lines: a label, and ``index:value`` for entries that are not zero.

The kernel parses usual lines: ASCII, decimal numbers, indices that increase. It stops
at any other line, which the caller parses. The kernel converts a number only if that is
exact. Such a number is an integer up to 2**53, times or divided by a power of ten that
double precision holds. The caller converts numbers with more digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import inlined, kernel
from rosenblatt.core.types import FloatArray, IntArray

__all__ = [
    "AT",
    "ENTRIES",
    "LARGEST",
    "LATE",
    "LINE",
    "ROWS",
    "ROW_END",
    "ROW_LABEL",
    "ROW_LINE",
    "STATE",
    "WORDS",
    "parse_lines",
]

# The position: byte and line, and the number of rows, entries, labels and late numbers;
# also the largest index so far.
AT, LINE, ROWS, ENTRIES, WORDS, LATE, LARGEST = range(7)
STATE = 7
ROW_END, ROW_LABEL, ROW_LINE = range(3)  # columns of the table of rows
_EXACT = 2**53  # whole numbers up to this are doubles
_POWERS = 10.0 ** np.arange(23)  # doubles, too
_DIGITS = 18  # that a whole number of 64 bits holds for certain
_INDEX = 9  # digits of an index
_SPACE, _TAB, _NEWLINE, _RETURN, _COMMENT, _COLON = 32, 9, 10, 13, 35, 58
_PLUS, _MINUS, _POINT, _ZERO, _NINE = 43, 45, 46, 48, 57
_EXPONENTS = (69, 101)  # E and e
_NONE, _HERE, _LATER = 0, 1, 2  # no number, one that is found, one that is not yet
_QID = (113, 105, 100, 58)  # "qid:"


@inlined
def _is_end(byte: int) -> bool:
    """Return whether a byte ends a word."""
    return byte in (_SPACE, _TAB, _NEWLINE, _RETURN, _COMMENT)


@inlined
def _is_digit(byte: int) -> bool:
    return _ZERO <= byte <= _NINE


@inlined
def _number(data: Any, at: int, stop: int) -> tuple[float, int, int]:
    """Return the number at ``at``, its end, and one of _NONE, _HERE and _LATER."""
    sign = 1.0
    if at < stop and data[at] in (_PLUS, _MINUS):
        sign = -1.0 if data[at] == _MINUS else 1.0
        at += 1
    power: Any
    whole, seen, power = np.int64(0), 0, 0
    begin, point = at, False
    while at < stop:
        byte = data[at]
        if _is_digit(byte):
            if seen or byte != _ZERO:
                seen += 1
            if seen <= _DIGITS:
                whole = 10 * whole + (np.int64(byte) - _ZERO)
            power -= 1 if point else 0
        elif byte == _POINT and not point:
            point = True
        else:
            break
        at += 1
    if at - begin - (1 if point else 0) < 1:
        return 0.0, at, _NONE
    if at < stop and data[at] in _EXPONENTS:
        at += 1
        down = at < stop and data[at] == _MINUS
        if at < stop and data[at] in (_PLUS, _MINUS):
            at += 1
        given: Any
        begin, given = at, np.int64(0)
        while at < stop and _is_digit(data[at]):
            given = min(10 * given + (np.int64(data[at]) - _ZERO), 10**6)
            at += 1
        if at == begin:
            return 0.0, at, _NONE
        power += -given if down else given
    if whole == 0:
        return 0.0, at, _HERE
    if seen > _DIGITS or whole > _EXACT or power > 22 or power < -22:
        return 1.0, at, _LATER
    if power < 0:
        return sign * (float(whole) / _POWERS[-power]), at, _HERE
    return sign * (float(whole) * _POWERS[power]), at, _HERE


@inlined
def _label(data: Any, begin: int, stop: int, words: IntArray, known: int) -> int:
    """Return the number of a label among the known ones; ``known`` if it is new."""
    size = stop - begin
    for k in range(known):
        if words[k, 1] - words[k, 0] == size:
            same = True
            for i in range(size):
                if data[words[k, 0] + i] != data[begin + i]:
                    same = False
                    break
            if same:
                return k
    return known


@inlined
def _usual(data: Any, at: int) -> tuple[bool, int]:
    """Return whether a line has only usual bytes, and its end."""
    usual = True
    while at < data.size and data[at] != _NEWLINE:
        byte = data[at]
        usual &= byte < 128 and (byte >= _SPACE or byte in (_TAB, _RETURN))
        at += 1
    return usual, at


@inlined
def _word_end(data: Any, at: int, stop: int) -> int:
    """Return the end of the word at ``at``."""
    while at < stop and not _is_end(data[at]):
        at += 1
    return at


@inlined
def _is_query(data: Any, at: int, stop: int) -> bool:
    """Return whether a word begins with ``qid:``."""
    same = stop - at > len(_QID)
    for k in range(len(_QID)):
        same = same and data[at + k] == _QID[k]
    return same


@inlined
def _index(data: Any, at: int, stop: int) -> tuple[int, int]:
    """Return the index before a colon, -1 if there is none, and the next byte."""
    index: Any
    none: Any
    begin, index, none = at, np.int64(0), np.int64(-1)
    while at < stop and _is_digit(data[at]) and at - begin <= _INDEX:
        index = 10 * index + (np.int64(data[at]) - _ZERO)
        at += 1
    size = at - begin
    if size < 1 or size > _INDEX or at == stop or data[at] != _COLON:
        return none, at
    return index, at + 1


@kernel(
    types.boolean,
    types.Array(types.uint8, 1, "C", readonly=True),
    types.int64,
    types.int32[::1],
    types.float64[::1],
    types.int64[:, ::1],
    types.int64[:, ::1],
    types.int64[:, ::1],
    types.int64[::1],
)
def parse_lines(
    data: Any,
    width: int,
    indices: Any,
    values: FloatArray,
    rows: IntArray,
    words: IntArray,
    late: IntArray,
    state: IntArray,
) -> bool:
    """Parse lines from the position in ``state``; return whether all are done.

    Parameters
    ----------
    data
        Whole lines.
    width
        One more than the largest index allowed.
    indices, values
        Receive the entries that are not zero.
    rows
        Receives, for each row, its label among ``words``, its line, and in the next
        row the end of its entries.
    words
        Receives the first and the last byte of each label, once.
    late
        Receives numbers that are not found here: the entry, first and last byte.
    state
        The position. If not all is done, it is before a line that is not usual.
    """
    at, line = state[AT], state[LINE]
    row, entry, known, later = state[ROWS], state[ENTRIES], state[WORDS], state[LATE]
    while at < data.size:
        state[AT], state[LINE], state[ROWS] = at, line, row
        state[ENTRIES], state[WORDS], state[LATE] = entry, known, later
        usual, stop = _usual(data, at)
        if not usual:
            return False
        last, empty = np.int64(-1), True
        while at < stop and data[at] != _COMMENT:
            if _is_end(data[at]):
                at += 1
                continue
            begin = at
            if empty:
                at = _word_end(data, begin, stop)
                code = _label(data, begin, at, words, known)
                if code == known:
                    if known == len(words):
                        return False
                    words[known, 0], words[known, 1] = begin, at
                    known += 1
                rows[row, ROW_LABEL], rows[row, ROW_LINE] = code, line
                empty = False
                continue
            if _is_query(data, at, stop):
                at = _word_end(data, at, stop)
                continue
            index, begin = _index(data, at, stop)
            if index <= last or index >= width:  # or there is none
                return False
            last = index
            value, at, kind = _number(data, begin, stop)
            if kind == _NONE or (at < stop and not _is_end(data[at])):
                return False
            if kind == _LATER:
                late[later, 0], late[later, 1], late[later, 2] = entry, begin, at
                later += 1
            if value != 0.0:
                indices[entry], values[entry] = index, value
                entry += 1
        if not empty:
            row += 1
            rows[row, ROW_END] = entry
            state[LARGEST] = max(state[LARGEST], last)
        at, line = stop + 1, line + 1
    state[AT], state[LINE], state[ROWS] = at, line, row
    state[ENTRIES], state[WORDS], state[LATE] = entry, known, later
    return True
