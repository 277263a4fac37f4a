"""Checks of a netCDF file before anything in it is read.

A file of HDF5, which netCDF is, may take its numbers from other files by name, and may
declare arrays far larger than itself. Both are refused. So are heaps of names with an
entry of no size, in which the HDF5 library would look for the next one for ever.
"""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING

from rosenblatt.system.extras import missing

if TYPE_CHECKING:
    import xarray as xr

try:
    import h5netcdf
    import h5py
    from xarray.backends import H5NetCDFStore
except ImportError:
    h5netcdf = h5py = None

_RATIO = 1032  # the most that deflate makes of a byte
_HEAP = b"GCOL\1\0\0\0"  # begins a global heap of version 1
_ENTRY = struct.Struct("<HHIQ")  # of a heap: index, references, nothing, size
_SLACK = 1 << 20  # bytes: a small file may hold names and labels of any kind


def _checked(name: str, link: h5py.HardLink, file: h5py.File) -> int:
    """Return the bytes that a variable takes in memory; refuse references to files."""
    if type(link) is not h5py.HardLink:
        raise ValueError(f"{name!r} is a link, perhaps to another file")
    found = file[name]
    if isinstance(found, h5py.Group):
        raise ValueError(f"{name!r} is a group, which no result has")
    if not isinstance(found, h5py.Dataset):
        return 0
    if found.external or found.is_virtual:
        raise ValueError(f"{name!r} takes its numbers from another file")
    return int(found.size or 0) * int(found.dtype.itemsize)


def check_installed() -> None:
    """Raise ImportError if h5py is not installed."""
    if h5py is None:
        raise missing("h5py", "a netCDF file")


def _check_heaps(content: bytes) -> None:
    """Raise ValueError if entries of a heap have no size, or lie beyond its end."""
    heap = content.find(_HEAP)
    while heap >= 0:
        place = heap + _ENTRY.size
        if place > len(content):
            return
        end = heap + _ENTRY.unpack_from(content, heap)[3]
        while place + _ENTRY.size <= min(end, len(content)):
            index, _, _, size = _ENTRY.unpack_from(content, place)
            # the size of free space, index 0, includes its entry
            step = size if index == 0 else _ENTRY.size + -(-size // 8) * 8
            if step < _ENTRY.size or place + step > end:
                raise ValueError("a heap of names is damaged")
            place += step
        heap = content.find(_HEAP, heap + 1)


def content(result: xr.Dataset) -> bytes:
    """Return a file of a result.

    The HDF5 library ends the process if it cannot write, on a full disk say. So it
    writes to memory.
    """
    memory = io.BytesIO()
    with h5netcdf.File(memory, "w") as file:
        result.dump_to_store(H5NetCDFStore(file))
    return memory.getvalue()


def check(content: bytes) -> None:
    """Raise ValueError if a file refers to others, or declares too large arrays."""
    _check_heaps(content)
    with h5py.File(io.BytesIO(content), "r") as file:
        total = sum(_checked(name, file.get(name, getlink=True), file) for name in file)
    most = _RATIO * len(content) + _SLACK
    if total > most:
        raise ValueError(
            f"its arrays would take {total} bytes, too many for a file of its size"
        )
