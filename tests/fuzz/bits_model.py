"""Packed models, with a checksum that is right again."""

from __future__ import annotations

import zlib
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import rosenblatt as rb
from tests.fuzz.byte_changes import changed_bytes
from tests.fuzz.cases import Case, FaultError, Stage

__all__ = ["mutate", "prepare", "run"]

_FILE = "model.bits"
_COLUMNS = 11
_CHECK = 4  # bytes of the checksum at the end


def _rows(seed: int) -> Any:
    return np.random.default_rng(seed).choice([-1, 1], (50, _COLUMNS))


def prepare(folder: Path) -> list[bytes]:
    """Export models with masks, edges and several classes."""
    found = []
    X = _rows(0)
    order = np.digitize(X[:, :5].sum(axis=1), [-1.5, 0.5])
    models = [
        rb.ClippedHebb().fit(X, order > 0),
        rb.ClippedHebb().fit(3.0 * X, order),
        rb.BinaryPerceptron(binarise=0.5).fit(X, order > 0),
        rb.BinaryBayesPerceptron(hard=True).fit(rb.bits.pack(X), order),
    ]
    for model in models:
        rb.export_bits(model, folder / _FILE)
        rb.load_bits(folder / _FILE).predict(X)
        found.append((folder / _FILE).read_bytes())
    return found


def mutate(golden: list[bytes], random: Random) -> Case:
    """Return a file with other bytes."""
    content, said = changed_bytes(random.choice(golden)[:-_CHECK], random)
    content += zlib.crc32(content).to_bytes(_CHECK, "little")
    if random.random() < 0.05:
        content, more = changed_bytes(content, random)
        said = f"{said}; after the checksum: {more}"
    return Case(said, {_FILE: content})


def run(case: Case, folder: Path, stage: Stage) -> None:
    """Load the model and predict with as many columns as it has."""
    stage("load_bits")
    model = rb.load_bits(folder / _FILE)
    X = np.resize(_rows(1), (20, model.weights.shape[1]))
    for rows in (X, rb.bits.pack(X)):
        stage("predict")
        answer = model.predict(rows)
        if (
            answer.shape != (20,)
            or not np.isfinite(model.decision_function(rows)).all()
        ):
            raise FaultError(f"predict returned {answer!r} or scores that are infinite")
