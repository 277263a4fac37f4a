import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from rosenblatt.bits import pack, unpack
from tests import references

SIZES = [0, 1, 2, 63, 64, 65, 127, 128, 129, 200]
SIGNED = [np.int8, np.int16, np.int32, np.int64, np.float16, np.float32, np.float64]
UNSIGNED = [bool, np.uint8, np.uint32, np.uint64]


def random(rows, columns, low=-1, seed=0):
    X = np.random.default_rng(seed).integers(0, 2, (rows, columns))
    return X if low == 0 else 2 * X - 1


@pytest.mark.parametrize("columns", SIZES)
@pytest.mark.parametrize("rows", [0, 1, 2, 9])
def test_words_are_those_of_the_reference(rows, columns):
    for low in (-1, 0):
        X = random(rows, columns, low)
        bits = pack(X)
        assert bits.shape == (rows, columns)
        if columns:
            assert bits.words.tolist() == references.pack(X)
        np.testing.assert_array_equal(unpack(bits, low=low), X)


@pytest.mark.parametrize("dtype", SIGNED + UNSIGNED)
@pytest.mark.parametrize("order", ["C", "F"])
def test_all_types_and_orders_give_the_same_bits(dtype, order):
    X = random(30, 97, low=0)
    wanted = pack(X)
    assert pack(X.astype(dtype, order=order)) == wanted
    assert pack(np.repeat(X.astype(dtype), 2, axis=1)[:, ::2]) == wanted
    if dtype in SIGNED:
        assert pack((2 * X - 1).astype(dtype, order=order)) == wanted


def test_lists_frames_and_sparse_matrices_are_packed():
    X = random(20, 67, low=0)
    wanted = pack(X)
    assert pack(X.tolist()) == wanted
    frame = pd.DataFrame(X).astype({0: float, 1: bool, 2: np.int8})
    assert pack(frame) == wanted
    for kind in (sparse.csr_matrix, sparse.csc_array, sparse.coo_array):
        assert pack(kind(X)) == wanted


def test_more_than_one_block_is_packed():
    X = random(300, 2000).astype(np.int8)  # a block has 131 rows
    bits = pack(X)
    np.testing.assert_array_equal(unpack(bits), X)
    assert pack(np.ones((1, 300_000))).words.sum() > 0  # a row longer than a block


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.float32, float])
def test_bad_values_are_named(dtype):
    X = random(400, 1001).astype(dtype)
    for row, column in [(0, 0), (3, 1000), (399, 64), (399, 1000)]:
        wrong = X.copy()
        wrong[row, column] = 2
        with pytest.raises(ValueError, match=rf"got X\[{row}, {column}\] = 2"):
            pack(wrong)
        wrong[row, column] = 0
        with pytest.raises(ValueError, match=r"= 0(\.0)? beside -1"):
            pack(wrong)


def test_a_minus_one_among_zeros_is_named():
    X = random(400, 1001, low=0)
    X[399, 1000] = -1
    with pytest.raises(ValueError, match=r"got X\[399, 1000\] = -1 beside 0"):
        pack(X)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 0.5, 1 + 2**-23, -2.0])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_numbers_that_are_no_levels_are_named(value, dtype):
    X = random(5, 70).astype(dtype)
    X[4, 69] = value
    if X[4, 69] == 1:  # too fine for this type
        return
    with pytest.raises(ValueError, match=r"got X\[4, 69\] = "):
        pack(X)


@pytest.mark.parametrize(
    ("X", "failure", "message"),
    [
        ([1, -1], ValueError, r"two dimensions, rows and columns, got shape \(2,\)"),
        ([["a", "b"]], TypeError, "numbers or booleans, got type <U1"),
        ([[1j]], TypeError, "got type complex128"),
        (np.array([[1, "a"]], dtype=object), TypeError, r"got X\[0, 1\] = 'a'"),
        (np.array([[None, 1]], dtype=object), ValueError, r"X\[0, 0\] = nan"),
    ],
)
def test_what_is_no_table_of_numbers_is_refused(X, failure, message):
    with pytest.raises(failure, match=message):
        pack(X)


@pytest.mark.parametrize("kind", ["Int8", "boolean", "Float64"])
def test_missing_entries_of_frames_are_named(kind):
    frame = pd.DataFrame(random(9, 3, low=0), columns=list("abc"))
    mixed = frame.astype({"b": kind})
    assert pack(mixed) == pack(frame.astype(kind)) == pack(frame)
    mixed.loc[7, "b"] = pd.NA
    whole = frame.astype(kind)
    whole.loc[7, "b"] = pd.NA
    for wrong in (mixed, whole):
        with pytest.raises(ValueError, match=r"got X\[7, 1\] = (<NA>|nan)"):
            pack(wrong)


def test_missing_times_are_named():
    X = np.array([[np.float64(1), np.int8(0)], [1, pd.NaT]], dtype=object)
    with pytest.raises(ValueError, match=r"got X\[1, 1\] = NaT"):
        pack(X)


def test_masked_entries_are_refused():
    X = np.ma.masked_array(random(4, 3))
    assert pack(X) == pack(X.data)
    X[2, 1] = np.ma.masked
    with pytest.raises(ValueError, match=r"got X\[2, 1\], which is masked"):
        pack(X)


@pytest.mark.parametrize("dtype", SIGNED)
def test_unpacking_gives_the_type_asked_for(dtype):
    X = random(9, 70)
    found = unpack(pack(X), dtype)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, X)


def test_unpacking_refuses_what_it_cannot_give():
    bits = pack([[1, 0]])
    assert unpack(bits, np.uint8, low=0).tolist() == [[1, 0]]
    with pytest.raises(TypeError, match="dtype must be numbers that can be -1 and 1"):
        unpack(bits, np.uint8)
    with pytest.raises(ValueError, match="low must be -1 or 0, got 2"):
        unpack(bits, low=2)
    with pytest.raises(TypeError, match="bits must be Bits"):
        unpack([[1, 0]])
