"""Tensors and text in one block of bytes, with a checksum over all of it.

The format is safetensors: the length of the header in 8 bytes, a header in JSON that
says where each tensor is, and the tensors. Our own writer sorts everything, so that the
same model gives the same bytes. The checksum is the SHA-256 of the whole file with
zeros in the checksum's place.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.models.errors import ModelFileError
from rosenblatt.models.tree import NUMBERS
from rosenblatt.system.extras import missing

try:
    from safetensors import SafetensorError, deserialize
except ImportError as failure:
    raise missing("safetensors", "a model file") from failure

__all__ = ["CHECKSUM", "header", "pack", "unpack"]

Array = npt.NDArray[Any]
CHECKSUM = "checksum"
_NONE = "0" * 64  # in the place of the checksum, while it is computed
_LENGTH = 8  # bytes that tell the length of the header
_LONGEST = 100_000_000 - _LENGTH  # of a header; the format allows no more
_NAMES = {kind: name for name, kind in NUMBERS.items()}


def pack(tensors: Mapping[str, Array], texts: Mapping[str, str]) -> bytes:
    """Return the bytes of a file.

    Parameters
    ----------
    tensors
        Arrays of numbers by name, in C order.
    texts
        Text by name, the metadata of the format; the checksum is added.

    Examples
    --------
    >>> content = pack({"x": np.arange(3.0)}, {"by": "me"})
    >>> unpack(content)["x"], header(content)["by"]
    (array([0., 1., 2.]), 'me')
    """
    # larger numbers first, so that all are where processors like them
    names = sorted(tensors, key=lambda name: (-tensors[name].itemsize, name))
    entries: dict[str, Any] = {"__metadata__": {CHECKSUM: _NONE, **texts}}
    end = 0
    for name in names:
        array = tensors[name]
        begin, end = end, end + array.nbytes
        entries[name] = {
            "dtype": _NAMES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [begin, end],
        }
    head = json.dumps(entries, separators=(",", ":"), sort_keys=True).encode()
    if len(head) > _LONGEST:
        raise ValueError(
            f"model has {len(head)} bytes of names and other text; safetensors files "
            f"have room for {_LONGEST}"
        )
    head += b" " * (-len(head) % _LENGTH)
    length = struct.pack("<Q", len(head))
    blocks = [tensors[name].tobytes() for name in names]
    digest = _digest(length, head, *blocks)
    head = head.replace(_key(_NONE), _key(digest), 1)
    return b"".join([length, head, *blocks])


def _key(digest: str) -> bytes:
    return f'"{CHECKSUM}":"{digest}"'.encode()


def _digest(*pieces: bytes | memoryview) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def _head(content: bytes) -> bytes:
    """Return the bytes of the header."""
    if not content:
        raise ModelFileError("it is empty")
    if len(content) < _LENGTH:
        raise ModelFileError(f"it ends after {len(content)} bytes; it is cut short")
    (length,) = struct.unpack("<Q", content[:_LENGTH])
    if content[_LENGTH : _LENGTH + 1] != b"{":
        raise ModelFileError("it is not a safetensors file")
    if length > len(content) - _LENGTH:
        raise ModelFileError(
            f"it is cut short or damaged: its header has {length} bytes, "
            f"the file {len(content)}"
        )
    return content[_LENGTH : _LENGTH + length]


def header(content: bytes) -> dict[str, str]:
    """Return the metadata of a file: text by name."""
    try:
        entries = json.loads(_head(content))
        found = entries.get("__metadata__", {})
    except (ValueError, RecursionError, AttributeError) as failure:
        if isinstance(failure, ModelFileError):
            raise
        raise ModelFileError(
            "it is not a safetensors file, or damaged: its header cannot be read"
        ) from failure
    if not isinstance(found, dict):
        raise ModelFileError("it is damaged: its metadata are not text by name")
    return found


def unpack(content: bytes) -> dict[str, Array]:
    """Check the checksum of a file, and return its tensors.

    Examples
    --------
    >>> content = bytearray(pack({"x": np.arange(3.0)}, {}))
    >>> content[-1] ^= 1
    >>> unpack(bytes(content))
    Traceback (most recent call last):
    rosenblatt.models.errors.ModelFileError: it is damaged: its checksum is wrong
    """
    head = _head(content)
    stated = header(content).get(CHECKSUM, "")
    blank = head.replace(_key(str(stated)), _key(_NONE), 1)
    rest = memoryview(content)[_LENGTH + len(head) :]
    if _digest(content[:_LENGTH], blank, rest) != stated:
        raise ModelFileError("it is damaged: its checksum is wrong")
    try:
        entries: Any = deserialize(content)  # type: ignore[no-untyped-call]
    except SafetensorError as failure:
        raise ModelFileError(f"it is damaged: {failure}") from failure
    found = {}
    for name, entry in entries:
        kind = NUMBERS.get(entry["dtype"])
        if kind is None:
            raise ModelFileError(f"its tensor {name!r} is of type {entry['dtype']}")
        found[name] = np.frombuffer(entry["data"], kind).reshape(entry["shape"])
    return found
