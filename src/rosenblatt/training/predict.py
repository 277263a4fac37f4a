"""Predictions for the rows of files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.tables.encoding import Encoded, class_array, encode
from rosenblatt.tables.reading import (
    STANDARD,
    Bad,
    Rows,
    Texts,
    check_columns,
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


def predict(
    model: Any,
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    proba: bool = False,
    costs: Mapping[str, float] | None = None,
    id: str | None = None,
    on_error: str = "stop",
    format: str | None = None,
    header: bool = True,
    delimiter: str | None = None,
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
    id
        A column that names rows; by default that given to ``train``, if the file has
        it.
    on_error
        ``"stop"`` for an error at a row that cannot be read, or ``"skip"``: predict
        nothing for it.
    format, header, delimiter
        As for ``train``.

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
    run = Run.of(model)
    check_on_error(on_error)
    if proba and not hasattr(model, "predict_proba"):
        name = type(model).__name__
        raise ValueError(f"proba must be False: {name} gives no probabilities")
    factors = run.costs(costs)
    if factors is not None:
        check_probabilities(model, type(model).__name__)
    encoder, roles = run.encoder, run.options.columns
    named = id or next((n for n, role in roles.items() if role == "id"), None)
    each = [files] if isinstance(files, str | os.PathLike) else files
    names = [os.fspath(name) for name in each]

    def predicted() -> Iterator[Predicted]:
        for file in names:
            table = open_table(
                file,
                format,
                header=header,
                features=encoder.width,
                delimiter=delimiter or run.options.delimiter,
            )
            if (encoder.width is None) is hasattr(table, "width"):
                raise ValueError(
                    f"{table.name} must {'not ' if encoder.width is None else ''}be "
                    "svmlight, as the files that the model has learned from"
                )
            check_columns(table, [*encoder.columns().names, *([id] if id else [])])
            there = [column.name for column in table.columns]
            target = run.options.target if run.options.target in there else None
            columns = encoder.columns(target)
            if named in there and named not in columns.texts:
                columns = columns._replace(texts=(*columns.texts, named))
            for piece in table.pieces(0, _ROWS, columns.names):
                rows = table.parse(piece, columns)
                own = rows.texts[: len(encoder.texts)]
                found = encode(encoder, rows._replace(texts=own))
                if found.bad and on_error == "stop":
                    raise table.error(found.bad[0])
                ids = rows.texts[columns.texts.index(named)] if named in there else None
                yield _placed(run, rows, found, ids, proba, factors)._replace(id=named)

    return predicted() if STANDARD in names else ahead(predicted())


def _placed(
    run: Run, rows: Rows, found: Encoded, ids: Texts | None, proba: bool, costs: Any
) -> Predicted:
    """Return predictions in the order of rows, with None for bad ones."""
    model, count = run.model, len(found.lines)
    probabilities, labels = None, []
    if count and (proba or costs is not None):
        probabilities = model.predict_proba(found.X)
        labels = class_array(run.classes)[decide(probabilities, costs)].tolist()
    elif count:
        labels = model.predict(found.X).tolist()
    lines = np.array([*found.lines, *(bad.line for bad in found.bad)])
    place = np.argsort(np.argsort(lines, kind="stable"))[:count]
    good = np.isin(rows.lines, found.lines)

    def placed(values: Any) -> list[Any]:
        every = np.full(len(lines), None)
        every[place] = values
        return list(every)

    def words(texts: Texts | None) -> list[Any] | None:
        if texts is None:
            return None
        return placed(np.array([*texts.values, None], object)[texts.codes][good])

    if probabilities is not None:
        every = np.full((len(lines), probabilities.shape[1]), np.nan)
        every[place] = probabilities
        probabilities = every if proba else None
    truth = words(rows.labels)
    return Predicted(placed(labels), probabilities, truth, found.bad, words(ids))
