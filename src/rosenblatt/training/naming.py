"""Names of columns in the messages of models, which know only their numbers."""

from __future__ import annotations

import contextlib
import re
import threading
import warnings
from collections.abc import Iterator, Sequence

__all__ = ["named", "named_warnings"]

_LOCK = threading.RLock()  # contexts of warnings that overlap lose those that follow
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
def named_warnings(names: Sequence[str], known: set[str]) -> Iterator[None]:
    """Give the warnings of a model again, with the names of features.

    Those that are ``known`` are not given; all others are known from then on.
    """
    given: list[warnings.WarningMessage] = []
    try:
        with _LOCK, warnings.catch_warnings(record=True) as given:
            yield
    finally:
        for one in given:
            message = named(str(one.message), names)
            if message not in known:
                known.add(message)
                warnings.warn(message, one.category, stacklevel=4)
