"""Files and parts of files as pieces."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.tables import (
    Encoded,
    Encoder,
    Place,
    class_array,
    cuts,
    format_of,
)
from rosenblatt.training.distributed.pieces import FAULTS, Batch, Piece
from rosenblatt.training.evaluation.decisions import decision_factors
from rosenblatt.training.record import Record, learn_batch
from rosenblatt.training.settings import Settings
from rosenblatt.training.sources import MOST_CLASSES, Position, Sources

__all__ = ["PIECE_ROWS", "FilePiece", "file_pieces"]

PIECE_ROWS = 2**20  # as many as pyarrow puts into a group of rows of Parquet
_CUT = ("parquet", "npy")  # formats


@dataclass(frozen=True)
class FilePiece(Piece):
    """A file or some of its rows, read by the process that learns from it."""

    number: int
    settings: Settings  # of this file alone
    first: int = 0
    stop: int | None = None  # where another piece begins
    encoder: Encoder | None = None  # not known while labels are looked for
    skip: bool = False  # bad rows, instead of stopping

    def __str__(self) -> str:
        whole = self.first == 0 and self.stop is None
        return self.settings.files[0] + ("" if whole else f", rows from {self.first}")

    def labels(self) -> npt.NDArray[Any]:
        """Return all labels of the piece, as text."""
        sources = Sources(self.settings)
        found: set[str] = set()
        for labels, end in sources.labels(0, Place(self.first, self.first)):
            found.update(labels)
            if len(found) > MOST_CLASSES:
                raise ValueError(
                    f"{self.settings.files[0]}: target {sources.target!r} must have at "
                    f"most {MOST_CLASSES} different values, got more; these models "
                    "learn classes"
                )
            if self.stop is not None and end.offset >= self.stop:
                break
        return np.array(sorted(found))

    def batches(self) -> Iterator[Batch]:
        """Return the rows that can be learned, some at a time."""
        for rows, _ in self._encoded():
            if len(rows.codes) and (rows.weights is None or rows.weights.any()):
                assert self.encoder is not None
                labels = class_array(self.encoder.classes)[rows.codes]
                yield rows.X, labels, rows.weights

    def learn(self, model: Any, classes: npt.NDArray[Any]) -> Record:
        """Let a model learn the rows; each row is predicted before it is learned."""
        record = Record()
        given = self.settings
        factors = decision_factors(given.threshold, given.costs, classes.tolist())
        for rows, where in self._encoded():
            record.skip(rows.bad)
            record.found(rows)
            if not len(rows.codes):
                continue
            try:
                judged = learn_batch(
                    model, rows.X, rows.codes, classes, rows.weights, factors
                )
            except FAULTS as failure:
                raise ValueError(f"{where}: {failure}") from failure
            record.learned(len(rows.codes), judged)
        record.curve.clear()  # of a model that has seen this file alone
        return record

    def _encoded(self) -> Iterator[tuple[Encoded, str]]:
        """Yield the batches of the piece, each with its last row in words."""
        assert self.encoder is not None
        sources = Sources(self.settings)
        table = sources.table(0)
        start = Position(0, 0, self.first, self.first)
        for rows, end in sources.batches(self.encoder, start):
            if rows.bad and not self.skip:
                raise sources.error(0, rows.bad[0])
            yield rows, f"{table.name}, a batch up to {table.unit} {end.line}"
            if self.stop is not None and end.offset >= self.stop:
                break


def file_pieces(given: Settings, rows: int) -> list[FilePiece]:
    """Return the pieces of all files, in their order."""
    found: list[FilePiece] = []
    for name in given.files:
        own = replace(given, files=(os.path.abspath(name),), passes=1)
        starts = [0]
        if (given.format or format_of(name)) in _CUT:
            sources = Sources(own)
            starts = cuts(sources.table(0), rows, sources.batch_rows)
        for first, stop in zip(starts, [*starts[1:], None], strict=True):
            found.append(FilePiece(len(found), own, first, stop))
    return found
