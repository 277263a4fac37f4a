import gzip
import io

import numpy as np
import pytest

from rosenblatt.tables import reading
from rosenblatt.tables.reading import Columns, open_table
from tests.tables.reading import end, read, read_labels, refused


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
        assert sorted(bad) == [
            (3, "not a number", "a", "'four'"),
            (4, "wrong number of fields", None, "2, not 3"),
            (5, "wrong number of fields", None, "4, not 3"),
            (6, "not UTF-8", "b\nc", "'\xff'"),
        ]
        kept = np.concatenate([x.numbers for x in batches]).ravel()
        assert kept.tolist() == [1, 8, 9]
        lines = [line for x in batches for line in x.lines.tolist()]
        assert lines == [2, 7, 8]


def test_columns_are_numbers_if_most_entries_are(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("n,t,e,m\n1,1,,NA\n2,x,,2\nx,y,,3\n")
    opened = open_table(str(path))
    (piece,) = opened.pieces(0, 10)
    kinds = dict(opened.kinds(piece, ["NA"]))
    assert kinds == {"n": "number", "t": "text", "e": "number", "m": "number"}


def test_standard_input_is_csv_and_can_have_no_names(monkeypatch):
    class Input:
        buffer = io.BufferedReader(io.BytesIO(b"1,a\n2,b\n3,c\n"))

    monkeypatch.setattr("sys.stdin", Input)
    opened = open_table("-", header=False)
    columns = Columns(("0",), ("1",), None)
    batches = [opened.parse(p, columns) for p in opened.pieces(0, 2)]
    assert [b.numbers.ravel().tolist() for b in batches] == [[1, 2], [3]]


def test_names_of_many_columns_are_compared_soon(tmp_path):
    path = tmp_path / "x.csv"
    names = [*map(str, range(60_000)), "7"]
    path.write_text(",".join(names) + "\n")
    assert refused(path) == ": more than one column '7'"


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf", b"\n\r\n", b"\xef\xbb\xbf\n"])
def test_a_file_of_nothing_is_empty(content, tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(content)
    assert refused(path) == " cannot be read: it is empty"


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
    (piece,) = opened.pieces(0, 10)
    assert [(column.name, column.kind) for column in opened.kinds(piece)] == [
        ("a", "number"),
        ("b", "number"),
    ]


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
@pytest.mark.parametrize("rows", [2, 10_000_000])
def test_a_quotation_mark_that_is_never_closed_is_refused(ending, rows, tmp_path):
    path = tmp_path / f"x.{ending}"
    content = b'a,won\n0,"1"\n2,"1' + b"\n2,0" * rows
    path.write_bytes(gzip.compress(content, 1) if "gz" in ending else content)
    assert "quotation mark" in refused(path)


def test_a_first_row_without_end_is_refused_soon(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(b'"a,b\n' + b"1,2\n" * 3_000_000)
    assert "a quotation mark may be missing" in refused(path)


def test_a_newline_in_the_first_field_may_follow_a_byte_order_mark(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(b'\xef\xbb\xbf"a\nb",c\n1,2\n')
    assert [column.name for column in open_table(str(path)).columns] == ["a\nb", "c"]


def test_rows_and_bad_rows_are_the_same_wherever_blocks_are_cut(tmp_path, monkeypatch):
    random = np.random.default_rng(0)
    good = ["1,2,0", '3,"4",1', '" 5",6,"0"', "NA,7,1"]
    odd = ["", "1,2", "1,2,3,4", "x,1,0", "1,2,\xff", '1,"2\n3",0']
    path = tmp_path / "x.csv"
    chosen = random.choice([*good * 4, *odd], 3000).tolist()
    path.write_bytes("\n".join(["a,b,won", *chosen, ""]).encode("latin-1"))
    columns = Columns(("a", "b"), (), "won", missing=("NA",))

    def described(batch):
        bad = sorted((one.line, one.kind) for one in batch.bad)
        return batch.lines.tolist(), batch.numbers.tobytes(), bad

    wanted = list(map(described, read(path, columns)))
    kinds = [kind for *_, bad in wanted for _, kind in bad]
    assert {"not UTF-8", "not a number", "wrong number of fields"} == set(kinds)
    for size in (200, 1000, 5000):
        monkeypatch.setattr(reading, "LONGEST", size)
        batches = read(path, columns)
        assert list(map(described, batches)) == wanted
        for i in range(0, len(batches), 7):
            rest = read(path, columns, after=end(batches[i]))
            assert list(map(described, rest)) == wanted[i + 1 :]
