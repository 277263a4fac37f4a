"""Batches of rows that readers return, their memory, bad rows, and unreadable files."""

from __future__ import annotations

import contextlib
import csv
import gzip
import tokenize
import weakref
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

try:
    import pyarrow
except ImportError:
    pyarrow = None

__all__ = [
    "GAPS",
    "KINDS",
    "LONGEST_LABEL",
    "MOST_COLUMNS",
    "Bad",
    "BadRowError",
    "Blocks",
    "Column",
    "Columns",
    "Place",
    "Rows",
    "Texts",
    "UnreadableError",
    "check_names",
    "integer_texts",
    "is_sparse",
    "reading",
]

# What can be the matter with a row, as it is counted and said.
FIELDS = "wrong number of fields"
NUMBER = "not a number"
NAN = "NaN"
INFINITE = "infinite"
ENCODING = "not UTF-8"
FORM = "not index:value"
NO_LABEL = "missing label"
LABEL = "unseen label"
LONG_LABEL = "label of more than 1000 characters"
WEIGHT = "weight that is not a whole number from 0"
REFUSED = "refused by the model"  # such as numbers whose squares overflow
_ROWS = (FIELDS, NUMBER, NAN, INFINITE, ENCODING, FORM)
KINDS = (*_ROWS, NO_LABEL, LABEL, LONG_LABEL, WEIGHT, REFUSED)

# Words that stand for a missing value, besides nothing at all, unless others are given.
GAPS = ("NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "<NA>", "#N/A")
_EXACT = 2**31  # below this differences of whole numbers are exact, in any type
_LONG = 200  # characters of a value that a message shows
MOST_COLUMNS = 2**16  # of a table; svmlight has more
LONGEST_LABEL = 1000  # characters
_NEAR = 2**12  # numbers within such a distance are counted in a table


def is_sparse(numbers: Any) -> bool:
    """Return whether numbers are a sparse matrix."""
    return bool(issparse(numbers))


class Place(NamedTuple):
    """A position in a file: bytes or rows from the start, and lines before it."""

    offset: int = 0
    line: int = 0


class Column(NamedTuple):
    """A column of a file, with its kind if that is known."""

    name: str
    kind: str | None  # "number", "text", "date", None, or a type that is not learned


class Columns(NamedTuple):
    """The columns to read: numbers, texts, and the target."""

    numbers: tuple[str, ...]
    texts: tuple[str, ...]
    target: str | None
    missing: tuple[str, ...] = ()  # what stands for a missing value, besides nothing

    @property
    def names(self) -> list[str]:
        """All columns that are read."""
        return [*self.numbers, *self.texts, *([self.target] if self.target else [])]


def check_names(where: str, names: Sequence[str]) -> None:
    """Raise ValueError if a file has too many columns, or two of the same name."""
    if len(names) > MOST_COLUMNS:
        raise ValueError(
            f"{where}: a table must have at most {MOST_COLUMNS} columns, got "
            f"{len(names)}; svmlight files may have more"
        )
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"{where}: more than one column {min(twice)!r}")


class Texts(NamedTuple):
    """A column of text: entry i is ``values[codes[i]]``, or missing if it is -1."""

    values: list[str]
    codes: npt.NDArray[np.int32]

    @property
    def present(self) -> list[str]:
        """The values that occur, in the order of their codes."""
        return [self.values[i] for i in np.unique(self.codes[self.codes >= 0])]


def integer_texts(column: npt.NDArray[Any]) -> Texts | None:
    """Return integers as text with codes if their range is small, else None.

    Examples
    --------
    >>> integer_texts(np.array([3.0, 1.0, 3.0]))
    Texts(values=['1', '3'], codes=array([1, 0, 1], dtype=int32))
    >>> integer_texts(np.array([0.5, 1.0])) is None
    True
    """
    if not column.size or column.dtype.kind not in "iuf":
        return None
    low, high = column.min().item(), column.max().item()
    if not (abs(low) <= _EXACT and abs(high) <= _EXACT and high - low < _NEAR):
        return None  # also if one is NaN
    wholes = column.astype(np.int64)
    if column.dtype.kind == "f" and not np.array_equal(wholes, column):
        return None
    first = int(low)
    places = wholes - first
    there = np.bincount(places) > 0
    codes = (np.cumsum(there) - 1).astype(np.int32)[places]
    return Texts([str(first + i) for i in np.flatnonzero(there).tolist()], codes)


@dataclass(frozen=True)
class Bad:
    """A bad row: its line, the reason, the column and the value."""

    line: int
    kind: str
    column: str | None = None
    value: str | None = None


class BadRowError(ValueError):
    """The error of a bad row; it names file, line and column."""

    def __init__(self, file: str, unit: str, bad: Bad, hint: str = "") -> None:
        where = f"{file}, {unit} {bad.line}"
        if bad.column is not None:
            where += f", column {bad.column!r}"
        value = bad.value
        if value is not None and len(value) > _LONG:
            value = f"{value[:_LONG]}..."
        what = bad.kind if value is None else f"{bad.kind}: {value}"
        super().__init__(f"{where}: {what}{hint}")
        self.file, self.bad = file, bad
        self._given = file, unit, bad, hint

    def __reduce__(self) -> tuple[Any, ...]:
        # made again of what it was made of, which is not its text
        return type(self), self._given


