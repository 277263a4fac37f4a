"""Conversion between tables of numbers and packed bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from rosenblatt.bits.container import WORD, Bits, words_for
from rosenblatt.compiling import types
from rosenblatt.compiling.jit import kernel
from rosenblatt.compiling.vector.comparing import equal
from rosenblatt.core.sparse import check_sparse
from rosenblatt.core.types import Words

__all__ = ["pack", "packed", "unpack"]

_U = np.uint64
_WANTED = "X must be from {-1, 1} or from {0, 1}"
_BLOCK = 2**18  # entries at a time, so that what is made of them stays in the cache


def packed(high: npt.NDArray[np.bool_]) -> Words:
    """Return rows of booleans as words.

    Examples
    --------
    >>> packed(np.array([[True, False, True]]))
    array([[5]], dtype=uint64)
    """
    rows, columns = high.shape
    out = np.zeros((rows, words_for(columns)), np.uint64)
    found = np.packbits(high, axis=1, bitorder="little")
    out.view(np.uint8)[:, : found.shape[1]] = found
    return out


def _no_number(table: npt.NDArray[Any]) -> Exception:
    """Return an error that names the first of some objects that is no number."""
    for place, value in np.ndenumerate(table):
        where = f"X[{', '.join(map(str, place))}]"
        try:
            float(value)
        except (TypeError, ValueError):
            # pandas cannot say whether what is missing equals itself, or denies it
            same = value == value
            known = isinstance(same, bool | np.bool_) and bool(same)
            if value is None or not known:
                return ValueError(f"{_WANTED}, got {where} = {value}")
            return TypeError(f"X must be numbers, got {where} = {value!r}")
    return TypeError("X must be numbers, got an array of objects that are none")


def _table(given: Any) -> Any:
    """Return a table of numbers: an array, or a sparse one that has rows."""
    rows: Any = given
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        place = np.argwhere(np.ma.getmaskarray(given))[0]
        where = ", ".join(map(str, place))
        raise ValueError(f"{_WANTED}, got X[{where}], which is masked")
    if sparse.issparse(given):
        check_sparse(given)
        table = rows.tocsr()
    else:
        table = np.asarray(given)
    if table.dtype == object:  # frames whose columns have more than one type
        try:
            table = table.astype(np.float64)
        except (TypeError, ValueError):
            raise _no_number(table) from None
    if table.ndim != 2:
        raise ValueError(
            f"X must have two dimensions, rows and columns, got shape {table.shape}"
        )
    if table.dtype.kind not in "iufb":
        raise TypeError(f"X must be numbers or booleans, got type {table.dtype}")
    return table


def _scan(
    values: npt.NDArray[Any], columns: int, out: Words, seen: npt.NDArray[np.bool_]
) -> int:
    """Pack rows and note whether -1 and 0 occur; return the first row with others.

    There must be 64 values or more; those beyond the last row are not looked at.
    """
    kind = values.dtype.type
    one, zero, minus = kind(1), kind(0), kind(-1)
    rows, width = out.shape
    end = values.size - WORD
    any_minus, any_zero = _U(0), _U(0)
    for i in range(rows):
        others = _U(0)
        for k in range(width):
            # 64 values from here; at the end of the memory, the last 64 of all
            place = i * columns + WORD * k
            start = min(place, end)
            shift = _U(place - start)
            rest = min(WORD, columns - WORD * k)
            used = ~_U(0) >> _U(WORD - rest)
            high = (equal(values, _U(start), one) >> shift) & used
            lows = (equal(values, _U(start), minus) >> shift) & used
            nones = (equal(values, _U(start), zero) >> shift) & used
            out[i, k] = high
            others |= used ^ (high | lows | nones)
            any_minus |= lows
            any_zero |= nones
        if others != _U(0):
            return i
    seen[0] |= any_minus != _U(0)
    seen[1] |= any_zero != _U(0)
    return -1


def _scanning(kind: Any) -> Any:
    """Return the loop for one type of numbers."""
    return kernel(
        types.int64,
        types.Array(kind, 1, "C", readonly=True),
        types.int64,
        types.uint64[:, ::1],
        types.boolean[::1],
    )(_scan)


_SCANS = {
    np.dtype(kind): _scanning(getattr(types, kind))
    for kind in ("int8", "int64", "float32", "float64")
}


def _known(block: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the same levels in a type that loops are compiled for."""
    if block.dtype == bool:
        return block.view(np.int8)
    if block.dtype in _SCANS:
        return block
    other = np.int8(2)  # stands for all that is no level
    result = np.full(block.shape, other)
    for level in (-1, 0, 1):
        result[block == level] = level
    return result


