"""Encoding of rows as features, fixed by the first batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix, csr_matrix

from rosenblatt.tables.batches import Bad, Columns, Rows, Texts, is_sparse
from rosenblatt.tables.hashing import signed_hash
from rosenblatt.tables.row_checks import check_rows

__all__ = ["CATEGORIES", "Encoded", "Encoder"]

CATEGORIES = ("auto", "one-hot", "hash")
_FEW = 64  # values of a column in the first batch that get a feature each
_OTHER = "(other)"  # the feature of values that the first batch has not
_MISSING = "(missing)"
_MOST_BITS = 28  # of a hash


class Encoded(NamedTuple):
    """An encoded batch: features, label codes, bad rows and missing values."""

    X: Any
    codes: npt.NDArray[np.int64]  # of the labels among the classes; -1: not known
    rows: npt.NDArray[np.intp] | None  # indices of the good rows; None: all
    bad: list[Bad]
    missing: dict[str, int]  # how many, by column
    other: dict[str, int]  # values that the first batch has not, by column
    new: tuple[str, ...] = ()  # labels that come after the classes


@dataclass(frozen=True)
class Encoder:
    """The encoding of the columns of a table as features.

    Numbers stay what they are, or are standardised. A missing number is the mean of its
    column in the first batch; if the first batch has any, a feature says so. A category
    is a feature of its own if the first batch has few in the column, and any other
    value of the column shares one; else it is hashed, ``column=value``, into columns
    with a sign. A missing category is one too.
    """

    columns: Columns
    classes: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...] | None  # None: numbers as they are
    indicators: tuple[int, ...]  # numbers with a feature that says if they are missing
    levels: tuple[tuple[str, ...] | None, ...]  # of texts; None: hashed
    hash_bits: int
    width: int | None = None  # of svmlight, whose columns are numbered

    def __post_init__(self) -> None:
        """Check that the fields are consistent: they may come from a file."""
        numbers = len(self.columns.numbers)
        sizes = {len(entries) for entries in (self.means, self.scales) if entries}
        if sizes - {numbers} or not set(self.indicators) <= set(range(numbers)):
            raise ValueError(
                f"means, scales and indicators must be of {numbers} columns"
            )
        if len(self.levels) != len(self.columns.texts):
            raise ValueError(f"levels must be of {len(self.columns.texts)} columns")
        if not 1 <= self.hash_bits <= _MOST_BITS:
            raise ValueError(
                f"hash_bits must be from 1 to {_MOST_BITS}, got {self.hash_bits}"
            )
        if self.width is not None and self.width < 1:
            raise ValueError(f"width must be 1 or more, got {self.width}")

    @classmethod
    def first(
        cls,
        rows: Rows,
        columns: Columns,
        classes: Sequence[str],
        *,
        categories: str = "auto",
        hash_bits: int = 16,
        standardise: bool = False,
    ) -> Self:
        """Return the encoder for a table, from its first batch."""
        means, scales = _moments(rows)
        levels: list[tuple[str, ...] | None] = []
        for texts in rows.texts:
            seen = sorted(
                texts.values[c] for c in np.unique(texts.codes[texts.codes >= 0])
            )
            if categories == "hash" or (categories == "auto" and len(seen) > _FEW):
                levels.append(None)
                continue
            gone = [_MISSING] if (texts.codes < 0).any() else []
            levels.append((*seen, *gone, _OTHER))
        return cls(
            columns,
            tuple(classes),
            tuple(means.tolist()),
            tuple(scales.tolist()) if standardise and scales.size else None,
            tuple(sorted(j for j, where in rows.missing.items() if len(where))),
            tuple(levels),
            hash_bits,
            rows.numbers.shape[1] if is_sparse(rows.numbers) else None,
        )

    @property
    def hashed(self) -> bool:
        """True if a column is hashed: then the features are sparse."""
        return None in self.levels

    @property
    def features(self) -> int:
        """The number of features."""
        if self.width is not None:
            return self.width
        levels = sum(len(one) for one in self.levels if one is not None)
        hashed = 2**self.hash_bits if self.hashed else 0
        return len(self.columns.numbers) + len(self.indicators) + levels + hashed

    @cached_property
    def names(self) -> list[str]:
        """The names of the features."""
        if self.width is not None:
            return list(map(str, range(self.width)))
        names = list(self.columns.numbers)
        names += [f"{self.columns.numbers[j]} is missing" for j in self.indicators]
        for column, levels in zip(self.columns.texts, self.levels, strict=True):
            names += [f"{column}={level}" for level in levels or ()]
        if self.hashed:
            names += [f"hash {i}" for i in range(2**self.hash_bits)]
        return names

    def without_target(self) -> Self:
        """Return the encoder of rows that have no labels."""
        return replace(self, columns=self.columns._replace(target=None))

    def as_dict(self) -> dict[str, Any]:
        """Return all fields as plain values."""
        plain = asdict(self)
        plain["columns"] = self.columns._asdict()
        return plain

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """Return the encoder that ``as_dict`` has written.

        Examples
        --------
        >>> encoder = Encoder(Columns(("a",), (), "y"), ("0",), (0.0,), None, (), (), 4)
        >>> Encoder.from_dict(encoder.as_dict()) == encoder
        True
        """
        given = dict(plain["columns"])
        columns = Columns(
            tuple(given["numbers"]),
            tuple(given["texts"]),
            given["target"],
            tuple(given["missing"]),
        )
        rest = {k: v for k, v in plain.items() if k != "columns"}
        for key in ("classes", "means", "indicators"):
            rest[key] = tuple(rest[key])
        if rest["scales"] is not None:
            rest["scales"] = tuple(rest["scales"])
        rest["levels"] = tuple(None if v is None else tuple(v) for v in rest["levels"])
        return cls(columns, **rest)

    def encode(
        self, rows: Rows, accepts: Callable[[str], bool] | None = None
    ) -> Encoded:
        """Encode the good rows of a batch, and describe the bad ones.

        Parameters
        ----------
        rows
            The rows.
        accepts
            A test of labels that are not among the classes: those that pass are classes
            too, and their codes come after the others. None: no label passes.
        """
        names = self.columns.numbers
        missing = {
            names[j]: len(where) for j, where in rows.missing.items() if len(where)
        }
        numbers = self._filled(rows)
        new = () if accepts is None else tuple(self._new_labels(rows, accepts))
        known = (*self.classes, *new)
        codes, good, bad = check_rows(rows, numbers, self.columns, known)
        other: dict[str, int] = {}
        if is_sparse(numbers):
            X = numbers
        else:
            X = self._features(rows, numbers, missing, other)
        if good is not None:
            X = X[good]
        return Encoded(X, codes, good, bad, missing, other, new)

    def _new_labels(self, rows: Rows, accepts: Callable[[str], bool]) -> Iterator[str]:
        """Yield the accepted labels of the rows that are not among the classes."""
        if rows.labels is None:
            return
        for code in np.unique(rows.labels.codes[rows.labels.codes >= 0]).tolist():
            label = rows.labels.values[code]
            if label not in self.classes and accepts(label):
                yield label

    def _filled(self, rows: Rows) -> Any:
        """Return numbers with the mean in place of missing values."""
        numbers = rows.numbers
        if rows.missing:
            numbers = numbers if numbers.flags.writeable else numbers.copy()
            for j, where in rows.missing.items():
                numbers[where, j] = self.means[j]
        return numbers

    def _features(
        self,
        rows: Rows,
        numbers: npt.NDArray[Any],
        missing: dict[str, int],
        other: dict[str, int],
    ) -> Any:
        count = len(rows)
        if self.scales is not None:
            numbers = (numbers - np.array(self.means)) / np.array(self.scales)
        if not (self.indicators or self.columns.texts or self.scales):
            return numbers
        parts = _Entries(count)
        at = len(self.columns.numbers)
        for j in self.indicators:
            where = rows.missing.get(j, np.empty(0, np.intp))
            parts.add(where, np.full(len(where), at), np.ones(len(where)))
            at += 1
        everywhere = np.arange(count)
        hash_start = len(self.names) - 2**self.hash_bits
        given = zip(self.columns.texts, self.levels, rows.texts, strict=True)
        for column, levels, texts in given:
            gone = int((texts.codes < 0).sum())
            if gone:
                missing[column] = gone
            if levels is None:
                found = [
                    signed_hash(f"{column}={v}", self.hash_bits) for v in texts.values
                ]
                found.append(signed_hash(f"{column}={_MISSING}", self.hash_bits))
                where = np.array([f[0] for f in found]) + hash_start
                signs = np.array([f[1] for f in found])
                parts.add(everywhere, where[texts.codes], signs[texts.codes])
                continue
            place, new = _places(texts, levels)
            if new:
                other[column] = new
            parts.add(everywhere, at + place, np.ones(count))
            at += len(levels)
        together = len(self.columns.numbers) + len(self.columns.texts)
        size = 1.0 / np.sqrt(together) if self.scales is not None else 1.0
        return parts.joined(numbers, len(self.names), self.hashed, size)


def _places(texts: Texts, levels: tuple[str, ...]) -> tuple[npt.NDArray[np.int64], int]:
    """Return the feature of each value, and the number of values without their own."""
    number = {level: i for i, level in enumerate(levels)}
    last = len(levels) - 1
    known = [number.get(v, last) for v in texts.values]
    place = np.array([*known, number.get(_MISSING, last)])[texts.codes]
    return place, int(((place == last) & (texts.codes >= 0)).sum())


class _Entries:
    """Features besides the numbers: rows, columns and values."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.parts: list[tuple[Any, Any, Any]] = []

    def add(self, rows: Any, columns: Any, values: Any) -> None:
        """Add some entries."""
        self.parts.append((rows, columns, values))

    def joined(
        self, numbers: npt.NDArray[Any], width: int, sparse: bool, size: float
    ) -> Any:
        """Return numbers and entries side by side, all multiplied by ``size``."""
        if sparse:
            rows, columns = np.nonzero(numbers)
            self.add(rows, columns, numbers[rows, columns])
            ij = [np.concatenate([p[k] for p in self.parts]) for k in range(2)]
            values = np.concatenate([p[2] for p in self.parts]) * size
            shape = (self.rows, width)
            matrix = csr_matrix(coo_matrix((values, (ij[0], ij[1])), shape=shape))
            matrix.sum_duplicates()
            return matrix
        block = np.zeros((self.rows, width), numbers.dtype)
        block[:, : numbers.shape[1]] = numbers
        for rows, columns, values in self.parts:
            block[rows, columns] = values
        if size != 1.0:
            block *= size
        return block


def _moments(rows: Rows) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return mean and standard deviation of each column, without missing values."""
    numbers = rows.numbers
    if is_sparse(numbers):
        return np.empty(0), np.empty(0)
    wide = np.asarray(numbers, np.float64)
    there: Any = max(len(wide), 1)
    if not rows.finite:
        wide = np.where(np.isfinite(wide), wide, np.nan)
        there = np.maximum((~np.isnan(wide)).sum(axis=0), 1)
    total = np.sum if rows.finite else np.nansum  # the latter takes longer
    means = total(wide, axis=0) / there
    with np.errstate(over="ignore"):  # scaled by infinity a column says nothing
        spread = np.sqrt(total((wide - means) ** 2, axis=0) / there)
    return means, np.where(spread > 0, spread, 1.0)
