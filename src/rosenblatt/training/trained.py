"""The state of a training run, in memory and on disk."""

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
from rosenblatt.system.typed import check_type, fields_of
from rosenblatt.tables import Encoder, class_array
from rosenblatt.tables.encoder import TableEncoder
from rosenblatt.training.evaluation.decisions import class_costs, decision_factors
from rosenblatt.training.evaluation.metrics import added
from rosenblatt.training.models import make, parts_of
from rosenblatt.training.record import Record
from rosenblatt.training.settings import Settings
from rosenblatt.training.sources import Position

__all__ = [
    "VERSION",
    "StoredRun",
    "Trained",
    "checkpoint_path",
    "digest",
    "load",
    "pieces_folder",
]

_KEY = "training"  # of what is stored beside the model
# Version of what is stored beside the model. A test pins a digest of its types: who
# changes them changes the version.
VERSION = 4
_KINDS = {
    "numeric": "number",
    "categorical": "category",
    "dates": "date",
    "text": "text",
}
_OWN = "perceptron"  # the model that may have rules and schedules of the user's own


class StoredRun(NamedTuple):
    """All that is stored beside a model, as plain values."""

    version: int
    settings: dict[str, Any]
    files: list[list[int | str] | None]
    encoder: Encoder
    record: Record
    position: tuple[int, int, int, int]
    finished: bool


