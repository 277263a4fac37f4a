"""Encoding of the rows of a table as features, fixed by its first batch.

From top to bottom: parts of dates, hashes of text, the coding of one column, the
encoder of all columns, and the matrices and label codes of a batch.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix, csr_matrix

from rosenblatt.tables.batches import (
    INFINITE,
    LABEL,
    LONG_LABEL,
    LONGEST_LABEL,
    NAN,
    NO_LABEL,
    WEIGHT,
    Bad,
    Columns,
    Rows,
    Texts,
    is_sparse,
)

__all__ = [
    "CATEGORIES",
    "LEVELS",
    "MISSING",
    "OTHER",
    "PARTS",
    "Coding",
    "Encoded",
    "Encoder",
    "Entries",
    "class_array",
    "date_features",
    "dense",
    "elapsed",
    "encode",
    "entries",
    "first_coding",
    "first_encoder",
    "hashed_names",
    "id_columns",
    "is_prose",
    "kind_of_texts",
    "parse_dates",
    "seen",
    "signed_hash",
    "sorted_labels",
    "sparse",
    "terms",
]

_WEEK = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DAY_PARTS = ("elapsed", "year sin", "year cos", *_WEEK)
PARTS = (*DAY_PARTS, "hour sin", "hour cos")  # of columns with a time of day
_ISO = re.compile(
    r"(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[T ](\d\d?):(\d\d)(?::(\d\d))?[\d.:Z +-]*)?"
)
_DAY = 86400.0  # seconds
_YEAR = 365.2425  # days
_MONDAY = 3  # 1970-01-01 was a Thursday


def parse_dates(values: Sequence[str]) -> npt.NDArray[Any]:
    """Return dates and times in ISO 8601, in seconds; NaT for other text.

    A slash may stand for a hyphen. Fractions of seconds and time zones are left out:
    the time is that of the clock on the wall.

    Examples
    --------
    >>> parse_dates(["2024-02-29", "2024/3/1 07:30", "2024-03-01T07:30:59Z", "soon"])
    array(['2024-02-29T00:00:00', '2024-03-01T07:30:00',
           '2024-03-01T07:30:59',                 'NaT'], dtype='datetime64[s]')
    """
    found = np.full(len(values), "NaT", "datetime64[s]")
    try:
        found[:] = np.array([value[:19] for value in values], "datetime64[s]")
        if min(map(len, values), default=0) >= 10:  # not years alone
            return found
    except ValueError:
        pass
    for i, value in enumerate(values):
        match = _ISO.fullmatch(value.strip())
        found[i] = _moment(match) if match else "NaT"
    return found


def _moment(match: re.Match[str]) -> Any:
    year, month, day, *rest = (int(group or 0) for group in match.groups())
    text = f"{year:04}-{month:02}-{day:02}T" + ":".join(f"{part:02}" for part in rest)
    try:
        return np.datetime64(text, "s")
    except ValueError:  # no such day
        return np.datetime64("NaT", "s")


def elapsed(when: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return days since 1970; NaN for NaT."""
    days = when.astype("datetime64[s]").astype(np.int64) / _DAY
    return np.where(np.isnat(when), np.nan, days)


def date_features(
    when: npt.NDArray[Any], parts: Sequence[str], mean: float, scale: float
) -> npt.NDArray[np.float64]:
    """Return the parts of dates, one column each; zeros for NaT.

    ``mean`` and ``scale`` standardise the elapsed days.

    Examples
    --------
    >>> monday = parse_dates(["2024-01-01T06:00:00"])
    >>> date_features(monday, ("Mon", "Tue", "hour sin"), 0.0, 1.0)
    array([[1., 0., 1.]])
    """
    days = np.nan_to_num(elapsed(when))
    year, hour = 2 * np.pi * days / _YEAR, 2 * np.pi * days
    weekday = (np.floor(days).astype(np.int64) + _MONDAY) % 7
    known: dict[str, Any] = {
        "elapsed": lambda: (days - mean) / scale,
        "year sin": lambda: np.sin(year),
        "year cos": lambda: np.cos(year),
        "hour sin": lambda: np.sin(hour),
        "hour cos": lambda: np.cos(hour),
    }
    known |= {name: lambda k=k: weekday == k for k, name in enumerate(_WEEK)}
    found = np.stack([known[part]() for part in parts], axis=1).astype(np.float64)
    found[np.isnat(when)] = 0.0
    return found


_WORD = re.compile(r"\w+")


@lru_cache(2**17)  # values come again in every batch
def signed_hash(text: str, bits: int) -> tuple[int, float]:
    """Return a number below ``2**bits`` and a sign for a text.

    Both are bits of BLAKE2b, a published standard (RFC 7693). Two texts at the same
    number add up or cancel with equal chances, so that collisions are no bias.

    Examples
    --------
    >>> signed_hash("city=Riga", 10), signed_hash("city=Oslo", 10)
    ((637, 1.0), (981, -1.0))
    """
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    number = int.from_bytes(digest, "little")
    return number & ((1 << bits) - 1), 1.0 if number >> 63 else -1.0


