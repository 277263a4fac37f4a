"""Packed bits: tables of two levels, and what binary weights need of them."""

from rosenblatt.core.bits.container import Bits
from rosenblatt.core.bits.counting import count
from rosenblatt.core.bits.counts import Counts
from rosenblatt.core.bits.drawing import BitStream
from rosenblatt.core.bits.files import levels, read
from rosenblatt.core.bits.labelling import labelled
from rosenblatt.core.bits.packing import pack, unpack
from rosenblatt.core.bits.predicting import fields

__all__ = [
    "BitStream",
    "Bits",
    "Counts",
    "count",
    "fields",
    "labelled",
    "levels",
    "pack",
    "read",
    "unpack",
]
