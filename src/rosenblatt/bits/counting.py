"""Counting of high columns among the examples of either label.

Counting is the addition of rows, 64 columns to a word, in numbers whose binary digits
lie in words of their own. Sixteen rows and the four lowest digits go through a tree of
full adders (Harley and Seal). Each adder is a few logical operations. One carry of
weight 16 comes out. Carries of the same weight are added two at a time, so that all
digits above cost less than one adder for sixteen rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.bits.container import WORD, Bits
from rosenblatt.bits.counts import Counts
from rosenblatt.compiling import types
from rosenblatt.compiling.jit import inlined, kernel
from rosenblatt.compiling.vector.adding import adding
from rosenblatt.compiling.vector.lanes import LANES, prefetch
from rosenblatt.core.types import IntArray, Words

__all__ = ["count", "signs_of"]

BoolArray = npt.NDArray[np.bool_]

_U = np.uint64
_GROUP = 16  # rows that are added together
_DIGITS = 4  # binary digits that a group goes through: 2**4 rows
_TILE = 128  # words of a row at a time, so that the digits stay in the cache
_STEP = _TILE + LANES  # words from digit to digit; no power of two, for the cache
# Where things are in the memory of a count: four digits, a carry, all higher digits.
_CARRY = _DIGITS * _STEP
_HIGHER = _CARRY + _STEP


def _full_adder(a: Any, b: Any, c: Any) -> tuple[Any, Any]:
    """Return sum and carry of three bits, in all places.

    Written so that each becomes one instruction where there are some of three inputs.
    """
    return a ^ b ^ c, (a & b) | (c & (a | b))


def _tree(rows: Sequence[Any], digits: list[Any]) -> Any:
    """Add 2**n rows to n digits, and return the carry."""
    level = len(rows).bit_length() - 2
    if level > 0:
        half = len(rows) // 2
        rows = [_tree(rows[:half], digits), _tree(rows[half:], digits)]
    digits[level], carry = _full_adder(digits[level], *rows)
    return carry


_add_all = adding(_tree, _GROUP, _DIGITS, masked=False)
_add_some = adding(_tree, _GROUP, _DIGITS, masked=True)
_add_pair = adding(_tree, 2, 1, masked=False)


@inlined
def _add(
    words: Words,
    place: int,
    row: int,
    masks: Words,
    state: Words,
    base: int,
    width: int,
    groups: int,
) -> None:
    """Add a group of rows to the digits at ``base``; ``groups`` were added before.

    All rows are added to the digits at 0, rows with a mask to those further on. Digits
    of weight 16 and more are in pairs of slots: the digit itself, and a carry that
    waits for another. One waits where the number of groups has a digit 1.
    """
    wide, step = _U(width), _U(_STEP)
    digit, carry = _U(base + _HIGHER), _U(base + _CARRY)
    out = carry if groups & 1 else digit + step
    start, apart, digits = _U(place), _U(row), _U(base)
    if base:
        _add_some(words, start, apart, masks, state, digits, step, out, wide)
    else:
        _add_all(words, start, apart, masks, state, digits, step, out, wide)
    while groups & 1:
        groups >>= 1
        out = carry if groups & 1 else digit + step + step + step
        waits = digit + step
        # two rows: the carry, and that which waits
        _add_pair(state, carry, waits - carry, masks, state, digit, step, out, wide)
        digit += step + step


@inlined
def _expand(
    out: IntArray, first: int, words: Words, place: int, width: int, weight: int
) -> None:
    """Add a digit of this weight to the counts of all columns."""
    for k in range(width):
        digit = words[place + k]
        for j in range(WORD):
            out[first + WORD * k + j] += weight * np.int64((digit >> _U(j)) & _U(1))


@inlined
def _expand_all(
    out: IntArray, first: int, state: Words, base: int, width: int, groups: int
) -> None:
    """Add all digits of a label, and the carries that wait, to the counts."""
    for level in range(_DIGITS):
        _expand(out, first, state, base + level * _STEP, width, 1 << level)
    place, weight = base + _HIGHER, _GROUP
    while groups:
        _expand(out, first, state, place, width, weight)
        if groups & 1:
            _expand(out, first, state, place + _STEP, width, weight)
        groups >>= 1
        place += 2 * _STEP
        weight *= 2


@kernel(
    types.void,
    types.Array(types.uint64, 1, "C", readonly=True),
    types.int64,
    types.Array(types.boolean, 1, "C", readonly=True),
    types.int64[:, ::1],
    allocates=True,
)
def _tally(words: Words, row: int, positive: BoolArray, counts: IntArray) -> None:
    """Count all rows, and the positive ones."""
    rows = positive.size
    levels = 1
    while rows >> levels:
        levels += 1
    side = _HIGHER + 2 * levels * _STEP
    state = np.empty(2 * side, np.uint64)
    masks = np.zeros(_GROUP, np.uint64)  # ones in rows that are positive
    groups = rows // _GROUP
    for left in range(0, row, _TILE):
        width = min(_TILE, row - left)
        state[:] = _U(0)
        for group in range(groups):
            place = group * _GROUP * row + left
            for j in range(_GROUP):
                for k in range(0, width, LANES):  # in the order of memory: faster
                    prefetch(words, _U(place + j * row + k))
                masks[j] = ~_U(0) if positive[group * _GROUP + j] else _U(0)
            _add(words, place, row, masks, state, 0, width, group)
            _add(words, place, row, masks, state, side, width, group)
        for label in range(2):
            out = counts[label]
            for i in range(groups * _GROUP, rows):
                if label == 0 or positive[i]:
                    _expand(out, WORD * left, words, i * row + left, width, 1)
            _expand_all(out, WORD * left, state, label * side, width, groups)


def signs_of(name: str, labels: npt.ArrayLike, rows: int) -> BoolArray:
    """Return a mask of positive labels, which must be -1 and +1, or booleans."""
    given = np.asarray(labels)
    if given.shape != (rows,):
        raise ValueError(
            f"{name} must be {rows}, one for each row, got shape {given.shape}"
        )
    if given.dtype == bool:
        return np.ascontiguousarray(given)
    if given.dtype.kind not in "iuf":
        raise TypeError(
            f"{name} must be -1 and +1, or booleans, got type {given.dtype}"
        )
    positive = np.ascontiguousarray(given == 1)
    negative = given == -1
    if np.count_nonzero(positive) + np.count_nonzero(negative) < rows:
        row = int(np.argmin(positive | negative))
        raise ValueError(f"{name} must be -1 or +1, got {name}[{row}] = {given[row]}")
    return positive


def _weights(given: npt.ArrayLike, rows: int) -> IntArray:
    """Return the weight of each row as an integer."""
    weights = np.asarray(given)
    if weights.shape != (rows,):
        raise ValueError(
            f"sample_weight must be {rows} numbers, one for each row, "
            f"got shape {weights.shape}"
        )
    if weights.dtype.kind not in "iufb":
        raise TypeError(f"sample_weight must be numbers, got type {weights.dtype}")
    # Sums of counts must stay below 2**63, whatever the number of rows.
    most = 2**62 // max(rows, 1)
    good = (weights >= 0) & (weights <= most) & (weights == np.floor(weights))
    if not good.all():
        row = int(np.argmin(good))
        raise ValueError(
            f"sample_weight must be whole numbers from 0 to {most}, "
            f"got sample_weight[{row}] = {weights[row]}"
        )
    return weights.astype(np.int64)


def _count(bits: Bits, positive: BoolArray) -> Counts:
    rows, row = bits.words.shape
    counts = np.zeros((2, WORD * row), np.int64)
    _tally(np.asarray(bits.words).reshape(-1), row, positive, counts)
    ones = int(np.count_nonzero(positive))
    every, high = counts[:, : bits.columns]
    return Counts(high, every - high, ones, rows - ones)


def count(
    bits: Bits, labels: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
) -> Counts:
    """Count in how many positive and negative examples each column is high.

    Parameters
    ----------
    bits
        The examples, one a row.
    labels
        Their labels: -1 and +1, or booleans.
    sample_weight
        How many times each row counts: whole numbers; 0 leaves it out.

    Returns
    -------
    Counts
        Exact, and the same however rows are ordered or divided.

    Notes
    -----
    Compiled code runs without Python's lock: threads that count parts of the rows run
    at the same time, and ``+`` merges what they found.

    Examples
    --------
    >>> from rosenblatt.bits import pack
    >>> found = count(pack([[1, -1], [1, 1], [-1, -1]]), [1, 1, -1])
    >>> found.high_positive, found.high_negative, found.hebb
    (array([2, 1]), array([0, 0]), array([3, 1]))
    >>> count(pack([[1, -1]]), [1], sample_weight=[3]).hebb
    array([ 3, -3])
    """
    if not isinstance(bits, Bits):
        raise TypeError(f"bits must be Bits, such as pack(X) returns, got {bits!r}")
    positive = signs_of("labels", labels, len(bits))
    if sample_weight is None:
        return _count(bits, positive)
    weights = _weights(sample_weight, len(bits))
    none = np.zeros(bits.columns, np.int64)
    found = Counts(none, none, 0, 0)
    # A weight is a sum of powers of two: as many counts as the largest has digits.
    for digit in range(int(weights.max(initial=0)).bit_length()):
        rows = np.flatnonzero(weights >> digit & 1)
        found += _count(bits[rows], positive[rows]).times(1 << digit)
    return found
