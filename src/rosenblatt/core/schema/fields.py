"""Fields of records that hold one plain value, or a dictionary of plain values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

__all__ = [
    "Entries",
    "Field",
    "Flag",
    "Number",
    "SchemaError",
    "Sizes",
    "Text",
    "Whole",
    "interval_text",
    "mismatch",
]

Sizes = dict[str, int]
_LARGEST = 2**62  # of whole numbers: sums of two are still 64-bit numbers


class SchemaError(ValueError):
    """A record does not have the fields, types, shapes or values of its schema."""


class Field:
    """A value that a record may have."""

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed; learn sizes from it.

        Without ``values`` only types and shapes are looked at.
        """
        raise NotImplementedError

    def describe(self) -> str:
        """Return the condition in words."""
        raise NotImplementedError


def mismatch(place: str, wanted: str, got: Any) -> SchemaError:
    """Return the error of a value that is not as wanted."""
    text = got if isinstance(got, str) else " ".join(repr(got).split())
    return SchemaError(f"{place} must be {wanted}, got {text[:80]}")


def _shown(value: float) -> str:
    """Return a number as text, a whole one exactly; large powers of two as such."""
    if value > 2**20 and math.log2(value).is_integer():
        return f"2^{int(math.log2(value))}"
    whole = abs(value) <= 2**53 and float(value).is_integer()
    return str(int(value)) if whole else f"{value:g}"


def interval_text(low: float, high: float, open_: bool) -> str:
    """Return an interval in words; ``open_`` if the lower end is excluded."""
    parts = []
    if low != -math.inf:
        parts.append(f"{'above' if open_ else 'at least'} {_shown(low)}")
    if high != math.inf:
        parts.append(f"at most {_shown(high)}")
    return ", ".join(parts)


@dataclass(frozen=True)
class Number(Field):
    """A floating-point number in an interval; infinite only if the interval is."""

    low: float = -math.inf
    high: float = math.inf
    above: bool = False  # whether the lower end is excluded
    infinite: bool = False
    optional: bool = False

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed."""
        if value is None and self.optional:
            return
        if type(value) is not float:
            raise mismatch(place, self.describe(), value)
        fits = self.low < value if self.above else self.low <= value
        finite = math.isfinite(value) or (self.infinite and value == math.inf)
        if not (fits and value <= self.high and finite):
            raise mismatch(place, self.describe(), value)

    def describe(self) -> str:
        """Return the condition in words."""
        kind = "a number" if self.infinite else "a finite number"
        interval = interval_text(self.low, self.high, self.above)
        return f"{kind} {interval}".strip() + " or None" * self.optional


@dataclass(frozen=True)
class Whole(Field):
    """A whole number in an interval; it may tell a size."""

    low: int = 0
    high: int = _LARGEST
    size: str | None = None

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed."""
        if type(value) is not int or not self.low <= value <= self.high:
            raise mismatch(place, self.describe(), value)
        if self.size is not None and sizes.setdefault(self.size, value) != value:
            raise mismatch(place, f"{self.size} = {sizes[self.size]}", value)

    def describe(self) -> str:
        """Return the condition in words."""
        size = f" ({self.size})" if self.size else ""
        high = f" and at most {_shown(self.high)}" if self.high != _LARGEST else ""
        return f"a whole number at least {self.low}{high}{size}"


@dataclass(frozen=True)
class Flag(Field):
    """True or False."""

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed."""
        if type(value) is not bool:
            raise mismatch(place, self.describe(), value)

    def describe(self) -> str:
        """Return the condition in words."""
        return "True or False"


@dataclass(frozen=True)
class Text(Field):
    """One of some words."""

    choices: tuple[str, ...]

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed."""
        if type(value) is not str or value not in self.choices:
            raise mismatch(place, self.describe(), value)

    def describe(self) -> str:
        """Return the condition in words."""
        return "one of " + ", ".join(map(repr, self.choices))


@dataclass(frozen=True)
class Entries(Field):
    """A dictionary, or a list, whose keys and values are plain and of given types."""

    keys: tuple[type, ...]
    values: tuple[type, ...]

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed."""
        if type(value) is not dict:
            raise mismatch(place, self.describe(), value)
        for key, entry in value.items():
            if type(key) not in self.keys or type(entry) not in self.values:
                raise mismatch(place, self.describe(), f"{key!r}: {entry!r}")

    def describe(self) -> str:
        """Return the condition in words."""
        keys, values = (
            " or ".join(kind.__name__ for kind in kinds)
            for kinds in (self.keys, self.values)
        )
        return f"a dictionary from {keys} to {values}"
