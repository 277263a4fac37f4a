"""Errors of files that cannot be read: one line that names the file."""

from __future__ import annotations

import contextlib
import csv
import gzip
import tokenize
import zlib
from collections.abc import Iterator

try:
    import pyarrow
except ImportError:
    pyarrow = None

__all__ = ["UnreadableError", "reading"]


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
    rosenblatt.tables.errors.UnreadableError: rows.csv.gz cannot be read: Not ...
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
