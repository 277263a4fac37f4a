r"""Fields of binary weights: counting the bits in which weights and inputs differ.

With inputs :math:`\pm 1` and weights :math:`-1, 0, +1`,

.. math:: \sum_i w_i x_i = \#\{w_i \ne 0\} - 2\, \#\{w_i \ne 0, w_i \ne x_i\},  \tag{1}

of which the last is a population count of 64 columns at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.bits.container import Bits
from rosenblatt.compiling import types
from rosenblatt.compiling.jit import kernel
from rosenblatt.compiling.vector.differing import TILE, tile_fields, turned
from rosenblatt.compiling.vector.lanes import LANES, prefetch, prefetch_to_write
from rosenblatt.core.types import IntArray, Words

__all__ = ["fields"]

_U = np.uint64
_LINE = 16  # results in a line of the cache, which are 64 bytes
_SEVERAL = 16  # models that take long enough to fetch the next rows meanwhile
_NONE = np.zeros(0, np.uint64)
_LARGEST = int(np.iinfo(np.int32).max)
_WORDS = types.Array(types.uint64, 1, "C", readonly=True)


@kernel(
    types.void,
    _WORDS,
    types.int64,
    _WORDS,
    _WORDS,
    types.int64[::1],
    types.int32[:, ::1],
    types.int64,
    allocates=True,
)
def _fields(
    words: Words,
    row: int,
    signs: Words,
    mask: Words,
    start: IntArray,
    out: npt.NDArray[np.int32],
    rows: int,
) -> None:
    """Write the fields of some rows, whose number must be a multiple of a tile."""
    models, apart = out.shape
    flat = out.reshape(-1)
    width = _U(row)
    tile = np.zeros((row + LANES) * TILE + LANES, np.uint64)
    tile = tile[-(tile.ctypes.data // 8) % LANES :]  # begins with a line of the cache
    share = -(-TILE * row // models // LANES) * LANES
    for i in range(0, rows, TILE):
        for j in range(i, i + TILE, LANES):
            turned(words, _U(j * row), width, tile, _U(j - i))
        for m in range(models):
            place = m * apart + i
            if models >= _SEVERAL:  # fewer read memory faster in its order, unasked
                ahead = (i + TILE) * row + m * share
                for k in range(ahead, ahead + share, LANES):
                    prefetch(words, _U(k))
            for k in range(place + TILE, place + 2 * TILE, _LINE):
                prefetch_to_write(flat, _U(k))
            other, masked = _U(m * row), mask.size > 0
            tile_fields(
                tile, signs, mask, masked, other, width, start[m], flat, _U(place)
            )


def fields(
    bits: Bits,
    signs: Bits,
    mask: Bits | None = None,
    *,
    threshold: npt.ArrayLike | None = None,
) -> npt.NDArray[np.int32]:
    """Return the sum of weight times input, for every row and every model.

    Parameters
    ----------
    bits
        The inputs, one example a row.
    signs
        The weights, one model a row: high is +1, low is -1.
    mask
        High where a weight is not zero; without it none is.
    threshold
        A whole number for each model that is subtracted from its sums.

    Returns
    -------
    array
        Exact integers, shape ``(rows of bits, rows of signs)``.

    Examples
    --------
    >>> from rosenblatt.bits import pack
    >>> inputs = pack([[1, 1, -1], [-1, 1, 1]])
    >>> fields(inputs, pack([[1, 1, 1]])).ravel()
    array([1, 1], dtype=int32)
    >>> fields(inputs, pack([[1, 1, 1]]), mask=pack([[1, 0, 1]])).ravel()
    array([0, 0], dtype=int32)
    >>> fields(inputs, pack([[1, 1, 1]]), threshold=[3]).ravel()
    array([-2, -2], dtype=int32)
    """
    for name, given in (("bits", bits), ("signs", signs), ("mask", mask)):
        if given is None and name == "mask":
            continue
        if not isinstance(given, Bits):
            raise TypeError(
                f"{name} must be Bits, such as pack(X) returns, got {given!r}"
            )
        if given.columns != bits.columns:
            raise ValueError(
                f"{name} must have {bits.columns} columns as bits has, "
                f"got {given.columns}"
            )
    # Few calls of NumPy: each takes some microseconds where its code is in no cache.
    used = _NONE
    start = [bits.columns] * len(signs)
    if mask is not None:
        if len(mask) != len(signs):
            raise ValueError(
                f"mask must have {len(signs)} rows as signs has, got {len(mask)}"
            )
        used = mask.words.reshape(-1)
        start = np.bitwise_count(mask.words).sum(axis=1, dtype=np.int64).tolist()
    if threshold is not None:
        lower = _thresholds(threshold, len(signs), bits.columns)
        start = [most - less for most, less in zip(start, lower, strict=True)]
    out = np.empty((len(signs), len(bits)), np.int32)
    width, first = bits.words.shape[1], np.array(start, np.int64)
    common = width, signs.words.reshape(-1), used, first
    rest = len(bits) % TILE
    whole = len(bits) - rest
    if whole and out.size:
        _fields(np.asarray(bits.words).reshape(-1), *common, out, whole)
    if rest and out.size:  # on a copy, since a tile reads and writes whole ones
        last = np.zeros((TILE, width), np.uint64)
        last[:rest] = bits.words[whole:]
        some = np.empty((len(signs), TILE), np.int32)
        _fields(last.reshape(-1), *common, some, TILE)
        out[:, whole:] = some[:, :rest]
    return out.T


def _thresholds(given: Any, models: int, columns: int) -> list[int]:
    """Return a threshold for each model, such that results are 32-bit integers."""
    found = np.asarray(given)
    if found.dtype.kind not in "iu" or found.shape != (models,):
        raise ValueError(
            f"threshold must be {models} whole numbers, one for each row of signs, "
            f"got {given!r}"
        )
    values: list[int] = found.tolist()
    most = _LARGEST - columns
    if any(abs(value) > most for value in values):
        raise ValueError(f"threshold must be from {-most} to {most}, got {given!r}")
    return values
