"""Distributed learning: pieces of the examples are learned by many processes.

``pieces`` and ``file_pieces`` are the pieces, ``learning`` what each kind of model does
with them, ``tree_reduction`` the order of merging, ``execution`` where tasks run,
``checkpoints`` what is stored meanwhile. ``fit`` and ``files`` are the public calls.
"""

from rosenblatt.training.distributed.files import train_parts
from rosenblatt.training.distributed.fit import fit_parts

__all__ = ["fit_parts", "train_parts"]
