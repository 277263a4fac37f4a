"""Schemas: the names, types, shapes, ranges and relations of a record's fields.

A record is a named tuple, a dataclass or the state of an estimator. Its schema is
written once, beside its class, and used three times: objects are checked by it when
they are made, files when they are read and written, and the documentation is generated
from it. Kernels trust what has passed.

Sizes of arrays have names, such as ``"columns"``. The first array with a name tells its
size; all others must agree, also those of records within a record.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = [
    "Array",
    "Entries",
    "Field",
    "Flag",
    "Labels",
    "Nested",
    "Number",
    "Relation",
    "Schema",
    "SchemaError",
    "Text",
    "Texts",
    "Whole",
]

Sizes = dict[str, int]
Shape = tuple[str | int, ...]
_LARGEST = 2**62  # of whole numbers: sums of two are still 64-bit numbers
_ARRAYS = (np.ndarray, np.memmap)  # other kinds, such as masked ones, do more
_PLAIN = (bool, int, float, str)  # types of labels in an array of objects


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


def _wrong(place: str, wanted: str, got: Any) -> SchemaError:
    text = got if isinstance(got, str) else " ".join(repr(got).split())
    return SchemaError(f"{place} must be {wanted}, got {text[:80]}")


def _shown(value: float) -> str:
    """Return a number as text; large powers of two as such."""
    if value > 2**20 and math.log2(value).is_integer():
        return f"2^{int(math.log2(value))}"
    return f"{value:g}"


def _interval(low: float, high: float, open_: bool) -> str:
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
            raise _wrong(place, self.describe(), value)
        fits = self.low < value if self.above else self.low <= value
        finite = math.isfinite(value) or (self.infinite and value == math.inf)
        if not (fits and value <= self.high and finite):
            raise _wrong(place, self.describe(), value)

    def describe(self) -> str:
        """Return the condition in words."""
        kind = "a number" if self.infinite else "a finite number"
        interval = _interval(self.low, self.high, self.above)
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
            raise _wrong(place, self.describe(), value)
        if self.size is not None and sizes.setdefault(self.size, value) != value:
            raise _wrong(place, f"{self.size} = {sizes[self.size]}", value)

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
            raise _wrong(place, self.describe(), value)

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
            raise _wrong(place, self.describe(), value)

    def describe(self) -> str:
        """Return the condition in words."""
        return "one of " + ", ".join(map(repr, self.choices))


@dataclass(frozen=True)
class Array(Field):
    """An array of numbers: its shape, its type, and the interval of its entries.

    An array may have one of several shapes; relations tell which.
    """

    shapes: tuple[Shape, ...]
    dtype: str = "float64"
    low: float = -math.inf
    high: float = math.inf
    above: bool = False
    gaps: bool = False  # whether entries may be NaN

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed."""
        if type(value) not in _ARRAYS or value.dtype != self.dtype:
            got = getattr(value, "dtype", type(value).__name__)
            raise _wrong(place, self.describe(), str(got))
        if not any(_fits(value.shape, shape, sizes) for shape in self.shapes):
            known = {k: v for k, v in sizes.items() if k in self._names()}
            wanted = f"{self.describe()}{f' with {known}' if known else ''}"
            raise _wrong(place, wanted, f"shape {value.shape}")
        if values and value.size and not self._inside(value):
            raise _wrong(place, self.describe(), "other entries")

    def _inside(self, value: Any) -> bool:
        """Return whether all entries are in the interval; comparisons refuse NaN."""
        if self.gaps:
            value = value[~np.isnan(value)]
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            return False
        low = value > self.low if self.above else value >= self.low
        return bool(low.all() and (value <= self.high).all())

    def _names(self) -> set[str]:
        return {size for shape in self.shapes for size in shape if type(size) is str}

    def describe(self) -> str:
        """Return the condition in words."""
        shapes = " or ".join(
            f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
            for shape in self.shapes
        )
        interval = _interval(self.low, self.high, self.above)
        kind = "finite " if self.dtype.startswith("float") else ""
        gaps = " or NaN" if self.gaps else ""
        return f"{kind}{self.dtype} {shapes}{', ' * bool(interval)}{interval}{gaps}"


def _fits(found: tuple[int, ...], wanted: Shape, sizes: Sizes) -> bool:
    """Return whether a shape is as wanted; if so its new sizes are known now."""
    if len(found) != len(wanted):
        return False
    new: Sizes = {}
    for size, name in zip(found, wanted, strict=True):
        known = name if isinstance(name, int) else sizes.get(name, new.get(name))
        if known is None:
            new[str(name)] = size
        elif known != size:
            return False
    sizes.update(new)
    return True


