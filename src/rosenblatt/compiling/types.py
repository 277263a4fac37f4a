"""Types of kernel arguments: numba's own, and named structures of them."""

from typing import Any

from numba.types import (
    Array,
    BaseTuple,
    CPointer,
    Float,
    FunctionType,
    NamedUniTuple,
    StarArgTuple,
    UniTuple,
    boolean,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    void,
)

__all__ = [
    "Array",
    "CPointer",
    "Float",
    "FunctionType",
    "NamedUniTuple",
    "StarArgTuple",
    "UniTuple",
    "boolean",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "structure",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "void",
]


def structure(kind: type, *entries: Any) -> Any:
    """Return the type of a named tuple whose entries have these types.

    Kernels take their many arrays and numbers in a few such structures.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> Pair = NamedTuple("Pair", [("first", float), ("second", int)])
    >>> structure(Pair, float64, int64)
    Pair(float64, int64)
    """
    return BaseTuple.from_types(entries, kind)
