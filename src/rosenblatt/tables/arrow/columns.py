"""Conversion of Arrow columns to rows: a block of numbers, and text as codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import PLAIN, inlined, kernel
from rosenblatt.compiling.vector import memory
from rosenblatt.compiling.vector.tiles import SIDE, fetch, tile_of
from rosenblatt.core.types import IntArray
from rosenblatt.system.extras import missing
from rosenblatt.tables.batches import (
    Bad,
    Blocks,
    Columns,
    Place,
    Rows,
    Texts,
    integer_texts,
)

try:
    import pyarrow
    import pyarrow.compute
except ImportError:
    pyarrow = None

__all__ = [
    "KINDS",
    "check_pyarrow",
    "place_double",
    "place_single",
    "rows_of",
    "text_of",
]

KINDS = ("float", "double", "int32", "int64")  # types of Arrow, as kernels number them
# Rows that are written together. They stay in the cache, which has a megabyte or half
# of one, while columns are read for long enough to be fetched ahead.
_STRIP = 512
_LINE = 64  # bytes that memory gives at once
_FAR = 4096  # bytes ahead of what is read
_LOADS = memory.single_at, memory.double_at, memory.half_word_at, memory.word_at
_SIZES = (4, 8, 4, 8)


def _placing(source: int, target: str) -> Any:
    """Return compiled code that copies columns of one type."""
    load, size = _LOADS[source], _SIZES[source]
    tile = tile_of(KINDS[source], target)

    @inlined
    def place(places: IntArray, where: IntArray, first: int, strip: Any) -> None:
        columns, rows, skip = len(places), len(strip), size * first
        stride = strip.shape[1] * strip.itemsize
        begin = strip.ctypes.data
        c = 0
        while c < columns:
            square = c + SIDE <= columns and where[c + SIDE - 1] - where[c] == SIDE - 1
            done = 0 if PLAIN or not square else rows - rows % SIDE
            for i in range(0, done, SIDE):
                to = begin + stride * i + strip.itemsize * where[c]
                tile(places, c, skip + size * i, to, stride)
            many = SIDE if square else 1
            for k in range(c, c + many):
                for i in range(done, rows):
                    strip[i, where[k]] = load(places[k] + skip, i)
            c += many

    return place


def _vanishing(load: Any, none: Any) -> Any:
    """Return compiled code that checks that all numbers are finite.

    Only then is the sum of their products with zero not NaN.
    """

    @inlined
    def vanishes(place: int, count: int) -> bool:
        total = none
        for i in range(count):
            total += load(place, i) * none
        return bool(total == none)

    return vanishes


_finite_singles = _vanishing(memory.single_at, 0.0 if PLAIN else np.float32(0.0))
_finite_doubles = _vanishing(memory.double_at, 0.0)


@inlined
def _finite(places: IntArray, kind: int, first: int, count: int) -> bool:
    """Return whether some rows are finite; this also loads them into the cache."""
    finite = True
    for c in range(len(places)):
        if kind == 0 or kind == 2:
            begin, size = places[c] + 4 * first, 4 * count
        else:
            begin, size = places[c] + 8 * first, 8 * count
        if not PLAIN:
            for line in range(0, size, _LINE):
                fetch(begin + _FAR + line)
        if kind == 0:
            finite &= _finite_singles(begin, count)
        elif kind == 1:
            finite &= _finite_doubles(begin, count)
    return finite


_singles_to_single, _halves_to_single = _placing(0, "float"), _placing(2, "float")
_singles, _doubles = _placing(0, "double"), _placing(1, "double")
_halves, _wholes = _placing(2, "double"), _placing(3, "double")
_COLUMNS = types.int64[::1], types.int64[::1], types.int64


@kernel(types.boolean, *_COLUMNS, types.float32[:, ::1])
def place_single(places: IntArray, where: IntArray, kind: int, block: Any) -> bool:
    """Write columns that begin at ``places`` to the columns ``where`` of a block.

    ``where`` must increase, and the columns must fit into single precision. Return
    True if all numbers are certainly finite.
    """
    finite = True
    for first in range(0, len(block), _STRIP):
        strip = block[first : first + _STRIP]
        finite &= _finite(places, kind, first, len(strip))
        if kind == 0:
            _singles_to_single(places, where, first, strip)
        else:
            _halves_to_single(places, where, first, strip)
    return finite


@kernel(types.boolean, *_COLUMNS, types.float64[:, ::1])
def place_double(places: IntArray, where: IntArray, kind: int, block: Any) -> bool:
    """Write columns to a block of double precision, as ``place_single`` does."""
    finite = True
    for first in range(0, len(block), _STRIP):
        strip = block[first : first + _STRIP]
        finite &= _finite(places, kind, first, len(strip))
        if kind == 0:
            _singles(places, where, first, strip)
        elif kind == 1:
            _doubles(places, where, first, strip)
        elif kind == 2:
            _halves(places, where, first, strip)
        else:
            _wholes(places, where, first, strip)
    return finite


def check_pyarrow() -> None:
    """Raise ImportError if pyarrow is not installed."""
    if pyarrow is None:
        raise missing("pyarrow", "reading files")


def _precision(types: list[Any]) -> Any:
    """Return single precision if it is exact for columns of these types."""
    single = all(
        pyarrow.types.is_float32(t)
        or pyarrow.types.is_float16(t)
        or pyarrow.types.is_boolean(t)
        or (pyarrow.types.is_integer(t) and t.bit_width <= 16)
        for t in types
    )
    return np.float32 if types and single else np.float64


def text_of(array: Any, missing: tuple[str, ...] = ()) -> Texts:
    """Return a column as text with codes; integers without a decimal point."""
    of = pyarrow.types
    if of.is_integer(array.type) and not (array.null_count or missing):
        found = integer_texts(_values(array))
        if found is not None:
            return found
    if of.is_timestamp(array.type) or of.is_date(array.type):
        array = array.cast(pyarrow.string())
    if not of.is_dictionary(array.type):
        array = array.dictionary_encode()
    codes = _values(array.indices).astype(np.int32)
    codes[_null(array.indices)] = -1
    dictionary = array.dictionary
    if len(dictionary) > len(codes):  # of many batches: take the values of this one
        there = codes >= 0
        used, codes[there] = np.unique(codes[there], return_inverse=True)
        dictionary = dictionary.take(pyarrow.array(used))
    values = dictionary.to_pylist()
    if not of.is_string(dictionary.type):
        values = [_written(value) for value in values]
    # values of a dictionary may be there twice, may be missing, and need not occur
    gaps = {None, *missing}
    if len(set(values)) < len(values) or not gaps.isdisjoint(values):
        distinct = list(dict.fromkeys(v for v in values if v not in gaps))
        number = {value: i for i, value in enumerate(distinct)}
        where = [number.get(v, -1) for v in values]
        return Texts(distinct, np.array([*where, -1], np.int32)[codes])
    return Texts(values, codes)


def _written(value: Any) -> str | None:
    """Return a value as text; integral floats without a decimal point."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return None if value is None else str(value)


