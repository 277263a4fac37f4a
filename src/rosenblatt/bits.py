r"""Packed bits: tables of two levels, 64 columns to a word; counts and fields.

An entry that is high is a bit 1, one that is low a bit 0; as numbers they are
:math:`x_i = \pm 1`. With labels :math:`y = \pm 1` of m examples the counts give the
sums of the clipped Hebb rule, :math:`\sum y x_i`, and the influences of
:cite:t:`golea1993`,

.. math:: \mathrm{Inf}(x_i) = 2\, \mathrm{Cov}(y, x_i) / \mathrm{Var}(x_i).  \tag{1}

Fields of weights :math:`-1, 0, +1` follow from the bits in which weights and inputs
differ,

.. math:: \sum_i w_i x_i = \#\{w_i \ne 0\} - 2\, \#\{w_i \ne 0, w_i \ne x_i\}.  \tag{2}
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import inlined, kernel
from rosenblatt.core.arguments import numbers, whole
from rosenblatt.core.parts import Stream
from rosenblatt.core.schema import Array, Relation, Schema, Whole, record
from rosenblatt.core.sparse import check_sparse
from rosenblatt.core.types import FloatArray, IntArray, Words

__all__ = [
    "BITS",
    "WORD",
    "BitStream",
    "Bits",
    "Counts",
    "count",
    "fields",
    "pack",
    "packed",
    "unpack",
    "words_for",
]

WORD = 64  # columns in a word
_U = np.uint64
_ALL = 2**WORD - 1
_LARGEST = int(np.iinfo(np.int32).max)
_BLOCK = 2**18  # entries at a time, so that what is made of them stays in the cache
_SQUARES = 2**31  # from so many examples on, products of counts need more than 64 bits


def words_for(columns: int) -> int:
    """Return the number of words of a row with this many columns.

    Examples
    --------
    >>> words_for(0), words_for(64), words_for(65)
    (0, 1, 2)
    """
    return -(-columns // WORD)


def _unused(columns: int) -> np.uint64:
    """Return a mask of the unused bits of a row's last word."""
    return _U(_ALL ^ (_ALL >> -columns % WORD))


BITS = Schema(
    "bits",
    {
        "columns": Whole(high=2**31 - 1, size="columns"),
        "words": Array((("models", "words"),), "uint64"),
    },
    (
        Relation(
            "a word for each 64 columns",
            lambda _, sizes: sizes["words"] == words_for(sizes["columns"]),
        ),
        Relation(
            "bits that are 0 beyond the last column",
            lambda bits, _: (
                not (
                    bits.columns % WORD
                    and (bits.words[:, -1] & _unused(bits.columns)).any()
                )
            ),
            values=True,
        ),
    ),
)


@record(BITS)
@dataclass(frozen=True, eq=False)
class Bits:
    """A table of two levels: rows are examples, columns are packed into words.

    A value: it cannot be changed, and it is equal to another of the same shape and
    content. ``bits[rows]`` is a table of some rows, selected as in NumPy.

    Parameters
    ----------
    words
        Unsigned 64-bit integers, shape ``(rows, ceil(columns / 64))``. Bit j of word k
        of a row is column ``64 * k + j``; 1 is the high level. Bits beyond the last
        column are 0. Words in a file that is mapped into memory
        (``np.load(path, mmap_mode="r")``) stay there.
    columns
        Number of columns.

    Examples
    --------
    >>> table = Bits(np.array([[0b011], [0b100], [0b111]], dtype=np.uint64), columns=3)
    >>> table
    Bits(3 rows, 3 columns)
    >>> table.shape, len(table), table.nbytes
    ((3, 3), 3, 24)
    >>> table[1:] == table[[1, 2]] == table[np.array([False, True, True])]
    True
    """

    words: Words
    columns: int

    def __post_init__(self) -> None:
        columns = whole("columns", self.columns, low=0)
        words = np.asarray(self.words)
        if words.dtype != np.uint64:
            raise TypeError(f"words must be of type uint64, got {words.dtype}")
        if words.ndim != 2 or words.shape[1] != words_for(columns):
            raise ValueError(
                f"words must have shape (rows, {words_for(columns)}) for {columns} "
                f"columns, got {words.shape}"
            )
        if columns % WORD:
            for row in np.flatnonzero(words[:, -1] & _unused(columns))[:1]:
                raise ValueError(
                    f"words must be 0 beyond column {columns - 1}, "
                    f"got {int(words[row, -1]):#x} at the end of row {row}"
                )
        checked = np.require(words, np.uint64, ["C", "A"]).view()
        checked.flags.writeable = False
        object.__setattr__(self, "words", checked)
        object.__setattr__(self, "columns", columns)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return len(self.words), self.columns

    @property
    def nbytes(self) -> int:
        """The size of the words in bytes."""
        return self.words.nbytes

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, rows: Any) -> Bits:
        if isinstance(rows, tuple):
            raise TypeError(f"rows must be one index, got {rows!r}: columns are packed")
        words = self.words[rows]
        return Bits(words[None] if words.ndim == 1 else words, self.columns)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bits):
            return NotImplemented
        return self.shape == other.shape and np.array_equal(self.words, other.words)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"Bits({rows} rows, {columns} columns)"


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
    def draw(
        self, rows: int, seed: int | np.random.SeedSequence, first: int = 0
    ) -> Bits:
        """Return examples number ``first`` to ``first + rows - 1`` of this seed.

        Parameters
        ----------
        rows
            Number of examples.
        seed
            A whole number or a ``SeedSequence``.
        first
            Number of the first example. Each example depends on its number and the seed
            only. A seed has 2**64 random numbers; to ask for more is an error.
        """


