"""Encoding of batches: matrices of features, label codes, and checks of the rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

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
    is_sparse,
)
from rosenblatt.tables.encoding.codings import Entries, entries
from rosenblatt.tables.encoding.encoder import Encoder

__all__ = ["Encoded", "class_array", "dense", "encode", "sorted_labels", "sparse"]


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
    try:
        return str(int(label)) == label
    except ValueError:
        return False


def sorted_labels(labels: Collection[str]) -> list[str]:
    """Return distinct labels in order: numbers by size if all are whole.

    Examples
    --------
    >>> sorted_labels(["10", "9", "10"]), sorted_labels(["10", "9", "x"])
    (['9', '10'], ['10', '9', 'x'])
    """
    return sorted(set(labels), key=int if all(map(_is_whole, labels)) else None)


def class_array(classes: Sequence[str]) -> npt.NDArray[Any]:
    """Return labels as an array: whole numbers if all are, and fit into an array.

    Examples
    --------
    >>> class_array(("0", "1")), class_array(("-1", str(2**63)))
    (array([0, 1]), array(['-1', '9223372036854775808'], dtype='<U19'))
    """
    if all(map(_is_whole, classes)):
        array = np.array(list(map(int, classes)))  # floats or objects if some are large
        if array.dtype.kind in "iu":
            return array
    return np.array(classes)


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
