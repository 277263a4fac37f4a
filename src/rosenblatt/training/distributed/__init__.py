"""Distributed learning: pieces of the examples are learned by many processes.

``pieces`` and ``file_pieces`` define the pieces, and ``learning`` learns from them with
each kind of model. ``tree_reduction`` has the order of merging, ``execution`` runs the
tasks, and ``checkpoints`` stores their results. ``fit`` and ``files`` have the public
functions, which the package itself imports when they are called.
"""

from rosenblatt.training.distributed.files import train_parts
from rosenblatt.training.distributed.fit import fit_parts

__all__ = ["fit_parts", "train_parts"]
