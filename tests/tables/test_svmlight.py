import time

import pytest

from rosenblatt.tables.reading import Columns, open_table
from tests.tables.reading import SOON, read, read_labels


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("1 2:1\n1 7:0\n1 3:1", 8),
        ("1 2:1\n0 9:x\n1 5:1", 6),
        ("1", 1),
    ],
)
def test_without_a_width_the_largest_index_is_looked_for(text, width, tmp_path):
    path = tmp_path / "x.svm"
    path.write_text(text)
    assert open_table(str(path)).width == width


def test_svmlight_is_sparse_and_its_labels_are_numbers_as_others_write_them(tmp_path):
    path = tmp_path / "x.svm"
    path.write_text("# a comment\n+1 1:0.5 3:2 # more\n\n-1 qid:3 2:1e3\n1.0 3:0\n")
    (batch,) = read(path, Columns((), (), "y"))
    assert batch.numbers.toarray().tolist() == [
        [0, 0.5, 0, 2],
        [0, 0, 1000, 0],
        [0] * 4,
    ]
    assert [batch.labels.values[c] for c in batch.labels.codes] == ["1", "-1", "1"]
    assert batch.lines.tolist() == [2, 4, 5]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("1 a:1", "invalid literal for int"),
        ("1 2:x", "could not convert string to float"),
        ("1 2:1 2:2", "should be sorted and unique"),
        ("1 9:1", "n_features was set to 4, but input file contains 10"),
        ("yes 2:1", "could not convert string to float"),
    ],
)
def test_wrong_rows_of_svmlight_are_named(line, wrong, tmp_path):
    path = tmp_path / "x.svm"
    path.write_text(f"1 1:1\n{line}\n0 3:1\n")
    opened = open_table(str(path), features=4)
    (piece,) = opened.pieces(0, 10)
    batch = opened.parse(piece, Columns((), (), "y"))
    assert [(b.line, b.kind) for b in batch.bad] == [(2, "not index:value")]
    assert wrong in batch.bad[0].value
    assert batch.lines.tolist() == [1, 3]


@pytest.mark.parametrize("index", ["99999999999", "2147483646", "9" * 5000])
def test_an_index_that_is_no_column_is_a_bad_row(index, tmp_path):
    path = tmp_path / "x.svm"
    path.write_text(f"1 0:1\n0 3:1 {index}:1\n")
    began = time.monotonic()
    ((_, rows),) = read_labels(path)
    assert time.monotonic() - began < SOON
    assert [bad.line for bad in rows.bad] == [2]


def test_features_have_a_limit(tmp_path):
    path = tmp_path / "x.svm"
    path.write_text("1 0:1\n")
    with pytest.raises(ValueError, match="features must be at most 16777216, got 2147"):
        open_table(str(path), features=2**31)
