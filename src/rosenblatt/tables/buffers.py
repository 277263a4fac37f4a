"""Memory for blocks of rows, used again when no array refers to it.

New memory is slow: the system hands it out page by page, each at its first use, and
that takes longer than to write rows to it.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Blocks"]


class Blocks:
    """A pool of memory for blocks of rows.

    Examples
    --------
    >>> blocks = Blocks()
    >>> first = blocks.take(2, 3, np.float32)
    >>> place = first.ctypes.data
    >>> blocks.take(2, 3, np.float32).ctypes.data == place
    False
    >>> part = first[1:]
    >>> del first  # a part of it is still there
    >>> blocks.take(2, 3, np.float32).ctypes.data == place
    False
    >>> del part
    >>> [blocks.take(2, 3, np.float32).ctypes.data for _ in range(2)].count(place)
    1
    """

    def __init__(self) -> None:
        self._free: list[memoryview] = []

    def take(self, rows: int, columns: int, dtype: Any) -> npt.NDArray[Any]:
        """Return an uninitialised block."""
        kind = np.dtype(dtype)
        size = rows * columns * kind.itemsize
        room = next((each for each in self._free if len(each) >= size), None)
        if room is None:
            room = memoryview(np.empty(size, np.uint8).data)  # nothing is written
        else:
            self._free.remove(room)
        # All that is cut from this array refers to it, since its memory is no array's.
        whole = np.frombuffer(room, kind, rows * columns)
        weakref.finalize(whole, self._free.append, room).atexit = False
        return whole.reshape(rows, columns)