def _raise_wrong_level(
    table: npt.NDArray[Any], first: int, seen: tuple[bool, bool]
) -> None:
    """Raise ValueError for the first entry that is neither high nor low.

    ``seen`` says whether -1 and 0 occurred in the rows before.
    """
    low = -1 if seen[0] or (not seen[1] and -1 in table) else 0
    row, column = np.argwhere((table != 1) & (table != low))[0]
    value = table[row, column]
    also = f" beside {low}" if value in (-1, 0) else ""
    raise ValueError(f"{_WANTED}, got X[{first + row}, {column}] = {value}{also}")


def pack(X: Any) -> Bits:
    """Pack a table with two levels, 64 columns to a word.

    Parameters
    ----------
    X
        Numbers or booleans, one example a row: an array of any type and order, a list,
        a frame, or a sparse matrix. Either all are -1 or 1, or all are 0 or 1; what is
        above 0 is high. Missing and masked entries are errors.

    Returns
    -------
    Bits
        A table of the same shape, with 8 bytes for 64 columns.

    Examples
    --------
    >>> pack([[1, -1, 1], [-1, -1, 1]])
    Bits(2 rows, 3 columns)
    >>> pack([[1, 0, 1], [0, 0, 1]]) == pack([[1, -1, 1], [-1, -1, 1]])
    True
    >>> pack([[1.0, 0.5]])
    Traceback (most recent call last):
    ValueError: X must be from {-1, 1} or from {0, 1}, got X[0, 1] = 0.5
    """
    table = _table(X)
    rows, columns = table.shape
    out = np.zeros((rows, words_for(columns)), np.uint64)
    seen = np.zeros(2, bool)
    step = max(1, _BLOCK // max(columns, 1))
    for first in range(0, rows if columns else 0, step):
        before = bool(seen[0]), bool(seen[1])
        block = table[first : first + step]
        block = block if isinstance(block, np.ndarray) else block.toarray()
        block = np.ascontiguousarray(block)
        known = _known(block).reshape(-1)
        if known.size < WORD:
            known = np.resize(known, WORD)
        bad = _SCANS[known.dtype](known, columns, out[first : first + step], seen)
        if bad >= 0 or seen.all():
            _raise_wrong_level(block, first, before)
    return Bits.trusted(out, columns)


def unpack(
    bits: Bits, dtype: npt.DTypeLike = np.int8, *, low: int = -1
) -> npt.NDArray[Any]:
    """Convert bits to numbers: the inverse of :func:`pack`.

    Parameters
    ----------
    bits
        A table with two levels.
    dtype
        Type of the numbers.
    low
        Number for low entries, -1 or 0; high entries become 1.

    Examples
    --------
    >>> unpack(pack([[1, -1, 1]]))
    array([[ 1, -1,  1]], dtype=int8)
    >>> unpack(pack([[1, -1, 1]]), float, low=0)
    array([[1., 0., 1.]])
    """
    if not isinstance(bits, Bits):
        raise TypeError(f"bits must be Bits, such as pack(X) returns, got {bits!r}")
    if low not in (-1, 0):
        raise ValueError(f"low must be -1 or 0, got {low!r}")
    kind = np.dtype(dtype)
    if kind.kind not in "iuf" or (kind.kind == "u" and low):
        raise TypeError(f"dtype must be numbers that can be {low} and 1, got {kind}")
    rows, columns = bits.shape
    out = np.empty((rows, columns), kind)
    step = max(1, _BLOCK // max(columns, 1))
    for first in range(0, rows if columns else 0, step):
        bytes_ = bits.words[first : first + step].view(np.uint8)
        ones = np.unpackbits(bytes_, axis=1, count=columns, bitorder="little")
        block = out[first : first + step]
        if low:
            np.subtract(2 * ones.view(np.int8), np.int8(1), out=block)
        else:
            block[:] = ones
    return out
