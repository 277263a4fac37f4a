"""Values as plain data that JSON can hold, and arrays apart, by name.

============================  ==================================================
None, True, 3, 0.1, "text"    themselves
nan, inf, -inf                ``{"float": "nan"}``
list                          a list
tuple                         ``{"tuple": [...]}``
dict                          ``{"dict": [[key, value], ...]}``
array                         ``{"array": name}``; the numbers are a tensor
array of text or dates        ``{"array": name, "dtype": "<U5"}``
array of objects              ``{"objects": [...], "shape": [...]}``
scalar of NumPy               ``{"scalar": array}``
record                        ``{"record": name, "fields": {...}}``
part                          ``{"part": name, "fields": {...}}``
a user's own part             ``{"own": name, "fields": {...}}``
a user's own function         ``{"own": name}``
generator of random numbers   ``{"random": kind, "state": ...}``
============================  ==================================================

Each array is a tensor of its own.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.core import Part
from rosenblatt.core.schema import Schema
from rosenblatt.models.names import schema_of
from rosenblatt.specification.codec import name_of

__all__ = ["NUMBERS", "Writer", "field_names"]

Array = npt.NDArray[Any]
# The types of numbers that safetensors knows, by its names.
NUMBERS = {
    "BOOL": np.dtype(bool),
    **{f"I{8 * n}": np.dtype(f"<i{n}") for n in (1, 2, 4, 8)},
    **{f"U{8 * n}": np.dtype(f"<u{n}") for n in (1, 2, 4, 8)},
    **{f"F{8 * n}": np.dtype(f"<f{n}") for n in (2, 4, 8)},
}


def field_names(kind: Any) -> list[str] | None:
    """Return the fields of a dataclass or named tuple, or None if it is neither.

    Examples
    --------
    >>> from rosenblatt.core import Clock
    >>> field_names(Clock), field_names(dict)
    (['time', 'mistakes', 'dim'], None)
    """
    if dataclasses.is_dataclass(kind):
        return [field.name for field in dataclasses.fields(kind)]
    names = getattr(kind, "_fields", None)
    return None if names is None else list(names)


class Writer:
    """Turns values into plain data, and gathers their arrays in ``tensors``.

    Examples
    --------
    >>> writer = Writer()
    >>> writer.plain({"a": (1, np.ones(2))}, "x")
    {'dict': [['a', {'tuple': [1, {'array': 'x.a.1'}]}]]}
    >>> writer.tensors
    {'x.a.1': array([1., 1.])}
    """

    def __init__(self) -> None:
        self.tensors: dict[str, Array] = {}
        self._open: set[int] = set()

    def plain(self, value: Any, place: str) -> Any:
        """Return a value as plain data; arrays get names that begin with the place."""
        kind = type(value)
        if value is None or kind in (bool, int, str):
            return value
        if kind is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if isinstance(value, np.ndarray):
            return self._array(value, place)
        if isinstance(value, np.generic):
            return {"scalar": self._array(np.asarray(value), place)}
        if id(value) in self._open:
            raise TypeError(f"{place} contains itself, which a file cannot hold")
        self._open.add(id(value))
        try:
            return self._compound(value, kind, place)
        finally:
            self._open.discard(id(value))

    def fields(self, value: Any, schema: Schema, place: str) -> dict[str, Any]:
        """Return the fields that a schema names, as plain data, by name in files."""
        return {
            written: self.plain(getattr(value, name), f"{place}.{written}")
            for name, written in schema.file_names().items()
            if name not in schema.missing or hasattr(value, name)
        }

    def _compound(self, value: Any, kind: Any, place: str) -> Any:
        if kind is list:
            return self._each(value, place)
        if kind is tuple:
            return {"tuple": self._each(value, place)}
        if kind is dict:
            pairs = [
                [self.plain(key, f"{place}.key"), self.plain(entry, f"{place}.{key}")]
                for key, entry in value.items()
            ]
            return {"dict": pairs}
        schema = schema_of(kind)
        if schema is not None:
            return {"record": schema.name, "fields": self.fields(value, schema, place)}
        if name_of(kind) is not None:
            return {"part": name_of(kind), "fields": self._attributes(value, place)}
        if isinstance(value, Part) and kind.__name__.isidentifier():
            return {"own": kind.__name__, "fields": self._attributes(value, place)}
        if inspect.isfunction(value) and value.__name__.isidentifier():
            return {"own": value.__name__}
        if kind in (np.random.RandomState, np.random.Generator):
            state = (
                value.get_state(legacy=False)
                if kind is np.random.RandomState
                else value.bit_generator.state
            )
            return {"random": kind.__name__, "state": self.plain(state, place)}
        raise TypeError(
            f"{place} is {value!r} of type {kind.__qualname__}, which a model file "
            "cannot keep"
        )

    def _each(self, values: Any, place: str) -> list[Any]:
        return [self.plain(entry, f"{place}.{i}") for i, entry in enumerate(values)]

    def _attributes(self, value: Any, place: str) -> dict[str, Any]:
        names = field_names(type(value))
        if names is None:
            names = list(vars(value))
        return {n: self.plain(getattr(value, n), f"{place}.{n}") for n in names}

    def _array(self, array: Array, place: str) -> dict[str, Any]:
        if array.dtype.kind in "OT":
            return self._objects(array, place)
        return self._tensor(array, place)

    def _objects(self, array: Array, place: str) -> dict[str, Any]:
        """Return an array of objects, such as names of columns, entry by entry."""
        entries = self._each(array.ravel().tolist(), place)
        written: dict[str, Any] = {"objects": entries, "shape": list(array.shape)}
        return written | ({"text": True} if array.dtype.kind == "T" else {})

    def _tensor(self, array: Array, place: str) -> dict[str, Any]:
        while place in self.tensors:
            place += "'"
        written: dict[str, Any] = {"array": place}
        native = array.dtype.newbyteorder("<")
        columns = array.flags.f_contiguous and not array.flags.c_contiguous
        rows = np.array(array.T if columns else array, native, order="C", copy=None)
        if columns:  # products of matrices may round differently in another order
            written["order"] = "F"
        if native.kind in "USMm" and native.itemsize:
            unit = {"U": "<u4", "S": "u1"}.get(native.kind, "<i8")
            size = native.itemsize // np.dtype(unit).itemsize
            rows = rows.reshape(-1).view(unit).reshape(*rows.shape, size)
            written["dtype"] = native.str
        elif native not in NUMBERS.values():
            raise TypeError(
                f"{place} is an array of type {array.dtype}, which a model file cannot "
                "keep"
            )
        self.tensors[place] = rows
        return written