@dataclass(frozen=True)
class Labels(Field):
    """The labels of the classes: two or more, of one type, sorted, each once."""

    size: str = "classes"

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed."""
        if type(value) is not np.ndarray or value.ndim != 1 or len(value) < 2:
            raise _wrong(place, self.describe(), value)
        if value.dtype.kind not in "biufUSOTMm":
            raise _wrong(place, self.describe(), str(value.dtype))
        if sizes.setdefault(self.size, len(value)) != len(value):
            raise _wrong(place, f"{self.size} = {sizes[self.size]}", value)
        if not values:
            return
        labels = value.tolist()
        if value.dtype == object and {type(label) for label in labels} - set(_PLAIN):
            raise _wrong(place, self.describe(), value)
        try:  # NaN is not below anything
            rising = all(a < b for a, b in itertools.pairwise(labels))
        except TypeError:
            rising = False
        if not rising:
            raise _wrong(place, self.describe(), value)

    def describe(self) -> str:
        """Return the condition in words."""
        return f"numbers or text ({self.size},), two or more, rising"


@dataclass(frozen=True)
class Texts(Field):
    """An array of names, such as those of columns."""

    size: str

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed."""
        if (
            type(value) is not np.ndarray
            or value.dtype != object
            or not _fits(value.shape, (self.size,), sizes)
            or not all(type(name) is str for name in value)
        ):
            raise _wrong(place, self.describe(), value)

    def describe(self) -> str:
        """Return the condition in words."""
        return f"text ({self.size},)"


@dataclass(frozen=True)
class Entries(Field):
    """A dictionary, or a list, whose keys and values are plain and of given types."""

    keys: tuple[type, ...]
    values: tuple[type, ...]

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed."""
        if type(value) is not dict:
            raise _wrong(place, self.describe(), value)
        for key, entry in value.items():
            if type(key) not in self.keys or type(entry) not in self.values:
                raise _wrong(place, self.describe(), f"{key!r}: {entry!r}")

    def describe(self) -> str:
        """Return the condition in words."""
        keys, values = (
            " or ".join(kind.__name__ for kind in kinds)
            for kinds in (self.keys, self.values)
        )
        return f"a dictionary from {keys} to {values}"


@dataclass(frozen=True)
class Nested(Field):
    """A record within a record, or a list of them with a size; sizes are shared."""

    schema: Schema
    optional: bool = False
    size: str | None = None

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed."""
        if value is None and self.optional:
            return
        if self.size is None:
            self.schema.check(value, sizes, place=place, values=values)
            return
        if type(value) is not list or not value:
            raise _wrong(place, self.describe(), value)
        if sizes.setdefault(self.size, len(value)) != len(value):
            raise _wrong(place, f"{self.size} = {sizes[self.size]}", str(len(value)))
        for i, one in enumerate(value):
            self.schema.check(one, sizes, place=f"{place}.{i}", values=values)

    def describe(self) -> str:
        """Return the condition in words."""
        several = f"a list ({self.size},) of " if self.size else ""
        return f"{several}{self.schema.name}" + " or None" * self.optional


@dataclass(frozen=True)
class Relation:
    """A condition on several fields; ``values`` if it looks at entries of arrays."""

    text: str
    holds: Callable[[Any, Sizes], bool] = field(compare=False)
    values: bool = False


@dataclass(frozen=True, eq=False)
class Schema:
    """The schema of a record.

    Parameters
    ----------
    name
        The name of the record in files, which stays when classes are renamed.
    fields
        What each attribute must be.
    relations
        Conditions on several of them.
    names
        Names of fields in files, where they differ from those of attributes.
    missing
        Attributes that a record may lack.

    Examples
    --------
    >>> point = Schema("point", {"place": Array((("axes",),)), "mass": Number(low=0.0)})
    >>> class Point:
    ...     place, mass = np.zeros(3), -1.0
    >>> point.check(Point())
    Traceback (most recent call last):
    rosenblatt.core.schema.SchemaError: point.mass must be a finite number at least 0...
    >>> Point.mass = 2.0
    >>> point.check(Point())
    {'axes': 3}
    """

    name: str
    fields: Mapping[str, Field]
    relations: tuple[Relation, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()

    def check(
        self,
        record: Any,
        sizes: Sizes | None = None,
        *,
        place: str | None = None,
        values: bool = True,
    ) -> Sizes:
        """Raise an error unless a record has this schema; return the sizes found.

        Parameters
        ----------
        record
            Anything with these attributes.
        sizes
            Sizes that are known already; those found are added.
        place
            The name of the record in error messages.
        values
            Whether to look at the entries of arrays, and not at their types and shapes
            alone.
        """
        known = {} if sizes is None else sizes
        place = self.name if place is None else place
        for name, wanted in self.fields.items():
            try:
                value = getattr(record, name)
            except AttributeError:
                if name in self.missing:
                    continue
                raise SchemaError(f"{place} must have the field {name}") from None
            written = self.names.get(name, name)
            wanted.check(f"{place}.{written}", value, known, values)
        for relation in self.relations:
            if (values or not relation.values) and not relation.holds(record, known):
                raise SchemaError(f"{place} must have {relation.text}")
        return known

    def file_names(self) -> dict[str, str]:
        """Return the names of fields in files, by attribute."""
        return {name: self.names.get(name, name) for name in self.fields}

    def describe(self) -> list[tuple[str, str]]:
        """Return name and condition of each field, and the relations, in words."""
        rows = [
            (
                self.names.get(name, name),
                wanted.describe() + " (optional)" * (name in self.missing),
            )
            for name, wanted in self.fields.items()
        ]
        return rows + [("", relation.text) for relation in self.relations]
