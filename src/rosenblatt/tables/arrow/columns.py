"""Conversion of Arrow columns to rows: a block of numbers, and text as codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.system.extras import missing
from rosenblatt.tables.arrow.rows import KINDS, place_double, place_single
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

__all__ = ["check_pyarrow", "kind_of", "rows_of", "text_of"]


_KINDS = {name: i for i, name in enumerate(KINDS)}  # as kernels call types of Arrow


def check_pyarrow() -> None:
    """Raise ImportError if pyarrow is not installed."""
    if pyarrow is None:
        raise missing("pyarrow", "reading files")


def kind_of(type_: Any) -> str:
    """Return "number", "text" or "date" for a type of Arrow; else its name."""
    types = pyarrow.types
    numbers = types.is_floating, types.is_integer, types.is_boolean, types.is_decimal
    texts = types.is_string, types.is_large_string, types.is_string_view
    tests = {
        "number": (*numbers, types.is_null),
        "text": (*texts, types.is_dictionary),
        "date": (types.is_timestamp, types.is_date),
    }
    kinds = (kind for kind, any_of in tests.items() if any(t(type_) for t in any_of))
    return next(kinds, str(type_))


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
    types = pyarrow.types
    if types.is_integer(array.type) and not (array.null_count or missing):
        found = integer_texts(_values(array))
        if found is not None:
            return found
    if types.is_timestamp(array.type) or types.is_date(array.type):
        array = array.cast(pyarrow.string())
    if not types.is_dictionary(array.type):
        array = array.dictionary_encode()
    codes = _values(array.indices).astype(np.int32)
    codes[_null(array.indices)] = -1
    dictionary = array.dictionary
    if len(dictionary) > len(codes):  # of many batches: take the values of this one
        there = codes >= 0
        used, codes[there] = np.unique(codes[there], return_inverse=True)
        dictionary = dictionary.take(pyarrow.array(used))
    values = dictionary.to_pylist()
    if kind_of(dictionary.type) != "text":
        values = [_written(value) for value in values]
    # values of a dictionary may be there twice, may be missing, and need not occur
    gaps = {None, *missing}
    if len(set(values)) < len(values) or not gaps.isdisjoint(values):
        distinct = list(dict.fromkeys(v for v in values if v not in gaps))
        number = {value: i for i, value in enumerate(distinct)}
        where = [number.get(v, -1) for v in values]
        codes = np.array([*where, -1], np.int32)[codes]
        return Texts(distinct, codes)
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


def _is_whole(type_: Any) -> bool:
    """Return whether all values of a type are finite numbers."""
    return bool(pyarrow.types.is_integer(type_) or pyarrow.types.is_boolean(type_))


def _place(columns: dict[int, Any], block: npt.NDArray[Any]) -> bool:
    """Write columns into a block; return True only if all entries are finite.

    Those without gaps are read where they are, all of a type at once.
    """
    finite = True
    alike: dict[int, tuple[list[int], list[int]]] = {}
    for j, column in columns.items():
        name = str(column.type)
        kind = _KINDS.get(name)
        if kind is None or column.null_count:
            block[:, j] = _number(column, block.dtype)
            finite &= not column.null_count and _is_whole(column.type)
            continue
        data, size = column.buffers()[1], column.type.byte_width
        places, where = alike.setdefault(kind, ([], []))
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
