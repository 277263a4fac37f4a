"""Store of a sweep: one SQLite file with its plan and the result of each experiment.

All entries are Datasets, as the bytes of an ``.npz`` file and a key. Reading runs no
code: a file with tables, views or triggers of its own is refused.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import operator
import sqlite3
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

PLAN = b"plan"  # key of the plan: labels of the axes, and the key of each experiment
_TABLE = "CREATE TABLE entry4 (key BLOB PRIMARY KEY, content BLOB) WITHOUT ROWID"
_WAIT = 30.0  # seconds to wait for another process that writes
_KINDS = "biufcU"  # of arrays whose bytes are stored; others are stored as text


class StoreError(OSError):
    """Error of a store that cannot be used; the message says what to do."""


def _plain(attrs: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the attributes that JSON can hold."""
    found = {}
    for name, value in attrs.items():
        value = value.item() if isinstance(value, np.generic) else value
        if value is None or isinstance(value, bool | int | float | str):
            found[str(name)] = value
    return found


def as_dataset(value: Any) -> xr.Dataset:
    """Return the value of a task as arrays with names.

    Examples
    --------
    >>> as_dataset(0.5)["value"].values
    array(0.5)
    """
    if isinstance(value, xr.DataArray):
        value = value.to_dataset(name=value.name or "value")
    if isinstance(value, xr.Dataset):  # whose coordinates are labels of dimensions
        return value.reset_coords([n for n in value.coords if n not in value.dims])
    found = {}
    named = value if isinstance(value, Mapping) else {"value": value}
    for name, entry in named.items():
        array = np.asarray(entry)
        if array.dtype.kind not in _KINDS:
            raise TypeError(
                "a result must be a number, an array, a dictionary of these or a "
                f"Dataset, got {entry!r} for {name!r}"
            )
        found[str(name)] = [f"{name}_{axis}" for axis in range(array.ndim)], array
    return xr.Dataset(found)


def pack(data: xr.Dataset) -> bytes:
    """Return a Dataset as bytes, with the attributes that JSON can hold."""
    about, arrays = [], []
    for name, variable in data.variables.items():
        values = variable.values
        values = values if values.dtype.kind in _KINDS else values.astype(str)
        arrays.append(values)
        about.append((str(name), variable.dims, _plain(variable.attrs)))
    text = json.dumps([about, [*map(str, data.coords)], _plain(data.attrs)])
    file = io.BytesIO()
    np.savez(file, np.array(text), *arrays)
    return file.getvalue()


def unpack(content: bytes) -> xr.Dataset:
    """Return the Dataset of some bytes.

    Examples
    --------
    >>> unpack(pack(as_dataset({"error": [0.5, 0.1]})))["error"].values
    array([0.5, 0.1])
    """
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        text, *arrays = (file[f"arr_{number}"] for number in range(len(file.files)))
    about, coords, attrs = json.loads(text.item())
    found = {
        name: (dims, values, attributes)
        for (name, dims, attributes), values in zip(about, arrays, strict=True)
    }
    labels = {name: found.pop(name) for name in coords}
    return xr.Dataset(found, labels, attrs)


