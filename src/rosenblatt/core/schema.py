"""Schemas: the types, shapes, ranges and relations of a record's fields.

A record is a named tuple, a dataclass or the state of an estimator. Its schema is
written once, beside its class, and used twice: objects are checked by it when they are
made, files when they are read and written. Kernels trust what has passed.

Sizes of arrays have names, such as ``"columns"``. The first array with a name tells its
size; all others must agree, also those of records within a record.
Everything above ``core`` may import it.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

Sizes = dict[str, int]
Shape = tuple[str | int, ...]
Kind = TypeVar("Kind", bound=type)
_LARGEST = 2**62  # of whole numbers: sums of two are still 64-bit numbers
_ARRAYS = (np.ndarray, np.memmap)  # other kinds, such as masked ones, do more
_PLAIN = (bool, int, float, str)  # types of labels in an array of objects
_MISSING = object()


class SchemaError(ValueError):
    """A record does not have the fields, types, shapes or values of its schema."""


def _mismatch(place: str, wanted: str, value: Any) -> SchemaError:
    """Return the error of a value that is not as wanted."""
    if isinstance(value, np.ndarray):
        value = f"{value.dtype} of shape {value.shape}"
    text = value if isinstance(value, str) else repr(value)
    return SchemaError(f"{place} must be {wanted}, got {' '.join(text.split())[:80]}")


class Field:
    """A value that a record may have: a condition, in words and as a function.

    The function is given the value, the sizes known so far, to which it adds, and
    whether to look at the entries of arrays.
    """

    def __init__(self, words: str, fits: Callable[[Any, Sizes, bool], bool]) -> None:
        self.words, self.fits = words, fits

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed; learn sizes from it."""
        if not self.fits(value, sizes, values):
            said = f" with {sizes}" if sizes and isinstance(value, np.ndarray) else ""
            raise _mismatch(place, self.words + said, value)


def _interval(low: float, high: float, above: bool) -> str:
    """Return limits in words; with ``above`` the lower one itself is not allowed."""
    least = f" {'above' if above else 'at least'} {low:g}" if low > -math.inf else ""
    return least + (f", at most {high:g}" if high < math.inf else "")


def Number(
    low: float = -math.inf,
    high: float = math.inf,
    above: bool = False,
    infinite: bool = False,
    optional: bool = False,
) -> Field:
    """Return a floating-point number in an interval; infinite if that is allowed."""

    def fits(value: Any, sizes: Sizes, values: bool) -> bool:
        if value is None or type(value) is not float:
            return optional and value is None
        inside = (low < value if above else low <= value) and value <= high
        return inside and (math.isfinite(value) or (infinite and value == math.inf))

    kind = "a number" if infinite else "a finite number"
    return Field(kind + _interval(low, high, above) + " or None" * optional, fits)


def Whole(low: int = 0, high: int = _LARGEST, size: str | None = None) -> Field:
    """Return a whole number in an interval; it may tell a size."""

    def fits(value: Any, sizes: Sizes, values: bool) -> bool:
        inside = type(value) is int and low <= value <= high
        return inside and (size is None or sizes.setdefault(size, value) == value)

    return Field(f"a whole number{_interval(low, high, False)}", fits)


def Flag() -> Field:
    """Return the condition of True or False."""
    return Field("True or False", lambda value, *_: type(value) is bool)


def Text(choices: tuple[str, ...]) -> Field:
    """Return the condition of one of some words."""
    return Field(
        f"one of {', '.join(map(repr, choices))}",
        lambda value, *_: type(value) is str and value in choices,
    )


def Entries(keys: tuple[type, ...], values: tuple[type, ...]) -> Field:
    """Return the condition of a dictionary with keys and values of given types."""
    names = [" or ".join(kind.__name__ for kind in kinds) for kinds in (keys, values)]
    return Field(
        f"a dictionary from {names[0]} to {names[1]}",
        lambda given, *_: (
            type(given) is dict
            and {type(key) for key in given} <= {*keys}
            and {type(one) for one in given.values()} <= {*values}
        ),
    )


