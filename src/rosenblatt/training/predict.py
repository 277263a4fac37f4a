"""Predictions for the rows of files."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping, Sequence
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
)
from rosenblatt.training.loop import Run, ahead
from rosenblatt.training.options import check_on_error
from rosenblatt.training.record import check_probabilities, decide

_ROWS = 2**13  # of a batch


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
        read = functools.partial(_read, table, encoder, columns)
        wanted = table.pieces(Place(), _ROWS, columns.names)
        for rows, found in map(read, wanted):
            if found.bad and given.on_error == "stop":
                raise BadRowError(table.name, table.unit, found.bad[0])
            ids = rows.texts[columns.texts.index(id)] if id in there else None
            yield _placed(run, rows, found, ids, proba, costs)._replace(id=id)


def _read(
    table: Table, encoder: Encoder, columns: Columns, piece: Any
) -> tuple[Rows, Encoded]:
    """Parse and encode a piece of a table."""
    rows = table.parse(piece, columns)
    own = rows.texts[: len(encoder.columns.texts)]
    return rows, encode(encoder, replace(rows, labels=None, texts=own))


def _placed(
    run: Run, rows: Rows, found: Encoded, ids: Texts | None, proba: bool, costs: Any
) -> Predicted:
    """Return predictions in the order of rows, with None for bad ones."""
    model, count = run.model, found.X.shape[0]
    good = slice(None) if found.rows is None else found.rows
    probabilities, labels = None, []
    if count and (proba or costs is not None):
        probabilities = model.predict_proba(found.X)
        labels = run.classes[decide(probabilities, costs)].tolist()
    elif count:
        labels = model.predict(found.X).tolist()
    place = np.arange(count)
    total = count + len(found.bad)
    if found.bad:
        lines = [*rows.lines()[good], *(bad.line for bad in found.bad)]
        place = np.argsort(np.argsort(lines, kind="stable"))[:count]

    def placed(values: Any) -> list[Any]:
        every = np.full(total, None)
        every[place] = values
        return list(every)

    def words(texts: Texts | None) -> list[Any] | None:
        if texts is None:
            return None
        return placed(np.array([*texts.values, None], object)[texts.codes][good])

    if probabilities is not None:
        every = np.full((total, probabilities.shape[1]), np.nan)
        every[place] = probabilities
        probabilities = every if proba else None
    truth = words(rows.labels)
    return Predicted(placed(labels), probabilities, truth, found.bad, words(ids))
