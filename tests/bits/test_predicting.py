import os
import subprocess
import sys

import numpy as np
import pytest

from rosenblatt.bits import Bits, fields, pack
from rosenblatt.bits.predicting import _fields
from rosenblatt.compiling.jit import PLAIN

COLUMNS = [0, 1, 63, 64, 65, 127, 129, 255, 449, 512, 577, 1000]
ROWS = [0, 1, 7, 8, 9, 31, 32, 33, 75] + ([] if PLAIN else [3001])


def signs(rows, columns, seed):
    return np.random.default_rng(seed).choice([-1, 1], (rows, columns))


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("rows", ROWS)
def test_fields_are_products(rows, columns):
    X, W = signs(rows, columns, 0), signs(3, columns, 1)
    mask = np.random.default_rng(2).random((3, columns)) < 0.7
    found = fields(pack(X), pack(W))
    assert found.shape == (rows, 3)
    np.testing.assert_array_equal(found, X @ W.T)
    masked = fields(pack(X), pack(W), pack(mask))
    np.testing.assert_array_equal(masked, X @ (W * mask).T)


@pytest.mark.parametrize("columns", [70, 513])
def test_there_may_be_any_number_of_models(columns):
    X, W = signs(75, columns, 0), signs(70, columns, 1)
    mask = np.random.default_rng(2).random(W.shape) < 0.7
    bits, packed, used = pack(X), pack(W), pack(mask)
    plain, masked = X @ W.T, X @ (W * mask).T
    for models in range(71):
        some = slice(models)
        found = fields(bits, packed[some])
        np.testing.assert_array_equal(found, plain[:, some])
        found = fields(bits, packed[some], used[some])
        np.testing.assert_array_equal(found, masked[:, some])


def test_thresholds_are_subtracted():
    X, W = signs(75, 70, 0), signs(3, 70, 1)
    mask = np.random.default_rng(2).random(W.shape) < 0.7
    threshold = np.array([-71, 0, 12])
    for used, weights in ((None, W), (pack(mask), W * mask)):
        found = fields(pack(X), pack(W), used, threshold=threshold)
        assert found.dtype == np.int32
        np.testing.assert_array_equal(found, X @ weights.T - threshold)
    assert threshold.tolist() == [-71, 0, 12]
    most = 2**31 - 1 - 70
    for extreme in (-most, most):
        found = fields(pack(X), pack(W[:1]), threshold=[extreme])
        np.testing.assert_array_equal(found.astype(np.int64), X @ W[:1].T - extreme)


@pytest.mark.parametrize(
    "threshold", [0, [1, 2, 3], [0.0, 1.0], [True, False], [2**31, 0], [0, -(2**31)]]
)
def test_thresholds_must_be_a_whole_number_for_each_model(threshold):
    X, W = pack(signs(5, 70, 0)), pack(signs(2, 70, 1))
    with pytest.raises(ValueError, match="threshold must be"):
        fields(X, W, threshold=threshold)


def test_nothing_beyond_the_results_is_written():
    room = np.full(75 + 64, 7, np.int32)
    X, W = pack(signs(64, 70, 0)), pack(signs(1, 70, 1))
    out = room[32:96].reshape(1, 64)
    start = np.array([70])
    none = np.zeros(0, np.uint64)
    _fields(X.words.reshape(-1), 2, W.words.reshape(-1), none, start, out, 64)
    np.testing.assert_array_equal(out.T, fields(X, W))
    assert (np.delete(room, slice(32, 96)) == 7).all()


OTHER_PROCESSOR = """
import numpy as np
from rosenblatt.bits import fields, pack
rng = np.random.default_rng(0)
X, W = (rng.choice([-1, 1], (rows, 577)) for rows in (75, 20))
mask = rng.random(W.shape) < 0.7
assert np.array_equal(fields(pack(X), pack(W)), X @ W.T)
assert np.array_equal(fields(pack(X), pack(W), pack(mask)), X @ (W * mask).T)
"""


@pytest.mark.skipif(PLAIN, reason="nothing is compiled")
def test_processors_without_wide_registers_count_the_same():
    few = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    command = [sys.executable, "-c", OTHER_PROCESSOR]
    done = subprocess.run(
        command, env=os.environ | few, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_very_wide_rows_are_read_in_small_blocks():
    X, W = signs(20, 150_000, 0), signs(2, 150_000, 1)
    np.testing.assert_array_equal(fields(pack(X), pack(W)), X @ W.T)


def test_words_in_a_file_have_fields(tmp_path):
    X, W = signs(50, 70, 0), signs(2, 70, 1)
    np.save(tmp_path / "words.npy", pack(X).words)
    mapped = Bits(np.load(tmp_path / "words.npy", mmap_mode="r"), 70)
    np.testing.assert_array_equal(fields(mapped, pack(W)), X @ W.T)


def test_tables_must_fit():
    X, W = pack(signs(5, 70, 0)), pack(signs(2, 70, 1))
    with pytest.raises(ValueError, match=r"signs must have 70 columns.*got 69"):
        fields(X, pack(signs(2, 69, 1)))
    with pytest.raises(ValueError, match=r"mask must have 2 rows.*got 1"):
        fields(X, W, W[:1])
    with pytest.raises(TypeError, match="signs must be Bits"):
        fields(X, W.words)
    with pytest.raises(TypeError, match="bits must be Bits"):
        fields(X.words, W)
