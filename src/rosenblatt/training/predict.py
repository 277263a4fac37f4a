"""Predictions for the rows of files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.tables import (
    STANDARD,
    Bad,
    BadRowError,
    Columns,
    Encoded,
    Encoder,
    Place,
    Rows,
    Table,
    Texts,
    check_columns,
    encode,
    open_table,
    piece_by_piece,
)
from rosenblatt.training.options import check_on_error
from rosenblatt.training.progress import ahead
from rosenblatt.training.record import check_probabilities, decide
from rosenblatt.training.run import Run

_ROWS = 2**13  # of a batch
_Words = list[str | None] | None


class Predicted(NamedTuple):
    """Predictions for some rows of a file, one for each, in their order.

    ``labels`` has None where a row is bad. ``probabilities`` has a column for each
    class, NaN where a row is bad; it is None if they are not wanted. ``truth`` has the
    labels in the file, None where there are none.
    """

    labels: list[Any]
    probabilities: npt.NDArray[np.float64] | None
    truth: list[str | None] | None
    bad: list[Bad]
    ids: list[str | None] | None = None  # of the column that names rows
    id: str | None = None  # the name of this column


class Reading(NamedTuple):
    """Options for reading files with rows to predict."""

    format: str | None = None
    header: bool = True
    delimiter: str | None = None
    id: str | None = None
    on_error: str = "stop"


def predict(
    model: Any,
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    proba: bool = False,
    costs: Mapping[str, float] | None = None,
    **reading: Any,
) -> Iterator[Predicted]:
    r"""Return predictions for files of any size, a batch at a time.

    Files must have the columns that the model has learned from, by name, in any order;
    other columns are ignored. Missing values and unknown categories are encoded as in
    training.

    Parameters
    ----------
    model
        Result of ``train``, also if it was saved and loaded.
    files
        One or more; ``"-"`` is standard input.
    proba
        Whether probabilities are wanted.
    costs
        As for ``train``; by default those given there.
    **reading
        ``format``, ``header`` and ``delimiter`` as for ``train``; ``id``, a column that
        names rows, by default that given there, if the file has it. ``on_error`` is
        ``"stop"`` for an error at a row that cannot be read, or ``"skip"``: predict
        nothing for it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import rosenblatt as rb
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "small.csv"
    ...     rows = (f"{i % 7},{int(i % 7 > 3)}" for i in range(100))
    ...     _ = path.write_text("\n".join(["size,won", *rows]))
    ...     model = rb.train(path, "won")
    ...     [part.labels[:7] for part in predict(model, path)]
    [[0, 0, 0, 0, 1, 1, 1]]
    """
    run, given = Run.of(model), Reading(**reading)
    check_on_error(given.on_error)
    if proba and not hasattr(model, "predict_proba"):
        name = type(model).__name__
        raise ValueError(f"proba must be False: {name} gives no probabilities")
    factors = run.costs(costs)
    if factors is not None:
        check_probabilities(model, type(model).__name__)
    each = [files] if isinstance(files, str | os.PathLike) else files
    names = [os.fspath(name) for name in each]
    parts = _predicted(run, names, given, proba, factors)
    return parts if STANDARD in names else ahead(parts)


def _predicted(
    run: Run, files: list[str], given: Reading, proba: bool, costs: Any
) -> Iterator[Predicted]:
    encoder, options = run.encoder.without_target(), run.options
    target, own = run.encoder.columns.target, encoder.columns
    id = given.id or next((n for n, r in options["columns"].items() if r == "id"), None)
    for file in files:
        table = open_table(
            file,
            given.format,
            header=given.header,
            features=encoder.width,
            delimiter=given.delimiter or options["delimiter"],
        )
        if (encoder.width is None) is hasattr(table, "width"):
            raise ValueError(
                f"{table.name} must {'not ' if encoder.width is None else ''}be "
                "svmlight, as the files that the model has learned from"
            )
        check_columns(table, [*own.names, *([given.id] if given.id else [])])
        there = [column.name for column in table.columns]
        columns = own._replace(target=target if target in there else None)
        if id in there and id not in own.texts:
            columns = columns._replace(texts=(*own.texts, id))
        read = _reader(table, encoder, columns, id if id in there else None)
        wanted = table.pieces(Place(), _ROWS, columns.names)
        for rows, truth, ids, found in piece_by_piece(table, read, wanted):
            if found.bad and given.on_error == "stop":
                raise BadRowError(table.name, table.unit, found.bad[0])
            part = _placed(run, found, rows.lines, (truth, ids), proba, costs)
            yield part._replace(id=id)
        if file == STANDARD:
            return


def _reader(
    table: Table, encoder: Encoder, columns: Columns, id: str | None
) -> Callable[[Any], tuple[Rows, _Words, _Words, Encoded]]:
    """Return a function that parses and encodes a piece of a table."""

    def words(texts: Texts | None) -> _Words:
        if texts is None:
            return None
        values = [*texts.values, None]
        return [values[code] for code in texts.codes]

    def read(piece: Any) -> tuple[Rows, _Words, _Words, Encoded]:
        rows = table.parse(piece, columns)
        ids = None if id is None else words(rows.texts[columns.texts.index(id)])
        own = rows.texts[: len(encoder.columns.texts)]
        plain = replace(rows, labels=None, texts=own)
        return rows, words(rows.labels), ids, encode(encoder, plain)

    return read


def _placed(
    run: Run,
    found: Encoded,
    lines: Any,
    words: tuple[_Words, _Words],
    proba: bool,
    costs: Any,
) -> Predicted:
    """Return predictions in the order of rows, with None for bad ones."""
    model, count = run.model, found.X.shape[0]
    probabilities, labels = None, []
    if count and (proba or costs is not None):
        probabilities = model.predict_proba(found.X)
        labels = run.classes[decide(probabilities, costs)].tolist()
    elif count:
        labels = model.predict(found.X).tolist()
    truth, ids = (
        each if each is None or found.rows is None else [each[i] for i in found.rows]
        for each in words
    )
    probabilities = probabilities if proba else None
    if not found.bad:
        return Predicted(labels, probabilities, truth, [], ids)
    where = lines() if found.rows is None else lines()[found.rows]
    order = np.argsort([*where, *(bad.line for bad in found.bad)], kind="stable")
    gaps = len(found.bad)

    def placed(each: list[Any] | None) -> list[Any] | None:
        every = None if each is None else [*each, *[None] * gaps]
        return None if every is None else [every[i] for i in order]

    if probabilities is not None:
        empty = np.full((gaps, probabilities.shape[1]), np.nan)
        probabilities = np.vstack([probabilities, empty])[order]
    every = placed(labels) or []
    return Predicted(every, probabilities, placed(truth), found.bad, placed(ids))
