"""Writers of predictions: CSV or TSV to a file or standard output, or Parquet."""

from __future__ import annotations

import contextlib
import csv
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from rosenblatt.system.atomic_files import replacing
from rosenblatt.tables.reading import STANDARD, check_pyarrow

try:
    import pyarrow
except ImportError:
    pyarrow = None

ENDINGS = (".csv", ".tsv", ".parquet")


class Writer(Protocol):
    """A writer of rows, given by columns."""

    def write(self, columns: Sequence[Sequence[Any]]) -> None:
        """Write some rows, given by columns; None is a missing value."""


class _Text:
    def __init__(self, file: Any, names: Sequence[str], delimiter: str) -> None:
        self._out = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        self._names: Sequence[str] | None = names  # not yet written

    def write(self, columns: Sequence[Sequence[Any]]) -> None:
        """Write some rows, and the names before the first."""
        self.close()
        self._out.writerows(zip(*columns, strict=True))

    def close(self) -> None:
        """Write the names, if there was no row."""
        if self._names is not None:
            self._out.writerow(self._names)
        self._names = None


class _Parquet:
    def __init__(self, path: Path, names: Sequence[str]) -> None:
        check_pyarrow()
        self._path, self._names = path, list(names)
        self._file: Any = None

    def write(self, columns: Sequence[Sequence[Any]]) -> None:
        """Write some rows; the first determine the types of the columns."""
        known = self._file.schema if self._file else None
        table = pyarrow.table(dict(zip(self._names, columns, strict=True)), known)
        if self._file is None:
            parquet = import_module("pyarrow.parquet")  # on use
            self._file = parquet.ParquetWriter(self._path, table.schema)
        self._file.write_table(table)

    def close(self) -> None:
        """Write the footer of the Parquet file."""
        if self._file is None:
            self.write([[] for _ in self._names])
        self._file.close()


@contextlib.contextmanager
def writing(path: str, names: Sequence[str]) -> Iterator[Writer]:
    """Open a table for writing; an incomplete file is removed.

    Examples
    --------
    >>> with writing("-", ["label", "share"]) as out:
    ...     out.write([["yes", None], [0.75, None]])
    label,share
    yes,0.75
    ,
    """
    if path == STANDARD:
        text = _Text(sys.stdout, names, ",")
        yield text
        text.close()
        sys.stdout.flush()
        return
    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise ValueError(
            f"out must be - or end in one of {', '.join(ENDINGS)}, got {path!r}"
        )
    if target.is_dir() or not target.parent.is_dir():
        raise ValueError(f"out must be a file in an existing folder, got {path!r}")
    with replacing(target) as partial:
        if target.suffix.lower() == ".parquet":
            packed = _Parquet(partial, names)
            yield packed
            packed.close()
        else:
            tab = "\t" if target.suffix.lower() == ".tsv" else ","
            with partial.open("w", encoding="utf-8", newline="") as file:
                text = _Text(file, names, tab)
                yield text
                text.close()
