"""Learning over many machines: models travel to where the examples are."""

from rosenblatt.training.distributed.files import train_parts
from rosenblatt.training.distributed.fit import fit_parts

__all__ = ["fit_parts", "train_parts"]
