"""Files of models with binary weights: one or two bits for each weight.

All numbers are little-endian. With ``row = ceil(columns / 8)`` bytes for the bits of a
model, in which bit j of byte k stands for column ``8 * k + j``, a file has

===================  ==========================================================
4 bytes              ``RBIT``
1 byte               the version of this format, 1
1 byte               flags: 1 a mask, 2 an edge for each column, 4 one for all
2 bytes              M, the number of models: 1 for two classes, else one each
4 bytes              the number of columns
4 bytes              L, the number of bytes of the labels
8 bytes              the divisor of the sums, a double
8 M bytes            the offset of each model, doubles
M row bytes          signs: 1 where a weight is +1, 0 where it is -1 or 0
M row bytes          mask, if there is one: 1 where a weight is not 0
8 bytes each         edges, if there are any, doubles: an entry above is high
L bytes              the labels, a list in JSON
4 bytes              the CRC-32 of all bytes before
===================  ==========================================================

The score of a model is the sum of weights and inputs, each -1 or +1, over the divisor,
plus the offset. Without edges, an entry above 0 is high.
"""

from __future__ import annotations

import itertools
import json
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.models.bit_model import BitModel, bit_model
from rosenblatt.models.errors import ModelFileError
from rosenblatt.system.atomic_files import write_whole

__all__ = ["export_bits", "load_bits"]

_MAGIC, _VERSION = b"RBIT", 1
_HEAD = struct.Struct("<4sBBHIId")
_MASK, _EDGES, _EDGE = 1, 2, 4  # flags
_CHECK = 4  # bytes of the checksum


def export_bits(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a model with binary weights to a file, one or two bits for each weight.

    Parameters
    ----------
    model
        A fitted ``BinaryPerceptron`` or ``ClippedHebb``, or a ``BinaryBayesPerceptron``
        with ``hard=True`` that has learned from packed bits.
    path
        The file, written whole or not at all; its format is in
        ``docs/model_files.md``.

    Examples
    --------
    >>> import tempfile
    >>> import rosenblatt as rb
    >>> X = np.random.default_rng(0).choice([-1, 1], (400, 21))
    >>> model = rb.ClippedHebb().fit(X, X[:, :11].sum(axis=1) > 0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "model.bits"
    ...     rb.export_bits(model, path)
    ...     path.stat().st_size, rb.load_bits(path).predict(X[:2])
    (51, array([ True, False]))
    """
    write_whole(path, _written(bit_model(model)))


def _rows(high: npt.NDArray[np.bool_]) -> bytes:
    return np.packbits(high, axis=1, bitorder="little").tobytes()


def _written(model: BitModel) -> bytes:
    models, columns = model.weights.shape
    if models >= 2**16 or columns >= 2**32:
        raise ValueError(f"model is too large for packed bits: {model.weights.shape}")
    try:
        labels = json.dumps(model.classes.tolist(), separators=(",", ":")).encode()
    except TypeError:
        raise TypeError(
            f"classes must be numbers or text, got {model.classes.tolist()}"
        ) from None
    masked = not model.weights.all()
    flags = _MASK * masked
    if model.edges is not None:
        flags |= _EDGE if model.edges.size == 1 else _EDGES
    head = _HEAD.pack(
        _MAGIC, _VERSION, flags, models, columns, len(labels), model.divisor
    )
    content = head + model.offsets.astype("<f8").tobytes() + _rows(model.weights > 0)
    if masked:
        content += _rows(model.weights != 0)
    if model.edges is not None:
        content += model.edges.astype("<f8").tobytes()
    content += labels
    return content + zlib.crc32(content).to_bytes(_CHECK, "little")


def load_bits(path: str | os.PathLike[str]) -> BitModel:
    """Load a model for prediction that :func:`export_bits` has written.

    It has ``predict`` and ``decision_function``, and does not learn. A file that is
    damaged or something else is a :class:`rosenblatt.models.ModelFileError`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     load_bits(file.name)
    Traceback (most recent call last):
    rosenblatt.models.errors.ModelFileError: ... is no model in bits: it is empty
    """
    content = Path(path).read_bytes()
    try:
        return _read(content)
    except ModelFileError as failure:
        raise ModelFileError(f"{path} is no model in bits: {failure}") from failure


def _read(content: bytes) -> BitModel:
    if not content.startswith(_MAGIC):
        raise ModelFileError(
            "it does not begin with RBIT" if content else "it is empty"
        )
    if len(content) < _HEAD.size + _CHECK:
        raise ModelFileError(f"it ends after {len(content)} bytes; it is cut short")
    _, version, flags, models, columns, length, divisor = _HEAD.unpack_from(content)
    if version > _VERSION:
        raise ModelFileError(
            f"it has version {version}, and this rosenblatt reads up to {_VERSION}"
        )
    row = -(-columns // 8)
    masked = bool(flags & _MASK)
    edged = columns if flags & _EDGES else bool(flags & _EDGE)
    sizes = [8 * models, models * row, models * row * masked, 8 * edged]
    ends = np.cumsum([_HEAD.size, *sizes, length], dtype=object)
    if ends[-1] + _CHECK != len(content):
        raise ModelFileError(
            f"it is cut short or damaged: it has {len(content)} bytes, "
            f"and its header asks for {ends[-1] + _CHECK}"
        )
    stated = int.from_bytes(content[-_CHECK:], "little")
    if zlib.crc32(content[:-_CHECK]) != stated:
        raise ModelFileError("it is damaged: its checksum is wrong")
    offsets, signs, mask, edges, labels = (
        content[begin:end] for begin, end in itertools.pairwise(ends)
    )
    try:
        classes = np.array(json.loads(labels))
    except ValueError as failure:
        raise ModelFileError(f"its labels cannot be read: {failure}") from failure
    if not columns or not models or classes.shape != (max(models, 2),):
        raise ModelFileError(
            f"it has {models} models of {columns} columns for classes of shape "
            f"{classes.shape}"
        )
    added = np.frombuffer(offsets, "<f8").copy()
    if not (1.0 <= divisor <= columns and np.isfinite(added).all()):
        raise ModelFileError(
            f"sums of {columns} columns are divided by {divisor:g}, and {added} are "
            "added; these must be from 1 to the number of columns, and finite"
        )
    weights = np.where(_high(signs, models, columns), 1, -1).astype(np.int8)
    if masked:
        weights *= _high(mask, models, columns).view(np.int8)
    return BitModel(
        classes,
        weights,
        divisor,
        added,
        np.frombuffer(edges, "<f8").copy() if edged else None,
    )


def _high(rows: bytes, models: int, columns: int) -> npt.NDArray[np.uint8]:
    bits = np.frombuffer(rows, np.uint8).reshape(models, -1)
    return np.unpackbits(bits, axis=1, count=columns, bitorder="little")
