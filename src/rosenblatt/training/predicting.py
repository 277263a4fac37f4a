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
    check_columns,
    open_table,
    piece_by_piece,
    prefetched,
)
from rosenblatt.training.trained import Trained

__all__ = ["Predicted", "predict"]

_ROWS = 2**13  # of a batch


class Predicted(NamedTuple):
    """Predictions for some rows of a file, one for each, in their order.

    ``labels`` has None where a row is bad; ``shares`` are the probabilities of the
    classes, NaN there, or None if the model gives none. ``truth`` has the labels in the
    file, None where there are none.
    """

    labels: list[Any]
    shares: npt.NDArray[np.float64] | None
    truth: list[str | None] | None
    bad: list[Bad]


def predict(
    trained: Trained,
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    format: str | None = None,
    header: bool = True,
    on_error: str = "stop",
    proba: bool = False,
) -> Iterator[Predicted]:
    r"""Return predictions for files of any size, a batch at a time.

    Files must have the columns that the model has learned from, by name, in any order;
    others are passed over. Missing values and unknown categories are taken as when
    learning.

    Parameters
    ----------
    trained
        What ``train`` returns, or :func:`load`.
    files
        One or more; ``"-"`` is standard input.
    format, header
        As for ``train``.
    on_error
        ``"stop"`` with an error at a row that cannot be read, or ``"skip"``: predict
        nothing for it.
    proba
        Whether probabilities are wanted.

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
    if proba and not hasattr(trained.model, "predict_proba"):
        raise ValueError(
            f"proba must be False: {type(trained.model).__name__} gives no "
            "probabilities"
        )
    names = [files] if isinstance(files, str | os.PathLike) else list(files)
    return prefetched(
        _predicted(
            trained, [os.fspath(n) for n in names], format, header, on_error, proba
        )
    )


def _predicted(
    trained: Trained,
    files: list[str],
    format: str | None,
    header: bool,
    on_error: str,
    proba: bool,
) -> Iterator[Predicted]:
    encoder = trained.encoder.without_target()
    target = trained.encoder.columns.target
    for file in files:
        table = open_table(file, format, header=header, features=encoder.width)
        if (encoder.width is None) is hasattr(table, "width"):
            raise ValueError(
                f"{table.name} must {'not ' if encoder.width is None else ''}be "
                "svmlight, as what the model has learned from"
            )
        check_columns(table, encoder.columns.names)
        there = target in [column.name for column in table.columns]
        columns = trained.encoder.columns if there else encoder.columns
        read = _reader(table, encoder, columns)
        wanted = table.pieces(Place(), _ROWS, columns.names)
        for rows, truth, found in piece_by_piece(table, read, wanted):
            if found.bad and on_error == "stop":
                raise BadRowError(table.name, table.unit, found.bad[0])
            yield _placed(trained, found, rows.lines, truth, proba)
        if file == STANDARD:
            return


def _reader(
    table: Table, encoder: Encoder, columns: Columns
) -> Callable[[Any], tuple[Rows, list[str | None] | None, Encoded]]:
    """Return a function that parses and encodes a piece of a table."""

    def read(piece: Any) -> tuple[Rows, list[str | None] | None, Encoded]:
        rows, truth = table.parse(piece, columns), None
        if rows.labels is not None:
            values = [*rows.labels.values, None]
            truth = [values[code] for code in rows.labels.codes]
        return rows, truth, encoder.encode(replace(rows, labels=None))

    return read


def _placed(
    trained: Trained,
    found: Any,
    lines: Any,
    truth: list[str | None] | None,
    proba: bool,
) -> Predicted:
    """Return predictions in the order of rows, with None for bad ones."""
    model, count = trained.model, found.X.shape[0]
    shares = model.predict_proba(found.X) if proba and count else None
    if shares is not None:
        labels = trained.classes[shares.argmax(axis=1)].tolist()
    else:
        labels = model.predict(found.X).tolist() if count else []
    if truth is not None and found.rows is not None:
        truth = [truth[i] for i in found.rows]
    if not found.bad:
        return Predicted(labels, shares, truth, [])
    where = lines() if found.rows is None else lines()[found.rows]
    order = np.argsort([*where, *(bad.line for bad in found.bad)], kind="stable")
    gaps = len(found.bad)
    every = [*labels, *[None] * gaps]
    known = None if truth is None else [*truth, *[None] * gaps]
    if shares is not None:
        shares = np.vstack([shares, np.full((gaps, shares.shape[1]), np.nan)])[order]
    return Predicted(
        [every[i] for i in order],
        shares,
        None if known is None else [known[i] for i in order],
        found.bad,
    )
