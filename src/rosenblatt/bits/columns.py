"""The two levels of each column of a file, given or found while it is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["ColumnLevels", "Levels"]

Levels = tuple[Any, Any]  # the low and the high one: words or numbers
_WORDS = {"true": 1.0, "false": 0.0}


def _number(value: Any) -> float | None:
    """Convert an entry to a number; None for words other than true and false."""
    if isinstance(value, str):
        word = value.strip().lower()
        if word in _WORDS:
            return _WORDS[word]
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _same(value: Any, level: Any) -> bool:
    """Return whether two entries are the same word or number, also as text."""
    number = _number(value)
    return str(value) == str(level) or (number is not None and number == _number(level))


def _pair(name: str, given: Any) -> Levels:
    """Return two different levels."""
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise TypeError(f"levels[{name!r}] must be a pair, low and high, got {given!r}")
    if _same(*given):
        raise ValueError(f"levels[{name!r}] must be two different ones, got {given!r}")
    return given[0], given[1]


class ColumnLevels:
    """The low and the high level of each column of a file.

    Parameters
    ----------
    path
        The file, for messages.
    names
        The columns that are read.
    given
        The levels of some columns.
    """

    def __init__(
        self, path: str, names: Sequence[str], given: Mapping[str, Levels]
    ) -> None:
        self.path, self.names = path, names
        self._levels = {name: _pair(name, pair) for name, pair in given.items()}
        self._low: dict[str, float] = {}  # the low level of columns of numbers

    @property
    def unknown(self) -> list[str]:
        """The columns without levels."""
        return [name for name in self.names if name not in self._levels]

    def find(self, batches: Iterator[Sequence[Any]]) -> dict[str, Levels]:
        """Find the levels of columns of words among the unknown columns.

        Batches have the unknown columns, as text with codes. They are read until both
        words of every such column have been seen.
        """
        names = self.unknown
        found: dict[str, list[str]] | None = None
        for batch in batches:
            there = {
                name: [column.values[code] for code in _codes(column) if code >= 0]
                for name, column in zip(names, batch, strict=True)
            }
            if found is None:
                found = {
                    name: []
                    for name, values in there.items()
                    if any(_number(value) is None for value in values)
                }
            for name, seen in found.items():
                seen.extend(v for v in there[name] if v not in seen)
            if all(len(seen) > 1 for seen in found.values()):
                break
        result: dict[str, Levels] = {}
        for name, seen in (found or {}).items():
            if len(seen) < 2:
                raise ValueError(
                    f"{self._place(name)}: must have two values, got {seen[0]!r} only; "
                    f"pass levels={{{name!r}: (low, high)}} to say which two"
                )
            low, high = sorted(seen[:2])  # others are noticed on their row
            result[name] = low, high
        self._levels.update(result)
        return result

    def high(self, name: str, column: Any, first: int) -> npt.NDArray[np.bool_]:
        """Return a mask of the high entries of a column whose first row is ``first``.

        Only values that occur are checked: a dictionary may list others.
        """
        values, codes = column
        is_high = np.zeros(len(values) + 1, bool)
        for code in _codes(column):
            high = self._is_high(name, values[code]) if code >= 0 else None
            if high is None:
                row = first + int(np.argmax(codes == code)) + 1
                given = repr(values[code]) if code >= 0 else "nothing"
                raise ValueError(
                    f"{self._place(name)}, row {row}: must be {self._wanted(name)}, "
                    f"got {given}"
                )
            is_high[code] = high
        return np.asarray(is_high[codes])

    def _is_high(self, name: str, value: Any) -> bool | None:
        """Return True for the high level, False for the low one, None for others."""
        if name in self._levels:
            low, high = (_same(value, level) for level in self._levels[name])
            return high if low or high else None
        number = _number(value)
        if number not in (-1, 0, 1):
            return None
        if number != 1 and self._low.setdefault(name, number) != number:
            return None
        return number == 1

    def _place(self, name: str) -> str:
        return f"{self.path}: column {name!r}"

    def _wanted(self, name: str) -> str:
        if name in self._levels:
            low, high = self._levels[name]
            return f"{low!r} or {high!r}"
        if name in self._low:
            return f"{self._low[name]:g} or 1"
        return "-1 or 1, or 0 or 1 (others need levels)"


def _codes(column: Any) -> list[int]:
    """Return the codes that occur, in the order of their first rows."""
    there = np.bincount(column.codes + 1)
    found = (np.flatnonzero(there) - 1).tolist()
    return sorted(found, key=lambda code: int(np.argmax(column.codes == code)))
