"""Choice of the encoding of a table, from its first batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.tables.batches import Columns, Rows, is_sparse
from rosenblatt.tables.encoding.codings import Coding, first_coding, kind_of_texts, seen
from rosenblatt.tables.encoding.encoder import Encoder

__all__ = ["CATEGORIES", "DENSE", "first_encoder", "id_columns", "moments"]

CATEGORIES = ("auto", "one-hot", "hash")
DENSE = 128  # features of a table beyond which columns of many levels are hashed
_FEW = 64  # levels of a column that is not hashed, however many features there are
_ROOM = 8  # hashed features for each value of the first batch, at least
_LEAST_BITS, _USUAL_BITS = 10, 18  # of a hash


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
        Whether numbers are standardised; None: if a column is hashed.
    """
    means, scales = moments(rows)
    if weighted:  # a row without a weight counts once
        means[-1], scales[-1] = 1.0, 1.0
    indicators = sorted(j for j, where in rows.missing.items() if len(where))
    if weighted:
        indicators = [j for j in indicators if j < len(means) - 1]
    values = [seen(texts) for texts in rows.texts]
    kinds = [
        kind or kind_of_texts(each, _FEW)
        for kind, each in zip(kinds or [""] * len(values), values, strict=True)
    ]
    levels = [len(v) for v, k in zip(values, kinds, strict=True) if k == "category"]
    fits = len(means) + len(indicators) + sum(levels) <= DENSE
    codings = []
    for texts, found, kind in zip(rows.texts, values, kinds, strict=True):
        if kind == "category":
            few = fits or len(found) <= _FEW
            hashed = categories == "hash" or (categories == "auto" and not few)
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


_LEAST = 60  # rows before a column is suspected
_REPEATS = 10.0  # expected equal pairs of random numbers; none has chance exp(-10)
_DISTINCT = 0.95  # share of distinct values of a column that looks like an id


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
    """Return whether whole numbers number the rows: none comes twice, by no chance."""
    if not np.all(column == np.rint(column)):
        return False
    if np.all(np.diff(column) > 0):
        return True
    rows = len(column)
    pairs = rows * (rows - 1) / 2 / (float(np.ptp(column)) + 1.0)
    return pairs >= _REPEATS and len(np.unique(column)) == rows


def moments(rows: Rows) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
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
    means = np.asarray(total(wide, axis=0) / there)
    with np.errstate(over="ignore"):  # scaled by infinity a column says nothing
        spread = np.sqrt(total((wide - means) ** 2, axis=0) / there)
    return means, np.where(spread > 0, spread, 1.0)
