r"""Random bits of product laws: columns are independent, each with its own probability.

A bit of probability p is high if a uniform number, drawn binary digit by binary digit,
is below p. All columns of a word are compared at once with the digits of their p, from
the first. After n digits a column is undecided with probability :math:`2^{-n}`, so a
few digits are drawn for all and more where they are needed. Probabilities have 64
binary digits, to which they are rounded: an error of at most :math:`2^{-65}`.

Random words belong to seed, row and word: rows do not depend on how many are drawn, nor
with which others.
"""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rosenblatt.bits.container import WORD, Bits, unused, words_for
from rosenblatt.bits.packing import packed
from rosenblatt.compiling import types
from rosenblatt.compiling.jit import kernel
from rosenblatt.core.arguments import whole
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.core.vocabulary import Stream
from rosenblatt.numerics.random import generator, word

__all__ = ["BitStream", "Seed", "draw_product", "draw_uniform"]

Seed = int | np.random.SeedSequence | Words

_U = np.uint64
_ALL = 12  # digits drawn for all columns: few rows then have an undecided one
_TABLE = types.Array(types.uint64, 2, "C", readonly=True)


class BitStream(Stream):
    """A law of inputs with two levels, as packed bits.

    Attributes
    ----------
    dim
        Number of columns.
    """

    if TYPE_CHECKING:  # a field of a dataclass, or a property: both will do

        @property
        def dim(self) -> int:
            """Number of columns."""

    @property
    @abstractmethod
    def chances(self) -> FloatArray:
        """The probability of the high level, for each column."""

    @abstractmethod
    def draw(self, rows: int, seed: Seed, first: int = 0) -> Bits:
        """Return examples number ``first`` to ``first + rows - 1`` of this seed.

        Parameters
        ----------
        rows
            Number of examples.
        seed
            A whole number, a ``SeedSequence``, or a generator of
            :mod:`rosenblatt.numerics.random`, whose counter is not used.
        first
            Number of the first example. Each example depends on its number and the seed
            only. A seed has 2**64 random numbers; to ask for more is an error.
        """


def _stream(rows: int, seed: Seed, first: int, numbers: int) -> tuple[int, Words, int]:
    """Return the arguments, checked, with a generator for the seed.

    ``numbers`` is how many random words belong to a row. A generator has 2**64, after
    which it would begin again.
    """
    rows, first = whole("rows", rows, low=0), whole("first", first, low=0)
    most = (2**WORD - 1) // numbers
    if first + rows > most:
        raise ValueError(
            f"first + rows must be at most {most}, where random numbers would begin to "
            f"repeat, got first={first}, rows={rows}"
        )
    if isinstance(seed, np.ndarray):
        if seed.dtype != np.uint64 or seed.shape != (3,):
            raise ValueError(
                "seed must be a whole number, a SeedSequence or a generator of three "
                f"words, got {seed!r}"
            )
        return rows, seed, first
    if not isinstance(seed, np.random.SeedSequence):
        seed = np.random.SeedSequence(whole("seed", seed, low=0))
    return rows, generator(seed), first


@kernel(types.void, types.uint64, types.uint64, types.uint64, types.uint64[::1])
def _uniform(key: np.uint64, gamma: np.uint64, first: np.uint64, out: Words) -> None:
    for i in range(out.size):
        out[i] = word(key, gamma, first + _U(i))


def draw_uniform(columns: int, rows: int, seed: Seed, first: int) -> Bits:
    """Return rows in which every column is high with probability one half.

    The generator's counter is not used: row i of a stream has its own numbers.
    """
    width = words_for(columns)
    rows, rng, first = _stream(rows, seed, first, width)
    words = np.empty((rows, width), np.uint64)
    _uniform(rng[0], rng[1], _U(first * width), words.reshape(-1))
    if columns % WORD:
        words[:, -1] &= _U(2**WORD - 1 ^ unused(columns))
    return Bits.trusted(words, columns)


def _digits(chances: npt.NDArray[np.float64]) -> tuple[Words, Words]:
    """Return the binary digits of probabilities, packed, and the result of ties.

    Digits that are 0 in all columns at the end are left out. A probability of 1 has
    digits 1 only, and a tie with it is high.
    """
    # in integers of any size, since floats have 53 digits
    wholes = [min(round(Fraction(p) * 2**WORD), 2**WORD - 1) for p in chances.tolist()]
    table = np.array(wholes, dtype=np.uint64)
    shifts = np.arange(WORD - 1, -1, -1, dtype=np.uint64)[:, None]
    digits = (table >> shifts & _U(1)).astype(bool)
    used = np.flatnonzero(digits.any(axis=1))
    digits = digits[: used[-1] + 1 if used.size else 0]
    return packed(digits), packed(chances[None] == 1.0)[0]


@kernel(
    types.void,
    types.uint64,
    types.uint64,
    types.uint64,
    _TABLE,
    types.Array(types.uint64, 1, "C", readonly=True),
    types.uint64[:, ::1],
    allocates=True,
)
def _product(
    key: np.uint64,
    gamma: np.uint64,
    first: np.uint64,
    digits: Words,
    ties: Words,
    out: Words,
) -> None:
    rows, width = out.shape
    count = digits.shape[0]
    shared = min(count, _ALL)
    undecided = np.empty(width, np.uint64)
    for i in range(rows):
        # Every word of a row has 64 numbers of its own.
        start = (first + _U(i)) * _U(width * 64)
        row = out[i]
        for k in range(width):
            row[k] = _U(0)
            undecided[k] = ~_U(0)
        for n in range(shared):
            digit = digits[n]
            for k in range(width):
                drawn = word(key, gamma, start + _U(n * width + k))
                row[k] |= undecided[k] & digit[k] & ~drawn
                undecided[k] &= ~(drawn ^ digit[k])
        for k in range(width):
            n = shared
            while undecided[k] != _U(0) and n < count:
                drawn = word(key, gamma, start + _U(n * width + k))
                row[k] |= undecided[k] & digits[n, k] & ~drawn
                undecided[k] &= ~(drawn ^ digits[n, k])
                n += 1
            row[k] |= undecided[k] & ties[k]


def draw_product(chances: FloatArray, rows: int, seed: Seed, first: int) -> Bits:
    """Return rows in which column j is high with probability ``chances[j]``."""
    digits, ties = _digits(chances)
    rows, rng, first = _stream(rows, seed, first, WORD * ties.size)
    words = np.empty((rows, ties.size), np.uint64)
    _product(rng[0], rng[1], _U(first), digits, ties, words)
    return Bits.trusted(words, chances.size)
