"""Collection of results into one Dataset, with NaN for missing ones."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from rosenblatt.sweeps.store.manifest import Manifest
from rosenblatt.sweeps.store.results import Result, Table, decode
from rosenblatt.sweeps.store.segments import Segments
from rosenblatt.sweeps.store.store import StoreError

__all__ = ["collect"]


class _Stored:
    """Stored results of a sweep, in the order of its items.

    So all that depends on an order (of labels, variables and attributes) is the same
    whoever computed them and when.
    """

    def __init__(self, manifest: Manifest, folder: Path) -> None:
        self._folder = folder / "records"
        self._segments: dict[str, int] = {}
        # Of each item the number of the file, where its result begins, and its length.
        self._where = np.full((manifest.keys.count, 3), -1, dtype=np.int64)
        for one in Segments(self._folder).new_records():
            items = manifest.keys.items(one.key)
            if items and self._where[items[0], 0] < 0:
                file = self._segments.setdefault(one.segment, len(self._segments))
                self._where[items] = file, one.start, len(one.body)
        self.there = self._where[:, 0] >= 0

    def __iter__(self) -> Iterator[tuple[int, Result]]:
        names, opened = list(self._segments), -1
        with contextlib.ExitStack() as stack:
            for item in np.flatnonzero(self.there):
                segment, start, size = self._where[item]
                if segment != opened:
                    stack.close()
                    file = stack.enter_context(
                        open(self._folder / names[segment], "rb")
                    )
                    opened = segment
                file.seek(start)
                try:
                    result = decode(file.read(size))
                except ValueError as failure:
                    path = str(self._folder / names[segment])
                    raise StoreError(
                        f"{path!r}, byte {start}: {failure}; delete the file: only "
                        "what it holds is computed again"
                    ) from None
                yield int(item), result


class _Dimension:
    """A dimension of results: its labels, each as often as one result has it."""

    def __init__(self) -> None:
        self.places: dict[tuple[Any, int], int] = {}  # of a label that came n times
        self.labelled = False
        self.attrs: dict[str, Any] = {}

    def at(self, labels: npt.NDArray[Any] | None, size: int) -> list[int]:
        """Return the indices of labels."""
        self.labelled |= labels is not None
        entries = range(size) if labels is None else labels.tolist()
        return [self.places.setdefault(e, len(self.places)) for e in _counted(entries)]

    @property
    def labels(self) -> npt.NDArray[Any]:
        """Labels, by index."""
        return np.array([label for label, _ in self.places])

    def order(self) -> npt.NDArray[np.intp]:
        """Return the sorted index of each label, if labels are numbers."""
        labels = self.labels
        if labels.dtype.kind not in "biuf":
            return np.arange(len(labels))
        return np.argsort(np.argsort(labels, kind="stable"))


def _counted(entries: Sequence[Any]) -> Iterator[tuple[Any, int]]:
    """Yield labels, each with the number of times it came before."""
    before: dict[Any, int] = {}
    for entry in entries:
        label = math.nan if entry != entry else entry  # one that is itself
        before[label] = before.get(label, -1) + 1
        yield label, before[label]


class _Shape:
    """Dimensions and variables of all results."""

    def __init__(self) -> None:
        self.dims: dict[str, _Dimension] = {}
        self.variables: dict[str, Table] = {}
        self.kinds: dict[str, np.dtype[Any]] = {}
        self.sizes: dict[str, set[tuple[int, ...]]] = {}
        self.counts: dict[str, int] = {}
        self.attrs: dict[str, Any] | None = None

    def add(self, result: Result) -> None:
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
            self.counts[name] = self.counts.get(name, 0) + 1
            _places(self, result, table)
        for name, table in result.coordinates.items():
            if name in self.dims:
                self.dims[name].attrs = self.dims[name].attrs or table.attrs
        known = result.attrs if self.attrs is None else self.attrs
        self.attrs = {k: v for k, v in known.items() if _same(v, result.attrs.get(k))}

    def empty(self, name: str, items: int) -> npt.NDArray[Any]:
        """Return an empty array; one that no NaN needs keeps its type."""
        kind = self.kinds[name]
        size = tuple(len(self.dims[d].places) for d in self.variables[name].dims)
        if kind.kind not in "biufc":
            return np.full((items, *size), "", dtype=object)
        if self.counts[name] == items and self.sizes[name] == {size}:
            return np.zeros((items, *size), dtype=kind)
        wide = np.result_type(kind, np.float64)
        return np.full((items, *size), np.nan, dtype=wide)


def _same(first: Any, second: Any) -> bool:
    return repr(first) == repr(second)  # NaN is, but 1 and 1.0 are not


def _places(shape: _Shape, result: Result, table: Table) -> list[list[int]]:
    """Return the indices of the entries of a table along each dimension."""
    found = []
    for dim, size in zip(table.dims, table.values.shape, strict=True):
        labels = result.coordinates.get(dim)
        known = labels.values if labels is not None and labels.dims == (dim,) else None
        found.append(shape.dims.setdefault(dim, _Dimension()).at(known, size))
    return found


def collect(folder: Path, manifest: Manifest) -> xr.Dataset:
    """Return all results of a sweep; read twice, for shapes and for numbers."""
    count, stored, shape = manifest.keys.count, _Stored(manifest, folder), _Shape()
    for _, result in stored:
        shape.add(result)
    order = {name: dim.order() for name, dim in shape.dims.items()}
    arrays = {name: shape.empty(name, count) for name in shape.variables}
    for item, result in stored:
        for name, table in result.variables.items():
            places = zip(table.dims, _places(shape, result, table), strict=True)
            at = np.ix_(np.array([item]), *(order[dim][where] for dim, where in places))
            arrays[name][at] = table.values
    taken = {*shape.dims, *shape.variables}
    named = {n: f"swept_{n}" if n in taken else n for n in manifest.coordinates}
    coordinates: dict[str, Any] = {
        named[name]: (named[axis], labels)
        for name, (axis, labels) in manifest.coordinates.items()
    }
    for name, dim in shape.dims.items():
        if dim.labelled:
            coordinates[name] = (name, dim.labels[np.argsort(order[name])], dim.attrs)
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
            "done": int(np.count_nonzero(stored.there)),
        },
    )
