"""Distributed training on files: every worker reads pieces of its own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import lazy_loader

from rosenblatt.core.arguments import whole
from rosenblatt.tables import STANDARD, class_array
from rosenblatt.training.control import Interrupts, TrainingBar
from rosenblatt.training.distributed.checkpoints import Checkpoints, remove
from rosenblatt.training.distributed.execution import Execution
from rosenblatt.training.distributed.file_pieces import PIECE_ROWS, file_pieces
from rosenblatt.training.distributed.learning import check_model, classes_in, learned
from rosenblatt.training.models import make, parts_of
from rosenblatt.training.record import Record
from rosenblatt.training.resuming import load_finished
from rosenblatt.training.settings import Settings, check_on_error, check_save_path
from rosenblatt.training.sources import Sources, fingerprint
from rosenblatt.training.trained import Trained, checkpoint_path, pieces_folder

__all__ = ["train_parts"]

dask: Any = lazy_loader.load("rosenblatt.system.dask_client", suppress_warning=True)


def train_parts(
    files: Sequence[str | os.PathLike[str]],
    target: str,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    client: Any = None,
    save: str | os.PathLike[str] | None = None,
    resume: bool = False,
    piece_rows: int = PIECE_ROWS,
    on_error: str = "stop",
    progress: bool | None = False,
    **settings: Any,
) -> Trained:
    r"""Learn from many files, or a large one, with workers that each read pieces.

    The first batch of the first file determines the encoding of columns as features,
    which is sent to all workers. :func:`rosenblatt.fit_parts` describes how pieces are
    joined, for each kind of model. A piece is a file; Parquet and NPY files are cut
    into pieces of ``piece_rows`` rows. The result depends on these and on how rows are
    spread over files, not on the number of workers. Each row is judged before it is
    learned, by a model that knows the rows before it in its piece only.

    With ``save`` what was learned of every piece is kept beside the model until it is
    finished. If this process dies, ``resume`` goes on without what is there already,
    with any number of workers, and with the same result, to the bit. Pieces of a worker
    that dies are read again by another.

    Parameters
    ----------
    files
        Files to learn from. All workers must find them under these names.
    target
        The column of labels.
    workers
        How many processes to start on this machine.
    scheduler
        The address of a running scheduler of Dask, instead.
    client
        A client of Dask, instead. Without any of the three, pieces are read one after
        the other by this process, with the same result.
    save
        Path of the model, which is written at the end, whole. Until then what was
        learned is in a folder beside it, with ``.pieces`` after the name.
    resume
        Whether to go on with what is there, if there is anything.
    piece_rows
        Rows of a piece of a Parquet or NPY file, at least. Parquet is cut between
        groups of rows only.
    on_error
        The treatment of a row that cannot be learned from.
        ``"stop"``: raise an error that names file, line and column. ``"skip"``: leave
        the row out and count it.
    progress
        Whether to show a bar; None if standard error is a terminal.
    **settings
        See :class:`rosenblatt.training.Settings`. ``passes`` are rounds of averaging.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = [Path(folder) / f"part-{k}.csv" for k in range(3)]
    ...     for k, path in enumerate(paths):
    ...         rows = [f"{i % 7},{i % 5},{int(i % 7 > 3)}" for i in range(100 + k)]
    ...         _ = path.write_text("\n".join(["size,age,won", *rows]))
    ...     trained = train_parts(paths, "won")
    >>> trained.record.rows, trained.encoder.names
    (303, ['size', 'age'])
    """
    given = Settings.of(files, target, settings)
    check_on_error(on_error)
    run = _Run(given, check_save_path(save), whole("piece_rows", piece_rows, low=1))
    if resume and (before := run.finished()) is not None:
        return before
    with ExitStack() as stack:
        if workers is not None:
            whole("workers", workers, low=1)
        if workers is not None or scheduler is not None:
            client = stack.enter_context(dask.connected(workers, scheduler))
        interrupts = stack.enter_context(Interrupts())
        bar = stack.enter_context(TrainingBar(progress))
        checkpoints = Checkpoints(run.folder, run.model, bar, interrupts)
        checkpoints.open(given, run.about, resume)
        execution = Execution(client is not None, client, checkpoints)
        trained = run.train(execution, skip=on_error == "skip")
    trained.set_encoder()
    if run.path is not None:
        trained.save(run.path)
        remove(run.folder)
    return trained


class _Run:
    """A model, the pieces of its files, and the paths where it is stored."""

    def __init__(self, given: Settings, path: Path | None, piece_rows: int) -> None:
        if STANDARD in given.files:
            raise ValueError(
                "files must not be standard input, which one process reads"
            )
        if given.holdout is not None or given.holdout_last is not None:
            raise ValueError("holdout must be without workers; take predict instead")
        self.model = make(given.model, given.rule, given.schedule)
        check_model(self.model)
        self.path, self.folder = path, None if path is None else pieces_folder(path)
        self._given, self._known = given, fingerprint(given.files)
        self._pieces = file_pieces(given, piece_rows)
        # The result depends on these besides the settings.
        self._counts = {"pieces": len(self._pieces), "piece_rows": piece_rows}

    @property
    def about(self) -> dict[str, Any]:
        """Files and beginnings of pieces, which must be the same to resume."""
        pieces = [[piece.settings.files[0], piece.first] for piece in self._pieces]
        return {"files": self._known, "pieces": pieces}

    def finished(self) -> Trained | None:
        """Return the model if the run has finished before; check that it can resume."""
        if self.path is None:
            raise ValueError("resume needs save, beside which checkpoints are stored")
        if checkpoint_path(self.path).is_file():
            raise ValueError(
                f"{checkpoint_path(self.path)} is of a run without workers: resume "
                "without workers, or remove it"
            )
        parts = parts_of(self.model)
        before = load_finished(self._given, parts, self.path, **self._counts)
        if before is not None:
            remove(self.folder)  # a run that was killed at its very end
            before.already = True
        return before

    def train(self, execution: Execution, skip: bool) -> Trained:
        """Find labels and columns, and learn all pieces."""
        given, model = self._given, self.model
        if given.classes is None:
            found = classes_in(self._pieces, execution)
            encoder = Sources(replace(given, classes=tuple(found.tolist()))).encoder()
        else:
            encoder = Sources(given).encoder()
        width = encoder.width or given.features
        ready = [
            replace(
                piece,
                settings=replace(piece.settings, features=width),
                encoder=encoder,
                skip=skip,
            )
            for piece in self._pieces
        ]
        if given.passes > 1:
            model.max_iter = given.passes
        result = learned(model, ready, class_array(encoder.classes), execution)
        return Trained(
            result.model,
            encoder,
            given.as_dict() | self._counts,
            self._known,
            result.record or Record(),
            finished=True,
        )
