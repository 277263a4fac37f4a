"""Batches of rows that readers return, their memory, bad rows, and unreadable files."""

from __future__ import annotations

import contextlib
import csv
import gzip
import tokenize
import zlib
from collections.abc import Callable, Iterator
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
    "STANDARD",
    "Bad",
    "BadRowError",
    "Column",
    "Columns",
    "Place",
    "Rows",
    "Texts",
    "UnreadableError",
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

STANDARD = "-"  # the name of standard input
# Words that stand for a missing value, besides nothing at all, unless others are given.
GAPS = ("NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "<NA>", "#N/A")
_LONG = 200  # characters of a value that a message shows
LONGEST_LABEL = 1000  # characters


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


class Texts(NamedTuple):
    """A column of text: entry i is ``values[codes[i]]``, or missing if it is -1."""

    values: list[str]
    codes: npt.NDArray[np.int32]

    @property
    def present(self) -> list[str]:
        """The values that occur, in the order of their codes."""
        return [self.values[i] for i in np.unique(self.codes[self.codes >= 0])]


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
    if "straddling" in text:  # two blocks, as pyarrow says
        text = "a row is too long; a quotation mark may be missing"
    text = text if len(text) <= _LONG else f"{text[:_LONG]}..."
    return UnreadableError(f"{name} cannot be read: {text}")
