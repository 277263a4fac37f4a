"""Schemas: the names, types, shapes, ranges and relations of a record's fields.

A record is a named tuple, a dataclass or the state of an estimator. Its schema is
written once, beside its class, and used three times. Objects are checked by it when
they are made, files when they are read and written, and the documentation is generated
from it. Kernels trust what has passed.

Sizes of arrays have names, such as ``"columns"``. The first array with a name tells its
size; all others must agree, also those of records within a record.
Everything above ``core`` may import it.
"""

from rosenblatt.core.schema.arrays import Array, Labels, Texts
from rosenblatt.core.schema.fields import (
    Entries,
    Field,
    Flag,
    Number,
    SchemaError,
    Text,
    Whole,
)
from rosenblatt.core.schema.records import Nested, Relation, Schema

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