def _checked(name: str, bits: Any) -> Bits:
    """Return packed bits; raise TypeError for anything else."""
    if not isinstance(bits, Bits):
        raise TypeError(f"{name} must be Bits, such as pack(X) returns, got {bits!r}")
    return bits


def packed(high: npt.NDArray[np.bool_]) -> Words:
    """Return rows of booleans as words.

    Examples
    --------
    >>> packed(np.array([[True, False, True]]))
    array([[5]], dtype=uint64)
    """
    rows, columns = high.shape
    out = np.zeros((rows, words_for(columns)), np.uint64)
    found = np.packbits(high, axis=1, bitorder="little")
    out.view(np.uint8)[:, : found.shape[1]] = found
    return out


def pack(X: Any) -> Bits:
    """Pack a table with two levels, 64 columns to a word.

    Parameters
    ----------
    X
        Numbers or booleans, one example a row: an array of any type and order, a list,
        a frame, or a sparse matrix. Either all are -1 or 1, or all are 0 or 1; what is
        above 0 is high. Missing and masked entries are errors.

    Returns
    -------
    Bits
        A table of the same shape, with 8 bytes for 64 columns.

    Examples
    --------
    >>> pack([[1, -1, 1], [-1, -1, 1]])
    Bits(2 rows, 3 columns)
    >>> pack([[1, 0, 1], [0, 0, 1]]) == pack([[1, -1, 1], [-1, -1, 1]])
    True
    >>> pack([[1.0, 0.5]])
    Traceback (most recent call last):
    ValueError: X must be from {-1, 1} or from {0, 1}, got X[0, 1] = 0.5
    """
    table: Any = X
    if sparse.issparse(X):
        check_sparse(X)
        table = table.tocsr()
    else:
        table = np.asarray(X)
    if np.ma.is_masked(X):
        raise ValueError("X must have no masked entries")
    if table.dtype == object:  # frames whose columns have more than one type
        try:
            table = table.astype(np.float64)
        except (TypeError, ValueError) as failure:
            raise TypeError(f"X must be numbers or booleans: {failure}") from None
    if table.ndim != 2:
        raise ValueError(
            f"X must have two dimensions, rows and columns, got shape {table.shape}"
        )
    if table.dtype.kind not in "iufb":
        raise TypeError(f"X must be numbers or booleans, got type {table.dtype}")
    rows, columns = table.shape
    out = np.zeros((rows, words_for(columns)), np.uint64)
    low: int | None = None  # until the first low entry
    step = max(1, _BLOCK // max(columns, 1))
    for first in range(0, rows if columns else 0, step):
        block = table[first : first + step]
        block = block.toarray() if sparse.issparse(X) else block
        high = block == 1
        if low is None and not high.all():
            low = -1 if (block == -1).any() else 0
        if not (high | (block == low)).all():
            row, column = np.argwhere(~(high | (block == low)))[0]
            value = block[row, column]
            also = f" beside {low}" if value in (-1, 0) else ""
            raise ValueError(
                "X must be from {-1, 1} or from {0, 1}, got "
                f"X[{first + row}, {column}] = {value}{also}"
            )
        out[first : first + step] = packed(high)
    return Bits(out, columns)


def unpack(
    bits: Bits, dtype: npt.DTypeLike = np.int8, *, low: int = -1
) -> npt.NDArray[Any]:
    """Convert bits to numbers: the inverse of :func:`pack`.

    Parameters
    ----------
    bits
        A table with two levels.
    dtype
        Type of the numbers.
    low
        Number for low entries, -1 or 0; high entries become 1.

    Examples
    --------
    >>> unpack(pack([[1, -1, 1]]))
    array([[ 1, -1,  1]], dtype=int8)
    >>> unpack(pack([[1, -1, 1]]), float, low=0)
    array([[1., 0., 1.]])
    """
    _checked("bits", bits)
    if low not in (-1, 0):
        raise ValueError(f"low must be -1 or 0, got {low!r}")
    kind = np.dtype(dtype)
    if kind.kind not in "iuf" or (kind.kind == "u" and low):
        raise TypeError(f"dtype must be numbers that can be {low} and 1, got {kind}")
    rows, columns = bits.shape
    out = np.empty((rows, columns), kind)
    step = max(1, _BLOCK // max(columns, 1))
    for first in range(0, rows if columns else 0, step):
        bytes_ = bits.words[first : first + step].view(np.uint8)
        ones = np.unpackbits(bytes_, axis=1, count=columns, bitorder="little")
        out[first : first + step] = 2 * ones.view(np.int8) - 1 if low else ones
    return out


@dataclass(frozen=True, eq=False)
class Counts:
    """The number of positive and negative examples in which each column is high.

    ``a + b`` merges: the counts of two sets of examples are added. So examples may be
    counted in pieces, on threads or machines, in any order.

    Parameters
    ----------
    high_positive, high_negative
        For each column, the positive and the negative examples in which it is high.
    positive, negative
        Number of positive and of negative examples.

    Examples
    --------
    >>> found = Counts(np.array([2, 0]), np.array([0, 1]), positive=2, negative=1)
    >>> found.hebb, found.influence
    (array([ 3, -3]), array([ 2., -2.]))
    >>> (found + found).high
    array([4, 2])
    """

    high_positive: IntArray
    high_negative: IntArray
    positive: int
    negative: int

    def __add__(self, other: object) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        if self.columns != other.columns:
            raise ValueError(
                f"counts to add must have the same number of columns, "
                f"got {self.columns} and {other.columns}"
            )
        return Counts(
            self.high_positive + other.high_positive,
            self.high_negative + other.high_negative,
            self.positive + other.positive,
            self.negative + other.negative,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        return (self.positive, self.negative) == (other.positive, other.negative) and (
            np.array_equal(self.high_positive, other.high_positive)
            and np.array_equal(self.high_negative, other.high_negative)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def columns(self) -> int:
        """Number of columns."""
        return self.high_positive.size

    @property
    def total(self) -> int:
        """Number of examples, m."""
        return self.positive + self.negative

    @property
    def high(self) -> IntArray:
        """Examples in which each column is high."""
        return self.high_positive + self.high_negative

    @property
    def hebb(self) -> IntArray:
        r"""The sum of :math:`y x_i` over all examples."""
        agreeing = 2 * (self.high_positive - self.high_negative)
        return agreeing - (self.positive - self.negative)

    @property
    def covariance(self) -> npt.NDArray[Any]:
        r""":math:`m \sum y x_i - \sum y \sum x_i`, exact; its sign is the influence's.

        Integers of any size (an array of objects) where 64 bits are too few.
        """
        hebb, total = self._large(self.hebb), 2 * self._large(self.high) - self.total
        label = self.positive - self.negative
        return np.asarray(self.total * hebb - label * total)

    def _large(self, counts: IntArray) -> npt.NDArray[Any]:
        return counts if self.total < _SQUARES else counts.astype(object)

    @property
    def influence(self) -> FloatArray:
        """Eq. (1) for each column; NaN for one that has one level only."""
        high = self._large(self.high)
        # Var(x) = 4 p (1 - p) with p = high / m
        variance = 2 * high * (self.total - high)
        found = np.full(self.columns, np.nan)
        changing = np.asarray(variance > 0, dtype=bool)
        found[changing] = self.covariance[changing] / variance[changing]
        return found


# Rows are added as numbers whose binary digits lie in words of their own: sixteen rows
# at a time to four digits by full adders, and the carry to all higher digits.
_DIGITS = 12
_ROWS = 2**_DIGITS - 16  # that the digits can count; a multiple of 16
_TILE = 128  # words of a row at a time, so that the digits stay in the cache
_STEP = _TILE + 8  # words from digit to digit; no power of two, for the cache


@inlined
def _full_adder(a: Any, b: Any, c: Any) -> tuple[Any, Any]:
    """Return sum and carry of three bits, in all places."""
    return a ^ b ^ c, (a & b) | (c & (a | b))


@inlined
def _add_four(
    words: Words, rows: IntArray, i: int, width: int, k: int, ones: Any, twos: Any
) -> tuple[Any, Any, Any]:
    """Add word k of four rows to two digits; return these and the carry."""
    ones, first = _full_adder(
        ones, words[rows[i] * width + k], words[rows[i + 1] * width + k]
    )
    ones, second = _full_adder(
        ones, words[rows[i + 2] * width + k], words[rows[i + 3] * width + k]
    )
    twos, carry = _full_adder(twos, first, second)
    return ones, twos, carry


@inlined
def _add_carry(digits: Words, level: int, k: int, carry: Any) -> None:
    """Add a word to the digits from a level on."""
    for place in range(level * _STEP + k, _DIGITS * _STEP, _STEP):
        digit = digits[place]
        digits[place] = digit ^ carry
        carry &= digit


@kernel(allocates=True)
def _add_high(
    words: types.ReadWords, width: int, rows: types.ReadWholes, counts: types.Wholes
) -> None:
    """Add to counts how many of some rows have each bit."""
    digits = np.empty(_DIGITS * _STEP, np.uint64)
    for left in range(0, width, _TILE):
        right = min(left + _TILE, width)
        for first in range(0, rows.size, _ROWS):
            last = min(first + _ROWS, rows.size)
            digits[:] = _U(0)
            sixteens = last - (last - first) % 16
            for i in range(first, sixteens, 16):
                for k in range(left, right):
                    to = k - left
                    ones, twos = digits[to], digits[_STEP + to]
                    fours, eights = digits[2 * _STEP + to], digits[3 * _STEP + to]
                    ones, twos, a = _add_four(words, rows, i, width, k, ones, twos)
                    ones, twos, b = _add_four(words, rows, i + 4, width, k, ones, twos)
                    fours, c = _full_adder(fours, a, b)
                    ones, twos, a = _add_four(words, rows, i + 8, width, k, ones, twos)
                    ones, twos, b = _add_four(words, rows, i + 12, width, k, ones, twos)
                    fours, d = _full_adder(fours, a, b)
                    eights, carry = _full_adder(eights, c, d)
                    digits[to], digits[_STEP + to] = ones, twos
                    digits[2 * _STEP + to], digits[3 * _STEP + to] = fours, eights
                    _add_carry(digits, 4, to, carry)
            for i in range(sixteens, last):
                for k in range(left, right):
                    _add_carry(digits, 0, k - left, words[rows[i] * width + k])
            for level in range(_DIGITS):
                for k in range(left, right):
                    digit = digits[level * _STEP + k - left]
                    for j in range(WORD):
                        one = np.int64((digit >> _U(j)) & _U(1))
                        counts[WORD * k + j] += one << level


def _positive(name: str, labels: npt.ArrayLike, rows: int) -> npt.NDArray[np.bool_]:
    """Return a mask of positive labels, which must be -1 and +1, or booleans."""
    numbers(name, labels, (rows,))
    given = np.asarray(labels)
    if given.dtype == bool:
        return given
    positive = np.asarray(given == 1)
    for row in np.flatnonzero(~(positive | (given == -1)))[:1]:
        raise ValueError(f"{name} must be -1 or +1, got {name}[{row}] = {given[row]}")
    return positive


def _weights(given: npt.ArrayLike, rows: int) -> IntArray:
    """Return the weight of each row as an integer."""
    numbers("sample_weight", given, (rows,))
    weights = np.asarray(given)  # exact, also large integers
    # Sums of counts must stay below 2**63, whatever the number of rows.
    most = 2**62 // max(rows, 1)
    good = (weights >= 0) & (weights <= most) & (weights == np.floor(weights))
    for row in np.flatnonzero(~good)[:1]:
        raise ValueError(
            f"sample_weight must be whole numbers from 0 to {most}, "
            f"got sample_weight[{row}] = {weights[row]}"
        )
    return weights.astype(np.int64)


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
    >>> found = count(pack([[1, -1], [1, 1], [-1, -1]]), [1, 1, -1])
    >>> found.high_positive, found.high_negative, found.hebb
    (array([2, 1]), array([0, 0]), array([3, 1]))
    >>> count(pack([[1, -1]]), [1], sample_weight=[3]).hebb
    array([ 3, -3])
    """
    rows, width = _checked("bits", bits).words.shape
    positive = _positive("labels", labels, rows)
    weights = None if sample_weight is None else _weights(sample_weight, rows)
    found = []
    for side in (positive, ~positive):
        high, total = np.zeros(WORD * width, np.int64), 0
        # A weight is a sum of powers of two: as many counts as the largest has digits.
        digits = 1 if weights is None else int(weights.max(initial=0)).bit_length()
        for digit in range(digits):
            used = side if weights is None else side & (weights >> digit & 1 == 1)
            part = np.zeros_like(high)
            _add_high(bits.words.reshape(-1), width, np.flatnonzero(used), part)
            high += part << digit
            total += int(np.count_nonzero(used)) << digit
        found.append((high[: bits.columns], total))
    (high_positive, ones), (high_negative, zeros) = found
    return Counts(high_positive, high_negative, ones, zeros)


@inlined
def _ones(word: Any) -> Any:
    """Return the number of bits that are 1, by sums of pairs, fours and bytes."""
    word = word - ((word >> _U(1)) & _U(0x5555555555555555))
    word = (word & _U(0x3333333333333333)) + ((word >> _U(2)) & _U(0x3333333333333333))
    word = (word + (word >> _U(4))) & _U(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * _U(0x0101010101010101)) >> _U(56))


@kernel()
def _fields(
    words: types.ReadWordMatrix,
    signs: types.ReadWordMatrix,
    mask: types.ReadWordMatrix,
    start: types.Wholes,
    out: Annotated[npt.NDArray[np.int32], types.int32[:, ::1]],
) -> None:
    """Write eq. (2) for each row and model; no mask has no rows."""
    rows, models = out.shape
    for i in range(rows):
        for m in range(models):
            wrong = 0
            if mask.shape[0]:
                for k in range(words.shape[1]):
                    wrong += _ones((words[i, k] ^ signs[m, k]) & mask[m, k])
            else:
                for k in range(words.shape[1]):
                    wrong += _ones(words[i, k] ^ signs[m, k])
            out[i, m] = start[m] - 2 * wrong


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
    >>> inputs = pack([[1, 1, -1], [-1, 1, 1]])
    >>> fields(inputs, pack([[1, 1, 1]])).ravel()
    array([1, 1], dtype=int32)
    >>> fields(inputs, pack([[1, 1, 1]]), mask=pack([[1, 0, 1]])).ravel()
    array([0, 0], dtype=int32)
    >>> fields(inputs, pack([[1, 1, 1]]), threshold=[3]).ravel()
    array([-2, -2], dtype=int32)
    """
    known = {"bits": bits, "signs": signs} | ({} if mask is None else {"mask": mask})
    for name, given in known.items():
        if _checked(name, given).columns != bits.columns:
            raise ValueError(
                f"{name} must have {bits.columns} columns as bits has, "
                f"got {given.columns}"
            )
    models = len(signs)
    start = np.full(models, bits.columns, np.int64)
    used = np.zeros((0, bits.words.shape[1]), np.uint64)
    if mask is not None:
        if len(mask) != models:
            raise ValueError(f"mask must have {models} rows as signs, got {len(mask)}")
        used = mask.words
        start = np.bitwise_count(used).sum(axis=1, dtype=np.int64)
    if threshold is not None:
        start -= _thresholds(threshold, models, bits.columns)
    out = np.empty((len(bits), models), np.int32)
    _fields(bits.words, signs.words, used, start, out)
    return out


def _thresholds(given: Any, models: int, columns: int) -> IntArray:
    """Return a threshold for each model, such that results are 32-bit integers."""
    found = np.asarray(given)
    if found.dtype.kind not in "iu" or found.shape != (models,):
        raise ValueError(
            f"threshold must be {models} whole numbers, one for each row of signs, "
            f"got {given!r}"
        )
    most = _LARGEST - columns
    if any(abs(value) > most for value in found.tolist()):
        raise ValueError(f"threshold must be from {-most} to {most}, got {given!r}")
    return found.astype(np.int64)
