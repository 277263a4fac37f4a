r"""Fields of binary weights: counting the bits in which weights and inputs differ.

With inputs :math:`\pm 1` and weights :math:`-1, 0, +1`,

.. math:: \sum_i w_i x_i = \#\{w_i \ne 0\} - 2\, \#\{w_i \ne 0, w_i \ne x_i\},  \tag{1}

of which the last is a population count of 64 columns at a time.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from rosenblatt.core.bits.container import Bits, Words, all_high
from rosenblatt.core.bits.differing import differences
from rosenblatt.core.jit import IntArray, kernel
from rosenblatt.core.lanes import LANES, prefetch

__all__ = ["fields"]

_U = np.uint64
_BLOCK = 16384  # words that all models see: 128 KiB, which stay in the second cache
_WORDS = types.Array(types.uint64, 1, "C", readonly=True)


@kernel(
    types.void,
    _WORDS,
    types.int64,
    _WORDS,
    _WORDS,
    types.int64[::1],
    types.int32[:, ::1],
)
def _fields(
    words: Words,
    row: int,
    signs: Words,
    mask: Words,
    nonzero: IntArray,
    out: npt.NDArray[np.int32],
) -> None:
    models, rows = out.shape
    width = _U(row)
    wrong = np.zeros(LANES, np.uint64)
    last = np.zeros(LANES * row, np.uint64)  # a copy of the rows that are left over
    whole = rows // LANES * LANES
    for i in range((rows - whole) * row):
        last[i] = words[whole * row + i]
    block = max(LANES, _BLOCK // max(row, 1) // LANES * LANES)
    for first in range(0, whole, block):
        stop = min(first + block, whole)
        for m in range(models):
            for i in range(first, stop, LANES):
                if m == 0:  # memory is faster if it is read in its order
                    for place in range(i * row, (i + LANES) * row, LANES):
                        prefetch(words, _U(place))
                differences(words, _U(i * row), signs, mask, _U(m * row), width, wrong)
                for j in range(LANES):
                    out[m, i + j] = np.int32(nonzero[m] - 2 * np.int64(wrong[j]))
    for m in range(models):
        differences(last, _U(0), signs, mask, _U(m * row), width, wrong)
        for j in range(rows - whole):
            out[m, whole + j] = np.int32(nonzero[m] - 2 * np.int64(wrong[j]))


def fields(bits: Bits, signs: Bits, mask: Bits | None = None) -> npt.NDArray[np.int32]:
    """Return the sum of weight times input, for every row and every model.

    Parameters
    ----------
    bits
        The inputs, one example a row.
    signs
        The weights, one model a row: high is +1, low is -1.
    mask
        High where a weight is not zero; without it none is.

    Returns
    -------
    array
        Exact integers, shape ``(rows of bits, rows of signs)``.

    Examples
    --------
    >>> from rosenblatt.core.bits import pack
    >>> inputs = pack([[1, 1, -1], [-1, 1, 1]])
    >>> fields(inputs, pack([[1, 1, 1]])).ravel()
    array([1, 1], dtype=int32)
    >>> fields(inputs, pack([[1, 1, 1]]), mask=pack([[1, 0, 1]])).ravel()
    array([0, 0], dtype=int32)
    """
    tables = {"bits": bits, "signs": signs, "mask": mask}
    for name, given in tables.items():
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
    if mask is None:
        mask = all_high(*signs.shape)
    elif len(mask) != len(signs):
        raise ValueError(
            f"mask must have {len(signs)} rows as signs has, got {len(mask)}"
        )
    nonzero = np.bitwise_count(mask.words).sum(axis=1, dtype=np.int64)
    out = np.empty((len(signs), len(bits)), np.int32)
    words, width = np.asarray(bits.words).reshape(-1), bits.words.shape[1]
    _fields(words, width, signs.words.reshape(-1), mask.words.reshape(-1), nonzero, out)
    return out.T
