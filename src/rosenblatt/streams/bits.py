r"""Inputs of two levels from product laws, drawn as packed bits.

.. math:: P(x_i = +1) = p_i, \quad\text{independently for each column}.  \tag{1}

A bit of probability p is high if a uniform number, drawn binary digit by binary digit,
is below p. All columns of a word are compared at once with the digits of their p, from
the first. After n digits a column is undecided with probability :math:`2^{-n}`, so a
few digits are drawn for all and more where they are needed. Probabilities have 64
binary digits, to which they are rounded: an error of at most :math:`2^{-65}`.

Random words depend on the seed, the row and their place in it only. So a row is the
same whatever other rows are drawn with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rosenblatt.bits import WORD, Bits, BitStream, packed, words_for
from rosenblatt.compiling import types
from rosenblatt.compiling.jit import kernel
from rosenblatt.core.arguments import number, numbers, whole
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import generator, word

__all__ = ["ProductBits", "UniformBits"]

_U = np.uint64
_ALL = 12  # digits drawn for all columns: few rows then have an undecided one


def _stream(
    rows: int, seed: int | np.random.SeedSequence, first: int, numbers: int
) -> tuple[int, Words, int]:
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
    if not isinstance(seed, np.random.SeedSequence):
        seed = np.random.SeedSequence(whole("seed", seed, low=0))
    return rows, generator(seed), first


@kernel()
def _uniform(
    key: np.uint64, gamma: np.uint64, first: np.uint64, out: types.WordVector
) -> None:
    for i in range(out.size):
        out[i] = word(key, gamma, first + _U(i))


@dataclass(frozen=True)
class UniformBits(BitStream):
    """Every combination of levels is as likely as any other.

    Parameters
    ----------
    dim
        Number of columns, each of two levels.

    Examples
    --------
    >>> stream = UniformBits(100)
    >>> stream.draw(rows=5, seed=0)
    Bits(5 rows, 100 columns)
    >>> stream.draw(rows=2, seed=0, first=3) == stream.draw(rows=5, seed=0)[3:]
    True
    """

    dim: int

    def __post_init__(self) -> None:
        whole("dim", self.dim, low=1)

    @property
    def chances(self) -> FloatArray:
        """The probability of the high level, one half for every column."""
        return np.full(self.dim, 0.5)

    def draw(
        self, rows: int, seed: int | np.random.SeedSequence, first: int = 0
    ) -> Bits:
        """Return examples ``first`` to ``first + rows - 1``, see :class:`BitStream`."""
        width = words_for(self.dim)
        rows, rng, first = _stream(rows, seed, first, width)
        words = np.empty((rows, width), np.uint64)
        _uniform(rng[0], rng[1], _U(first * width), words.reshape(-1))
        words[:, -1] &= _U((2**WORD - 1) >> -self.dim % WORD)
        return Bits(words, self.dim)


def _digits(chances: FloatArray) -> tuple[Words, Words]:
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


@kernel(allocates=True)
def _product(
    key: np.uint64,
    gamma: np.uint64,
    first: np.uint64,
    digits: types.ReadWordMatrix,
    ties: types.ReadWords,
    out: types.WordMatrix,
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


@dataclass(frozen=True)
class ProductBits(BitStream):
    """Independent columns, each with a probability of its own, eq. (1).

    Parameters
    ----------
    probabilities
        Probability of the high level of each column. They are exact to ``2**-65``, and
        0 and 1 are never and always.

    Examples
    --------
    >>> stream = ProductBits((0.1, 0.9, 0.9))
    >>> stream.dim
    3
    >>> stream.draw(rows=2, seed=0, first=3) == stream.draw(rows=5, seed=0)[3:]
    True
    """

    probabilities: tuple[float, ...]

    def __post_init__(self) -> None:
        given = numbers("probabilities", self.probabilities, (None,))
        checked = tuple(
            number(f"probabilities[{i}]", p, low=0, high=1)
            for i, p in enumerate(given.tolist())
        )
        # a tuple, also of an array or a list
        object.__setattr__(self, "probabilities", checked)

    @property
    def dim(self) -> int:
        """Number of columns."""
        return len(self.probabilities)

    @property
    def chances(self) -> FloatArray:
        """The probability of the high level, for each column."""
        return np.array(self.probabilities)

    def draw(
        self, rows: int, seed: int | np.random.SeedSequence, first: int = 0
    ) -> Bits:
        """Return examples ``first`` to ``first + rows - 1``, see :class:`BitStream`."""
        digits, ties = _digits(self.chances)
        rows, rng, first = _stream(rows, seed, first, WORD * ties.size)
        words = np.empty((rows, ties.size), np.uint64)
        _product(rng[0], rng[1], _U(first), digits, ties, words)
        return Bits(words, self.dim)
