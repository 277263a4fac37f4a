import csv
import gzip
import io

import numpy as np
import pytest

from rosenblatt.tables import Place, open_table
from rosenblatt.tables.text import records
from rosenblatt.tables.text.records import pieces
from tests.tables.reading import read_labels, refused


def cut(text, rows, portion=None, monkeypatch=None, delimiter=","):
    stream = io.BytesIO(text.encode())
    return list(pieces(stream, rows, Place(), delimiter=delimiter, name="x"))


def naive(text):
    """Records and their lines, by the csv module's own idea of a record."""
    found, lines = [], []
    reader = csv.reader(io.StringIO(text, newline=""))
    before = 0
    for record in reader:
        found.append(record)
        lines.append(before + 1)
        before = reader.line_num
    return found, lines


@pytest.mark.parametrize("portion", [1, 3, 7, 2**20])
@pytest.mark.parametrize("rows", [1, 2, 5, 100])
def test_records_and_lines_are_those_of_the_csv_module(rows, portion, monkeypatch):
    monkeypatch.setattr(records, "_PORTION", portion)
    random = np.random.default_rng(0)
    fields = ["1", "", "a b", '"x"', '"x,y"', '"x\ny"', '"x\r\n""y"",\n"', 'a"b', "-2"]
    for _ in range(20):
        lines = [
            ",".join(random.choice(fields, size=3))
            for _ in range(random.integers(1, 12))
        ]
        end = random.choice(["\n", "\r\n"])
        text = end.join(lines) + (end if random.random() < 0.5 else "")
        wanted, where = naive(text)
        found = cut(text, rows)
        parsed = [
            next(csv.reader(io.StringIO(record.decode(), newline="")), [])
            for piece in found
            for record in piece.records
        ]
        assert parsed == wanted
        assert [line for piece in found for line in piece.lines] == where
        assert all(len(piece.ends) == rows for piece in found[:-1])
        assert b"".join(piece.data for piece in found) == text.encode()


def test_reading_can_go_on_from_the_end_of_any_piece(tmp_path):
    text = 'a,"1\n2"\nb,3\nc,4\nd,"5"\n' * 10
    for name, pack in (("x.csv", bytes), ("x.csv.gz", gzip.compress)):
        path = tmp_path / name
        path.write_bytes(pack(text.encode()))

        def read(place, path=path):
            with records.open_bytes(str(path), place) as stream:
                return list(pieces(stream, 3, place, delimiter=",", name="x"))

        every = read(Place())
        for i, piece in enumerate(every):
            again = read(piece.end)
            assert [p.data for p in again] == [p.data for p in every[i + 1 :]]
            assert [p.lines.tolist() for p in again] == [
                p.lines.tolist() for p in every[i + 1 :]
            ]


def test_a_quotation_mark_that_is_not_closed_is_found_before_memory_is_full(
    monkeypatch,
):
    monkeypatch.setattr(records, "LONGEST", 100)
    monkeypatch.setattr(records, "_PORTION", 64)
    with pytest.raises(ValueError, match="x, line 3: a row must not be longer than"):
        cut('a,1\nb,2\n"c,3\n' + "d,4\n" * 100, 2)


def test_a_first_row_without_end_is_refused_soon(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(b'"a,b\n' + b"1,2\n" * 300_000)
    assert "a quotation mark may be missing" in refused(path)


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
def test_a_row_without_end_is_refused_soon(ending, tmp_path):
    path = tmp_path / f"x.{ending}"
    content = b'won\n0\n"1' + b"\n2" * 10_000_000
    path.write_bytes(gzip.compress(content, 1) if "gz" in ending else content)
    assert ", line 3: a row must not be longer than 16777216 bytes" in refused(path)


def test_rows_that_are_too_large_together_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "x.csv.gz"
    path.write_bytes(gzip.compress(b"won\n" + (b"0" * 999 + b"\n") * 500))
    assert len(read_labels(path)) == 5
    monkeypatch.setattr(records, "LARGEST", 90_000)
    monkeypatch.setattr(records, "_PORTION", 1000)
    assert "100 rows must not have more than 90000 bytes" in refused(path)


def test_lines_without_newlines_in_quotes_are_cut_as_by_the_search(monkeypatch):
    random = np.random.default_rng(0)
    letters = np.frombuffer(b'",\n\ra', np.uint8)
    texts = [
        random.choice(letters, random.integers(17), p=[0.2, 0.3, 0.1, 0.1, 0.3])
        for _ in range(3000)
    ]
    splitter = records._Splitter(",")
    fast = [splitter.ends(text.tobytes()).tolist() for text in texts]
    sure = [
        splitter._within_lines(text, np.flatnonzero(text == ord("\n")))
        for text in texts
        if ord('"') in text
    ]
    assert 300 < sum(sure) < len(sure) - 300  # both ways are taken
    monkeypatch.setattr(splitter, "_within_lines", lambda *given: False)
    assert fast == [splitter.ends(text.tobytes()).tolist() for text in texts]


def test_a_newline_in_the_first_field_may_follow_a_byte_order_mark(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(b'\xef\xbb\xbf"a\nb",c\n1,2\n')
    assert [column.name for column in open_table(str(path)).columns] == ["a\nb", "c"]


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_quotation_mark_that_swallows_all_later_lines_is_an_error(end):
    text = 'a,1\n"b\nc",2\nd,"3\ne,4\nf,5' + end
    stream = io.BytesIO(text.encode())
    found = pieces(stream, 10, Place(), delimiter=",", name="x")
    assert next(found).records == [b"a,1", b'"b\nc",2']  # before it
    with pytest.raises(ValueError, match=r"^x, line 4: a quotation mark opens here"):
        next(found)
    assert cut('a,1\nb,"2', 10)[0].records == [b"a,1", b'b,"2']  # one bad row only
