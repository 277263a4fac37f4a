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
sparse rows                   ``{"csr": [data, indices, indptr], "shape": ...}``
named tuple, dataclass        ``{"class": name, "fields": {...}}``
a user's own part             ``{"own": name, "fields": {...}}``
a user's own function         ``{"own": name}``
generator of random numbers   ``{"random": kind, "state": ...}``
the same object once more     ``{"same": number}``
============================  ==================================================

Lists, dicts and dataclasses that can change are numbered as they come, from 0, so that
what was one object is one object again. The same array is the same tensor.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from rosenblatt.core import Part
from rosenblatt.models.names import is_record, name_of

__all__ = ["NUMBERS", "Writer", "changeable"]

Array = npt.NDArray[Any]
# The types of numbers that safetensors knows, by its names.
NUMBERS = {
    "BOOL": np.dtype(bool),
    **{f"I{8 * n}": np.dtype(f"<i{n}") for n in (1, 2, 4, 8)},
    **{f"U{8 * n}": np.dtype(f"<u{n}") for n in (1, 2, 4, 8)},
    **{f"F{8 * n}": np.dtype(f"<f{n}") for n in (2, 4, 8)},
}


def changeable(kind: type) -> bool:
    """Return whether objects of a class may change, so that it matters which one it is.

    Examples
    --------
    >>> changeable(list), changeable(tuple)
    (True, False)
    """
    if dataclasses.is_dataclass(kind):
        return not kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    return kind in (list, dict)


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
        self._arrays: dict[int, tuple[Array, Any]] = {}
        self._numbers: dict[int, tuple[Any, int]] = {}
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
        if id(value) in self._numbers:
            return {"same": self._numbers[id(value)][1]}
        if id(value) in self._open:
            raise TypeError(f"{place} holds itself, which a file cannot keep")
        if changeable(kind):
            self._numbers[id(value)] = (value, len(self._numbers))
        self._open.add(id(value))
        try:
            return self._compound(value, kind, place)
        finally:
            self._open.discard(id(value))

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
        if is_record(kind) and name_of(kind) is not None:
            return {"class": name_of(kind), **self._fields(value, place)}
        if isinstance(value, Part) and kind.__name__.isidentifier():
            return {"own": kind.__name__, **self._fields(value, place)}
        if inspect.isfunction(value) and value.__name__.isidentifier():
            return {"own": value.__name__}
        if isinstance(value, sparse.csr_matrix | sparse.csr_array):
            entries = [value.data, value.indices, value.indptr]
            return {
                "csr": self._each(entries, place),
                "shape": [int(size) for size in value.shape],
                "matrix": isinstance(value, sparse.spmatrix),
            }
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

    def _fields(self, value: Any, place: str) -> dict[str, Any]:
        kind = type(value)
        if dataclasses.is_dataclass(kind):
            names = [field.name for field in dataclasses.fields(kind)]
        else:
            names = list(getattr(kind, "_fields", None) or vars(value))
        fields = {n: self.plain(getattr(value, n), f"{place}.{n}") for n in names}
        return {"fields": fields}

    def _array(self, array: Array, place: str) -> dict[str, Any]:
        if id(array) in self._arrays:
            found: dict[str, Any] = self._arrays[id(array)][1]
            return found
        written = self._objects(array, place) if array.dtype.kind in "OT" else None
        if written is None:
            written = self._tensor(array, place)
        if not array.flags.writeable:
            written["fixed"] = True
        self._arrays[id(array)] = (array, written)
        return written

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
