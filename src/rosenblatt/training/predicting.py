"""Predictions for the rows of files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
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
from rosenblatt.training.control import prefetched
from rosenblatt.training.evaluation.decisions import (
    check_decisions,
    decide,
    decision_factors,
)
from rosenblatt.training.settings import check_on_error
from rosenblatt.training.trained import Trained

__all__ = ["Predicted", "predict"]

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
    ids: list[str | None] | None = None  # the column that names rows


class Reading(NamedTuple):
    """Options for reading files with rows to predict."""

    format: str | None = None
    header: bool = True
    delimiter: str | None = None
    id: str | None = None
    on_error: str = "stop"


def predict(
    trained: Trained,
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    proba: bool = False,
    threshold: float | None = None,
    costs: Sequence[str] = (),
    **reading: Any,
) -> Iterator[Predicted]:
    r"""Return predictions for files of any size, a batch at a time.

    Files must have the columns that the model has learned from, by name, in any order;
    other columns are ignored. Missing values and unknown categories are encoded as in
    training.

    Parameters
    ----------
    trained
        Result of ``train`` or :func:`load`.
    files
        One or more; ``"-"`` is standard input.
    proba
        Whether probabilities are wanted.
    threshold, costs
        As for ``train``; by default those given there.
    **reading
        ``format``, ``header``, ``delimiter`` and ``id`` as for ``train``; the last by
        default that given there, if the file has it. ``on_error`` is ``"stop"`` for an
        error at a row that cannot be read, or ``"skip"``: predict nothing for it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import rosenblatt as rb
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "small.csv"
    ...     rows = (f"{i % 7},{int(i % 7 > 3)}" for i in range(100))
    ...     _ = path.write_text("\n".join(["size,won", *rows]))
    ...     trained = rb.train(path, "won")
    ...     [part.labels[:7] for part in predict(trained, path)]
    [[0, 0, 0, 0, 1, 1, 1]]
    """
    given, gives = Reading(**reading), hasattr(trained.model, "predict_proba")
    check_on_error(given.on_error)
    name = type(trained.model).__name__
    if proba and not gives:
        raise ValueError(f"proba must be False: {name} gives no probabilities")
    check_decisions(threshold, costs)
    if threshold is None and not costs:
        factors = trained.factors
    else:
        factors = decision_factors(threshold, costs, trained.encoder.classes)
    if factors is not None and not gives:
        raise ValueError(f"threshold and costs need probabilities; {name} gives none")
    each = [files] if isinstance(files, str | os.PathLike) else files
    names, decision = [os.fspath(name) for name in each], _Decision(proba, factors)
    parts = _predicted(trained, names, given, decision)
    return prefetched(parts, endless=STANDARD in names)


class _Decision(NamedTuple):
    """Factors of probabilities for decisions, and whether to return probabilities."""

    proba: bool
    factors: npt.NDArray[np.float64] | None


def _predicted(
    trained: Trained, files: list[str], given: Reading, decision: _Decision
) -> Iterator[Predicted]:
    encoder = trained.encoder.without_target()
    target = trained.encoder.columns.target
    for file in files:
        table = open_table(
            file,
            given.format,
            header=given.header,
            features=encoder.width,
            delimiter=given.delimiter or trained.settings["delimiter"],
        )
        if (encoder.width is None) is hasattr(table, "width"):
            raise ValueError(
                f"{table.name} must {'not ' if encoder.width is None else ''}be "
                "svmlight, as the files that the model has learned from"
            )
        check_columns(
            table, [*encoder.columns.names, *([given.id] if given.id else [])]
        )
        there = [column.name for column in table.columns]
        own = encoder.columns
        columns = own._replace(target=target if target in there else None)
        id = given.id or trained.settings["id"]
        if id in there and id not in own.texts:
            columns = columns._replace(texts=(*own.texts, id))
        read = _reader(table, encoder, columns, id if id in there else None)
        wanted = table.pieces(Place(), _ROWS, columns.names)
        for rows, truth, ids, found in piece_by_piece(table, read, wanted):
            if found.bad and given.on_error == "stop":
                raise BadRowError(table.name, table.unit, found.bad[0])
            yield _placed(trained, found, rows.lines, (truth, ids), decision)
        if file == STANDARD:
            return


_Words = list[str | None] | None


def _reader(
    table: Table, encoder: Encoder, columns: Columns, id: str | None
) -> Callable[[Any], tuple[Rows, _Words, _Words, Encoded]]:
    """Return a function that parses and encodes a piece of a table."""
    count = len(encoder.columns.texts)

    def words(texts: Texts | None) -> _Words:
        if texts is None:
            return None
        values = [*texts.values, None]
        return [values[code] for code in texts.codes]

    def read(piece: Any) -> tuple[Rows, _Words, _Words, Encoded]:
        rows = table.parse(piece, columns)
        ids = None if id is None else words(rows.texts[columns.texts.index(id)])
        plain = replace(rows, labels=None, texts=rows.texts[:count])
        return rows, words(rows.labels), ids, encode(encoder, plain)

    return read


def _placed(
    trained: Trained,
    found: Encoded,
    lines: Any,
    words: tuple[_Words, _Words],
    decision: _Decision,
) -> Predicted:
    """Return predictions in the order of rows, with None for bad ones."""
    model, count = trained.model, found.X.shape[0]
    probabilities, labels = None, []
    if count and (decision.proba or decision.factors is not None):
        probabilities = model.predict_proba(found.X)
        labels = trained.classes[decide(probabilities, decision.factors)].tolist()
    elif count:
        labels = model.predict(found.X).tolist()
    truth, ids = (
        each if each is None or found.rows is None else [each[i] for i in found.rows]
        for each in words
    )
    probabilities = probabilities if decision.proba else None
    if not found.bad:
        return Predicted(labels, probabilities, truth, [], ids)
    where = lines() if found.rows is None else lines()[found.rows]
    order = np.argsort([*where, *(bad.line for bad in found.bad)], kind="stable")
    gaps = len(found.bad)

    def placed(each: list[Any] | None) -> list[Any] | None:
        every = None if each is None else [*each, *[None] * gaps]
        return None if every is None else [every[i] for i in order]

    if probabilities is not None:
        probabilities = np.vstack(
            [probabilities, np.full((gaps, probabilities.shape[1]), np.nan)]
        )[order]
    every = placed(labels) or []
    return Predicted(every, probabilities, placed(truth), found.bad, placed(ids))
