"""Arrow's columns as rows: a block of numbers, and text as codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.tables.vocabulary import Bad, Columns, Place, Rows, Texts

try:
    import pyarrow
    import pyarrow.compute
except ImportError:
    pyarrow = None

__all__ = ["kind_of", "needed", "rows_of", "text_of"]

_STRIP = 512  # rows of a block that stay in the cache while columns are written to it


def needed() -> None:
    """Say so if pyarrow is not installed."""
    if pyarrow is None:
        raise ImportError(
            "reading files needs pyarrow: install the extra rosenblatt[files]"
        )


def kind_of(type_: Any) -> str:
    """Return what a column of this type can be learned as, or its name."""
    types = pyarrow.types
    if types.is_floating(type_) or types.is_integer(type_) or types.is_boolean(type_):
        return "number"
    if types.is_decimal(type_):
        return "number"
    if types.is_dictionary(type_):
        return "text"
    if types.is_string(type_) or types.is_large_string(type_):
        return "text"
    if types.is_string_view(type_):
        return "text"
    if types.is_null(type_):
        return "number"
    return str(type_)


def _precision(types: list[Any]) -> Any:
    """Return single precision if it holds all that such columns can hold."""
    single = all(
        pyarrow.types.is_float32(t)
        or pyarrow.types.is_float16(t)
        or pyarrow.types.is_boolean(t)
        or (pyarrow.types.is_integer(t) and t.bit_width <= 16)
        for t in types
    )
    return np.float32 if types and single else np.float64


def text_of(array: Any, missing: tuple[str, ...] = ()) -> Texts:
    """Return a column as text; numbers as they are usually written."""
    types = pyarrow.types
    if not types.is_dictionary(array.type):
        array = array.dictionary_encode()
    codes = array.indices.cast(pyarrow.int32()).fill_null(-1)
    given = array.dictionary.to_pylist()
    codes = codes.to_numpy(zero_copy_only=False)
    values = [_written(value) for value in given]
    # values of a dictionary may be there twice, may be missing, and need not occur
    if len(set(values)) < len(values) or None in given or set(values) & set(missing):
        gone = {None, *missing}
        distinct = list(dict.fromkeys(v for v in values if v not in gone))
        number = {value: i for i, value in enumerate(distinct)}
        where = [number.get(v, -1) for v in values]
        codes = np.array([*where, -1], np.int32)[codes]
        return Texts([str(v) for v in distinct], codes)
    return Texts([str(v) for v in values], codes)


def _written(value: Any) -> str | None:
    """Return a value as text: whole numbers without a point, whatever their type."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return None if value is None else str(value)


def _null(column: Any) -> npt.NDArray[np.intp]:
    return np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))


def _number(column: Any, kind: Any) -> npt.NDArray[Any]:
    """Return a column as numbers, NaN where it is null."""
    if pyarrow.types.is_floating(column.type) and not column.null_count:
        return np.asarray(column.to_numpy(zero_copy_only=False))
    wide = pyarrow.float32() if kind == np.float32 else pyarrow.float64()
    if not pyarrow.types.is_boolean(column.type):
        column = column.cast(wide, safe=False)  # decimals, large whole numbers
    else:
        column = column.cast(pyarrow.uint8()).cast(wide)
    return np.asarray(column.to_numpy(zero_copy_only=False))


def _block(columns: list[Any], rows: int) -> npt.NDArray[Any]:
    """Return columns side by side, in the order of rows."""
    types = [column.type for column in columns]
    kind = _precision(types)
    same = len(set(types)) == 1 and not any(column.null_count for column in columns)
    if same and (pyarrow.types.is_float32(types[0]) or types[0] == pyarrow.float64()):
        names = list(map(str, range(len(columns))))
        batch = pyarrow.RecordBatch.from_arrays(columns, names=names)
        return np.asarray(batch.to_tensor(row_major=True).to_numpy())
    given = [_number(column, kind) for column in columns]
    block = np.empty((rows, len(columns)), kind)
    for first in range(0, rows, _STRIP):
        strip = slice(first, first + _STRIP)
        for j, column in enumerate(given):
            block[strip, j] = column[strip]
    return block


def rows_of(
    batch: Any,
    columns: Columns,
    lines: Callable[[], npt.NDArray[np.int64]],
    end: Place,
    bad: tuple[Bad, ...] = (),
) -> Rows:
    """Return the rows of a record batch that has all these columns."""
    by_name = dict(zip(batch.schema.names, batch.columns, strict=True))
    numbers = [by_name[name] for name in columns.numbers]
    gone = {j: _null(column) for j, column in enumerate(numbers) if column.null_count}
    target = columns.target
    block = _block(numbers, batch.num_rows)
    if "nan" in {word.lower() for word in columns.missing}:
        if not block.flags.writeable:
            block = block.copy()
        for j in np.flatnonzero(np.isnan(block).any(axis=0)).tolist():
            gone[j] = np.flatnonzero(np.isnan(block[:, j]))
    return Rows(
        block,
        gone,
        [text_of(by_name[name], columns.missing) for name in columns.texts],
        None if target is None else text_of(by_name[target], columns.missing),
        lines,
        bad,
        end,
    )
