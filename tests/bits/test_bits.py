"""Packed bits against plain NumPy."""

import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from rosenblatt.bits import Bits, Counts, count, fields, pack, unpack
from rosenblatt.compiling.jit import PLAIN
from tests import references

# Around multiples of 64 columns, and of sixteen rows, which are added together.
COLUMNS = [0, 1, 63, 64, 65, 127, 129, 577]
ROWS = [0, 1, 15, 16, 17, 33, 100]
SIGNED = [np.int8, np.int32, np.int64, np.float16, np.float32, np.float64]


def examples(rows, columns, seed=0):
    """Return rows of booleans and labels."""
    rng = np.random.default_rng(seed)
    X = rng.random((rows, columns)) < rng.random(columns)
    return X, np.where(rng.random(rows) < 0.4, 1, -1)


def table(rows=7, columns=70, seed=0):
    return pack(examples(rows, columns, seed)[0])


@pytest.mark.parametrize("columns", COLUMNS)
def test_tables_of_any_type_and_order_are_packed_and_unpacked(columns):
    X = examples(30, columns)[0]
    wanted = pack(X)
    assert wanted.shape == X.shape
    assert np.bitwise_count(wanted.words).sum() == X.sum()
    for dtype in SIGNED:
        for order in "CF":
            assert pack(X.astype(dtype, order=order)) == wanted
            assert pack(2 * X.astype(dtype, order=order) - 1) == wanted
        found = unpack(wanted, dtype)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, np.where(X, 1, -1))
    assert pack(X.astype(np.uint8)) == wanted
    np.testing.assert_array_equal(unpack(wanted, np.uint8, low=0), X)


def test_lists_frames_and_sparse_matrices_are_packed():
    X = examples(20, 67)[0].astype(int)
    wanted = pack(X)
    assert pack(X.tolist()) == wanted
    assert pack(pd.DataFrame(X).astype({0: float, 1: bool, 2: np.int8})) == wanted
    for kind in (sparse.csr_matrix, sparse.csc_array, sparse.coo_array):
        assert pack(kind(X)) == wanted
    wide = examples(300, 2000)[0]  # more than one block
    np.testing.assert_array_equal(unpack(pack(wide), low=0), wide)


@pytest.mark.parametrize("value", [2, 0, np.nan, np.inf, 0.5, 1 + 2**-23])
@pytest.mark.parametrize("place", [(0, 0), (399, 1000)])
def test_the_first_entry_that_is_no_level_is_named(value, place):
    X = np.where(examples(400, 1001)[0], 1.0, -1.0)
    X[place] = value
    beside = " beside -1" if value == 0 else ""
    with pytest.raises(ValueError, match=rf"X\[{place[0]}, {place[1]}\] = .*{beside}"):
        pack(X)


def test_rows_are_selected_as_in_numpy():
    bits = table()
    X = unpack(bits)
    for rows in (
        slice(2, 5),
        slice(None, None, -2),
        [3, 0, 3],
        [],
        np.arange(7) % 2 == 0,
    ):
        np.testing.assert_array_equal(unpack(bits[rows]), X[rows])
    np.testing.assert_array_equal(unpack(bits[-1]), X[-1:])
    assert np.shares_memory(bits[2:].words, bits.words)
    with pytest.raises(IndexError):
        bits[7]


def test_tables_are_values():
    bits = table()
    assert bits == table()
    assert bits != table(seed=1)
    assert bits != 3
    assert pickle.loads(pickle.dumps(bits)) == bits
    with pytest.raises(ValueError, match="read-only"):
        bits.words[0, 0] = 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(bits)


def test_words_may_stay_in_a_file(tmp_path):
    X, y = examples(100, 70)
    np.save(tmp_path / "words.npy", pack(X).words)
    loaded = np.load(tmp_path / "words.npy", mmap_mode="r")
    mapped = Bits(loaded, 70)
    assert np.shares_memory(mapped.words, loaded)
    assert mapped[10:20] == pack(X)[10:20]
    assert count(mapped, y) == count(pack(X), y)


def assert_counts(found, X, y, weight=None):
    positive, negative = references.counts(X, y, weight)
    np.testing.assert_array_equal(found.high_positive, positive)
    np.testing.assert_array_equal(found.high_negative, negative)
    weight = np.ones(len(y), int) if weight is None else np.asarray(weight)
    assert (found.positive, found.negative) == (
        weight[y > 0].sum(),
        weight[y < 0].sum(),
    )


@pytest.mark.parametrize("columns", [*COLUMNS, 8193 + 64 * 9])  # more than a tile
@pytest.mark.parametrize("rows", ROWS)
def test_counts_are_exact(rows, columns):
    if PLAIN and rows * columns > 20_000:
        pytest.skip("slow without compiled code")
    X, y = examples(rows, columns)
    assert_counts(count(pack(X), y), X, y)
    weight = np.random.default_rng(1).integers(0, 10, rows)
    assert_counts(count(pack(X), y > 0, weight.astype(float)), X, y, weight)


