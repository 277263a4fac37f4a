import numpy as np
import pytest

from rosenblatt.core.bits import Bits, fields, pack
from rosenblatt.core.jit import PLAIN

COLUMNS = [0, 1, 63, 64, 65, 127, 129, 255, 449, 512, 577, 1000]
ROWS = [0, 1, 7, 8, 9, 40] if PLAIN else [0, 1, 7, 8, 9, 40, 3001]


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


@pytest.mark.parametrize("models", [0, 1, 8, 33])
def test_there_may_be_any_number_of_models(models):
    X, W = signs(20, 70, 0), signs(models, 70, 1)
    np.testing.assert_array_equal(fields(pack(X), pack(W)), X @ W.T)


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
