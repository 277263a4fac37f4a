"""Model files with another content and the right checksum."""

import numpy as np

from rosenblatt.models.saving import pack, unpack

__all__ = ["forged"]


def forged(path, change):
    """Return a file with another tree and other tensors, and the right checksum."""
    tree, tensors = unpack(path.read_bytes())
    tensors = dict(tensors)
    change(tree, tensors)
    return pack(tree, {n: np.ascontiguousarray(a) for n, a in tensors.items()})