def terms(text: str) -> list[str]:
    """Return the words of a text in lower case, and its pairs of adjacent words.

    Examples
    --------
    >>> terms("Very slow, very")
    ['very', 'slow', 'very slow', 'slow very']
    """
    words = _WORD.findall(text.lower())
    pairs = [f"{one} {two}" for one, two in itertools.pairwise(words)]
    return list(dict.fromkeys(words + pairs))


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


class Encoded(NamedTuple):
    """An encoded batch: features, label codes, bad rows and missing values."""

    X: Any
    codes: npt.NDArray[np.int64]  # of the labels among the classes; -1: not known
    rows: npt.NDArray[np.intp] | None  # indices of the good rows; None: all
    bad: list[Bad]
    missing: dict[str, int]  # how many, by column
    other: dict[str, int]  # values that the first batch has not, by column
    weights: npt.NDArray[np.float64] | None = None  # how often each row counts
    new: tuple[str, ...] = ()  # labels that come after the classes

    def part(self, chosen: npt.NDArray[np.intp]) -> Encoded:
        """Return some of the good rows, with all counts of the batch."""
        weights = None if self.weights is None else self.weights[chosen]
        return self._replace(
            X=self.X[chosen], codes=self.codes[chosen], weights=weights
        )


def _is_whole(label: str) -> bool:
    """Return whether a label is a whole number that fits into an array."""
    try:
        return str(np.int64(label)) == label
    except (ValueError, OverflowError):
        return False


def sorted_labels(labels: Collection[str]) -> list[str]:
    """Return distinct labels in the order of :func:`class_array`.

    Examples
    --------
    >>> sorted_labels(["10", "9", "10"]), sorted_labels(["10", "9", str(2**63)])
    (['9', '10'], ['10', '9', '9223372036854775808'])
    """
    return sorted(set(labels), key=int if all(map(_is_whole, labels)) else None)


def class_array(classes: Sequence[str]) -> npt.NDArray[Any]:
    """Return labels as an array: whole numbers if all are, and fit into an array.

    Examples
    --------
    >>> class_array(("0", "1")), class_array(("-1", str(2**63)))
    (array([0, 1]), array(['-1', '9223372036854775808'], dtype='<U19'))
    """
    whole = all(map(_is_whole, classes))
    return np.array(list(map(int, classes)), np.int64) if whole else np.array(classes)


def encode(encoder: Encoder, rows: Rows, new_labels: bool = False) -> Encoded:
    """Encode the good rows of a batch, and describe the bad ones.

    Parameters
    ----------
    encoder
        The encoder of the table.
    rows
        The rows.
    new_labels
        Whether labels that are not among the classes become classes, whose codes come
        after the others. If all classes are whole numbers, so must new ones be.
    """
    names = encoder.columns.numbers
    missing = {names[j]: len(where) for j, where in rows.missing.items() if len(where)}
    numbers = _filled(encoder, rows)
    new = tuple(_unknown_labels(encoder.classes, rows)) if new_labels else ()
    known = (*encoder.classes, *new)
    codes, good, bad = _check_rows(
        rows, numbers, encoder.columns, known, encoder.weighted
    )
    other: dict[str, int] = {}
    weights = None
    if encoder.weighted:
        weights, numbers = numbers[:, -1], numbers[:, :-1]
        weights = np.asarray(weights, np.float64)
    if is_sparse(numbers):
        X = numbers
    else:
        X = _features(encoder, rows, numbers, missing, other)
    if good is not None:
        X = X[good]
        weights = None if weights is None else weights[good]
    return Encoded(X, codes, good, bad, missing, other, weights, new)


def _unknown_labels(classes: Sequence[str], rows: Rows) -> Iterator[str]:
    """Yield the labels that may become classes; whole numbers if the known ones are."""
    if rows.labels is None:
        return
    whole = all(map(_is_whole, classes))
    for label in rows.label_values:
        if label not in classes and (_is_whole(label) or not whole):
            yield label


def _filled(encoder: Encoder, rows: Rows) -> Any:
    """Return numbers with the mean in place of missing values."""
    numbers = rows.numbers
    if rows.missing:
        numbers = numbers if numbers.flags.writeable else numbers.copy()
        for j, where in rows.missing.items():
            numbers[where, j] = encoder.means[j]
    return numbers


def _features(
    encoder: Encoder,
    rows: Rows,
    numbers: npt.NDArray[Any],
    missing: dict[str, int],
    other: dict[str, int],
) -> Any:
    count = numbers.shape[1]
    if encoder.scales is not None:
        means, scales = np.array(encoder.means), np.array(encoder.scales)
        numbers = (numbers - means[:count]) / scales[:count]
    if not (encoder.indicators or encoder.columns.texts or encoder.scales):
        return np.ascontiguousarray(numbers)
    parts, at = [], count
    for j in encoder.indicators:
        where = rows.missing.get(j, np.empty(0, np.intp))
        parts.append(Entries(where, np.full(len(where), at), np.ones(len(where))))
        at += 1
    given = zip(encoder.columns.texts, encoder.codings, rows.texts, strict=True)
    for column, coding, texts in given:
        gone = int((texts.codes < 0).sum())
        if gone:
            missing[column] = gone
        found = entries(coding, column, texts, encoder.hash_bits)
        if found.other:
            other[column] = found.other
        begin = encoder.unhashed if coding.hashed else at
        parts.append(found._replace(columns=found.columns + begin))
        at += len(coding.names)
    together = count + len(encoder.columns.texts)
    size = 1.0 / np.sqrt(together) if encoder.scales is not None else 1.0
    joined = sparse if encoder.hashed else dense
    return joined(numbers, parts, encoder.features, size)


