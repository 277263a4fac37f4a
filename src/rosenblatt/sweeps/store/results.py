"""Encoding of results as bytes; decoding runs no code.

A result is a text (JSON) that names its arrays, followed by their numbers.
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

__all__ = ["Result", "Table", "as_result", "decode", "encode"]

_LENGTH = struct.Struct("<I")
_DTYPE = re.compile(r"[<|][biufc][0-9]{1,2}")
_ENTRIES = {"variables", "coordinates", "attrs"}
_TABLES = ({"dims", "shape", "text"}, {"dims", "shape", "dtype"})
_NUMBERS = "biufc"  # kinds of arrays whose bytes are kept; others are listed as text


@dataclass(frozen=True)
class Table:
    """An array with names for its dimensions."""

    dims: tuple[str, ...]
    values: npt.NDArray[Any]
    attrs: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """Result of one experiment; coordinates are labels of dimensions."""

    variables: dict[str, Table]
    coordinates: dict[str, Table]
    attrs: dict[str, Any]


def _plain(attrs: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the attributes that JSON can hold."""
    found = {}
    for name, value in attrs.items():
        value = value.item() if isinstance(value, np.generic) else value
        if value is None or isinstance(value, bool | int | float | str):
            found[str(name)] = value
    return found


def _table(name: str, value: Any) -> Table:
    """Return a number or an array; its dimensions are named after it."""
    array = np.asarray(value)
    if array.dtype.kind not in _NUMBERS + "U":
        raise TypeError(
            f"a result must be a number, an array, a dictionary of these or a Dataset, "
            f"got {value!r} for {name!r}"
        )
    return Table(tuple(f"{name}_{axis}" for axis in range(array.ndim)), array)


def _variable(variable: Any) -> Table:
    return Table(
        tuple(map(str, variable.dims)), variable.values, _plain(variable.attrs)
    )


def as_result(value: Any) -> Result:
    """Return the value of a task as arrays with names.

    Examples
    --------
    >>> as_result(0.5).variables["value"].values
    array(0.5)
    >>> as_result({"error": [0.5, 0.1]}).variables["error"].dims
    ('error_0',)
    """
    if isinstance(value, xr.DataArray):
        value = value.to_dataset(name=value.name or "value")
    if isinstance(value, xr.Dataset):
        indexes = [name for name in value.coords if name in value.sizes]
        others = [name for name in value.variables if name not in indexes]
        return Result(
            {str(name): _variable(value.variables[name]) for name in others},
            {str(name): _variable(value.variables[name]) for name in indexes},
            _plain(value.attrs),
        )
    if not isinstance(value, Mapping):
        value = {"value": value}
    return Result({str(k): _table(str(k), v) for k, v in value.items()}, {}, {})


def encode(result: Result) -> bytes:
    """Return a result as bytes."""
    buffers: list[bytes] = []

    def about(table: Table) -> dict[str, Any]:
        values = table.values
        plain: dict[str, Any] = {"dims": table.dims, "shape": values.shape}
        if table.attrs:
            plain["attrs"] = table.attrs
        if values.dtype.kind in _NUMBERS:
            little = values.astype(values.dtype.newbyteorder("<"), copy=False)
            buffers.append(little.tobytes())
            plain["dtype"] = little.dtype.str
        else:
            plain["text"] = [str(entry) for entry in values.ravel()]
        return plain

    text = json.dumps(
        {
            "variables": {k: about(t) for k, t in result.variables.items()},
            "coordinates": {k: about(t) for k, t in result.coordinates.items()},
            "attrs": result.attrs,
        }
    ).encode()
    return b"".join([_LENGTH.pack(len(text)), text, *buffers])


def decode(data: bytes | memoryview) -> Result:
    """Return the result that was encoded.

    Examples
    --------
    >>> decode(encode(as_result({"error": [0.5, 0.1]}))).variables["error"].values
    array([0.5, 0.1])
    """
    try:
        return _decoded(data)
    except (
        ValueError,
        TypeError,
        AttributeError,
        OverflowError,
        struct.error,
        RecursionError,
    ):
        raise ValueError("a stored result is not as this version writes it") from None


def _expect(right: bool) -> None:
    if not right:
        raise ValueError


def _decoded(data: bytes | memoryview) -> Result:
    (length,) = _LENGTH.unpack_from(data)
    at = _LENGTH.size + length
    header = json.loads(bytes(data[_LENGTH.size : at]))
    _expect(isinstance(header, dict) and set(header) == _ENTRIES)

    def table(about: Any) -> Table:
        nonlocal at
        _expect(isinstance(about, dict) and set(about) - {"attrs"} in _TABLES)
        shape, dims = about["shape"], about["dims"]
        _expect(isinstance(shape, list) and isinstance(dims, list))
        _expect(all(type(size) is int and size >= 0 for size in shape))
        _expect(all(isinstance(dim, str) for dim in dims))
        _expect(len(set(dims)) == len(dims) == len(shape))
        if "text" in about:
            text = about["text"]
            _expect(isinstance(text, list) and all(isinstance(t, str) for t in text))
            values = np.array(text, dtype=object).reshape(shape)
        else:
            _expect(_DTYPE.fullmatch(about["dtype"]) is not None)
            dtype = np.dtype(about["dtype"])
            count = math.prod(shape)
            values = np.frombuffer(data, dtype, count, at).reshape(shape)
            at += values.nbytes
        return Table(tuple(dims), values, _attrs(about.get("attrs", {})))

    found = Result(
        {name: table(about) for name, about in header["variables"].items()},
        {name: table(about) for name, about in header["coordinates"].items()},
        _attrs(header["attrs"]),
    )
    _expect(at == len(data))
    return found


def _attrs(given: Any) -> dict[str, Any]:
    _expect(isinstance(given, dict) and _plain(given) == given)
    return dict(given)
