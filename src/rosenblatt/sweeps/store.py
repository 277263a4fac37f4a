"""Store of a sweep: one SQLite file with its plan and the result of each experiment.

A result is a text (JSON) that names its arrays, and their bytes. Reading runs no code:
a file with tables, views or triggers of its own is refused.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import operator
import re
import sqlite3
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

__all__ = [
    "Manifest",
    "Result",
    "Store",
    "StoreError",
    "Table",
    "as_result",
    "decode",
    "encode",
]

_TABLES = (
    "CREATE TABLE plan (about TEXT, keys BLOB)",
    "CREATE TABLE result (key BLOB, about TEXT, data BLOB, digest BLOB)",
)
_MARK = 0x726F7302  # of this format; a test asks for another one when it changes
_WAIT = 30.0  # seconds to wait for another process that writes
_FLUSH = 0.2  # seconds between two writes: what a killed process may lose
_DTYPE = re.compile(r"[<|][biufc][0-9]{1,2}")
_NUMBERS = "biufc"  # kinds of arrays whose bytes are kept; others are listed as text
_EMPTY = 10**6  # most entries along a dimension of an array without any
_KEY = 16  # bytes: two of 1e9 experiments are the same by chance once in 1e20 stores


class StoreError(OSError):
    """Error of a store that cannot be used; the message says what to do."""


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


@dataclass(frozen=True)
class Manifest:
    """Axes of a sweep, labels, and the key of each experiment.

    It holds no parts: a store is read without the code that computed it.
    """

    name: str
    task: str
    code: str
    axes: list[str]
    coordinates: dict[str, tuple[str, npt.NDArray[Any]]]
    shape: tuple[int, ...]
    keys: list[bytes]


def _plain(attrs: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the attributes that JSON can hold."""
    found = {}
    for name, value in attrs.items():
        value = value.item() if isinstance(value, np.generic) else value
        if value is None or isinstance(value, bool | int | float | str):
            found[str(name)] = value
    return found


def as_result(value: Any) -> Result:
    """Return the value of a task as arrays with names.

    Examples
    --------
    >>> as_result(0.5).variables["value"].values
    array(0.5)
    """
    if isinstance(value, xr.DataArray):
        value = value.to_dataset(name=value.name or "value")
    if isinstance(value, xr.Dataset):
        tables = {
            str(name): Table(tuple(map(str, v.dims)), v.values, _plain(v.attrs))
            for name, v in value.variables.items()
        }
        labels = {n: t for n, t in tables.items() if n in value.coords and n in t.dims}
        others = {n: t for n, t in tables.items() if n not in labels}
        return Result(others, labels, _plain(value.attrs))
    tables = {}
    for name, entry in (
        value if isinstance(value, Mapping) else {"value": value}
    ).items():
        array = np.asarray(entry)
        if array.dtype.kind not in _NUMBERS + "U":
            raise TypeError(
                "a result must be a number, an array, a dictionary of these or a "
                f"Dataset, got {entry!r} for {name!r}"
            )
        dims = tuple(f"{name}_{axis}" for axis in range(array.ndim))
        tables[str(name)] = Table(dims, array)
    return Result(tables, {}, {})


def encode(result: Result) -> tuple[str, bytes]:
    """Return the text and the bytes of a result."""
    buffers: list[bytes] = []

    def about(table: Table) -> dict[str, Any]:
        values = table.values
        plain = {"dims": table.dims, "shape": values.shape, "attrs": table.attrs}
        if values.dtype.kind not in _NUMBERS:
            return plain | {"text": [str(entry) for entry in values.ravel()]}
        little = values.astype(values.dtype.newbyteorder("<"), copy=False)
        buffers.append(little.tobytes())
        return plain | {"dtype": little.dtype.str}

    text = json.dumps(
        {
            "variables": {k: about(t) for k, t in result.variables.items()},
            "coordinates": {k: about(t) for k, t in result.coordinates.items()},
            "attrs": result.attrs,
        }
    )
    return text, b"".join(buffers)


def decode(text: str, data: bytes) -> Result:
    """Return the result that was encoded; raise an error if its shapes are false.

    Examples
    --------
    >>> decode(*encode(as_result({"error": [0.5, 0.1]}))).variables["error"].values
    array([0.5, 0.1])
    """
    at = 0

    def table(about: dict[str, Any]) -> Table:
        nonlocal at
        dims, shape = tuple(map(str, about["dims"])), tuple(map(int, about["shape"]))
        if not len(set(dims)) == len(dims) == len(shape) or any(n < 0 for n in shape):
            raise ValueError("dimensions")
        attrs = _plain(about["attrs"])
        if "text" in about:
            texts = np.array([str(t) for t in about["text"]], dtype=object)
            return Table(dims, texts.reshape(shape), attrs)
        if not _DTYPE.fullmatch(about["dtype"]):
            raise ValueError("dtype")
        dtype, count = np.dtype(about["dtype"]), math.prod(shape)
        if not count and max(shape) > _EMPTY:
            raise ValueError("shape")
        values = np.frombuffer(data, dtype, count, at).reshape(shape)
        at += values.nbytes
        return Table(dims, values, attrs)

    plain = json.loads(text)
    found = Result(
        {name: table(about) for name, about in plain["variables"].items()},
        {name: table(about) for name, about in plain["coordinates"].items()},
        _plain(plain["attrs"]),
    )
    if at != len(data):
        raise ValueError("length")
    return found


def _digest(key: bytes, about: str, data: bytes) -> bytes:
    found = hashlib.blake2b(key, digest_size=8)
    found.update(about.encode())
    found.update(data)
    return found.digest()


