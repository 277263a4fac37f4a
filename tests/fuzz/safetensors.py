"""Files of tensors taken apart, and put together with a checksum made anew."""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Any, NamedTuple

__all__ = ["Tensors", "packed", "unpacked"]

_LENGTH = 8  # bytes with the length of the header
_NONE = "0" * 64  # in the place of the checksum, while it is computed


class Tensors(NamedTuple):
    """Header without places, the model as a tree, and the bytes of each tensor."""

    texts: dict[str, Any]
    tree: Any
    entries: dict[str, dict[str, Any]]
    blocks: dict[str, bytes]


def unpacked(content: bytes) -> Tensors:
    """Return the pieces of a file."""
    (length,) = struct.unpack("<Q", content[:_LENGTH])
    header = json.loads(content[_LENGTH : _LENGTH + length])
    texts = header.pop("__metadata__")
    tree = json.loads(texts.pop("model"))
    data = content[_LENGTH + length :]
    blocks = {n: data[slice(*entry.pop("data_offsets"))] for n, entry in header.items()}
    return Tensors(texts, tree, header, blocks)


def packed(parts: Tensors) -> bytes:
    """Return the bytes of a file, with the checksum that belongs to them."""
    texts = {**parts.texts, "checksum": _NONE, "model": json.dumps(parts.tree)}
    entries: dict[str, Any] = {"__metadata__": texts}
    end = 0
    for name, block in parts.blocks.items():
        begin, end = end, end + len(block)
        entries[name] = {**parts.entries[name], "data_offsets": [begin, end]}
    header = json.dumps(entries, separators=(",", ":"), sort_keys=True).encode()
    header += b" " * (-len(header) % 8)
    pieces = [struct.pack("<Q", len(header)), header, *parts.blocks.values()]
    digest = hashlib.sha256(b"".join(pieces)).hexdigest()
    key = b'"checksum":"'
    pieces[1] = header.replace(key + _NONE.encode(), key + digest.encode(), 1)
    return b"".join(pieces)
