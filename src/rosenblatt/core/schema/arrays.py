"""Fields of records that are arrays: numbers, labels of classes, names."""

from __future__ import annotations

import itertools
import math
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.core.schema.fields import Field, Sizes, interval_text, mismatch

__all__ = ["Array", "Labels", "Texts"]

Shape = tuple[str | int, ...]
_ARRAYS = (np.ndarray, np.memmap)  # other kinds, such as masked ones, do more
_PLAIN = (bool, int, float, str)  # types of labels in an array of objects


@dataclass(frozen=True)
class Array(Field):
    """An array of numbers: its shape, its type, and the interval of its entries.

    An array may have one of several shapes; relations tell which.
    """

    shapes: tuple[Shape, ...]
    dtype: str = "float64"
    low: float = -math.inf
    high: float = math.inf
    above: bool = False
    gaps: bool = False  # whether entries may be NaN

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed."""
        if type(value) not in _ARRAYS or value.dtype != self.dtype:
            got = getattr(value, "dtype", type(value).__name__)
            raise mismatch(place, self.describe(), str(got))
        if not any(_fits(value.shape, shape, sizes) for shape in self.shapes):
            known = {k: v for k, v in sizes.items() if k in self._names()}
            wanted = f"{self.describe()}{f' with {known}' if known else ''}"
            raise mismatch(place, wanted, f"shape {value.shape}")
        if values and value.size and not self._inside(value):
            raise mismatch(place, self.describe(), "other entries")

    def _inside(self, value: Any) -> bool:
        """Return whether all entries are in the interval; comparisons refuse NaN."""
        if self.gaps:
            value = value[~np.isnan(value)]
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            return False
        low = value > self.low if self.above else value >= self.low
        return bool(low.all() and (value <= self.high).all())

    def _names(self) -> set[str]:
        return {size for shape in self.shapes for size in shape if type(size) is str}

    def describe(self) -> str:
        """Return the condition in words."""
        shapes = " or ".join(
            f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
            for shape in self.shapes
        )
        interval = interval_text(self.low, self.high, self.above)
        kind = "finite " if self.dtype.startswith("float") else ""
        gaps = " or NaN" if self.gaps else ""
        return f"{kind}{self.dtype} {shapes}{', ' * bool(interval)}{interval}{gaps}"


def _is_text(value: Any) -> bool:
    """Return whether all numbers in an array of text stand for characters."""
    codes = np.ascontiguousarray(value).view(value.dtype.byteorder + "u4")
    return bool(codes.max(initial=0) <= sys.maxunicode)


def _fits(found: tuple[int, ...], wanted: Shape, sizes: Sizes) -> bool:
    """Return whether a shape is as wanted; if so its new sizes are known now."""
    if len(found) != len(wanted):
        return False
    new: Sizes = {}
    for size, name in zip(found, wanted, strict=True):
        known = name if isinstance(name, int) else sizes.get(name, new.get(name))
        if known is None:
            new[str(name)] = size
        elif known != size:
            return False
    sizes.update(new)
    return True


@dataclass(frozen=True)
class Labels(Field):
    """The labels of the classes: two or more, of one type, sorted, each once."""

    size: str = "classes"

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed."""
        if type(value) is not np.ndarray or value.ndim != 1 or len(value) < 2:
            raise mismatch(place, self.describe(), value)
        if value.dtype.kind not in "biufUSOTMm":
            raise mismatch(place, self.describe(), str(value.dtype))
        if sizes.setdefault(self.size, len(value)) != len(value):
            raise mismatch(place, f"{self.size} = {sizes[self.size]}", value)
        if not values:
            return
        if value.dtype.kind == "U" and not _is_text(value):
            raise mismatch(place, self.describe(), "text with impossible characters")
        labels = value.tolist()
        if value.dtype == object and {type(label) for label in labels} - set(_PLAIN):
            raise mismatch(place, self.describe(), value)
        try:  # NaN is not below anything
            rising = all(a < b for a, b in itertools.pairwise(labels))
        except TypeError:
            rising = False
        if not rising:
            raise mismatch(place, self.describe(), value)

    def describe(self) -> str:
        """Return the condition in words."""
        return f"numbers or text ({self.size},), two or more, rising"


@dataclass(frozen=True)
class Texts(Field):
    """An array of names, such as those of columns."""

    size: str

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed."""
        if (
            type(value) is not np.ndarray
            or value.dtype != object
            or not _fits(value.shape, (self.size,), sizes)
            or not all(type(name) is str for name in value)
        ):
            raise mismatch(place, self.describe(), value)

    def describe(self) -> str:
        """Return the condition in words."""
        return f"text ({self.size},)"
