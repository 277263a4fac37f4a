"""Predictions for the rows of files."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.tables.encoding import Encoded, encode
from rosenblatt.tables.reading import STANDARD, Bad, Rows, check_columns, open_table
from rosenblatt.training.loop import Run, ahead
from rosenblatt.training.options import check_on_error
from rosenblatt.training.record import Metrics, Numbers, Task

_ROWS = 2**13  # of a batch


class Predicted(NamedTuple):
    """Predictions for some rows of a file, one for each, in their order.

    ``columns`` has lists by name, with None where a row is bad: the column that names
    rows, if there is one; ``"prediction"``; and the probabilities of classes if they
    are wanted, or ``"low"`` and ``"high"``, the ends of the 90% interval of a number.
    ``metrics`` are of the rows whose target the file has; ``unknown`` counts labels
    that are no classes.
    """

    columns: dict[str, list[Any]]
    metrics: Metrics | Numbers
    bad: list[Bad]
    unknown: Counter[str]


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
    ...     [part.columns["prediction"][:7] for part in predict(model, path)]
    [[0, 0, 0, 0, 1, 1, 1]]
    """
    run = Run.of(model)
    check_on_error(on_error)
    if proba and not hasattr(model, "predict_proba"):
        name = type(model).__name__
        raise ValueError(f"proba must be False: {name} gives no probabilities")
    if costs is not None:
        run.options = replace(run.options, costs=dict(costs))
    task = run.task
    task.check(model, type(model).__name__)
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
            if named in there and named in task.names(proba):
                raise ValueError(f"id must not be {named!r}, the name of predictions")
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
                name = named if named in there else None
                yield _placed(run.model, task, rows, found, name, proba)

    return predicted() if STANDARD in names else ahead(predicted())


def _placed(
    model: Any, task: Task, rows: Rows, found: Encoded, named: str | None, proba: bool
) -> Predicted:
    """Return predictions in the order of rows, with None for bad ones."""
    metrics, unknown, columns = task.metrics(), Counter[str](), dict[str, Any]()
    good, count = np.isin(rows.lines, found.lines), len(found.lines)
    if named is not None:
        texts = rows.texts[rows.columns.texts.index(named)]
        columns[named] = np.array([*texts.values, None], object)[texts.codes][good]
    law = task.law(model, found.X) if count else None
    each = task.columns(model, law) if count else itertools.repeat(np.empty(0))
    columns |= zip(task.names(proba), each, strict=False)
    if rows.labels is not None and count:
        coded = task.code(rows.labels)
        known = ~coded.wrong[good]
        if known.any():
            given = coded.values[good], known.astype(float)
            metrics = task.measured(model, law, *given)
        wrong = (
            task.fault(rows.labels, i)[1] for i in np.flatnonzero(coded.wrong).tolist()
        )
        unknown.update(label for label in wrong if label)
    lines = np.array([*found.lines, *(bad.line for bad in found.bad)])
    place = np.argsort(np.argsort(lines, kind="stable"))[:count]

    def placed(values: Any) -> list[Any]:
        every = np.full(len(lines), None)
        every[place] = values.tolist()
        return list(every)

    every = {name: placed(values) for name, values in columns.items()}
    return Predicted(every, metrics, found.bad, unknown)
