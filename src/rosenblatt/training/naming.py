"""Names of columns in the messages of models, which know only their numbers."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Iterator, Sequence

__all__ = ["named", "named_warnings"]

_COLUMN = re.compile(r"\bcolumn (\d+)\b")


def named(message: str, names: Sequence[str]) -> str:
    """Return a message with the names of features in place of their numbers.

    Examples
    --------
    >>> named("X must be finite, got nan in row 3, column 1", ["age", "income"])
    "X must be finite, got nan in row 3, column 'income'"
    """

    def name(found: re.Match[str]) -> str:
        number = int(found[1])
        return f"column {names[number]!r}" if number < len(names) else found[0]

    return _COLUMN.sub(name, message)


@contextlib.contextmanager
def named_warnings(names: Sequence[str]) -> Iterator[None]:
    """Give the warnings of a model again, with the names of features."""
    with warnings.catch_warnings(record=True) as given:
        yield
    for one in given:
        warnings.warn(named(str(one.message), names), one.category, stacklevel=4)
