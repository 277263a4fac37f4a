"""Keys of items, and the items of a key."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.system.digests import joined

__all__ = ["Group", "Keys"]


class Group(NamedTuple):
    """A parameter, the axes it depends on, and the digests of its values there."""

    name: str
    axes: list[int]
    digests: list[bytes]


def _short(key: bytes) -> int:
    return int.from_bytes(key[:8], "little")


class Keys:
    """Keys of all combinations of values on the axes."""

    def __init__(
        self, start: bytes, shape: tuple[int, ...], groups: Iterable[Group]
    ) -> None:
        self.start, self.shape, self.groups = start, shape, list(groups)
        self.count = math.prod(shape)
        self._order: npt.NDArray[np.intp] | None = None

    def key(self, item: int) -> bytes:
        """Return the key of an item."""
        at, left = [0] * len(self.shape), item
        for number in range(len(self.shape) - 1, -1, -1):
            left, at[number] = divmod(left, self.shape[number])
        pieces = [self.start]
        for name, axes, digests in self.groups:
            place = 0
            for number in axes:
                place = place * self.shape[number] + at[number]
            pieces += [name.encode(), digests[place]] if digests[place] else []
        return joined(*pieces)

    def _sort(self) -> None:
        """Sort the first halves of all keys, once."""
        short = np.fromiter(
            (_short(self.key(i)) for i in range(self.count)), np.uint64, self.count
        )
        self._order = np.argsort(short, kind="stable")
        self._short = short[self._order]

    def items(self, key: bytes) -> list[int]:
        """Return the items that have a key: one, none, or several that are the same."""
        if self._order is None:
            self._sort()
        assert self._order is not None
        short = np.uint64(_short(key))
        low = np.searchsorted(self._short, short, "left")
        high = np.searchsorted(self._short, short, "right")
        found = (int(i) for i in self._order[low:high])
        return [item for item in found if self.key(item) == key]

    def repeated(self) -> list[int]:
        """Return the items whose key an earlier item has."""
        if self._order is None:
            self._sort()
        assert self._order is not None
        same = np.flatnonzero(self._short[1:] == self._short[:-1]) + 1
        later = (int(i) for i in self._order[same])
        return [item for item in later if self.items(self.key(item))[0] < item]