@dataclass
class Trained:
    """A model that has learned from files, and all that belongs to it.

    Attributes
    ----------
    model
        The classifier.
    encoder
        How the columns of a table become its features.
    record
        Rows, mistakes, gaps and the learning curve.
    settings
        Settings of the run, as plain values.
    position
        Where in the files the model is.
    finished
        Whether it has come to their end.
    """

    model: Any
    encoder: Encoder
    settings: dict[str, Any]
    files: list[Any]  # what they are known again by
    record: Record = field(default_factory=Record)
    position: Position = field(default_factory=Position)
    finished: bool = False
    already: bool = False  # finished before, so that there was nothing to do
    open: bool = False  # classes may appear
    in_batch: bool = False  # in the middle of a batch, which is no state to keep

    def restarted(self, settings: dict[str, Any], files: list[Any]) -> Self:
        """Return the model at the start of a run on other files."""
        return replace(
            self, settings=settings, files=files, position=Position(), finished=False
        )

    @property
    def classes(self) -> npt.NDArray[Any]:
        """The labels, whole numbers if all are, else text."""
        return class_array(self.encoder.classes)

    @property
    def factors(self) -> npt.NDArray[np.float64] | None:
        """Factors of the probabilities of classes, for decisions; None if all are 1."""
        threshold, costs = self.settings["threshold"], self.settings["costs"]
        if threshold is None and not costs:
            return None
        return decision_factors(threshold, costs, self.encoder.classes)

    @property
    def costs(self) -> npt.NDArray[np.float64] | None:
        """The cost of a mistake on a row of each class; None if none was given."""
        return self.costs_of(())

    def costs_of(self, given: Sequence[str]) -> npt.NDArray[np.float64] | None:
        """Return the costs of given texts, such as ``yes=5``; without any, its own."""
        return class_costs(given or self.settings["costs"], self.encoder.classes)

    def take_classes(self) -> None:
        """Take the classes that the model has learned; it may learn others."""
        set_open(self.model, True)
        before = self.encoder.classes
        labels = tuple(map(str, self.model.classes_.tolist()))
        if labels != before:
            self.encoder = replace(self.encoder, classes=labels)
            places = [labels.index(label) for label in before]
            self.record.spread(places, len(labels))

    def count_labels(self, learned: npt.NDArray[Any], weights: Any) -> None:
        """Count the labels of rows that a model of open classes has learned."""
        codes = np.searchsorted(self.classes, learned)
        counts = np.bincount(codes, weights, len(self.classes)).astype(int).tolist()
        self.record.labels = added(self.record.labels, counts)

    def set_encoder(self) -> None:
        """Let the model take tables with the columns that it has learned from."""
        if self.encoder.width is not None or not hasattr(self.model, "classes_"):
            return
        given = self.settings
        kinds = {
            name: kind
            for option, kind in _KINDS.items()
            for name in given[option]
            if name not in (None, *given["ignore"], given["id"], given["weight"])
        }
        others = (*given["ignore"], given["id"], given["weight"])
        kinds |= {name: "ignore" for name in others if name is not None}
        kinds[self.encoder.columns.target or ""] = "ignore"
        counts = self.record.rows, self.record.missing, self.record.other
        self.model.encoder_ = TableEncoder.of(self.encoder, kinds, *counts)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the run to a file, whole or not at all."""
        self.set_encoder()
        stored = {
            "version": VERSION,
            "settings": self.settings,
            "files": self.files,
            "encoder": self.encoder.as_dict(),
            "record": self.record.as_dict(),
            "position": list(self.position),
            "finished": self.finished,
        }
        save_model(self.model, path, extra={_KEY: stored})

    def save_checkpoint(self, where: Path | None) -> str:
        """Save a checkpoint if rows were learned; return how to resume, in words."""
        rows = f"interrupted after {self.record.rows} rows"
        if where is None or self.in_batch or self.position == Position():
            return f"{rows}; nothing was stored"
        self.save(checkpoint_path(where))
        return f"{rows}, which are in {checkpoint_path(where)}; go on with --resume"

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], parts: dict[str, Any] | None = None
    ) -> Self:
        """Load a run that ``save`` has written."""
        if not Path(path).is_file():
            raise ValueError(f"there is no file {str(path)!r}")
        model, extra = load_model(path, with_extra=True, parts=parts or {})
        stored = extra.get(_KEY)
        if stored is None:
            raise ModelFileError(
                f"{path} has no columns: it was not made by train, but in Python"
            )
        version = stored.get("version") if isinstance(stored, dict) else None
        if version != VERSION:
            raise ModelFileError(
                f"{path} is from another version: {version!r}, not {VERSION}; train "
                "again, or install the version that wrote it"
            )
        try:
            return cls._of(model, stored)
        except (ValueError, TypeError, LookupError) as failure:
            raise ModelFileError(f"{path} is damaged: {failure}") from failure

    @classmethod
    def _of(cls, model: Any, stored: dict[str, Any]) -> Self:
        """Return a run from a model and the checked values stored beside it."""
        check_type("training", stored, StoredRun)
        given = stored["settings"]
        for name, hint in (fields_of(Settings) or {}).items():
            if name not in given:
                raise ValueError(f"settings must have {name!r}")
            check_type(f"settings.{name}", given[name], hint)
        encoder = Encoder.from_dict(stored["encoder"])
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
        record = Record.from_dict(stored["record"])
        record.check_classes(len(encoder.classes))
        return cls(
            model,
            encoder,
            given,
            stored["files"],
            record,
            Position(*stored["position"]),
            stored["finished"],
        )


def load(
    path: str | os.PathLike[str],
    *,
    rule: str | None = None,
    schedule: str | None = None,
) -> Trained:
    """Load a model that ``train`` has saved, or its checkpoint.

    Parameters
    ----------
    path
        The file.
    rule, schedule
        As they were given to ``train``, if they are in a file of your own. A model file
        holds no code, and does not say what code to run.

    Examples
    --------
    >>> load("nowhere.safetensors")
    Traceback (most recent call last):
    ValueError: there is no file 'nowhere.safetensors'
    """
    own = {} if rule is schedule is None else parts_of(make(_OWN, rule, schedule))
    return Trained.load(path, own)


def _beside(path: str | os.PathLike[str], ending: str) -> Path:
    given = Path(path)
    return given.with_name(given.name + ending)


def checkpoint_path(path: str | os.PathLike[str]) -> Path:
    """Return the path of the checkpoint of a model.

    Examples
    --------
    >>> checkpoint_path("model.safetensors").name
    'model.safetensors.checkpoint'
    """
    return _beside(path, ".checkpoint")


def pieces_folder(path: str | os.PathLike[str]) -> Path:
    """Return the folder of the checkpoints of workers.

    Examples
    --------
    >>> pieces_folder("model.safetensors").name
    'model.safetensors.pieces'
    """
    return _beside(path, ".pieces")


def digest(path: str | os.PathLike[str]) -> str:
    """Return the digest of a whole file."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