def test_all_digits_of_the_counts_are_used():
    """Everything high: every adder carries, also beyond the rows of one block."""
    rows = 300 if PLAIN else 70_000
    bits = Bits(np.full((rows, 3), 2**64 - 1, np.uint64), 192)
    found = count(bits, np.arange(rows) % 3 == 0)
    assert set(found.high_positive) == {found.positive} == {-(-rows // 3)}
    assert set(found.high_negative) == {found.negative}


def test_pieces_add_up_in_any_order():
    X, y = examples(200, 130)
    bits, whole = pack(X), count(pack(X), y)
    cuts = [0, 1, 17, 17, 90, 200]
    pieces = [count(bits[a:b], y[a:b]) for a, b in itertools.pairwise(cuts)]
    assert pieces[3] + pieces[0] + pieces[4] + pieces[1] + pieces[2] == whole


def test_large_weights_stay_exact():
    found = count(pack([[1], [1], [0]]), [1, 1, -1], [2**53 + 1, 2**40, 3])
    assert found.high_positive.tolist() == [2**53 + 1 + 2**40]
    assert (found.positive, found.negative) == (2**53 + 1 + 2**40, 3)
    assert found.influence == pytest.approx([2.0])


def test_hebb_and_influence_follow_from_counts():
    X, y = examples(500, 70)
    found = count(pack(X), y)
    signs = np.where(X, 1, -1)
    np.testing.assert_array_equal(found.hebb, y @ signs)
    np.testing.assert_array_equal(found.high, X.sum(axis=0))
    exact = 500 * (y @ signs) - y.sum() * signs.sum(axis=0)
    np.testing.assert_array_equal(found.covariance, exact)
    np.testing.assert_allclose(found.influence, references.influences(X, y), rtol=1e-13)
    constant = count(pack([[1, 1], [1, 0]]), [1, -1]).influence
    np.testing.assert_array_equal(constant, [np.nan, 2])


def test_products_of_large_counts_do_not_overflow():
    m = 2**40
    found = Counts(np.array([m - 1]), np.array([1]), m, m)
    exact = 2 * m * (2 * (m - 2))
    assert found.covariance.tolist() == [exact]
    assert found.influence == pytest.approx([exact / (2 * m * m)])


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("rows", ROWS)
def test_fields_are_products(rows, columns):
    X, W = np.where(examples(rows, columns)[0], 1, -1), examples(9, columns, 1)[0]
    W = np.where(W, 1, -1)
    mask = np.random.default_rng(2).random(W.shape) < 0.7
    threshold = np.arange(-4, 5)
    np.testing.assert_array_equal(fields(pack(X), pack(W)), X @ W.T)
    found = fields(pack(X), pack(W), pack(mask), threshold=threshold)
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, X @ (W * mask).T - threshold)


def test_extreme_thresholds_are_subtracted():
    X, most = table(columns=70), 2**31 - 1 - 70
    for extreme in (-most, most):
        found = fields(X, X[:1], threshold=[extreme]).astype(np.int64)
        np.testing.assert_array_equal(found, fields(X, X[:1]) - np.int64(extreme))


ONE, TWO = np.zeros((2, 1), np.uint64), pack([[1], [0]])
MASKED = np.ma.masked_array([[1, 0]], [[False, True]])
REFUSED = [
    (lambda: Bits(np.zeros((2, 1)), 3), TypeError, "type uint64, got float64"),
    (lambda: Bits(ONE[0], 3), ValueError, r"shape \(rows, 1\) for 3 columns"),
    (lambda: Bits(ONE, 65), ValueError, r"shape \(rows, 2\)"),
    (lambda: Bits(ONE, -1), ValueError, "columns must be a whole"),
    (lambda: Bits(ONE + np.uint64(8), 3), ValueError, "0x8 at the end of row 0"),
    (lambda: table()[0, 1], TypeError, "rows must be one index"),
    (lambda: pack([1, -1]), ValueError, r"two dimensions, .* got shape \(2,\)"),
    (lambda: pack([["a", "b"]]), TypeError, "numbers or booleans, got type <U1"),
    (lambda: pack([[1, None, "a"]]), TypeError, "numbers or booleans: "),
    (lambda: pack(MASKED), ValueError, "no masked entries"),
    (lambda: unpack(TWO, np.uint8), TypeError, "dtype must be numbers that can be -1"),
    (lambda: unpack(TWO, low=2), ValueError, "low must be -1 or 0, got 2"),
    (lambda: unpack([[1]]), TypeError, "bits must be Bits"),
    (lambda: count([[1]], [1]), TypeError, "bits must be Bits"),
    (lambda: count(TWO, [1]), ValueError, r"labels must .* got shape \(1,\)"),
    (lambda: count(TWO, [1, 0]), ValueError, r"got labels\[1\] = 0"),
    (lambda: count(TWO, ["a", "b"]), TypeError, "labels must be finite"),
    (lambda: count(TWO, [1, 1], [1]), ValueError, r"must be .* shape .*shape \(1,\)"),
    (lambda: count(TWO, [1, 1], [1, -1]), ValueError, r"sample_weight\[1\] = -1"),
    (lambda: count(TWO, [1, 1], [0.5, 1]), ValueError, r"sample_weight\[0\] = 0.5"),
    (lambda: count(TWO, [1, 1], [np.nan, 1]), ValueError, "sample_weight must be"),
    (lambda: count(TWO, [1, 1], [1, 2**62]), ValueError, r"weight\[1\] = 46116860184"),
    (lambda: count(TWO, [1, 1], ["a", "b"]), TypeError, "sample_weight must be"),
    (lambda: count(TWO, [1, 1]) + count(table(2), [1, 1]), ValueError, "got 1 and 70"),
    (lambda: fields(TWO, table()), ValueError, r"signs must have 1 columns.*got 70"),
    (lambda: fields(TWO, TWO, TWO[:1]), ValueError, "mask must have 2 rows.*got 1"),
    (lambda: fields(TWO, TWO.words), TypeError, "signs must be Bits"),
    (lambda: fields(TWO, TWO, threshold=0), ValueError, "threshold must be 2 whole"),
    (lambda: fields(TWO, TWO, threshold=[0.0, 1]), ValueError, "threshold must be 2"),
    (lambda: fields(TWO, TWO, threshold=[2**31, 0]), ValueError, "threshold must be f"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "failure", "message"), REFUSED)
def test_wrong_arguments_are_refused(call, failure, message):
    with pytest.raises(failure, match=message):
        call()
