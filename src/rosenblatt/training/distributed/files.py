"""Learning from many files side by side: every worker reads its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import lazy_loader
import numpy as np
import numpy.typing as npt

from rosenblatt.tables import STANDARD, Columns, Encoded, Encoder, Place
from rosenblatt.tables import check_columns as check
from rosenblatt.training.distributed.learning import (
    Places,
    check_model,
    classes_in,
    learned,
)
from rosenblatt.training.distributed.piece import FAULTS, Batch, Piece
from rosenblatt.training.kinds import make, teach
from rosenblatt.training.record import Record
from rosenblatt.training.run import Trained, class_array
from rosenblatt.training.settings import Settings, fingerprint
from rosenblatt.training.sources import _CLASSES, Position, Sources
from rosenblatt.training.training import _ERRORS

__all__ = ["train_parts"]

cluster: Any = lazy_loader.load(
    "rosenblatt.training.distributed.cluster", suppress_warning=True
)


@dataclass(frozen=True)
class FilePiece(Piece):
    """A file, read by the process that learns from it."""

    number: int
    settings: Settings  # of this file alone
    encoder: Encoder | None = None  # not known while labels are looked for
    skip: bool = False  # bad rows, instead of stopping

    def labels(self) -> npt.NDArray[Any]:
        """Return all labels of the file, as text."""
        sources = Sources(self.settings)
        table, target = sources.table(0), sources.target
        only = Columns((), (), target, self.settings.missing)
        check(table, [target])
        found: set[str] = set()
        for piece in sources.pieces(0, Place(), [target]):
            found.update(table.labels(piece, only))
            if len(found) > _CLASSES:
                raise ValueError(
                    f"{table.name}: target {target!r} has more than {_CLASSES} "
                    "different values; these models learn classes, not numbers"
                )
        return np.array(sorted(found))

    def batches(self) -> Iterator[Batch]:
        """Return the rows that can be learned, some at a time."""
        for rows, _ in self._encoded():
            if len(rows.codes):
                assert self.encoder is not None
                yield rows.X, class_array(self.encoder.classes)[rows.codes], None

    def learn(self, model: Any, classes: npt.NDArray[Any]) -> Record:
        """Let a model go on with the file, each row judged before it is learned."""
        record = Record()
        for rows, where in self._encoded():
            record.skip(rows.bad)
            record.found(rows)
            if not len(rows.codes):
                continue
            try:
                judged = teach(model, rows.X, rows.codes, classes)
            except FAULTS as failure:
                raise ValueError(f"{where}: {failure}") from failure
            record.learned(len(rows.codes), judged)
        record.curve.clear()  # of a model that has seen this file alone
        return record

    def _encoded(self) -> Iterator[tuple[Encoded, str]]:
        """Return the batches of the file, and how far each goes, in words."""
        assert self.encoder is not None
        sources = Sources(self.settings)
        table = sources.table(0)
        for rows, end in sources.batches(self.encoder, Position()):
            if rows.bad and not self.skip:  # an error that can be sent on
                raise ValueError(str(sources.error(0, rows.bad[0])))
            yield rows, f"{table.name}, a batch up to {table.unit} {end.line}"


def train_parts(
    files: Sequence[str | os.PathLike[str]],
    target: str,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    client: Any = None,
    save: str | os.PathLike[str] | None = None,
    on_error: str = "stop",
    **settings: Any,
) -> Trained:
    r"""Learn from many files side by side; every worker reads its own.

    How columns become features is decided once, by the first batch of the first file,
    and sent to all. What pieces are joined to, for each kind of model, is said at
    :func:`rosenblatt.fit_parts`; a piece is a file, so that the result depends on how
    rows are spread over files, and not on the number of workers. Each row is judged
    before it is learned, by a model that knows the rows before it in its file only.
    There are no checkpoints: files of a worker that dies are read again by another.

    Parameters
    ----------
    files
        What to learn from. All workers must find them under these names.
    target
        The column of labels.
    workers
        How many processes to start on this machine.
    scheduler
        The address of a running scheduler of Dask, instead.
    client
        A client of Dask, instead. Without any of the three, files are read one after
        the other by this process, with the same result.
    save
        Where to write the model, at the end and whole.
    on_error
        What to do with a row that cannot be learned from: ``"stop"`` with an error that
        names file, line and column, or ``"skip"`` and count it.
    **settings
        See :class:`rosenblatt.training.Settings`. ``passes`` are rounds of averaging.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = [Path(folder) / f"part-{k}.csv" for k in range(3)]
    ...     for k, path in enumerate(paths):
    ...         rows = [f"{i % 7},{i % 5},{int(i % 7 > 3)}" for i in range(100 + k)]
    ...         _ = path.write_text("\n".join(["size,age,won", *rows]))
    ...     trained = train_parts(paths, "won")
    >>> trained.record.rows, trained.encoder.names
    (303, ['size', 'age'])
    """
    for key in ("classes", "numeric", "categorical", "ignore", "missing"):
        if settings.get(key) is not None:
            settings[key] = tuple(map(str, settings[key]))
    names = tuple(os.fspath(name) for name in files)
    given = Settings(files=names, target=str(target), **settings)
    if STANDARD in given.files:
        raise ValueError("files must not be standard input, which one process reads")
    if on_error not in _ERRORS:
        raise ValueError(
            f"on_error must be one of {', '.join(_ERRORS)}, got {on_error!r}"
        )
    model = make(given.model, given.rule, given.schedule)
    check_model(model)
    if save is not None and not Path(save).parent.is_dir():
        raise ValueError(f"save must be in an existing folder, got {str(save)!r}")
    known = fingerprint(given.files)
    if workers is None and scheduler is None:
        places = Places(client is not None, client)
        run = _trained(given, known, model, places, on_error == "skip")
    else:
        with cluster.connected(workers, scheduler) as own:
            places = Places(True, own)
            run = _trained(given, known, model, places, on_error == "skip")
    if save is not None:
        run.save(save)
    return run


def _trained(
    given: Settings, known: list[Any], model: Any, places: Places, skip: bool
) -> Trained:
    """Find labels and columns, and learn."""
    pieces: list[Piece] = [
        FilePiece(i, replace(given, files=(os.path.abspath(name),), passes=1))
        for i, name in enumerate(given.files)
    ]
    if given.classes is None:
        found = classes_in(pieces, places)
        encoder = Sources(replace(given, classes=tuple(found.tolist()))).encoder()
    else:
        encoder = Sources(given).encoder()
    pieces = [
        FilePiece(
            i,
            replace(piece.settings, features=encoder.width or given.features),
            encoder,
            skip,
        )
        for i, piece in enumerate(pieces)
        if isinstance(piece, FilePiece)
    ]
    if given.passes > 1:
        model.max_iter = given.passes
    labels = class_array(encoder.classes)
    result = learned(model, pieces, labels, places)
    settings = given.as_dict() | {"pieces": len(pieces)}
    record = result.record or Record()
    return Trained(result.model, encoder, settings, known, record, finished=True)
