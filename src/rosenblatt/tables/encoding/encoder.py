"""Encoding of rows as features, fixed by the first batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rosenblatt.tables.batches import Columns, Rows, is_sparse
from rosenblatt.tables.encoding.codings import Coding, Entries, entries, hashed_names
from rosenblatt.tables.encoding.hashing import signed_hash
from rosenblatt.tables.encoding.matrices import Encoded, check_rows, dense, sparse

__all__ = ["Encoder"]

_MOST_BITS = 28  # of a hash


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
        sizes = {len(entries) for entries in (self.means, self.scales) if entries}
        if sizes - {numbers} or not set(self.indicators) <= set(range(numbers)):
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
    def hashed_columns(self) -> list[str]:
        """The columns that are hashed."""
        coded = zip(self.columns.texts, self.codings, strict=True)
        return [column for column, coding in coded if coding.hashed]

    @property
    def hashed(self) -> bool:
        """True if a column is hashed: then the features are sparse."""
        return bool(self.hashed_columns)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns of numbers that are features."""
        return self.columns.numbers[:-1] if self.weighted else self.columns.numbers

    @property
    def _own(self) -> int:
        """The number of features that are not hashed."""
        levels = sum(len(coding.names) for coding in self.codings)
        return len(self.numbers) + len(self.indicators) + levels

    @property
    def features(self) -> int:
        """The number of features."""
        if self.width is not None:
            return self.width
        return self._own + (2**self.hash_bits if self.hashed else 0)

    @cached_property
    def names(self) -> list[str]:
        """The names of the features."""
        if self.width is not None:
            return list(map(str, range(self.width)))
        names = list(self.numbers)
        names += [f"{self.numbers[j]} is missing" for j in self.indicators]
        coded = list(zip(self.columns.texts, self.codings, strict=True))
        for column, coding in coded:
            names += [f"{column}={level}" for level in coding.names]
        if self.hashed:
            known = hashed_names(coded, self.hash_bits, len(names))
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
        coded = list(zip(self.columns.texts, self.codings, strict=True))
        for column, coding in coded:
            found[column] = list(range(at, at + len(coding.names)))
            at += len(coding.names)
        for pair in coded:
            if pair[1].hashed:
                found[pair[0]] = sorted(hashed_names([pair], self.hash_bits, at))
        return list(found.items())

    def signs(self) -> npt.NDArray[np.float64]:
        """Return the sign of each feature; of a hashed one that of the value it names.

        A value with a negative sign is encoded as -1.
        """
        found = np.ones(self.features)
        coded = list(zip(self.columns.texts, self.codings, strict=True))
        for column, coding in reversed(coded):  # the first value gives the name
            for value in reversed(coding.levels if coding.hashed else ()):
                name = coding.name(column, value)
                place, sign = signed_hash(name, self.hash_bits)
                found[self._own + place] = sign
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
        codes, good, bad = check_rows(rows, numbers, self.columns, known, self.weighted)
        other: dict[str, int] = {}
        weights = None
        if self.weighted:
            weights, numbers = numbers[:, -1], numbers[:, :-1]
            weights = np.asarray(weights, np.float64)
        if is_sparse(numbers):
            X = numbers
        else:
            X = self._features(rows, numbers, missing, other)
        if good is not None:
            X = X[good]
            weights = None if weights is None else weights[good]
        return Encoded(X, codes, good, bad, missing, other, weights, new)

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
        count = numbers.shape[1]
        if self.scales is not None:
            means, scales = np.array(self.means), np.array(self.scales)
            numbers = (numbers - means[:count]) / scales[:count]
        if not (self.indicators or self.columns.texts or self.scales):
            return np.ascontiguousarray(numbers)
        parts, at = [], count
        for j in self.indicators:
            where = rows.missing.get(j, np.empty(0, np.intp))
            parts.append(Entries(where, np.full(len(where), at), np.ones(len(where))))
            at += 1
        given = zip(self.columns.texts, self.codings, rows.texts, strict=True)
        for column, coding, texts in given:
            gone = int((texts.codes < 0).sum())
            if gone:
                missing[column] = gone
            found = entries(coding, column, texts, self.hash_bits)
            if found.other:
                other[column] = found.other
            begin = self._own if coding.hashed else at
            parts.append(found._replace(columns=found.columns + begin))
            at += len(coding.names)
        together = count + len(self.columns.texts)
        size = 1.0 / np.sqrt(together) if self.scales is not None else 1.0
        joined = sparse if self.hashed else dense
        return joined(numbers, parts, self.features, size)
