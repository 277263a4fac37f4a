"""Checks of a netCDF file before anything in it is read.

A file of HDF5, which netCDF is, may take its numbers from other files by name, and may
declare arrays far larger than itself. Both are refused.
"""

from __future__ import annotations

from pathlib import Path

from rosenblatt.system.extras import missing

try:
    import h5py
except ImportError:
    h5py = None

__all__ = ["check", "check_installed"]

_RATIO = 1032  # the most that deflate makes of a byte
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


def check(path: Path) -> None:
    """Raise ValueError if a file refers to others, or declares too large arrays."""
    with h5py.File(path, "r") as file:
        total = sum(_checked(name, file.get(name, getlink=True), file) for name in file)
    most = _RATIO * path.stat().st_size + _SLACK
    if total > most:
        raise ValueError(
            f"its arrays would take {total} bytes, too many for a file of its size"
        )
