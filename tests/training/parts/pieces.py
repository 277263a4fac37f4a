"""Shared parts of the tests of pieces."""

import copy

import numpy as np
import pytest

import rosenblatt as rb

da = pytest.importorskip("dask.array")
pytest.importorskip("distributed")

ROWS, COLUMNS = 600, 9
CHUNKS = [(600,), (150, 150, 300), (1, 99, 0, 500), (77,) * 7 + (61,)]
COUNTERS = [
    rb.ClippedHebb(),
    rb.ClippedHebb(binarise=0.2, class_weight="balanced"),
    rb.BinaryPerceptron(),
    rb.BinaryPerceptron(threshold="least error", class_weight={0: 3}),
]


def saved(model, folder):
    path, twin = folder / "model.safetensors", copy.copy(model)
    vars(twin).pop("training_record_", None)
    rb.save_model(twin, path)
    return path.read_bytes()


def lazy(X, y, rows=(150, 150, 300)):
    return da.from_array(X, chunks=(rows, 4)), da.from_array(y, chunks=100)


def cut(X, y, rows=(150, 150, 300)):
    ends = np.cumsum(rows)
    parts = zip(ends - rows, ends, strict=True)
    return [(X[first:end], y[first:end]) for first, end in parts]
