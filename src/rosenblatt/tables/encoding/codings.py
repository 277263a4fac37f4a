"""Codings of text columns: one-hot levels, hashed values, hashed words, dates.

A coding is fixed by the first batch. It determines the features of a column and their
names; hashed features of all columns share one block at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.tables.batches import Texts
from rosenblatt.tables.encoding.dates import (
    DAY_PARTS,
    PARTS,
    date_features,
    elapsed,
    parse_dates,
)
from rosenblatt.tables.encoding.hashing import signed_hash, terms

__all__ = [
    "MISSING",
    "OTHER",
    "Coding",
    "Entries",
    "entries",
    "first_coding",
    "hashed_names",
    "is_prose",
    "kind_of_texts",
    "seen",
]

OTHER = "(other)"  # the feature of values that the first batch has not
MISSING = "(missing)"
KINDS = ("one-hot", "hash", "text", "date")
_DATES = 0.9  # of the values of a column are dates, if it is one of dates
_PROSE = 3.0  # words that a value of a column of text has in the mean, at least
_NAMED = 2**12  # hashed values of a column whose names are stored


class Coding(NamedTuple):
    """The coding of a text column.

    ``levels`` are the values with a feature of their own, and for dates the parts. For
    hashed columns they are the values or words whose names are known, the most frequent
    first.
    """

    kind: str
    levels: tuple[str, ...]
    mean: float = 0.0  # of elapsed days
    scale: float = 1.0

    @property
    def hashed(self) -> bool:
        """True if the features are hashed."""
        return self.kind in ("hash", "text")

    def name(self, column: str, value: str) -> str:
        """Return the name of the feature of a value or a word."""
        return f"{column}{':' if self.kind == 'text' else '='}{value}"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features of its own."""
        return () if self.hashed else self.levels


class Entries(NamedTuple):
    """Nonzero entries of features: rows, columns and values; and unknown values."""

    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]
    values: npt.NDArray[np.float64]
    other: int = 0


def seen(texts: Texts) -> list[str]:
    """Return the values of a column that occur, the most frequent first."""
    counts = np.bincount(texts.codes[texts.codes >= 0], minlength=len(texts.values))
    order = sorted(np.flatnonzero(counts), key=lambda i: (-counts[i], texts.values[i]))
    return [texts.values[i] for i in order]


def is_prose(values: list[str]) -> bool:
    """Return whether values are sentences rather than names."""
    words = sum(len(value.split()) for value in values)
    return bool(values) and words >= _PROSE * len(values)


def kind_of_texts(values: list[str], few: int) -> str:
    """Return category, date or text: what values of a column look like.

    Examples
    --------
    >>> kind_of_texts(["2024-01-31", "2024-02-01"], few=64)
    'date'
    """
    if values and np.mean(~np.isnat(parse_dates(values))) >= _DATES:
        return "date"
    return "text" if len(values) > few and is_prose(values) else "category"


def first_coding(texts: Texts, kind: str) -> Coding:
    """Return the coding of a column from its first batch."""
    values = seen(texts)
    missing = [MISSING] if (texts.codes < 0).any() else []
    if kind == "one-hot":
        return Coding(kind, (*sorted(values), *missing, OTHER))
    if kind == "date":
        when = parse_dates(values)
        days = elapsed(when)
        if np.isnan(days).all():
            return Coding(kind, (MISSING,))
        clock = np.any(days[~np.isnan(days)] % 1.0)
        parts = PARTS if clock else DAY_PARTS
        spread = float(np.nanstd(days))
        return Coding(
            kind, (*parts, *missing), float(np.nanmean(days)), spread if spread else 1.0
        )
    if kind == "text":
        values = list(dict.fromkeys(t for value in values for t in terms(value)))
    return Coding(kind, tuple(values[:_NAMED]))


def entries(coding: Coding, column: str, texts: Texts, bits: int) -> Entries:
    """Return the features of a column, numbered from 0; hashed ones in their block."""
    everywhere = np.arange(len(texts.codes))
    if coding.kind == "hash":
        names = [f"{column}={v}" for v in (*texts.values, MISSING)]
        found = np.array([signed_hash(name, bits) for name in names])
        chosen = found[texts.codes]
        return Entries(everywhere, chosen[:, 0].astype(np.intp), chosen[:, 1])
    if coding.kind == "text":
        return _text_entries(column, texts, bits)
    if coding.kind == "date":
        return _date_entries(coding, texts)
    number = {level: i for i, level in enumerate(coding.levels)}
    last = len(coding.levels) - 1
    known = [number.get(v, last) for v in texts.values]
    place = np.array([*known, number.get(MISSING, last)])[texts.codes]
    new = int(((place == last) & (texts.codes >= 0)).sum())
    return Entries(everywhere, place, np.ones(len(place)), new)


def _text_entries(column: str, texts: Texts, bits: int) -> Entries:
    """Return the hashed words and pairs of words of each row."""
    each = [
        np.array([signed_hash(f"{column}:{t}", bits) for t in terms(v)]).reshape(-1, 2)
        for v in texts.values
    ]
    each.append(np.array([signed_hash(f"{column}={MISSING}", bits)]))
    sizes = np.array([len(one) for one in each])[texts.codes]
    found = np.concatenate([each[code] for code in texts.codes])
    rows = np.repeat(np.arange(len(sizes)), sizes)
    return Entries(rows, found[:, 0].astype(np.intp), found[:, 1])


def _date_entries(coding: Coding, texts: Texts) -> Entries:
    parts = [part for part in coding.levels if part != MISSING]
    when = np.append(parse_dates(texts.values), np.datetime64("NaT", "s"))
    missing = np.isnat(when)[texts.codes]
    if parts:
        block = date_features(when, parts, coding.mean, coding.scale)[texts.codes]
    else:
        block = np.empty((len(missing), 0))
    if MISSING in coding.levels:
        block = np.column_stack([block, missing])
    rows, columns = np.nonzero(block)
    new = int((missing & (texts.codes >= 0)).sum())
    return Entries(rows, columns, block[rows, columns], new)


def hashed_names(
    columns: Iterable[tuple[str, Coding]], bits: int, start: int
) -> dict[int, str]:
    """Return names of hashed features by number: values that are known to be there.

    Examples
    --------
    >>> hashed_names([("city", Coding("hash", ("Riga", "Oslo")))], 10, 3)
    {640: 'city=Riga', 984: 'city=Oslo'}
    """
    found: dict[int, list[str]] = {}
    for column, coding in columns:
        if coding.hashed:
            for value in coding.levels:
                name = coding.name(column, value)
                found.setdefault(start + signed_hash(name, bits)[0], []).append(name)
    return {
        place: names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
        for place, names in found.items()
    }