@dataclass(frozen=True)
class Rows:
    """A batch of rows.

    ``numbers`` is a block in the order of rows, or a sparse matrix. Missing numbers are
    NaN, and ``missing`` has their rows, for each column with any. ``finite`` is true if
    all numbers are known to be finite.
    """

    numbers: Any
    missing: dict[int, npt.NDArray[np.intp]]
    texts: list[Texts]
    labels: Texts | None
    lines: Callable[[], npt.NDArray[np.int64]]
    bad: tuple[Bad, ...]
    end: Place
    finite: bool = False  # for certain

    def __len__(self) -> int:
        return int(self.numbers.shape[0])

    @property
    def label_values(self) -> list[str]:
        """The labels that occur, without those that are too long."""
        known = [] if self.labels is None else self.labels.present
        return [label for label in known if len(label) <= LONGEST_LABEL]

    def moments(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Return mean and standard deviation of each column, without missing values."""
        numbers = self.numbers
        if is_sparse(numbers):
            return np.empty(0), np.empty(0)
        wide = np.asarray(numbers, np.float64)
        there: Any = max(len(wide), 1)
        if not self.finite:
            wide = np.where(np.isfinite(wide), wide, np.nan)
            there = np.maximum((~np.isnan(wide)).sum(axis=0), 1)
        total = np.sum if self.finite else np.nansum  # the latter takes longer
        with np.errstate(over="ignore", invalid="ignore"):
            means, spread = _moments(wide, there, total)
            if not np.isfinite(spread).all():  # squares or sums are too large
                small = _moments(np.ldexp(wide, -600), there, total)
                huge = ~np.isfinite(spread)
                means[huge], spread[huge] = (np.ldexp(one[huge], 600) for one in small)
        return means, np.where(spread > 0, spread, 1.0)


def _moments(wide: Any, there: Any, total: Any) -> tuple[Any, Any]:
    means = np.asarray(total(wide, axis=0) / there)
    return means, np.sqrt(total((wide - means) ** 2, axis=0) / there)


class UnreadableError(ValueError):
    """A file that cannot be read; the message names it, and is one line."""


# What the readers of formats are documented to raise for bad files. ValueError is
# what NumPy raises, and what text in another encoding is.
_DOCUMENTED: tuple[type[BaseException], ...] = (
    ValueError,
    EOFError,
    OverflowError,
    MemoryError,
    SyntaxError,  # this and the next for the header of an NPY file
    tokenize.TokenError,
    gzip.BadGzipFile,
    zlib.error,
    csv.Error,
    *(() if pyarrow is None else (pyarrow.ArrowException,)),
)


@contextlib.contextmanager
def reading(name: str) -> Iterator[None]:
    """Raise errors of a reader as one line with the name of the file.

    Examples
    --------
    >>> with reading("rows.csv.gz"):
    ...     _ = gzip.decompress(b"no")
    Traceback (most recent call last):
    rosenblatt.tables.batches.UnreadableError: rows.csv.gz cannot be read: Not ...
    """
    try:
        yield
    except _DOCUMENTED as failure:
        raise _named(name, failure) from None
    except OSError as failure:
        if failure.filename is not None:  # it names the file
            raise
        raise _named(name, failure) from None


def _named(name: str, failure: BaseException) -> BaseException:
    """Return an error that names the file."""
    text = " ".join(str(failure).split()) or type(failure).__name__
    if isinstance(failure, ValueError) and text.startswith(name):
        return failure
    return UnreadableError(f"{name} cannot be read: {text}")


class Blocks:
    """A pool of memory for blocks of rows, used again when no array refers to it.

    New memory is slow: the system hands it out page by page, each at its first use.

    Examples
    --------
    >>> blocks = Blocks()
    >>> first = blocks.take(2, 3, np.float32)
    >>> place = first.ctypes.data
    >>> blocks.take(2, 3, np.float32).ctypes.data == place
    False
    >>> part = first[1:]
    >>> del first  # a part of it is still there
    >>> blocks.take(2, 3, np.float32).ctypes.data == place
    False
    >>> del part
    >>> [blocks.take(2, 3, np.float32).ctypes.data for _ in range(2)].count(place)
    1
    """

    def __init__(self) -> None:
        self._free: list[memoryview] = []

    def take(self, rows: int, columns: int, dtype: Any) -> npt.NDArray[Any]:
        """Return an uninitialised block."""
        kind = np.dtype(dtype)
        size = rows * columns * kind.itemsize
        room = next((each for each in self._free if len(each) >= size), None)
        if room is None:
            room = memoryview(np.empty(size, np.uint8).data)  # nothing is written
        else:
            self._free.remove(room)
        # All that is cut from this array refers to it, since its memory is no array's.
        whole = np.frombuffer(room, kind, rows * columns)
        weakref.finalize(whole, self._free.append, room).atexit = False
        return whole.reshape(rows, columns)
