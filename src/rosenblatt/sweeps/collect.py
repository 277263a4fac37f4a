"""One Dataset of all that is there, with NaN where nothing is yet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from rosenblatt.sweeps.manifest import Manifest
from rosenblatt.sweeps.results import Result, Table, decode
from rosenblatt.sweeps.segments import Segments

__all__ = ["collect"]


def _results(
    manifest: Manifest, folder: Path, wanted: npt.NDArray[np.bool_]
) -> Iterator[tuple[list[int], Result]]:
    """Yield each wanted result once, with the items it is for."""
    left = wanted.copy()
    for kept in Segments(folder / "records").news():
        items = manifest.keys.items(kept.key)
        if items and left[items[0]]:
            left[items] = False
            yield items, decode(kept.body)


class _Dimension:
    """A dimension of results: all labels that occur, in order of appearance."""

    def __init__(self) -> None:
        self.places: dict[Any, int] = {}
        self.labelled = False
        self.attrs: dict[str, Any] = {}

    def at(self, labels: npt.NDArray[Any] | None, size: int) -> list[int]:
        self.labelled |= labels is not None
        entries = range(size) if labels is None else labels.tolist()
        return [self.places.setdefault(e, len(self.places)) for e in entries]

    def order(self) -> npt.NDArray[np.intp]:
        """Return the new place of each label: increasing, if they are numbers."""
        labels = list(self.places)
        if any(isinstance(label, str) for label in labels):
            return np.arange(len(labels))
        return np.argsort(np.argsort(np.array(labels)))


class _Shape:
    """Which dimensions and variables the results have: what a first look finds."""

    def __init__(self) -> None:
        self.dims: dict[str, _Dimension] = {}
        self.variables: dict[str, Table] = {}
        self.kinds: dict[str, np.dtype[Any]] = {}
        self.sizes: dict[str, set[tuple[int, ...]]] = {}
        self.counts: dict[str, int] = {}
        self.attrs: dict[str, Any] | None = None

    def add(self, result: Result, count: int) -> None:
        for name, table in result.variables.items():
            first = self.variables.setdefault(name, table)
            if first.dims != table.dims:
                raise ValueError(
                    f"variable {name!r} must have the same dimensions in all results, "
                    f"got {first.dims} and {table.dims}"
                )
            kind = self.kinds.get(name, table.values.dtype)
            self.kinds[name] = np.promote_types(kind, table.values.dtype)
            self.sizes.setdefault(name, set()).add(table.values.shape)
            self.counts[name] = self.counts.get(name, 0) + count
            _places(self, result, table)
        for name, table in result.coordinates.items():
            if name in self.dims:
                self.dims[name].attrs = table.attrs
        known = result.attrs if self.attrs is None else self.attrs
        self.attrs = {k: v for k, v in known.items() if result.attrs.get(k) == v}

    def empty(self, name: str, items: int) -> npt.NDArray[Any]:
        """Return an array of nothing; one that will be full keeps its kind."""
        kind = self.kinds[name]
        size = tuple(len(self.dims[d].places) for d in self.variables[name].dims)
        if kind.kind not in "biufc":
            return np.full((items, *size), "", dtype=object)
        if self.counts[name] == items and self.sizes[name] == {size}:
            return np.zeros((items, *size), dtype=kind)
        wide = np.result_type(kind, np.float64)
        return np.full((items, *size), np.nan, dtype=wide)


def _places(shape: _Shape, result: Result, table: Table) -> list[list[int]]:
    """Return where along each dimension the entries of a table are."""
    found = []
    for dim, size in zip(table.dims, table.values.shape, strict=True):
        labels = result.coordinates.get(dim)
        known = labels.values if labels is not None and labels.dims == (dim,) else None
        found.append(shape.dims.setdefault(dim, _Dimension()).at(known, size))
    return found


def collect(folder: Path, manifest: Manifest) -> xr.Dataset:
    """Read all results of a sweep twice: for their shape, then for their numbers."""
    count = manifest.keys.count
    shape, there = _Shape(), np.zeros(count, dtype=bool)
    for items, result in _results(manifest, folder, np.ones(count, dtype=bool)):
        shape.add(result, len(items))
        there[items] = True
    order = {name: dim.order() for name, dim in shape.dims.items()}
    arrays = {name: shape.empty(name, count) for name in shape.variables}
    for items, result in _results(manifest, folder, there):
        for name, table in result.variables.items():
            places = zip(table.dims, _places(shape, result, table), strict=True)
            at = np.ix_(np.array(items), *(order[dim][where] for dim, where in places))
            arrays[name][at] = table.values
    taken = {*shape.dims, *shape.variables}
    named = {n: f"swept_{n}" if n in taken else n for n in manifest.coordinates}
    coordinates: dict[str, Any] = {
        named[name]: (named[axis], labels)
        for name, (axis, labels) in manifest.coordinates.items()
    }
    for name, dim in shape.dims.items():
        if dim.labelled:
            labels = np.array(list(dim.places))[np.argsort(order[name])]
            coordinates[name] = (name, labels, dim.attrs)
    axes = [named[name] for name in manifest.axes]
    return xr.Dataset(
        {
            name: (
                (*axes, *table.dims),
                arrays[name].reshape((*manifest.shape, *arrays[name].shape[1:])),
                table.attrs,
            )
            for name, table in shape.variables.items()
        },
        coords=coordinates,
        attrs={
            **(shape.attrs or {}),
            "sweep": manifest.name,
            "task": manifest.task,
            "code": manifest.code,
            "items": count,
            "done": int(np.count_nonzero(there)),
        },
    )
