import pickle

import numpy as np
import pytest

from rosenblatt.bits import Bits, pack, unpack
from rosenblatt.bits.container import unused

SIZES = [0, 1, 63, 64, 65, 127, 128, 129]


def table(rows=7, columns=70, seed=0):
    return pack(np.random.default_rng(seed).integers(0, 2, (rows, columns)))


@pytest.mark.parametrize("columns", SIZES)
def test_everything_high_is_just_the_columns(columns):
    bits = pack(np.ones((3, columns), dtype=int))
    assert bits.shape == (3, columns)
    assert np.bitwise_count(bits.words).sum() == 3 * columns
    assert Bits(bits.words, columns) == bits
    assert unused(columns).bit_count() == -columns % 64


def test_rows_are_selected_as_in_numpy():
    bits = table()
    X = unpack(bits)
    chosen = [
        slice(2, 5),
        slice(None, None, -2),
        [3, 0, 3],
        np.array([], dtype=int),
        [],
        np.arange(7) % 2 == 0,
        np.array([6, 1], dtype=np.uint8),
    ]
    for rows in chosen:
        index = np.array(rows, dtype=int) if isinstance(rows, list) else rows
        np.testing.assert_array_equal(unpack(bits[rows]), X[index])
        assert bits[rows].words.flags.c_contiguous
    np.testing.assert_array_equal(unpack(bits[-1]), X[-1:])
    np.testing.assert_array_equal(unpack(bits[np.int64(2)]), X[2:3])
    assert Bits.concatenate(list(bits)) == bits


def test_a_slice_shares_memory():
    bits = table()
    assert np.shares_memory(bits[2:].words, bits.words)


@pytest.mark.parametrize("rows", [True, 1.5, [0.5], [[0, 1]], (0, 1), "a", None])
def test_other_selections_are_refused(rows):
    with pytest.raises(TypeError, match="rows must be"):
        table()[rows]


def test_rows_out_of_range_and_wrong_masks_are_refused():
    with pytest.raises(IndexError):
        table()[7]
    with pytest.raises(IndexError):
        table()[np.array([True, False])]


def test_tables_are_values():
    bits = table()
    assert bits == table()
    assert bits != table(seed=1)
    assert bits != table(columns=69)
    assert bits != 3
    assert pickle.loads(pickle.dumps(bits)) == bits
    with pytest.raises(ValueError, match="read-only"):
        bits.words[0, 0] = 1
    with pytest.raises(AttributeError):
        bits.columns = 3
    with pytest.raises(TypeError, match="unhashable"):
        hash(bits)
    assert repr(bits) == "Bits(7 rows, 70 columns)"
    assert (len(bits), bits.nbytes) == (7, 7 * 2 * 8)


def test_tables_are_concatenated_if_columns_agree():
    bits = table()
    assert Bits.concatenate(iter([bits[:3], bits[3:3], bits[3:]])) == bits
    with pytest.raises(ValueError, match=r"got 70 in the first and 69 in tables\[1\]"):
        Bits.concatenate([bits, table(columns=69)])
    with pytest.raises(ValueError, match="one or more, got none"):
        Bits.concatenate([])
    with pytest.raises(TypeError, match=r"tables\[1\] must be Bits"):
        Bits.concatenate([bits, bits.words])


@pytest.mark.parametrize(
    ("words", "columns", "failure", "message"),
    [
        (np.zeros((2, 1)), 3, TypeError, "type uint64, got float64"),
        (np.zeros((2, 1), np.int64), 3, TypeError, "type uint64, got int64"),
        (np.zeros(2, np.uint64), 3, ValueError, r"shape \(rows, 1\) for 3 columns"),
        (np.zeros((2, 1), np.uint64), 65, ValueError, r"shape \(rows, 2\)"),
        (np.zeros((2, 1), np.uint64), -1, ValueError, "columns must be a whole"),
        (np.zeros((2, 1), np.uint64), 2.5, TypeError, "columns must be a whole"),
        (np.array([[7], [8]], np.uint64), 3, ValueError, "0x8 at the end of row 1"),
    ],
)
def test_wrong_words_are_refused(words, columns, failure, message):
    with pytest.raises(failure, match=message):
        Bits(words, columns)


def test_rows_that_are_not_contiguous_are_copied():
    words = np.asfortranarray(table(columns=640).words)
    assert Bits(words, 640) == table(columns=640)
    assert Bits(words, 640).words.flags.c_contiguous


def test_words_may_stay_in_a_file(tmp_path):
    bits = table(rows=100)
    np.save(tmp_path / "words.npy", bits.words)
    loaded = np.load(tmp_path / "words.npy", mmap_mode="r")
    mapped = Bits(loaded, 70)
    assert mapped == bits
    assert np.shares_memory(mapped.words, loaded)
    assert mapped[10:20] == bits[10:20]