def _values(column: Any) -> npt.NDArray[Any]:
    """Return a column of numbers, with any value where it is null.

    ``to_numpy`` of Arrow does the same, but imports pandas first.
    """
    kind, data = column.type.to_pandas_dtype(), column.buffers()[1]
    if data is None:
        return np.zeros(len(column), kind)
    return np.frombuffer(data, kind, len(column), column.offset * kind().itemsize)


def _null(column: Any) -> npt.NDArray[np.intp]:
    if not column.null_count:
        return np.zeros(0, np.intp)
    return np.flatnonzero(_values(column.is_null().cast(pyarrow.uint8())))


def _number(column: Any, kind: Any) -> npt.NDArray[Any]:
    """Return a column as numbers, NaN where it is null."""
    wide = pyarrow.float32() if kind == np.float32 else pyarrow.float64()
    if not pyarrow.types.is_boolean(column.type):
        column = column.cast(wide, safe=False)  # decimals, large whole numbers
    else:
        column = column.cast(pyarrow.uint8()).cast(wide)
    values = _values(column).copy()
    values[_null(column)] = np.nan
    return values


def _place(columns: dict[int, Any], block: npt.NDArray[Any]) -> bool:
    """Write columns into a block; return True only if all entries are finite.

    Those without gaps are read where they are, all of a type at once.
    """
    finite = True
    alike: dict[int, tuple[list[int], list[int]]] = {}
    for j, column in columns.items():
        name = str(column.type)
        if name not in KINDS or column.null_count:
            block[:, j] = _number(column, block.dtype)
            whole = pyarrow.types.is_integer(column.type) or name == "bool"
            finite &= whole and not column.null_count
            continue
        data, size = column.buffers()[1], column.type.byte_width
        places, where = alike.setdefault(KINDS.index(name), ([], []))
        places.append(data.address + column.offset * size if data else 0)
        where.append(j)
    place = place_single if block.dtype == np.float32 else place_double
    for kind, found in alike.items():
        places_, where_ = (np.array(each, np.int64) for each in found)
        finite &= bool(place(places_, where_, kind, block))
    return finite


def rows_of(
    batch: Any,
    columns: Columns,
    lines: Callable[[], npt.NDArray[np.int64]],
    end: Place,
    bad: tuple[Bad, ...] = (),
    room: Blocks | None = None,
) -> Rows:
    """Return the rows of a record batch.

    Batches from a file must have been validated: columns are read by address.
    """
    by_name = dict(zip(batch.schema.names, batch.columns, strict=True))
    numbers = {j: by_name[name] for j, name in enumerate(columns.numbers)}
    missing = {j: _null(column) for j, column in numbers.items() if column.null_count}
    target = columns.target
    kind = _precision([column.type for column in numbers.values()])
    block = (room or Blocks()).take(batch.num_rows, len(columns.numbers), kind)
    finite = _place(numbers, block)
    if not finite and "nan" in {word.lower() for word in columns.missing}:
        for j in np.flatnonzero(np.isnan(block).any(axis=0)).tolist():
            missing[j] = np.flatnonzero(np.isnan(block[:, j]))
    return Rows(
        block,
        missing,
        [text_of(by_name[name], columns.missing) for name in columns.texts],
        None if target is None else text_of(by_name[target], columns.missing),
        lines,
        bad,
        end,
        finite,
    )
