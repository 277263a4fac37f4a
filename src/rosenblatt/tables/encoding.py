"""Encoding of the rows of a table as features, fixed by its first batch.

From top to bottom: parts of dates, hashes of text, the coding of one column, the
encoder of all columns, and the matrices and label codes of a batch.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix, csr_matrix

from rosenblatt.tables.reading import (
    INFINITE,
    NAN,
    WEIGHT,
    Bad,
    Columns,
    Rows,
    Texts,
    is_sparse,
)

WEEK = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DAY_PARTS = ("elapsed", "year sin", "year cos", *WEEK)
PARTS = (*DAY_PARTS, "hour sin", "hour cos")  # of columns with a time of day
_ISO = re.compile(
    r"(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[T ](\d\d?):(\d\d)(?::(\d\d))?[\d.:Z +-]*)?"
)
DAY = 86400.0  # seconds
_YEAR = 365.2425  # days
MONDAY = 3  # 1970-01-01 was a Thursday


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
    days = when.astype("datetime64[s]").astype(np.int64) / DAY
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
    weekday = (np.floor(days).astype(np.int64) + MONDAY) % 7
    known: dict[str, Any] = {
        "elapsed": lambda: (days - mean) / scale,
        "year sin": lambda: np.sin(year),
        "year cos": lambda: np.cos(year),
        "hour sin": lambda: np.sin(hour),
        "hour cos": lambda: np.cos(hour),
    }
    known |= {name: lambda k=k: weekday == k for k, name in enumerate(WEEK)}
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

    numbers: tuple[str, ...]
    texts: tuple[str, ...]
    missing: tuple[str, ...]  # what stands for a missing value, besides nothing
    means: tuple[float, ...]
    scales: tuple[float, ...] | None  # None: numbers as they are
    indicators: tuple[int, ...]  # numbers with a feature that says if they are missing
    codings: tuple[Coding, ...]  # of texts
    hash_bits: int = _LEAST_BITS
    width: int | None = None  # of svmlight, whose columns are numbered
    ids: tuple[str, ...] = ()  # columns that look like an id

    def __post_init__(self) -> None:
        """Check that the fields are consistent: they may come from a file."""
        count = len(self.numbers)
        sizes = {len(self.means), len(self.scales or self.means)}
        if sizes != {count} or not set(self.indicators) <= set(range(count)):
            raise ValueError(f"means, scales and indicators must be of {count} columns")
        if len(self.codings) != len(self.texts):
            raise ValueError(f"codings must be of {len(self.texts)} columns")
        if not 1 <= self.hash_bits <= _MOST_BITS:
            raise ValueError(
                f"hash_bits must be from 1 to {_MOST_BITS}, got {self.hash_bits}"
            )
        if self.width is not None and self.width < 1:
            raise ValueError(f"width must be 1 or more, got {self.width}")

    def columns(self, target: str | None = None, weight: str | None = None) -> Columns:
        """Return the columns to read."""
        return Columns(self.numbers, self.texts, target, weight, self.missing)

    @property
    def coded(self) -> list[tuple[str, Coding]]:
        """The columns of text, each with its coding."""
        return list(zip(self.texts, self.codings, strict=True))

    @property
    def hashed_columns(self) -> list[str]:
        """The columns that are hashed; if there are any, the features are sparse."""
        return [column for column, coding in self.coded if coding.hashed]

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
        return self.unhashed + (2**self.hash_bits if self.hashed_columns else 0)

    @cached_property
    def names(self) -> list[str]:
        """The names of the features."""
        if self.width is not None:
            return list(map(str, range(self.width)))
        names = list(self.numbers)
        names += [f"{self.numbers[j]} is missing" for j in self.indicators]
        for column, coding in self.coded:
            names += [f"{column}={level}" for level in coding.names]
        known = hashed_names(self.coded, self.hash_bits, len(names))
        return names + [
            known.get(place, f"hash {place - len(names)}")
            for place in range(len(names), self.features)
        ]

    def groups(self) -> list[tuple[str, list[int]]]:
        """Return the features of each column that has any, by number.

        Hashed features are those of values that the first batch has.
        """
        found = {name: [j] for j, name in enumerate(self.numbers)}
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


def first_encoder(
    rows: Rows,
    *,
    kinds: Sequence[str] = (),
    categories: str = "auto",
    hash_bits: int | None = None,
    standardise: bool | None = False,
) -> Encoder:
    """Return the encoder for a table, from its first batch.

    Parameters
    ----------
    kinds
        Category, date or text for each text column, or "": what it looks like.
    standardise
        Whether numbers are standardised; None means only if a column is hashed.
    """
    columns = rows.columns
    if is_sparse(rows.numbers):
        width = rows.numbers.shape[1]
        return Encoder((), (), columns.missing, (), None, (), (), width=width)
    means, scales = moments(rows)
    codings = []
    for texts, kind in zip(rows.texts, kinds or [""] * len(rows.texts), strict=True):
        values = seen(texts)
        kind = kind or kind_of_texts(values, _NAMES)
        if kind == "category":
            levels = LEVELS if categories == "auto" else 0
            many = categories != "one-hot" and len(values) > levels
            kind = "hash" if many else "one-hot"
        codings.append(first_coding(texts, kind))
    hashed = [coding for coding in codings if coding.hashed]
    scaled = None
    if scales.size and (standardise or (standardise is None and hashed)):
        scaled = tuple(scales.tolist())
    room = _ROOM * sum(len(coding.levels) for coding in hashed)
    bits = min(max((room - 1).bit_length(), _LEAST_BITS), _USUAL_BITS)
    return Encoder(
        columns.numbers,
        columns.texts,
        columns.missing,
        tuple(means.tolist()),
        scaled,
        tuple(sorted(j for j, where in rows.missing.items() if len(where))),
        tuple(codings),
        hash_bits or bits,
        ids=id_columns(rows, codings),
    )


def moments(rows: Rows) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return mean and standard deviation of each column, without missing values."""
    wide = np.asarray(rows.numbers, np.float64)
    there: Any = max(len(wide), 1)
    if not rows.finite:
        wide = np.where(np.isfinite(wide), wide, np.nan)
        there = np.maximum((~np.isnan(wide)).sum(axis=0), 1)
    total = np.sum if rows.finite else np.nansum  # the latter takes longer

    def of(wide: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        means = np.asarray(total(wide, axis=0) / there)
        return means, np.sqrt(total((wide - means) ** 2, axis=0) / there)

    with np.errstate(over="ignore", invalid="ignore"):
        means, spread = of(wide)
        huge = ~np.isfinite(spread)
        if huge.any():  # squares or sums are too large
            small = of(np.ldexp(wide, -600))
            means[huge], spread[huge] = (np.ldexp(one[huge], 600) for one in small)
    return means, np.where(spread > 0, spread, 1.0)


def id_columns(rows: Rows, codings: Sequence[Coding]) -> tuple[str, ...]:
    """Return the columns of a first batch that look like an id.

    A category looks like one if nearly every row has its own value. So does a column of
    whole numbers that rise from row to row. So does one that never repeats a number,
    if random numbers of its range would repeat.
    """
    if rows.size < _LEAST:
        return ()
    numbers, names = rows.columns.numbers, rows.columns.texts
    found = [name for j, name in enumerate(numbers) if _numbers(rows.numbers[:, j])]
    for name, coding, texts in zip(names, codings, rows.texts, strict=True):
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


class Coded(NamedTuple):
    """Targets of rows, a mask of those that are none, and labels that are new."""

    values: Any
    wrong: npt.NDArray[np.bool_]
    new: tuple[str, ...] = ()


class Encoded(NamedTuple):
    """The good rows of a batch as features, the bad ones, and missing values."""

    X: Any
    labels: Any  # or numbers; None without a task
    weights: npt.NDArray[np.float64] | None  # how often each row counts
    lines: npt.NDArray[np.int64]
    bad: list[Bad]
    missing: dict[str, int]  # how many, by column
    other: dict[str, int]  # values that the first batch has not, by column
    new: tuple[str, ...] = ()  # labels that are not among the classes

    def part(self, chosen: Any) -> Encoded:
        """Return some of the good rows, with all counts of the batch."""
        given = self.labels, self.weights
        labels, weights = (None if one is None else one[chosen] for one in given)
        X, lines = self.X[chosen], self.lines[chosen]
        return self._replace(X=X, labels=labels, weights=weights, lines=lines)


def encode(
    encoder: Encoder,
    rows: Rows,
    task: Any = None,
) -> Encoded:
    """Encode the good rows of a batch, and describe the bad ones.

    Parameters
    ----------
    encoder
        The encoder of the table.
    rows
        The rows.
    task
        Its ``code`` returns targets as a ``Coded``, its ``fault`` what is wrong with
        one; None if targets are not wanted.
    """
    gone = {encoder.numbers[j]: len(where) for j, where in rows.missing.items()}
    missing = {name: count for name, count in gone.items() if count}
    other: dict[str, int] = {}
    numbers = _filled(encoder, rows)
    X = numbers
    if not is_sparse(numbers):
        X = _features(encoder, rows, numbers, missing, other)
    wrong = np.zeros(rows.size, bool)
    if not rows.finite:
        wrong |= _not_finite(numbers)
    weights = rows.weights
    if weights is not None:
        wrong |= ~((weights >= 0) & np.isfinite(weights))
    coded = None if task is None else task.code(rows.labels)
    if coded is not None:
        wrong |= coded.wrong
    bad = list(rows.bad)
    for i in np.flatnonzero(wrong).tolist():
        bad.append(_fault(i, rows, numbers, encoder, coded, task))
    bad.sort(key=lambda one: one.line)
    labels, new = (None, ()) if coded is None else (coded.values, coded.new)
    found = Encoded(X, labels, weights, rows.lines, bad, missing, other, new)
    return found.part(~wrong) if wrong.any() else found


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
    """Return the features of rows; count missing and unknown values."""
    if encoder.scales is not None:
        numbers = (numbers - np.array(encoder.means)) / np.array(encoder.scales)
    if not (encoder.indicators or encoder.texts or encoder.scales):
        return np.ascontiguousarray(numbers)
    parts, at = [], len(encoder.numbers)
    for j in encoder.indicators:
        where = rows.missing.get(j, np.empty(0, np.intp))
        parts.append(Entries(where, np.full(len(where), at), np.ones(len(where))))
        at += 1
    for (column, coding), texts in zip(encoder.coded, rows.texts, strict=True):
        gone = int((texts.codes < 0).sum())
        if gone:
            missing[column] = gone
        found = entries(coding, column, texts, encoder.hash_bits)
        if found.other:
            other[column] = found.other
        begin = encoder.unhashed if coding.hashed else at
        parts.append(found._replace(columns=found.columns + begin))
        at += len(coding.names)
    together = len(encoder.numbers) + len(encoder.texts)
    size = 1.0 / np.sqrt(together) if encoder.scales is not None else 1.0
    joined = sparse if encoder.hashed_columns else dense
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


def _not_finite(numbers: Any) -> npt.NDArray[np.bool_]:
    if not is_sparse(numbers):
        return np.asarray(~np.isfinite(numbers).all(axis=1))
    found = np.zeros(numbers.shape[0], np.bool_)
    places = np.flatnonzero(~np.isfinite(numbers.data))
    found[np.searchsorted(numbers.indptr, places, side="right") - 1] = True
    return found


def _fault(
    i: int, rows: Rows, numbers: Any, encoder: Encoder, coded: Any, task: Any
) -> Bad:
    """Return the first fault of a row."""
    row = numbers[[i]].toarray()[0] if is_sparse(numbers) else numbers[i]
    line = int(rows.lines[i])
    for j in np.flatnonzero(~np.isfinite(row))[:1].tolist():
        kind = NAN if np.isnan(row[j]) else INFINITE
        return Bad(line, kind, encoder.names[j])
    if coded is None or not coded.wrong[i]:  # nothing else is wrong
        assert rows.weights is not None
        return Bad(line, WEIGHT, rows.columns.weight, f"{rows.weights[i]:g}")
    kind, value = task.fault(rows.labels, i)
    said = None if value is None else repr(value)
    return Bad(line, kind, rows.columns.target, said)