def _labels(given: list[Any]) -> npt.NDArray[Any]:
    if not all(isinstance(entry, bool | int | float | str) for entry in given):
        raise TypeError("labels")
    text = any(isinstance(entry, str) for entry in given)
    return np.array(given, dtype=object if text else None)


class Store:
    """The file of a sweep; a context manager that writes the last results.

    Parameters
    ----------
    path
        The file.
    create
        Whether to make it if there is none.
    """

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self.path, self._written = path, time.monotonic()
        self._new: list[tuple[str | bytes, ...]] = []
        self._damaged: list[tuple[int]] = []
        if not path.is_file() and (path.exists() or not create):
            raise StoreError(f"store must be the file of a sweep, got {str(path)!r}")
        with self._errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, _WAIT, isolation_level=None)
        try:
            with self._errors():
                self._check(create)
        except BaseException:
            self._file.close()
            raise

    def _check(self, create: bool) -> None:
        """Refuse a file with anything but the tables of this format."""
        self._file.execute("PRAGMA trusted_schema=OFF")
        if create and not self._file.execute("PRAGMA schema_version").fetchone()[0]:
            with self._writing():
                for table in _TABLES:
                    self._file.execute(table)
                self._file.execute(f"PRAGMA application_id={_MARK}")
        ((mark,),) = self._file.execute("PRAGMA application_id")
        rows = self._file.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")
        if mark != _MARK or {row[0] for row in rows} != {*_TABLES}:
            raise StoreError(
                f"the store {str(self.path)!r} is not of this version; use another "
                "name, or delete it"
            )

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as failure:
            raise StoreError(
                f"the store {str(self.path)!r} cannot be used: {failure}"
            ) from failure
        except (sqlite3.Error, ValueError, TypeError, LookupError, OverflowError,
                RecursionError, AttributeError) as failure:  # fmt: skip
            raise StoreError(
                f"the store {str(self.path)!r} is damaged ({failure}); delete it and "
                "run the sweep again"
            ) from failure

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """Make one transaction of what is written inside."""
        self._file.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._file.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # a full disk has done it already
                self._file.execute("ROLLBACK")
            raise

    def write_plan(self, plan: Manifest) -> None:
        """Write the plan that :meth:`plan` returns from now on."""
        labels = {n: [axis, v.tolist()] for n, (axis, v) in plan.coordinates.items()}
        text = json.dumps(
            {
                "name": plan.name,
                "task": plan.task,
                "code": plan.code,
                "axes": plan.axes,
                "coordinates": labels,
                "shape": plan.shape,
            }
        )
        with self._errors(), self._writing():
            self._file.execute("DELETE FROM plan")
            self._file.execute(
                "INSERT INTO plan VALUES (?, ?)", (text, b"".join(plan.keys))
            )

    def plan(self) -> Manifest:
        """Return the plan that was written last."""
        with self._errors():
            text, keys = self._file.execute("SELECT about, keys FROM plan").fetchone()
            plain, count = json.loads(text), len(keys) // _KEY
            if math.prod(plain["shape"]) != count or len(keys) != count * _KEY:
                raise ValueError("wrong number of keys")
            sizes = dict(zip(plain["axes"], plain["shape"], strict=True))
            coordinates = {}
            for name, (axis, given) in plain["coordinates"].items():
                if len(given) != sizes[axis]:
                    raise ValueError("wrong number of labels")
                coordinates[name] = (axis, _labels(given))
            return Manifest(
                str(plain["name"]),
                str(plain["task"]),
                str(plain["code"]),
                list(sizes),
                coordinates,
                tuple(sizes.values()),
                [keys[i : i + _KEY] for i in range(0, len(keys), _KEY)],
            )

    def _rows(self) -> Iterator[tuple[bytes, str, bytes]]:
        """Yield all results that are not damaged, each once."""
        seen: set[bytes] = set()
        self._damaged = []
        for row, key, *result, digest in self._file.execute(
            "SELECT rowid, * FROM result"
        ):
            if _digest(key, *result) != digest:
                self._damaged.append((row,))
            elif key not in seen:
                seen.add(key)
                yield key, *result
        if self._damaged:
            warnings.warn(
                f"the store {str(self.path)!r} has {len(self._damaged)} damaged "
                "results; the next run computes them again",
                stacklevel=2,
            )

    def keys(self, *, repair: bool = False) -> set[bytes]:
        """Return the keys of undamaged results; with ``repair`` delete the others."""
        with self._errors():
            found = {row[0] for row in self._rows()}
            if repair and self._damaged:
                with self._writing():
                    self._file.executemany(
                        "DELETE FROM result WHERE rowid = ?", self._damaged
                    )
            return found

    def results(self, keys: list[bytes]) -> list[tuple[int, Result]]:
        """Return the results that are there, in the order of their keys."""
        items: dict[bytes, list[int]] = {}
        for item, key in enumerate(keys):
            items.setdefault(key, []).append(item)
        with self._errors():
            found = [
                (item, decode(about, data))
                for key, about, data in self._rows()
                for item in items.get(key, ())
            ]
        return sorted(found, key=operator.itemgetter(0))

    def add(self, key: bytes, about: str, data: bytes) -> None:
        """Add a result; it is written at the next :meth:`flush`."""
        self._new.append((key, about, data, _digest(key, about, data)))

    def flush(self, *, now: bool = False) -> None:
        """Write new results, unless some were written a moment ago."""
        if not self._new or not (now or time.monotonic() - self._written > _FLUSH):
            return
        if not self.path.exists():
            raise StoreError(
                f"the store {str(self.path)!r} was deleted during the sweep"
            )
        with self._errors(), self._writing():
            self._file.executemany("INSERT INTO result VALUES (?, ?, ?, ?)", self._new)
        self._new.clear()
        self._written = time.monotonic()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
