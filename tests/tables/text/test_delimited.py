import io

import numpy as np
import pytest

from rosenblatt.tables import Columns, Place, open_table
from tests.tables.examples import table, write
from tests.tables.reading import read, read_labels, refused


def test_wrong_rows_of_csv_are_named_also_after_quoted_newlines(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(
        b'a,"b\nc",won\n1,"x\ny",0\n\nfour,z,1\n5,z\n6,z,1,7\n'
        b"7,\xff,1\n+8,z, 1\n 9 ,,\n"
    )
    opened = open_table(str(path))
    assert [c.name for c in opened.columns] == ["a", "b\nc", "won"]
    for rows in (1, 2, 3, 100):
        batches = read(path, Columns(("a",), ("b\nc",), "won"), rows)
        bad = [(b.line, b.kind, b.column, b.value) for x in batches for b in x.bad]
        assert bad == [
            (6, "not a number", "a", "'four'"),
            (7, "wrong number of fields", None, "2, not 3"),
            (8, "wrong number of fields", None, "4, not 3"),
            (9, "not UTF-8", None, None),
        ]
        kept = np.concatenate([x.numbers for x in batches]).ravel()
        assert kept.tolist() == [1, 8, 9]
        lines = [line for x in batches for line in x.lines().tolist()]
        assert lines == [3, 10, 11]


def test_fast_and_slow_reading_of_csv_agree(tmp_path):
    given = table(200)
    given["side"][::7] = ""
    path = write(given, tmp_path / "x.csv")
    opened = open_table(str(path))
    columns = Columns(("a", "b"), ("side",), "won", ("middle",))
    (piece,) = opened.pieces(Place(), 1000)
    fast, slow = opened.parse(piece, columns), opened._one_by_one(piece, columns)
    assert np.array_equal(fast.numbers, slow.numbers)
    assert np.array_equal(fast.lines(), slow.lines())
    for one, other in ((fast.texts[0], slow.texts[0]), (fast.labels, slow.labels)):
        values = [[*t.values, None] for t in (one, other)]
        assert [values[0][c] for c in one.codes] == [values[1][c] for c in other.codes]
    assert (fast.texts[0].codes < 0).sum() == sum(
        s in ("", "middle") for s in given["side"]
    )


def test_columns_are_numbers_if_most_entries_are(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("n,t,e,m\n1,1,,NA\n2,x,,2\nx,y,,3\n")
    opened = open_table(str(path))
    (piece,) = opened.pieces(Place(), 10)
    kinds = dict(opened.kinds(piece, ["NA"]))
    assert kinds == {"n": "number", "t": "text", "e": "number", "m": "number"}


def test_standard_input_is_csv_and_can_have_no_names(monkeypatch):
    class Input:
        buffer = io.BufferedReader(io.BytesIO(b"1,a\n2,b\n3,c\n"))

    monkeypatch.setattr("sys.stdin", Input)
    opened = open_table("-", header=False)
    columns = Columns(("0",), ("1",), None)
    batches = [opened.parse(p, columns) for p in opened.pieces(Place(), 2)]
    assert [b.numbers.ravel().tolist() for b in batches] == [[1, 2], [3]]


def test_names_of_many_columns_are_compared_soon(tmp_path):
    path = tmp_path / "x.csv"
    names = [*map(str, range(60_000)), "7"]
    path.write_text(",".join(names) + "\n")
    assert refused(path) == ", line 1: more than one column '7'"


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf", b"\n\r\n", b"\xef\xbb\xbf\n"])
def test_a_file_of_nothing_is_empty(content, tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(content)
    assert refused(path) == " cannot be read: it is empty"


def test_a_field_that_is_too_long_is_a_bad_row(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,won\n1,0\n" + "x" * 200_000 + ",1\nx,0,0\n")
    opened = open_table(str(path))
    (piece,) = opened.pieces(Place(), 100)
    bad = opened.parse(piece, Columns(("a",), (), "won")).bad
    assert [(each.line, each.kind) for each in bad] == [
        (3, "wrong number of fields"),
        (4, "wrong number of fields"),
    ]


def test_rows_in_another_encoding_print_nothing(tmp_path, capfd):
    path = tmp_path / "x.csv"
    path.write_bytes(b"a,won\n1,0\n\xff\n2,1\n3,\xff\n")
    ((labels, rows),) = read_labels(path)
    assert labels == ["0", "1"]
    assert [bad.line for bad in rows.bad] == [3, 5]
    assert capfd.readouterr() == ("", "")


def test_columns_of_bad_rows_only_are_numbers(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("a,b\n1\n2,3,4\n")
    opened = open_table(str(path))
    (piece,) = opened.pieces(Place(), 10)
    assert [(column.name, column.kind) for column in opened.kinds(piece)] == [
        ("a", "number"),
        ("b", "number"),
    ]