def Array(
    shapes: tuple[Shape, ...],
    dtype: str = "float64",
    low: float = -math.inf,
    high: float = math.inf,
    gaps: bool = False,
) -> Field:
    """Return an array of numbers: its shape, its type, and the interval of its entries.

    Of several shapes it has one; relations tell which. With ``gaps`` entries may be
    NaN.
    """

    def fits(value: Any, sizes: Sizes, values: bool) -> bool:
        if type(value) not in _ARRAYS or value.dtype != dtype:
            return False
        if not any(_has_shape(value.shape, shape, sizes) for shape in shapes):
            return False
        own = value[~np.isnan(value)] if gaps else value
        if not values or not own.size:
            return True
        if own.dtype.kind == "f" and not np.isfinite(own).all():
            return False
        return bool((own >= low).all() and (own <= high).all())

    kind = "finite " if dtype.startswith("float") else ""
    found = " or ".join(str(shape).replace("'", "") for shape in shapes)
    return Field(f"{kind}{dtype} {found}{_interval(low, high, False)}", fits)


def _has_shape(found: tuple[int, ...], wanted: Shape, sizes: Sizes) -> bool:
    """Return whether a shape is as wanted; if so its new sizes are known now."""
    if len(found) != len(wanted):
        return False
    new: Sizes = {}
    for size, name in zip(found, wanted, strict=True):
        if isinstance(name, int):
            known = name
        else:
            known = sizes.get(name, new.setdefault(name, size))
        if known != size:
            return False
    sizes.update(new)
    return True


def Labels(size: str = "classes") -> Field:
    """Return the labels of classes: two or more, of one type, sorted, each once."""

    def fits(value: Any, sizes: Sizes, values: bool) -> bool:
        if type(value) is not np.ndarray or value.ndim != 1 or len(value) < 2:
            return False
        kind = value.dtype.kind
        if kind not in "biufUSOTMm":
            return False
        if sizes.setdefault(size, len(value)) != len(value):
            return False
        if not values:
            return True
        if kind == "U":  # numbers that do not stand for characters cannot be shown
            codes = np.ascontiguousarray(value).view(value.dtype.byteorder + "u4")
            if codes.max(initial=0) > sys.maxunicode:
                return False
        labels = value.tolist()
        if kind == "O" and {type(label) for label in labels} - set(_PLAIN):
            return False
        try:  # NaN is not below anything
            return all(a < b for a, b in itertools.pairwise(labels))
        except TypeError:
            return False

    return Field(f"numbers or text ({size},), two or more, rising", fits)


def Texts(size: str) -> Field:
    """Return an array of names, such as those of columns."""
    return Field(
        f"text ({size},)",
        lambda value, sizes, _: (
            type(value) is np.ndarray
            and value.dtype == object
            and _has_shape(value.shape, (size,), sizes)
            and all(type(name) is str for name in value)
        ),
    )


class Nested(Field):
    """A record within a record, or a list of them with a size; sizes are shared."""

    def __init__(
        self, schema: Schema, *, optional: bool = False, size: str | None = None
    ) -> None:
        several = f"a list ({size},) of " if size else ""
        super().__init__(several + schema.name, lambda *_: True)
        self.schema, self.optional, self.size = schema, optional, size

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed; learn sizes from it."""
        if value is None and self.optional:
            return
        if self.size is None:
            self.schema.check(value, sizes, place=place, values=values)
            return
        if type(value) is not list or not value:
            raise _mismatch(place, self.words, value)
        if sizes.setdefault(self.size, len(value)) != len(value):
            raise _mismatch(place, f"{sizes[self.size]} in number", str(len(value)))
        for i, one in enumerate(value):
            self.schema.check(one, sizes, place=f"{place}.{i}", values=values)


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
        Condition on each attribute.
    relations
        Conditions on several of them.
    missing
        Attributes that a record may lack.

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt.core.schema import Array, Number
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
            value = getattr(record, name, _MISSING)
            if value is not _MISSING:
                wanted.check(f"{place}.{name}", value, known, values)
            elif name not in self.missing:
                raise SchemaError(f"{place} must have the field {name}")
        for relation in self.relations:
            if (values or not relation.values) and not relation.holds(record, known):
                raise SchemaError(f"{place} must have {relation.text}")
        return known


RECORDS: dict[type, Schema] = {}  # the schema of each class that model files keep


def record(schema: Schema) -> Callable[[Kind], Kind]:
    """Let model files keep the objects of a class, which have this schema."""

    def keep(kind: Kind) -> Kind:
        RECORDS[kind] = schema
        return kind

    return keep
