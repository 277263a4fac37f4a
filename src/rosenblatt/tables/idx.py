"""Reader of the idx format of the MNIST files, plain or compressed by gzip.

A file begins with two zero bytes, a byte for the type of the numbers and one for the
number of dimensions. The dimensions follow, as big-endian integers of four bytes. Then
come the numbers, the last dimension running fastest.
"""

from __future__ import annotations

import gzip
import math
import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["read_idx"]

_TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
_GZIP = b"\x1f\x8b"
_LARGEST = 2**30  # bytes of an array: a small compressed file may have more


def _content(path: Path) -> bytes:
    """Return the bytes of a file, without compression."""
    with path.open("rb") as file:
        packed = file.read(len(_GZIP)) == _GZIP
    try:
        with gzip.open(path) if packed else path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as failure:
        raise ValueError(
            f"{path} is a damaged or truncated gzip file: {failure}"
        ) from None
    if len(content) > _LARGEST:
        raise ValueError(f"{path} must not have more than {_LARGEST} bytes")
    return content


def read_idx(path: str | os.PathLike[str]) -> npt.NDArray[Any]:
    """Return the array in an idx file; compression is detected.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(bytes([0, 0, 8, 1, 0, 0, 0, 3, 7, 2, 1]))
    ...     file.flush()
    ...     read_idx(file.name)
    array([7, 2, 1], dtype=uint8)
    """
    content = _content(Path(path))
    if len(content) < 4 or content[:2] != b"\0\0" or content[2] not in _TYPES:
        raise ValueError(
            f"{path} is not an idx file: it must begin with two zero bytes and a type "
            f"of numbers, got {content[:4].hex(' ') or 'nothing'}"
        )
    dimensions = content[3]
    start = 4 + 4 * dimensions
    if len(content) < start:
        raise ValueError(
            f"{path} is truncated: its head must have {start} bytes, got {len(content)}"
        )
    shape = np.frombuffer(content, ">u4", dimensions, 4).tolist()
    kind = np.dtype(_TYPES[content[2]])
    size = math.prod(shape) * kind.itemsize
    if len(content) - start != size:
        what = "truncated" if len(content) - start < size else "too long"
        raise ValueError(
            f"{path} is {what}: an array of shape {tuple(shape)} has {size} bytes, got "
            f"{len(content) - start}"
        )
    found = np.frombuffer(content, kind, offset=start).reshape(shape)
    return found.astype(kind.newbyteorder("="))
