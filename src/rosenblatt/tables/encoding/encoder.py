"""Encoder of the rows of a table as features, chosen from the first batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rosenblatt.tables.batches import Columns, Rows, is_sparse
from rosenblatt.tables.encoding.codings import (
    Coding,
    first_coding,
    hashed_names,
    kind_of_texts,
    seen,
)
from rosenblatt.tables.encoding.hashing import signed_hash

__all__ = ["CATEGORIES", "LEVELS", "Encoder", "first_encoder", "id_columns"]

CATEGORIES = ("auto", "one-hot", "hash")
LEVELS = 128  # of a column that is one-hot; columns of more are hashed
_NAMES = 64  # sentences of a column that are taken for names of levels
_ROOM = 8  # hashed features for each value of the first batch, at least
_LEAST_BITS, _USUAL_BITS = 10, 18  # of a hash
_MOST_BITS = 28
_LEAST = 60  # rows before a column is suspected
_REPEATS = 10.0  # expected equal pairs of random numbers; none has chance exp(-10)
_DISTINCT = 0.95  # share of distinct values of a column that looks like an id


@dataclass(frozen=True)
class Encoder:
    """The encoding of the columns of a table as features.

    Numbers stay what they are, or are standardised. A missing number is the mean of its
    column in the first batch; if the first batch has any, a feature says so. The coding
    of each text column is in ``codings``. If a column is hashed, the features are
    sparse, and numbers are standardised.
    """

    columns: Columns
    classes: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...] | None  # None: numbers as they are
    indicators: tuple[int, ...]  # numbers with a feature that says if they are missing
    codings: tuple[Coding, ...]  # of texts
    hash_bits: int
    width: int | None = None  # of svmlight, whose columns are numbered
    weighted: bool = False  # the last column of numbers is the weight of the row
    ids: tuple[str, ...] = ()  # columns that look like an id

    def __post_init__(self) -> None:
        """Check that the fields are consistent: they may come from a file."""
        numbers = len(self.columns.numbers)
        sizes = {
            len(self.means),
            len(self.means if self.scales is None else self.scales),
        }
        if sizes != {numbers} or not set(self.indicators) <= set(range(numbers)):
            raise ValueError(
                f"means, scales and indicators must be of {numbers} columns"
            )
        if len(self.codings) != len(self.columns.texts):
            raise ValueError(f"codings must be of {len(self.columns.texts)} columns")
        if not 1 <= self.hash_bits <= _MOST_BITS:
            raise ValueError(
                f"hash_bits must be from 1 to {_MOST_BITS}, got {self.hash_bits}"
            )
        if self.width is not None and self.width < 1:
            raise ValueError(f"width must be 1 or more, got {self.width}")

    @property
    def coded(self) -> list[tuple[str, Coding]]:
        """The columns of text, each with its coding."""
        return list(zip(self.columns.texts, self.codings, strict=True))

    @property
    def hashed_columns(self) -> list[str]:
        """The columns that are hashed."""
        return [column for column, coding in self.coded if coding.hashed]

    @property
    def hashed(self) -> bool:
        """True if a column is hashed: then the features are sparse."""
        return bool(self.hashed_columns)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns of numbers that are features."""
        return self.columns.numbers[:-1] if self.weighted else self.columns.numbers

    @property
    def unhashed(self) -> int:
        """The number of features that are not hashed, which come first."""
        levels = sum(len(coding.names) for coding in self.codings)
        return len(self.numbers) + len(self.indicators) + levels

    @property
    def features(self) -> int:
        """The number of features."""
        if self.width is not None:
            return self.width
        return self.unhashed + (2**self.hash_bits if self.hashed else 0)

    @cached_property
    def names(self) -> list[str]:
        """The names of the features."""
        if self.width is not None:
            return list(map(str, range(self.width)))
        names = list(self.numbers)
        names += [f"{self.numbers[j]} is missing" for j in self.indicators]
        for column, coding in self.coded:
            names += [f"{column}={level}" for level in coding.names]
        if self.hashed:
            known = hashed_names(self.coded, self.hash_bits, len(names))
            start = len(names)
            names += [
                known.get(start + i, f"hash {i}") for i in range(2**self.hash_bits)
            ]
        return names

    def groups(self) -> list[tuple[str, list[int]]]:
        """Return the features of each column that has any, by number.

        Hashed features are those of values that the first batch has.
        """
        found = {
            name: [j] for j, name in enumerate(self.numbers if not self.width else ())
        }
        at = len(self.numbers)
        for j in self.indicators:
            found[self.numbers[j]].append(at)
            at += 1
        for column, coding in self.coded:
            found[column] = list(range(at, at + len(coding.names)))
            at += len(coding.names)
        for pair in self.coded:
            if pair[1].hashed:
                found[pair[0]] = sorted(hashed_names([pair], self.hash_bits, at))
        return list(found.items())

    def signs(self) -> npt.NDArray[np.float64]:
        """Return the sign of each feature; of a hashed one that of the value it names.

        A value with a negative sign is encoded as -1.
        """
        found = np.ones(self.features)
        for column, coding in reversed(self.coded):  # the first value gives the name
            for value in reversed(coding.levels if coding.hashed else ()):
                name = coding.name(column, value)
                place, sign = signed_hash(name, self.hash_bits)
                found[self.unhashed + place] = sign
        return found

    def without_target(self) -> Self:
        """Return the encoder of rows that have neither labels nor weights."""
        columns = self.columns._replace(target=None, numbers=self.numbers)
        count = len(self.numbers)
        scales = None if self.scales is None else self.scales[:count]
        return replace(
            self,
            columns=columns,
            means=self.means[:count],
            scales=scales,
            weighted=False,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return all fields as plain values."""
        plain = asdict(self)
        plain["columns"] = self.columns._asdict()
        plain["codings"] = [coding._asdict() for coding in self.codings]
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
        for key in ("classes", "means", "indicators", "ids"):
            rest[key] = tuple(rest[key])
        if rest["scales"] is not None:
            rest["scales"] = tuple(rest["scales"])
        rest["codings"] = tuple(
            Coding(**{**coding, "levels": tuple(coding["levels"])})
            for coding in rest["codings"]
        )
        return cls(columns, **rest)


def first_encoder(
    rows: Rows,
    columns: Columns,
    classes: Sequence[str],
    *,
    kinds: Sequence[str] = (),
    categories: str = "auto",
    hash_bits: int | None = None,
    standardise: bool | None = False,
    weighted: bool = False,
) -> Encoder:
    """Return the encoder for a table, from its first batch.

    Parameters
    ----------
    kinds
        Category, date or text for each text column, or "": what it looks like.
    standardise
        Whether numbers are standardised; None means only if a column is hashed.
    """
    means, scales = rows.moments()
    if weighted:  # a row without a weight counts once
        means[-1], scales[-1] = 1.0, 1.0
    indicators = sorted(j for j, where in rows.missing.items() if len(where))
    if weighted:
        indicators = [j for j in indicators if j < len(means) - 1]
    values = [seen(texts) for texts in rows.texts]
    kinds = [
        kind or kind_of_texts(each, _NAMES)
        for kind, each in zip(kinds or [""] * len(values), values, strict=True)
    ]
    codings = []
    for texts, found, kind in zip(rows.texts, values, kinds, strict=True):
        if kind == "category":
            levels = LEVELS if categories == "auto" else 0
            hashed = categories != "one-hot" and len(found) > levels
            kind = "hash" if hashed else "one-hot"
        codings.append(first_coding(texts, kind))
    hashes = any(coding.hashed for coding in codings)
    scaled = None
    if scales.size and (standardise or (standardise is None and hashes)):
        scaled = tuple(scales.tolist())
    many = sum(len(coding.levels) for coding in codings if coding.hashed)
    return Encoder(
        columns,
        tuple(classes),
        tuple(means.tolist()),
        scaled,
        tuple(indicators),
        tuple(codings),
        hash_bits or _bits(many),
        rows.numbers.shape[1] if is_sparse(rows.numbers) else None,
        weighted,
        id_columns(rows, columns, tuple(codings)),
    )


def _bits(values: int) -> int:
    """Return the logarithm to base 2 of the number of hashed features."""
    return min(max((_ROOM * values - 1).bit_length(), _LEAST_BITS), _USUAL_BITS)


def id_columns(
    rows: Rows, columns: Columns, codings: tuple[Coding, ...]
) -> tuple[str, ...]:
    """Return the columns of a first batch that look like an id.

    A category does if nearly every row has a value of its own. So does a column of
    whole numbers that rise from row to row. So does one that never repeats a number,
    if random numbers of its range would repeat.
    """
    if is_sparse(rows.numbers) or len(rows) < _LEAST:
        return ()
    found = [
        name for j, name in enumerate(columns.numbers) if _numbers(rows.numbers[:, j])
    ]
    for name, coding, texts in zip(columns.texts, codings, rows.texts, strict=True):
        there = texts.codes[texts.codes >= 0]
        category = coding.kind in ("one-hot", "hash") and len(there) >= _LEAST
        if category and len(np.unique(there)) >= _DISTINCT * len(there):
            found.append(name)
    return tuple(found)


def _numbers(column: npt.NDArray[np.floating]) -> bool:
    """Return whether whole numbers look like an id: random ones would repeat."""
    if not np.all(np.isfinite(column) & (column == np.rint(column))):
        return False
    if np.all(np.diff(column) > 0):
        return True
    rows = len(column)
    pairs = rows * (rows - 1) / 2 / (float(np.ptp(column)) + 1.0)
    return pairs >= _REPEATS and len(np.unique(column)) == rows
