"""State of a training run: model, encoder, record and position, also as a file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from rosenblatt.estimators.inputs import set_open
from rosenblatt.models import ModelFileError, load_model, save_model
from rosenblatt.system.typed import plain, typed
from rosenblatt.tables import STANDARD, Encoder, class_array
from rosenblatt.tables.encoder import TableEncoder
from rosenblatt.training.options import Options, check_same, make, parts_of
from rosenblatt.training.record import Record, class_costs
from rosenblatt.training.sources import Position, fingerprint

# Version of what is stored beside the model. A test pins a digest of its types: who
# changes them changes the version.
VERSION = 6
_KINDS = ("number", "category", "date", "text")  # roles that TableEncoder knows, too


class StoredRun(NamedTuple):
    """The attribute ``training_record_`` of a model, as plain values."""

    version: int
    options: Options
    files: list[list[int | str] | None]
    encoder: Encoder
    record: Record
    position: tuple[int, int, int, int]
    finished: bool


@dataclass
class Run:
    """A model that learns from tables, and all that belongs to it."""

    model: Any
    encoder: Encoder
    options: dict[str, Any]
    files: list[Any]  # what they are known again by
    record: Record = field(default_factory=Record)
    position: Position = field(default_factory=Position)
    finished: bool = False
    open: bool = False  # a label becomes a class when it comes
    in_batch: bool = False  # in the middle of a batch, which is no state to keep

    def restarted(self, options: dict[str, Any], files: list[Any]) -> Self:
        """Return the run at the start of other files."""
        start = Position()
        return replace(
            self, options=options, files=files, position=start, finished=False
        )

    @property
    def classes(self) -> npt.NDArray[Any]:
        """The labels, whole numbers if all are, else text."""
        return class_array(self.encoder.classes)

    def costs(self, given: Any = None) -> npt.NDArray[np.float64] | None:
        """Return the cost of a mistake on a row of each class; None if all are 1."""
        return class_costs(given or self.options["costs"], self.encoder.classes)

    def take_classes(self) -> None:
        """Copy the classes that a model without announced classes has learned."""
        set_open(self.model, True)
        before = self.encoder.classes
        labels = tuple(map(str, self.model.classes_.tolist()))
        if labels != before:
            self.encoder = replace(self.encoder, classes=labels)
            if self.record.labels:
                places = [labels.index(label) for label in before]
                self.record.spread(places, len(labels))

    def write(self) -> None:
        """Let the model keep the encoder of its tables, and the record."""
        model, columns = self.model, self.options["columns"]
        model.training_record_ = {
            "version": VERSION,
            "options": self.options,
            "files": self.files,
            "encoder": plain(self.encoder),
            "record": plain(self.record),
            "position": list(self.position),
            "finished": self.finished,
        }
        if self.encoder.width is None and hasattr(model, "classes_"):
            kinds = {
                name: role if role in _KINDS else "ignore"
                for name, role in columns.items()
                if role not in ("one-hot", "hash")
            }
            kinds[self.encoder.columns.target or ""] = "ignore"
            record = self.record
            counts = record.rows, record.missing, record.other
            model.encoder_ = TableEncoder.of(self.encoder, kinds, *counts)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, whole or not at all."""
        self.write()
        save_model(self.model, path)

    def save_checkpoint(self, where: Path | None) -> str:
        """Save a checkpoint if rows were learned; return how to resume, in words."""
        rows = f"interrupted after {self.record.rows} rows"
        if where is None or self.in_batch or self.position == Position():
            return f"{rows}; nothing was stored"
        checkpoint = beside(where, ".checkpoint")
        self.save(checkpoint)
        return f"{rows}, which are in {checkpoint}; go on with --resume"

    @classmethod
    def of(cls, model: Any) -> Self:
        """Return the run of a model; raise ModelFileError if its record is damaged."""
        stored = getattr(model, "training_record_", None)
        if stored is None:
            raise ModelFileError("the model has no columns: it was not made by train")
        version = stored.get("version") if isinstance(stored, dict) else None
        if version != VERSION:
            raise ModelFileError(
                f"training_record_ is from another version: {version!r}, not "
                f"{VERSION}; train again, or install the version that wrote it"
            )
        try:
            return cls._of(model, stored)
        except (ValueError, TypeError, LookupError) as failure:
            raise ModelFileError(f"training_record_ is damaged: {failure}") from failure

    @classmethod
    def _of(cls, model: Any, given: dict[str, Any]) -> Self:
        stored: StoredRun = typed("training", given, StoredRun)
        encoder = stored.encoder
        columns = getattr(model, "n_features_in_", encoder.features)
        if columns != encoder.features:
            raise ValueError(
                f"the model has {columns} columns, and its encoder {encoder.features}"
            )
        learned = getattr(model, "classes_", np.array(encoder.classes)).tolist()
        if encoder.classes != tuple(map(str, learned)):
            raise ValueError(
                f"the model has the classes {learned}, and its encoder "
                f"{list(encoder.classes)}"
            )
        stored.record.check(len(encoder.classes))
        return cls(
            model,
            encoder,
            given["options"],
            stored.files,
            stored.record,
            Position(*stored.position),
            stored.finished,
        )


