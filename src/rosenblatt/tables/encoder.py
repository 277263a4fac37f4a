"""Transformer of tables with columns of any kind into features, for scikit-learn.

A table is anything with the Arrow C stream protocol: a DataFrame of pandas or polars, a
relation of DuckDB, a Table or a RecordBatch of pyarrow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import vstack
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from rosenblatt.core.arguments import whole
from rosenblatt.system.typed import plain, typed
from rosenblatt.tables.encoding import CATEGORIES, Encoder, encode, first_encoder
from rosenblatt.tables.reading import (
    Columns,
    Rows,
    choose,
    columns_of,
    kind_of,
    record_batch,
    rows_of,
)

try:
    import pyarrow
except ImportError:
    pyarrow = None

__all__ = ["KINDS", "TableEncoder"]

KINDS = ("number", "category", "date", "text", "ignore")
_ROWS = 2**16  # of a table that are encoded at once
_SHOWN = 10  # columns that an error names


class _Parameters(NamedTuple):
    kinds: dict[str, str]
    categories: str
    hash_bits: int | None
    standardise: bool | None


class _Stored(NamedTuple):
    """Plain values of an encoder in a file."""

    parameters: _Parameters
    columns: Encoder
    kinds: dict[str, str]
    rows: int
    missing: dict[str, int]
    unknown: dict[str, int]


class TableEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Features of the columns of a table: numbers, categories, dates and text.

    ===================  ==========================================================
    column               features
    ===================  ==========================================================
    numbers, booleans    the number; the mean where it is missing, and then another
                         feature that says so
    category or string   one for each level, and one for all levels that come later;
                         with more than 128 levels, signed hashes
    date or time         the trend, sine and cosine of the day of the year, the day
                         of the week, sine and cosine of the hour
    text                 signed hashes of words and of pairs of words
    ===================  ==========================================================

    Strings are dates if nine in ten are written as ISO 8601. They are text if more than
    64 of them differ and they have three words or more on average.

    Parameters
    ----------
    kinds
        Kinds of columns by name, one of number, category, date, text or ignore, for
        columns that are something else than they look like.
    categories
        ``"one-hot"`` or ``"hash"`` for all categories; ``"auto"`` as in the table.
    hash_bits
        The logarithm to base 2 of the number of hashed features. By default it is 10 to
        18, from the number of levels.
    standardise
        Whether numbers are standardised; None means only if a column is hashed.

    Attributes
    ----------
    feature_names_in_ : ndarray of str
        The columns of the table.
    n_features_in_ : int
        The number of columns.
    kinds_ : dict
        The kind of each column.
    encoding_ : Encoder
        The features of each column, as the first table fixed them.
    n_rows_ : int
        The number of rows seen by ``fit`` and ``partial_fit``.
    missing_ : dict
        The number of missing values in them, for columns with any.
    unknown_ : dict
        The number of values that were not in the first table, for columns with any.

    Examples
    --------
    >>> import pyarrow
    >>> columns = {"size": [1.0, None, 3.0], "side": ["left", "right", "left"]}
    >>> table = pyarrow.table(columns)
    >>> encoder = TableEncoder().fit(table)
    >>> encoder.get_feature_names_out().tolist()
    ['size', 'size is missing', 'side=left', 'side=right', 'side=(other)']
    >>> encoder.transform(table)
    array([[1., 0., 1., 0., 0.],
           [2., 1., 0., 1., 0.],
           [3., 0., 1., 0., 0.]])
    """

    def __init__(
        self,
        *,
        kinds: Mapping[str, str] | None = None,
        categories: str = "auto",
        hash_bits: int | None = None,
        standardise: bool | None = None,
    ) -> None:
        self.kinds = kinds
        self.categories = categories
        self.hash_bits = hash_bits
        self.standardise = standardise

    def fit(self, X: Any, y: Any = None) -> Self:
        """Choose the features of the columns of a table; forget earlier ones."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Choose the features of the columns of a table, and return them."""
        batch = record_batch(X)
        if not batch.num_rows:
            raise ValueError("X must have a row or more, got none")
        columns, kinds = choose("X", columns_of(batch.schema), self._checked_kinds())
        found = first_encoder(
            _rows(batch, columns),
            kinds=kinds,
            categories=self.categories,
            hash_bits=self.hash_bits,
            standardise=self.standardise,
        )
        own = _kinds(found)
        self._set(found, {n: own.get(n, "ignore") for n in batch.schema.names})
        return self._features(batch, counted=True)

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Choose the features at the first call; later calls count rows and gaps.

        The features stay those of the first table, since models know their number.
        """
        self.partial_fit_transform(X)
        return self

    def partial_fit_transform(self, X: Any) -> Any:
        """Return the features of a table, counted as by ``partial_fit``."""
        if not hasattr(self, "encoding_"):
            return self.fit_transform(X)
        return self._features(self._matched(record_batch(X)), counted=True)

    def transform(self, X: Any) -> Any:
        """Return the features of a table, as an array, or sparse if any are hashed.

        Columns are found by their names, in any order.
        """
        check_is_fitted(self)
        return self._features(self._matched(record_batch(X)), counted=False)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """Return the names of the features."""
        check_is_fitted(self)
        return np.array(self.encoding_.names, dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "encoding_")

    def same_features(self, other: Any) -> bool:
        """Return whether another encoder makes the same features of every table."""
        return (
            isinstance(other, TableEncoder)
            and self.kinds_ == other.kinds_
            and self.encoding_ == other.encoding_
        )

    def as_dict(self) -> dict[str, Any]:
        """Return parameters and state as plain values, for model files."""
        parameters = {**self.get_params(), "kinds": dict(self.kinds or {})}
        state = self.kinds_, self.n_rows_, self.missing_, self.unknown_
        found: dict[str, Any] = plain(
            _Stored(_Parameters(**parameters), self.encoding_, *state)
        )
        return found

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Self:
        """Return the encoder that ``as_dict`` has described; raise ValueError if none.

        Examples
        --------
        >>> import pyarrow
        >>> encoder = TableEncoder().fit(pyarrow.table({"size": [1.0, 2.0]}))
        >>> TableEncoder.from_dict(encoder.as_dict()).same_features(encoder)
        True
        """
        stored = typed("encoder", given, _Stored)
        return cls(**stored.parameters._asdict())._set(*stored[1:])

    @classmethod
    def of(cls, encoder: Encoder, kinds: Mapping[str, str], *counts: Any) -> Self:
        """Return the transformer of an encoder that was found while reading files.

        Parameters
        ----------
        encoder
            The encoder.
        kinds
            Kinds of columns that were given, and of other columns that are ignored.
        *counts
            Rows, and missing and unknown values by column.
        """
        ignored = {name: kind for name, kind in kinds.items() if kind == "ignore"}
        return cls(kinds=dict(kinds))._set(encoder, _kinds(encoder) | ignored, *counts)

    def _set(
        self,
        encoding: Encoder,
        kinds: dict[str, str],
        rows: int = 0,
        missing: Mapping[str, int] | None = None,
        unknown: Mapping[str, int] | None = None,
    ) -> Self:
        """Set the attributes of a fitted encoder."""
        features = {n for n, kind in kinds.items() if kind != "ignore"}
        if features != {*encoding.numbers, *encoding.texts}:
            raise ValueError("encoder must have a kind for each of its columns")
        self.encoding_, self.kinds_ = encoding, kinds
        self.feature_names_in_ = np.array(list(kinds), dtype=object)
        self.n_features_in_ = len(kinds)
        self.n_rows_ = rows
        self.missing_ = dict(missing or {})
        self.unknown_ = dict(unknown or {})
        return self

    def _checked_kinds(self) -> Mapping[str, str]:
        """Return the kinds that were given; raise ValueError for wrong parameters."""
        if self.categories not in CATEGORIES:
            raise ValueError(
                f"categories must be one of {', '.join(CATEGORIES)}, "
                f"got {self.categories!r}"
            )
        if self.hash_bits is not None:
            whole("hash_bits", self.hash_bits, low=1)
        for name, kind in (self.kinds or {}).items():
            if kind not in KINDS:
                raise ValueError(
                    f"kinds must be of {', '.join(KINDS)}, got {kind!r} for {name!r}"
                )
        return self.kinds or {}

    def _matched(self, batch: Any) -> Any:
        """Return the columns in the order of the first table; raise if any differ."""
        wanted, given = self.feature_names_in_.tolist(), batch.schema.names
        lacking = [
            name
            for name, kind in self.kinds_.items()
            if name not in given and kind != "ignore"
        ]
        others = [name for name in given if name not in wanted]
        if lacking or others:
            wrong = [f"lacks {_few(lacking)}"] if lacking else []
            wrong += [f"has others: {_few(others)}"] if others else []
            raise ValueError(
                f"X must have the columns of fit; it {' and '.join(wrong)}"
            )
        for name, kind in self.kinds_.items():
            if kind == "ignore":
                continue
            column = batch.column(name)
            allowed = {"number": ("number",), "date": ("date", "text")}
            if name in (self.kinds or {}) or column.null_count == len(column):
                continue
            if pyarrow.types.is_boolean(column.type) and kind == "category":
                continue  # "True" and "False" in files
            if kind_of(column.type) not in allowed.get(kind, ("text",)):
                raise TypeError(
                    f"X must have the types of fit, got {column.type} in column "
                    f"{name!r}, which is a {kind}"
                )
        return batch.select(self.encoding_.columns().names)

    def _features(self, batch: Any, counted: bool) -> Any:
        """Return the features of rows; count the rows, gaps and unknown values."""
        parts, missing, unknown = [], Counter(self.missing_), Counter(self.unknown_)
        for first in range(0, max(batch.num_rows, 1), _ROWS):
            part = batch.slice(first, _ROWS)
            found = encode(self.encoding_, _rows(part, self.encoding_.columns(), first))
            parts.append(found.X)
            missing.update(found.missing)
            unknown.update(found.other)
        if counted:
            self.n_rows_ += batch.num_rows
            self.missing_, self.unknown_ = dict(missing), dict(unknown)
        if len(parts) == 1:
            return parts[0]
        joined = (
            vstack(parts, "csr")
            if self.encoding_.hashed_columns
            else np.concatenate(parts)
        )
        return joined


def _kinds(encoder: Encoder) -> dict[str, str]:
    """Return the kinds of the columns of an encoder."""
    codings = {column: coding.kind for column, coding in encoder.coded}
    category = dict.fromkeys(("one-hot", "hash"), "category")
    found = {column: category.get(kind, kind) for column, kind in codings.items()}
    return dict.fromkeys(encoder.numbers, "number") | found


def _few(names: list[str]) -> str:
    """Return the first names of a list, and the number of others, for an error."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(map(repr, names[:_SHOWN])) + more


def _rows(batch: Any, columns: Columns, first: int = 0) -> Rows:
    """Return the rows of a batch; raise ValueError if a number is not finite."""
    for place, name in enumerate(batch.schema.names):
        column = batch.column(place)
        if name in columns.numbers and kind_of(column.type) != "number":
            try:
                column = column.cast(pyarrow.float64())
            except pyarrow.ArrowException as failure:
                raise ValueError(
                    f"X must have numbers in column {name!r}: {failure}"
                ) from None
            batch = batch.set_column(place, name, column)
    rows = rows_of(batch, columns, np.arange(first, first + batch.num_rows))
    if not rows.finite:
        wrong = np.isinf(rows.numbers)  # gaps are NaN
        for i, j in np.argwhere(wrong)[:1].tolist():
            raise ValueError(
                f"X must be finite, got {rows.numbers[i, j]} in row {first + i}, "
                f"column {columns.numbers[j]!r}"
            )
    return rows