class Store:
    """The file of a sweep; a context manager that closes it.

    Parameters
    ----------
    path
        The file.
    create
        Whether to make it if there is none.
    """

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self.path = path
        if not path.is_file() and (path.exists() or not create):
            raise StoreError(f"store must be the file of a sweep, got {str(path)!r}")
        with contextlib.ExitStack() as stack:
            stack.enter_context(self._errors())
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, timeout=_WAIT)
            stack.callback(self._file.close)
            self._file.execute("PRAGMA trusted_schema=OFF")
            if create and not self._file.execute("PRAGMA schema_version").fetchone()[0]:
                self._file.execute(_TABLE.replace("TABLE", "TABLE IF NOT EXISTS", 1))
            known = self._file.execute("SELECT sql FROM sqlite_master").fetchall()
            if known != [(_TABLE,)]:
                raise StoreError(
                    f"the store {str(path)!r} is not of this version; use another "
                    "name, or delete it"
                )
            stack.pop_all()

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """Make one transaction of what is written inside, and one line of any error."""
        try:
            yield
            self._file.commit()
        except sqlite3.OperationalError as failure:
            raise StoreError(
                f"the store {str(self.path)!r} cannot be used: {failure}"
            ) from failure
        except StoreError:
            raise
        except Exception as failure:  # damaged files make libraries raise anything
            reason = " ".join(str(failure).split())
            raise StoreError(
                f"the store {str(self.path)!r} is damaged ({reason}); delete it and "
                "run the sweep again"
            ) from failure

    def write(self, entries: Iterable[tuple[bytes, bytes]]) -> None:
        """Write keys with the packed results, all of them or none."""
        if not self.path.exists():
            raise StoreError(
                f"the store {str(self.path)!r} was deleted during the sweep"
            )
        with self._errors():
            self._file.executemany("REPLACE INTO entry4 VALUES (?, ?)", entries)

    def plan(self) -> xr.Dataset:
        """Return the plan that was written last."""
        with self._errors():
            found = "SELECT content FROM entry4 WHERE key = ?"
            for (content,) in self._file.execute(found, (PLAN,)):
                plan = unpack(content)
                if plan["key"].dtype != np.uint8 or not plan["key"].ndim:
                    raise ValueError("keys of experiments")
                return plan
        raise StoreError(
            f"the store {str(self.path)!r} has no plan; run the sweep again"
        )

    def keys(self) -> set[bytes]:
        """Return the keys of all results."""
        with self._errors():
            found = self._file.execute("SELECT key FROM entry4")
            return {key for (key,) in found} - {PLAN}

    def results(self, keys: list[bytes]) -> list[tuple[int, xr.Dataset]]:
        """Return the results that are there, in the order of their keys.

        Results that are damaged are deleted, so that the next run computes them again.
        """
        items: dict[bytes, list[int]] = {}
        for item, key in enumerate(keys):
            items.setdefault(key, []).append(item)
        found, damaged = [], []
        with self._errors():
            for key, content in self._file.execute("SELECT * FROM entry4"):
                if key not in items:
                    continue
                try:  # numpy reads and checks no more than an array's header asks for
                    if zipfile.ZipFile(io.BytesIO(content)).testzip():
                        raise ValueError("checksum")
                    result = unpack(content)
                except Exception:
                    damaged.append((key,))
                else:
                    found += [(item, result) for item in items[key]]
            if damaged:
                self._file.executemany("DELETE FROM entry4 WHERE key = ?", damaged)
                warnings.warn(
                    f"the store {str(self.path)!r} has {len(damaged)} damaged results; "
                    "the next run computes them again",
                    stacklevel=2,
                )
        return sorted(found, key=operator.itemgetter(0))

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _aligned(results: list[xr.Dataset]) -> list[xr.Dataset]:
    """Return results with the same labels; what a result does not have is NaN."""
    first = results[0] if results else xr.Dataset()
    if all(
        each.sizes == first.sizes
        and each.coords.keys() == first.coords.keys()
        and all(each.indexes[name].equals(first.indexes[name]) for name in each.indexes)
        for each in results
    ):
        return results
    return list(xr.align(*results, join="outer"))


def _shared(results: list[xr.Dataset]) -> dict[Any, Any]:
    """Return the attributes that all results have."""
    found = dict(results[0].attrs) if results else {}
    for each in results:  # 1 and 1.0 are different, and NaN is itself
        found = {k: v for k, v in found.items() if repr(v) == repr(each.attrs.get(k))}
    return found


def _joined(
    name: str, items: list[tuple[int, xr.Dataset]], shape: tuple[int, ...]
) -> tuple[list[str], np.ndarray[Any, Any], dict[str, Any]]:
    """Return a variable of all results as one array; NaN where there is no result."""
    given = [(i, each.variables[name]) for i, each in items if name in each.variables]
    first, count = given[0][1], math.prod(shape)
    for _, variable in given:
        if variable.dims != first.dims:
            raise ValueError(
                f"variable {name!r} must have the same dimensions in all results, got "
                f"{first.dims} and {variable.dims}"
            )
    kind = np.result_type(*{variable.dtype for _, variable in given})
    if kind.kind not in "biufc":
        array = np.full((count, *first.shape), "", dtype=object)
    elif len(given) == count:  # integers stay integers
        array = np.empty((count, *first.shape), kind)
    else:
        array = np.full((count, *first.shape), np.nan, np.result_type(kind, np.float64))
    for item, variable in given:
        array[item] = variable.values
    dims = [str(dim) for dim in first.dims]
    return dims, array.reshape((*shape, *first.shape)), first.attrs


def collect(store: Store, plan: xr.Dataset) -> xr.Dataset:
    """Return all results of a sweep; their order in the store changes nothing."""
    keys = plan["key"].values
    axes = [str(dim) for dim in plan["key"].dims[:-1]]
    found = store.results([bytes(row) for row in keys.reshape(-1, keys.shape[-1])])
    results = _aligned([result for _, result in found])
    items = [(item, result) for (item, _), result in zip(found, results, strict=True)]
    names = dict.fromkeys(str(name) for result in results for name in result.data_vars)
    labels: dict[Any, xr.Variable] = {}
    for result in results:
        for name in result.coords:
            labels.setdefault(name, result.variables[name])
    known = {*names, *labels, *(dim for result in results for dim in result.dims)}
    new = {each: f"swept_{each}" for each in {*plan.coords, *axes} if each in known}
    axes = [new.get(axis, axis) for axis in axes]
    variables = {}
    for name in names:
        dims, array, attrs = _joined(name, items, keys.shape[:-1])
        variables[name] = [*axes, *dims], array, attrs
    coords = plan.drop_vars("key").rename(new).coords
    about = {"items": math.prod(keys.shape[:-1]), "done": len(found)}
    attributes = _shared(results) | plan.attrs | about
    return xr.Dataset(variables, {**coords, **labels}, attributes)
