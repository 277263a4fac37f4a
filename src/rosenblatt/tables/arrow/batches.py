"""All knowledge of pyarrow: columns of CSV and Parquet files, a batch at a time.

Nothing imports this module before a file is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.tables.arrow.page_sizes import check_pages, row_groups

try:
    import pyarrow
    import pyarrow.csv
    import pyarrow.parquet
except ImportError:
    pyarrow = None

__all__ = ["Column", "batches", "names"]

_TEXT = (".csv", ".csv.gz", ".csv.bz2")
_PARQUET = (".parquet", ".pq")
_PIECE = 2**24  # bytes of a CSV file at a time; a row must not be longer
_ENTRIES = 2**24  # entries of a batch


class Column(NamedTuple):
    """A column of a batch: entry i is ``values[codes[i]]``, or missing if it is -1."""

    values: list[Any]
    codes: npt.NDArray[np.int32]


def _suffix(path: Path) -> str:
    for ending in (*_TEXT, *_PARQUET):
        if path.name.lower().endswith(ending):
            return ending
    raise ValueError(
        f"path must end in one of {', '.join((*_TEXT, *_PARQUET))}, got {str(path)!r}"
    )


def _needed(path: Path) -> str:
    """Return the kind of a file, or say what is missing."""
    if pyarrow is None:
        raise ImportError(
            "reading files needs pyarrow: install the extra rosenblatt[files]"
        )
    ending = _suffix(path)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {str(path)!r}")
    return ending


def _text(path: Path, columns: Sequence[str]) -> Any:
    """Open a CSV file; all entries stay text, so that nothing is guessed."""
    text = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    convert = pyarrow.csv.ConvertOptions(
        include_columns=list(columns),
        column_types=dict.fromkeys(columns, text),
        null_values=[""],
        strings_can_be_null=True,
    )
    return pyarrow.csv.open_csv(
        str(path),
        read_options=pyarrow.csv.ReadOptions(block_size=_PIECE),
        convert_options=convert,
    )


def names(path: Path) -> list[str]:
    """Return the names of a file's columns."""
    ending = _needed(path)
    with _reading(path):
        if ending in _TEXT:
            with _text(path, ()) as reader:
                return list(reader.schema.names)
        row_groups(path)
        with pyarrow.parquet.ParquetFile(path) as file:
            return list(file.schema_arrow.names)


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Raise errors of a reader as one line with the name of the file."""
    try:
        yield
    except (pyarrow.ArrowException, ValueError, OSError, OverflowError) as failure:
        text = " ".join(str(failure).split())
        raise ValueError(f"{path} cannot be read: {text}") from None


def _records(path: Path, columns: Sequence[str]) -> Iterator[Any]:
    rows = max(1, _ENTRIES // max(len(columns), 1))
    if _suffix(path) in _TEXT:
        with _text(path, columns) as reader:
            for batch in reader:
                for first in range(0, batch.num_rows, rows):
                    yield batch.slice(first, rows)
    else:
        check_pages(path, row_groups(path), columns)
        # text as dictionaries: else a long one would be copied for each row
        with pyarrow.parquet.ParquetFile(path, read_dictionary=list(columns)) as file:
            yield from file.iter_batches(batch_size=rows, columns=list(columns))


def _column(array: Any) -> Column:
    if not pyarrow.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    codes = array.indices.cast(pyarrow.int32()).fill_null(-1)
    return Column(array.dictionary.to_pylist(), codes.to_numpy(zero_copy_only=False))


def batches(path: Path, columns: Sequence[str]) -> Iterator[list[Column]]:
    """Return the columns of a file in the order asked for, a batch at a time."""
    with _reading(path):
        for batch in _records(path, columns):
            batch.validate(full=True)
            yield [_column(batch.column(batch.schema.names.index(c))) for c in columns]
