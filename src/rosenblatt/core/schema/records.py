"""Schemas of records, records within records, and relations between fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rosenblatt.core.schema.fields import Field, SchemaError, Sizes, mismatch

__all__ = ["Nested", "Relation", "Schema"]


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
            raise mismatch(place, self.describe(), value)
        if sizes.setdefault(self.size, len(value)) != len(value):
            raise mismatch(place, f"{self.size} = {sizes[self.size]}", str(len(value)))
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
        Condition on each attribute.
    relations
        Conditions on several of them.
    names
        Names of fields in files, where they differ from those of attributes.
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
    rosenblatt.core.schema.fields.SchemaError: point.mass must be a finite number ...
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
