"""Model files with another content and the right checksum."""

import json

import numpy as np

from rosenblatt.models.safetensors_file import header, pack, unpack

__all__ = ["forged"]


def forged(path, change):
    """Write a file anew, with another tree and other tensors and the right checksum."""
    content = path.read_bytes()
    texts, tensors = header(content), unpack(content)
    plain = json.loads(texts["model"])
    change(plain, tensors)
    del texts["checksum"]
    texts["model"] = json.dumps(plain)
    return pack({n: np.ascontiguousarray(a) for n, a in tensors.items()}, texts)
