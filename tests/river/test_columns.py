import numpy as np
import pandas as pd
import polars as pl
import pytest

from rosenblatt.river.classifiers import Columns


def test_a_row_has_zeros_for_absent_features_and_leaves_unknown_ones_out():
    columns = Columns(["a", "b", "c"])
    np.testing.assert_array_equal(columns.row({"c": 3, "z": 9.0}), [[0, 0, 3]])
    np.testing.assert_array_equal(columns.row({"a": 1, "b": 2, "c": 3}), [[1, 2, 3]])
    np.testing.assert_array_equal(columns.row({"c": 3, "b": 2, "a": True}), [[1, 2, 3]])
    assert columns.row({}).shape == (1, 3)


def test_new_features_get_columns_behind_the_old_ones():
    columns = Columns(["a"])
    assert columns.joined({"b": 1, "a": 2}).names == ("a", "b")
    assert columns.joined(["a"]) is columns
    assert columns.names == ("a",)


@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame])
def test_tables_become_rows_by_name(table):
    rows = Columns(["a", "b"]).rows(table({"b": [1, 2], "z": [3, 4]}))
    np.testing.assert_array_equal(rows, [[0, 1], [0, 2]])


def test_what_is_not_a_number_is_named():
    columns = Columns(["a", "b"])
    with pytest.raises(ValueError, match="feature 'b' must be a number, got 'red'"):
        columns.row({"a": 1, "b": "red"})
    assert np.isnan(columns.row({"a": 1, "b": None})[0, 1])  # refused when learned
    table = pd.DataFrame({"a": [1, 2], "b": [1, "red"]})
    with pytest.raises(ValueError, match="feature 'b' must be a number, got 'red'"):
        columns.rows(table)
    with pytest.raises(ValueError, match="feature 'b' must be finite, got nan"):
        columns.check(np.array([[0.0, np.nan]]))
    with pytest.raises(
        ValueError, match="feature 'a' must be finite, got inf in row 1"
    ):
        columns.check(np.array([[0.0, 0.0], [np.inf, np.nan]]))
