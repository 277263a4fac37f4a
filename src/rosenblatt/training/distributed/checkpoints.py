"""Checkpoints of distributed training: results of groups of pieces, in a folder."""

from __future__ import annotations

import json
import operator
import shutil
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.models import ModelFileError, load_model, save_model
from rosenblatt.system.atomic_files import write_whole
from rosenblatt.system.typed import check_type
from rosenblatt.training.control import Interrupts, TrainingBar, TrainingInterrupted
from rosenblatt.training.distributed.execution import Observer
from rosenblatt.training.distributed.learning import LearnedModel
from rosenblatt.training.distributed.tree_reduction import join_both
from rosenblatt.training.models import parts_of
from rosenblatt.training.record import Record
from rosenblatt.training.resuming import check_same
from rosenblatt.training.settings import Settings

__all__ = ["VERSION", "Checkpoints", "GroupResult", "remove"]

_RUN = "run.json"
VERSION = 4  # of what is in the folder; a test pins a digest of its types


class GroupResult(NamedTuple):
    """Counts that are stored beside the model of a group, as plain values."""

    rows: float
    record: Record | None


class _Read(NamedTuple):
    """Content of a file; a piece without rows has no result."""

    result: Any


class Checkpoints(Observer):
    """Checkpoints of a run: a file for each group of pieces; and its progress bar.

    Parameters
    ----------
    folder
        Folder of the checkpoints; None to store none.
    model
        The model, before it has learned anything.
    bar
        The bar.
    interrupts
        Whether to stop.
    """

    def __init__(
        self,
        folder: Path | None,
        model: Any,
        bar: TrainingBar,
        interrupts: Interrupts,
    ) -> None:
        self._folder, self._model = folder, model
        self._bar, self._interrupts = bar, interrupts
        self._rows = 0.0
        self._sizes: Sequence[int] = ()
        self._done = 0  # pieces of this step
        self._record: Record | None = None

    def open(self, given: Settings, about: dict[str, Any], resume: bool) -> None:
        """Begin a run, or resume one with the same settings.

        Parameters
        ----------
        given
            Settings of the run.
        about
            Other values that the results depend on, by name.
        resume
            Whether to go on; if not, what an earlier run has kept is removed.
        """
        if self._folder is None:
            return
        path = self._folder / _RUN
        if resume and path.is_file():
            try:
                before = json.loads(path.read_text())
                version, settings = before["version"], dict(before["settings"])
            except (ValueError, TypeError, LookupError):
                raise ValueError(f"{path} is damaged: remove {self._folder}") from None
            if version != VERSION:
                raise ValueError(f"{self._folder} is from another version: remove it")
            check_same(given, settings, self._folder)
            for name, value in about.items():
                if value != before.get(name):
                    raise ValueError(
                        f"cannot resume from {self._folder}: {name} have changed since"
                    )
            return
        remove(self._folder)
        self._folder.mkdir()
        content = {"version": VERSION, "settings": given.as_dict(), **about}
        write_whole(path, json.dumps(content).encode())

    def known(self, step: str, sizes: Sequence[int]) -> Iterator[tuple[int, Any]]:
        """Yield groups whose results are stored, and these results."""
        self._sizes, self._done, self._record = sizes, 0, None
        whole = self._read(step)
        for group in range(len(sizes)):
            if whole is None:
                stored = self._read(step, group)
            else:  # it is complete: the first is all of it, and the others add nothing
                stored = whole if group == 0 else _Read(None)
            if stored is not None:
                self._count(group, stored.result)
                yield group, stored.result
        self._show(step)

    def add(self, step: str, group: int, result: Any) -> None:
        """Store the result of a group."""
        if self._folder is not None:
            self._write(self._path(step, group), result)
        self._count(group, result)
        self._show(step)

    def end(self, step: str, result: Any) -> None:
        """Store the joined result of all groups instead of their own."""
        if self._folder is None:
            return
        self._write(self._path(step), result)
        for group in range(len(self._sizes)):
            self._path(step, group).unlink(missing_ok=True)

    def check(self) -> None:
        """Raise TrainingInterrupted if an interrupt was asked for."""
        if self._interrupts.asked:
            rows = f"interrupted after {self._rows:.0f} rows"
            if self._folder is None:
                raise TrainingInterrupted(f"{rows}; nothing was stored")
            raise TrainingInterrupted(
                f"{rows}; what was learned is in {self._folder}; go on with --resume"
            )

    def _path(self, step: str, group: int | None = None) -> Path:
        assert self._folder is not None
        number = "" if group is None else f"-{group}"
        return self._folder / f"{step.replace(' ', '-')}{number}.safetensors"

    def _write(self, path: Path, result: Any) -> None:
        model, extra = self._model, {}
        if isinstance(result, LearnedModel):
            record = None if result.record is None else result.record.as_dict()
            model, extra = result.model, {"rows": result.rows, "record": record}
        elif result is None or isinstance(result, np.ndarray):
            extra = {"labels": None if result is None else result.tolist()}
        else:
            model = result
        save_model(model, path, extra=extra)

    def _read(self, step: str, group: int | None = None) -> _Read | None:
        if self._folder is None or not self._path(step, group).is_file():
            return None
        path, parts = self._path(step, group), parts_of(self._model)
        try:
            model, extra = load_model(path, parts=parts, with_extra=True)
        except ModelFileError as failure:
            warnings.warn(f"{failure}; learned again", stacklevel=2)
            return None
        if "labels" in extra:
            labels = extra["labels"]
            return _Read(None if labels is None else np.array(labels))
        if not extra:
            return _Read(model)
        try:
            check_type("extra", extra, GroupResult)
            record = extra["record"]
            known = None if record is None else Record.from_dict(record)
        except ValueError as failure:
            warnings.warn(f"{path} is damaged: {failure}; learned again", stacklevel=2)
            return None
        return _Read(LearnedModel(model, extra["rows"], known))

    def _count(self, group: int, result: Any) -> None:
        self._done += self._sizes[group]
        if isinstance(result, LearnedModel):
            self._rows += result.rows
            self._record = join_both(self._record, result.record, operator.add)

    def _show(self, step: str) -> None:
        pieces = sum(self._sizes)
        self._bar.update_record(
            self._record or Record(),
            int(self._rows),
            self._done / pieces,
            f"{step}: {self._done} of {pieces} pieces, ",
        )


def remove(folder: Path | None) -> None:
    """Remove a folder of checkpoints, if there is one."""
    if folder is not None and folder.is_dir():
        shutil.rmtree(folder)
