"""Numbers become two levels, whatever the levels and whenever they come."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import DataConversionWarning

from rosenblatt.bits import unpack
from rosenblatt.estimators.counting import BINARISE, Levels, find_levels


def high(table, binarise="auto", known=None):
    table = np.asarray(table)
    bits = find_levels(table, binarise, known).encode(table)
    return unpack(bits, int, low=0).tolist()


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.float32, float])
def test_the_larger_of_two_values_is_high(kind):
    table = np.array([[0, 1, 7, 5], [1, 2, 3, 5]], dtype=kind)
    assert high(table) == [[0, 0, 1, 1], [1, 1, 0, 1]]


def test_values_next_to_each_other_are_told_apart():
    next_ = np.nextafter(1.0, 2.0)
    assert high([[1.0], [next_]]) == [[0], [1]]


def test_booleans_and_sparse_tables_are_tables():
    table = np.random.default_rng(0).random((40, 70)) < 0.2
    for kind in (sparse.csr_array, sparse.csc_matrix):
        same = kind(table.astype(float)).tocsr()
        found = find_levels(same, "auto", None).encode(same)
        assert found == find_levels(table, "auto", None).encode(table)
    np.testing.assert_array_equal(unpack(found, int, low=0), table)


def test_large_tables_are_read_in_blocks(monkeypatch):
    monkeypatch.setattr("rosenblatt.estimators.counting._ENTRIES", 12)
    table = np.random.default_rng(0).choice([2, 9], (11, 3))
    assert high(table) == (table == 9).astype(int).tolist()


@pytest.mark.parametrize(("value", "level"), [(1, 1), (0, 0), (-1, 0), (5, 1)])
def test_one_value_is_high_if_it_is_above_zero(value, level):
    assert high([[value], [value]]) == [[level], [level]]


@pytest.mark.parametrize(("first", "second"), [(1, 2), (2, 1), (-1, 0), (0, 1)])
def test_a_second_value_exchanges_a_level_that_was_guessed_wrong(first, second):
    before = find_levels(np.array([[first]]), None, None)
    guess = high([[first]])[0][0]
    after = find_levels(np.array([[second]]), None, before)
    right = int(first > second)
    assert before.exchanged(after).tolist() == [guess != right]
    assert unpack(after.encode(np.array([[first]])), low=0).item() == right


def test_a_third_value_is_named():
    message = "two levels in each column, got 1 in column 1 beside 0 and 2; binarise=t"
    with pytest.raises(ValueError, match=message):
        high([[0, 0], [0, 1], [0, 2]], binarise=None)
    known = find_levels(np.array([[0, 0], [1, 2]]), "auto", None)
    with pytest.raises(ValueError, match=r"got 2 in column 0 beside 0 and 3"):
        find_levels(
            np.array([[3, 0]]),
            "auto",
            find_levels(np.array([[0, 0], [2, 2]]), "auto", None),
        )
    with pytest.raises(ValueError, match=r"got 1 in column 1 beside 0 and 2"):
        known.encode(np.array([[0, 1]]))


def test_more_values_are_cut_in_the_middle_with_a_warning():
    with pytest.warns(DataConversionWarning, match="1 of 2 columns .* column 1"):
        found = high([[0, 0.0], [1, 4.9], [1, 5.1], [0, 10.0]])
    assert found == [[0, 0], [1, 0], [1, 1], [0, 1]]


def test_a_cut_stays_where_it_is():
    with pytest.warns(DataConversionWarning):
        known = find_levels(np.array([[0.0], [4.0], [10.0]]), "auto", None)
    assert high([[6.0], [100.0], [3.0]], known=known) == [[1], [1], [0]]
    with pytest.raises(ValueError, match="cut columns at the same values"):
        known.merged(Levels(known.low, known.high, known.cut + 1))


def test_a_number_cuts_all_columns():
    assert high([[0.5, 3.0], [0.6, 0.0]], binarise=0.5) == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("binarise", "error", "message"),
    [
        (
            "median",
            ValueError,
            "must be 'auto' or None or a finite number, got 'median'",
        ),
        (np.nan, ValueError, "or a finite number, got nan"),
    ],
)
def test_bad_parameters_are_named(binarise, error, message):
    with pytest.raises(error, match=message):
        BINARISE("binarise", binarise)