def dense(
    numbers: npt.NDArray[Any], parts: Sequence[Entries], width: int, size: float
) -> npt.NDArray[Any]:
    """Return numbers and entries side by side, all multiplied by ``size``."""
    block = np.zeros((len(numbers), width), numbers.dtype)
    block[:, : numbers.shape[1]] = numbers
    for part in parts:
        block[part.rows, part.columns] = part.values
    if size != 1.0:
        block *= size
    return block


def sparse(
    numbers: npt.NDArray[Any], parts: Sequence[Entries], width: int, size: float
) -> csr_matrix:
    """Return the same as a sparse matrix; entries at one place add up."""
    rows, columns = np.nonzero(numbers)
    every = [*parts, Entries(rows, columns, numbers[rows, columns])]
    i, j, values = (np.concatenate([part[k] for part in every]) for k in range(3))
    shape = (len(numbers), width)
    matrix = csr_matrix(coo_matrix((values * size, (i, j)), shape=shape))
    matrix.sum_duplicates()
    return matrix


def _check_rows(
    rows: Rows,
    numbers: Any,
    columns: Columns,
    classes: Sequence[str],
    weighted: bool = False,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.intp] | None, list[Bad]]:
    """Return label codes and indices of the good rows (None: all), and the bad rows.

    Parameters
    ----------
    numbers
        Those of the rows, after what is missing has been filled in.
    weighted
        Whether the last column of numbers has the weights of the rows.
    """
    codes = _codes(rows, classes)
    entries = numbers.data if is_sparse(numbers) else numbers
    wrong = np.zeros(len(rows), bool)
    if rows.labels is not None:
        wrong |= codes < 0
    if not (rows.finite or _is_sum_finite(entries) or np.isfinite(entries).all()):
        wrong |= _not_finite(numbers)
    if weighted:
        wrong |= (numbers[:, -1] < 0) | (numbers[:, -1] != np.rint(numbers[:, -1]))
    if not wrong.any():
        return codes, None, sorted(rows.bad, key=lambda bad: bad.line)
    lines = rows.lines()
    found = [
        _what(i, int(lines[i]), rows, numbers, columns, codes)
        for i in np.flatnonzero(wrong).tolist()
    ]
    good = np.flatnonzero(~wrong)
    bad = sorted([*rows.bad, *found], key=lambda bad: bad.line)
    return codes[good], good, bad


def _is_sum_finite(entries: npt.NDArray[Any]) -> bool:
    """Return whether the sum of entries is finite; then all entries are.

    It may also be infinite because it is large.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(np.sum(entries)))


def _codes(rows: Rows, classes: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return the index of each label among the classes; -1 if it is unknown."""
    if rows.labels is None:
        return np.full(len(rows), -1, np.int64)
    number = {label: i for i, label in enumerate(classes)}
    known = [number.get(value, -1) for value in rows.labels.values]
    return np.array([*known, -1], np.int64)[rows.labels.codes]


def _not_finite(numbers: Any) -> npt.NDArray[np.bool_]:
    if is_sparse(numbers):
        where = np.repeat(np.arange(numbers.shape[0]), np.diff(numbers.indptr))
        found = np.zeros(numbers.shape[0], np.bool_)
        found[where[~np.isfinite(numbers.data)]] = True
        return found
    return np.asarray(~np.isfinite(numbers).all(axis=1))


def _what(
    i: int,
    line: int,
    rows: Rows,
    numbers: Any,
    columns: Columns,
    codes: npt.NDArray[np.int64],
) -> Bad:
    """Return the first fault of a row."""
    row = numbers[[i]].toarray()[0] if is_sparse(numbers) else numbers[i]
    for j in np.flatnonzero(~np.isfinite(row))[:1].tolist():
        kind = NAN if np.isnan(row[j]) else INFINITE
        name = str(j) if is_sparse(numbers) else columns.numbers[j]
        return Bad(line, kind, name)
    if codes[i] >= 0:  # nothing else is wrong
        return Bad(line, WEIGHT, columns.numbers[-1], f"{row[-1]:g}")
    labels = rows.labels
    if labels is None or labels.codes[i] < 0:
        return Bad(line, NO_LABEL, columns.target)
    label = labels.values[labels.codes[i]]
    kind = LABEL if len(label) <= LONGEST_LABEL else LONG_LABEL
    return Bad(line, kind, columns.target, repr(label))
