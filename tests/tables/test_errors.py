"""Damaged and hostile files: one line that names the file, soon, and no crash."""

import gzip
import io
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.ipc
import pytest

from rosenblatt.tables import BadRowError, Columns, Place, open_table
from rosenblatt.tables.arrow import files as columnar
from rosenblatt.tables.batches import Bad
from rosenblatt.tables.text import records
from tests.tables.examples import table, write

SOON = 30.0  # seconds, also on a busy machine; some took all memory before
# pyarrow ends the process if it is asked for the metadata of its columns.
CONTRADICTING = Path(__file__).with_name("contradicting.parquet")


def read(path, target="won"):
    """Read all that there is in a file."""
    opened = open_table(str(path))
    columns = Columns((), (), target)
    return [
        (opened.labels(piece, columns), opened.parse(piece, columns))
        for piece in opened.pieces(Place(), 100)
    ]


def refused(path):
    """Return what is said of a file: one line, which begins with its name."""
    began = time.monotonic()
    with pytest.raises(ValueError, match=r".") as caught:
        read(path)
    assert time.monotonic() - began < SOON
    said = str(caught.value)
    assert "\n" not in said
    assert said.startswith(str(path))
    return said.removeprefix(str(path))


@pytest.mark.parametrize(
    "name", ["x.csv.gz", "x.tsv.gz", "x.parquet", "x.arrow", "x.arrows", "x.feather"]
)
def test_truncated_files_are_refused(name, tmp_path):
    path = write(table(300), tmp_path / name)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    assert "cannot be read: " in refused(path)


def test_a_truncated_array_is_refused(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.zeros((100, 3)))
    path.write_bytes(path.read_bytes()[:1000])
    assert "cannot be read: " in refused(path)


@pytest.mark.parametrize("ending", ["parquet", "arrow", "npy", "csv.gz", "svm.gz"])
@pytest.mark.parametrize("content", [b"", b"nonsense" * 20, bytes(200)])
def test_other_files_are_refused(ending, content, tmp_path):
    path = tmp_path / f"x.{ending}"
    path.write_bytes(content)
    if (ending, content) == ("svm.gz", b""):  # an empty file of compressed text
        assert read(path) == []
    else:
        refused(path)


@pytest.mark.parametrize(
    "header", ["{'descr': '<f8', (", "{'descr': '<f8'", "\0\0", "[" * 60]
)
def test_a_damaged_header_of_an_array_is_refused(header, tmp_path):
    path = tmp_path / "x.npy"
    content = header.encode().ljust(117) + b"\n"
    path.write_bytes(
        b"\x93NUMPY\x01\x00" + len(content).to_bytes(2, "little") + content
    )
    assert "cannot be read: " in refused(path)


def test_parquet_at_which_pyarrow_would_end_the_process_is_refused_or_read():
    code = "import pyarrow.parquet\nfrom tests.tables.test_errors import *\n"
    code += "file = pyarrow.parquet.ParquetFile(CONTRADICTING)\n"
    code += "[file.metadata.row_group(0).column(j) for j in range(6)]"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert done.returncode < 0, "this version of pyarrow does not: take the test out"
    code = "from tests.tables.test_errors import *\n"
    code += "print('refused' if refused(CONTRADICTING) else '')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "refused\n"


ARROW = """
import sys
import numpy as np
from rosenblatt.tables import Columns, Place, check_columns, open_table
from tests.tables.arrow.test_files import changed

path, refused = sys.argv[1], 0
content = open(path, "rb").read()
columns = Columns(("a", "b"), ("side",), "won")
for broken in changed(content, 400, seed=int(sys.argv[2])):
    open(path, "wb").write(broken)
    try:
        opened = open_table(path)
        check_columns(opened, columns.names)
        for piece in opened.pieces(Place(), 50, columns.names, columns.numbers):
            opened.parse(piece, columns).numbers.sum()
    except ValueError as failure:
        assert str(failure).startswith(path) and "\\n" not in str(failure), failure
        refused += 1
assert refused > 50, refused
"""


@pytest.mark.parametrize("name", ["x.arrow", "x.arrows", "x.feather"])
def test_damaged_arrow_files_end_no_process(name, tmp_path):
    columns = table(100)
    columns["side"] = pyarrow.array(columns["side"]).dictionary_encode()
    path = write(columns, tmp_path / name)
    code = [sys.executable, "-W", "ignore", "-c", ARROW, str(path), "0"]
    done = subprocess.run(code, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_indices_beyond_a_dictionary_are_refused(tmp_path):
    indices = pyarrow.array([0, 1, 10**6] * 50, pyarrow.int32())
    words = pyarrow.DictionaryArray.from_arrays(indices, ["a", "b"], safe=False)
    path = write({"won": words}, tmp_path / "x.arrow")
    assert "cannot be read: In column 0" in refused(path)


def test_a_stream_that_declares_too_much_is_refused(tmp_path, monkeypatch):
    out = io.BytesIO()
    given = pyarrow.table({"won": [0] * 1000})
    with pyarrow.ipc.new_stream(out, given.schema) as file:
        file.write_table(given)
    monkeypatch.setattr(columnar, "open_bytes", lambda *_: io.BytesIO(out.getvalue()))
    opened = open_table("-", "arrow")
    assert sum(part.batch.num_rows for part in opened.pieces(Place(), 300)) == 1000
    monkeypatch.setattr(columnar, "LARGEST", 7999)
    opened = open_table("-", "arrow")
    with pytest.raises(
        ValueError, match=r"standard input cannot be read: .* 7999 bytes"
    ):
        list(opened.pieces(Place(), 300))


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
    assert len(read(path)) == 5
    monkeypatch.setattr(records, "LARGEST", 90_000)
    monkeypatch.setattr(records, "_PORTION", 1000)
    assert "100 rows must not have more than 90000 bytes" in refused(path)


def test_names_of_many_columns_are_compared_soon(tmp_path):
    path = tmp_path / "x.csv"
    names = [*map(str, range(200_000)), "7"]
    path.write_text(",".join(names) + "\n")
    assert refused(path) == ", line 1: two columns are '7'"


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf", b"\n\r\n", b"\xef\xbb\xbf\n"])
def test_a_file_of_nothing_is_empty(content, tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(content)
    assert refused(path) == " is empty"


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
    ((labels, rows),) = read(path)
    assert labels == ["0", "1"]
    assert [bad.line for bad in rows.bad] == [3, 5]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("index", ["99999999999", "2147483646", "9" * 5000])
def test_an_index_that_is_no_column_is_a_bad_row(index, tmp_path):
    path = tmp_path / "x.svm"
    path.write_text(f"1 0:1\n0 3:1 {index}:1\n")
    began = time.monotonic()
    ((_, rows),) = read(path)
    assert time.monotonic() - began < SOON
    assert [bad.line for bad in rows.bad] == [2]


def test_features_have_a_limit(tmp_path):
    path = tmp_path / "x.svm"
    path.write_text("1 0:1\n")
    with pytest.raises(ValueError, match="features must be at most 16777216, got 2147"):
        open_table(str(path), features=2**31)


def test_long_values_are_cut_in_messages():
    said = str(BadRowError("x.csv", "line", Bad(3, "not a number", "a", "9" * 10**6)))
    assert len(said) < 300
