"""Collection of results into one Dataset, with NaN for missing ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from rosenblatt.sweeps.store import Manifest, Result, Store, Table

__all__ = ["collect"]

_Result = tuple[int, Result]


def _counted(entries: Sequence[Any]) -> Iterator[tuple[Any, int]]:
    """Yield labels, each with the number of times it came before."""
    before: dict[Any, int] = {}
    for entry in entries:
        label = math.nan if entry != entry else entry  # one that is itself
        before[label] = before.get(label, -1) + 1
        yield label, before[label]


class _Dimension:
    """A dimension of all results: the places of its labels, numbers in order."""

    def __init__(self) -> None:
        self.labelled, self.attrs = False, {}  # type: tuple[bool, dict[str, Any]]
        self._seen: dict[tuple[Any, int], int] = {}  # a label that came n times

    @staticmethod
    def _entries(result: Result, dim: str, size: int) -> tuple[bool, Any]:
        table = result.coordinates.get(dim)
        named = table is not None and table.dims == (dim,)
        return named, table.values.tolist() if named and table else range(size)

    def add(self, result: Result, dim: str, size: int) -> None:
        named, entries = self._entries(result, dim, size)
        self.labelled |= named
        for label in _counted(entries):
            self._seen.setdefault(label, len(self._seen))
        if dim in result.coordinates:
            self.attrs = self.attrs or result.coordinates[dim].attrs

    def sort(self) -> None:
        labels = np.array([label for label, _ in self._seen])
        order = np.arange(len(labels))
        if labels.dtype.kind in "biuf":
            order = np.argsort(labels, kind="stable")
        self.labels, seen = labels[order], list(self._seen)
        self._seen = {seen[old]: new for new, old in enumerate(order.tolist())}

    def places(self, result: Result, dim: str, size: int) -> list[int]:
        entries = self._entries(result, dim, size)[1]
        return [self._seen[label] for label in _counted(entries)]


def _empty(tables: list[Table], items: int, size: tuple[int, ...]) -> npt.NDArray[Any]:
    """Return an array for a variable; integers stay integers if no item is missing."""
    kind = np.result_type(*{table.values.dtype for table in tables})
    if kind.kind not in "biufc":
        return np.full((items, *size), "", dtype=object)
    if len(tables) == items and all(table.values.shape == size for table in tables):
        return np.zeros((items, *size), dtype=kind)
    return np.full((items, *size), np.nan, dtype=np.result_type(kind, np.float64))


def _joined(
    results: list[_Result], items: int
) -> tuple[dict[str, tuple[Table, npt.NDArray[Any]]], dict[str, _Dimension]]:
    """Return each variable of all results as one array, and their dimensions."""
    dims: dict[str, _Dimension] = {}
    tables: dict[str, list[Table]] = {}
    for _, result in results:
        for name, table in result.variables.items():
            tables.setdefault(name, []).append(table)
            if tables[name][0].dims != table.dims:
                raise ValueError(
                    f"variable {name!r} must have the same dimensions in all results, "
                    f"got {tables[name][0].dims} and {table.dims}"
                )
            for dim, size in zip(table.dims, table.values.shape, strict=True):
                dims.setdefault(dim, _Dimension()).add(result, dim, size)
    for dimension in dims.values():
        dimension.sort()
    arrays = {
        name: _empty(all_, items, tuple(len(dims[d].labels) for d in all_[0].dims))
        for name, all_ in tables.items()
    }
    for item, result in results:
        for name, table in result.variables.items():
            sizes = zip(table.dims, table.values.shape, strict=True)
            places = (dims[dim].places(result, dim, size) for dim, size in sizes)
            arrays[name][np.ix_([item], *places)] = table.values
    return {name: (tables[name][0], arrays[name]) for name in tables}, dims


def _shared(results: list[_Result]) -> dict[str, Any]:
    """Return the attributes that all results have."""
    found = dict(results[0][1].attrs) if results else {}
    for _, result in results:  # 1 and 1.0 are different, and NaN is itself
        found = {k: v for k, v in found.items() if repr(v) == repr(result.attrs.get(k))}
    return found


def collect(store: Store, plan: Manifest) -> xr.Dataset:
    """Return all results of a sweep; their order in the store changes nothing."""
    results = store.results(plan.keys)
    variables, dims = _joined(results, len(plan.keys))
    named = {
        n: f"swept_{n}" if n in {*dims, *variables} else n for n in plan.coordinates
    }
    coordinates: dict[str, Any] = {
        named[name]: (named[axis], labels)
        for name, (axis, labels) in plan.coordinates.items()
    }
    for name, dim in dims.items():
        if dim.labelled:
            coordinates[name] = (name, dim.labels, dim.attrs)
    axes = [named[name] for name in plan.axes]
    return xr.Dataset(
        {
            name: (
                (*axes, *table.dims),
                array.reshape((*plan.shape, *array.shape[1:])),
                table.attrs,
            )
            for name, (table, array) in variables.items()
        },
        coords=coordinates,
        attrs={
            **_shared(results),
            "sweep": plan.name,
            "task": plan.task,
            "code": plan.code,
            "items": len(plan.keys),
            "done": len(results),
        },
    )