def load(
    path: str | os.PathLike[str],
    rule: str | None = None,
    schedule: str | None = None,
    parts: dict[str, Any] | None = None,
) -> Run:
    """Load the run of a model that ``train`` has saved, or of its checkpoint.

    Parameters
    ----------
    path
        The file.
    rule, schedule
        As they were given to ``train``, if they are in a file of your own. A model file
        holds no code, and does not say what code to run.
    parts
        The same parts, if they are loaded already.

    Examples
    --------
    >>> load("nowhere.safetensors")
    Traceback (most recent call last):
    ValueError: there is no file 'nowhere.safetensors'
    """
    if not Path(path).is_file():
        raise ValueError(f"there is no file {str(path)!r}")
    if not rule is schedule is None:
        parts = parts_of(make("perceptron", rule, schedule))
    model = load_model(path, parts=parts or {})
    try:
        return Run.of(model)
    except ModelFileError as failure:
        raise ModelFileError(f"{path}: {failure}") from failure


def beside(path: str | os.PathLike[str], ending: str) -> Path:
    """Return the path of what is stored beside a model until it is finished.

    Examples
    --------
    >>> beside("model.safetensors", ".checkpoint").name
    'model.safetensors.checkpoint'
    """
    return Path(path).with_name(Path(path).name + ending)


def digest(path: str | os.PathLike[str]) -> str:
    """Return the digest of a whole file."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_files(files: Sequence[str], before: list[Any], path: Path) -> None:
    """Raise ValueError if files have changed since a run that is to be resumed."""
    for name, now, then in zip(files, fingerprint(files), before, strict=True):
        if now != then:
            raise ValueError(f"cannot resume from {path}: {name} has changed since")


def resumed(given: Options, model: Any, where: Path) -> Run | None:
    """Return the run to resume, perhaps finished; None if there is none.

    A model of another run is refused: a run that is resumed must not replace it.
    """
    checkpoint, pieces = beside(where, ".checkpoint"), beside(where, ".pieces")
    other = checkpoint if given.piece_rows else pieces
    if other.exists():
        kinds = ("without", "with") if given.piece_rows else ("with", "without")
        raise ValueError(
            f"{other} is the checkpoint of a run {kinds[0]} workers: resume "
            f"{kinds[0]} workers, or remove it"
        )
    path = checkpoint if checkpoint.is_file() else where
    if pieces.is_dir() or not path.is_file():
        return None
    if path == where and given.files in ((STANDARD,), ()):
        raise ValueError(
            f"cannot resume: {path} is finished, and a pipe may bring other rows; "
            "--continue learns them too, and without --resume the model is replaced"
        )
    run = load(path, parts=parts_of(model))
    check_same(given, run.options, path)
    check_files(given.files, run.files, path)
    return run
