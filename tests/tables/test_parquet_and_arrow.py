import subprocess
import sys

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import rosenblatt as rb
from rosenblatt.tables.reading import Columns, open_table
from tests.tables.examples import table, write
from tests.tables.reading import refused

ROWS = 5000
random = np.random.default_rng(0)
GIVEN = {
    "single": random.standard_normal(ROWS, dtype=np.float32),
    "double": random.standard_normal(ROWS),
    "few": random.integers(0, 9, ROWS) / 4,
    "one": np.full(ROWS, 2.5),
    "runs": np.repeat(random.standard_normal(ROWS // 50), 50),
    "tiny": random.integers(-128, 128, ROWS).astype(np.int8),
    "short": random.integers(0, 2**16, ROWS).astype(np.uint16),
    "half": random.integers(-(2**31), 2**31, ROWS).astype(np.int32),
    "long": random.integers(-(2**63), 2**63 - 1, ROWS),
    "y": random.integers(0, 2, ROWS),
}
NAMES = tuple(name for name in GIVEN if name != "y")
COLUMNS = Columns(NAMES, (), "y")
WRITTEN = {
    "default": {},
    "plain": {"use_dictionary": False, "compression": "none"},
    "packed": {"use_dictionary": False},
    "dictionary": {"compression": "none"},
    "small pages": {"data_page_size": 512, "write_batch_size": 64},
    "small dictionary": {"dictionary_pagesize_limit": 1000, "data_page_size": 2000},
    "second version": {"data_page_version": "2.0", "data_page_size": 3000},
    "old": {"version": "1.0", "store_schema": False},
}


def read(path, columns=COLUMNS, rows=700, first=0):
    opened = open_table(str(path))
    return [
        opened.parse(piece, columns)
        for piece in opened.pieces(first, rows, columns.names)
    ]


def numbers(path, **more):
    return np.vstack([rows.numbers for rows in read(path, **more)])


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("group", [ROWS, 1300])
def test_all_numbers_are_those_that_were_written(written, group, tmp_path):
    path = tmp_path / "x.parquet"
    table = pyarrow.table(GIVEN)
    pyarrow.parquet.write_table(table, path, row_group_size=group, **WRITTEN[written])
    wanted = np.column_stack([GIVEN[name].astype(float) for name in NAMES])
    np.testing.assert_array_equal(numbers(path), wanted)
    for first in (1, 699, 1300, 4999):
        np.testing.assert_array_equal(numbers(path, first=first), wanted[first:])
    batches = read(path)
    assert all(rows.finite for rows in batches)
    labels = [rows.labels.values[c] for rows in batches for c in rows.labels.codes]
    assert labels == list(map(str, GIVEN["y"]))


def test_columns_that_must_be_there_are_read_too(tmp_path):
    fields = [pyarrow.field(n, pyarrow.array(v).type, False) for n, v in GIVEN.items()]
    table = pyarrow.table(GIVEN, pyarrow.schema(fields))
    path = tmp_path / "x.parquet"
    pyarrow.parquet.write_table(table, path)
    wanted = np.column_stack([GIVEN[name].astype(float) for name in NAMES])
    np.testing.assert_array_equal(numbers(path), wanted)


def test_single_precision_stays_single(tmp_path):
    path = tmp_path / "x.parquet"
    pyarrow.parquet.write_table(pyarrow.table(GIVEN), path)
    (rows,) = read(path, Columns(("tiny", "single"), (), None), ROWS)
    assert rows.numbers.dtype == np.float32
    np.testing.assert_array_equal(rows.numbers[:, 1], GIVEN["single"])
    np.testing.assert_array_equal(rows.numbers[:, 0], GIVEN["tiny"])


def test_any_encoding_and_compression_is_read(tmp_path):
    gaps = pyarrow.array(GIVEN["double"], mask=np.arange(ROWS) == 4321)
    given = GIVEN | {"gaps": gaps, "flag": GIVEN["y"] == 1, "word": GIVEN["y"] == 0}
    given["word"] = np.where(given["word"], "no", "yes")
    path = tmp_path / "x.parquet"
    pyarrow.parquet.write_table(
        pyarrow.table(given),
        path,
        compression={"one": "zstd", **dict.fromkeys(set(given) - {"one"}, "snappy")},
        use_dictionary=False,
        column_encoding={"few": "BYTE_STREAM_SPLIT", "long": "DELTA_BINARY_PACKED"},
        row_group_size=2000,
    )
    columns = Columns(("gaps", *NAMES, "flag"), ("word",), "y")
    batches = read(path, columns)
    found = np.vstack([rows.numbers for rows in batches])
    wanted = np.column_stack([GIVEN[name].astype(float) for name in NAMES])
    np.testing.assert_array_equal(found[:, 1:-1], wanted)
    np.testing.assert_array_equal(found[:, -1], GIVEN["y"])
    assert np.flatnonzero(np.isnan(found[:, 0])).tolist() == [4321]
    assert [list(rows.missing) for rows in batches] == [[]] * 6 + [[0], []]


def test_what_is_not_finite_is_found(tmp_path):
    given = {"a": GIVEN["double"].copy(), "y": GIVEN["y"]}
    given["a"][3210] = np.inf
    path = tmp_path / "x.parquet"
    pyarrow.parquet.write_table(pyarrow.table(given), path)
    with pytest.raises(ValueError, match=r"x.parquet, row 3211, column 'a': infinite"):
        rb.train(path, "y", batch_rows=100)


def changed(content, count, seed=0):
    """Return copies of a file with one byte changed in each."""
    chance = np.random.default_rng(seed)
    for _ in range(count):
        broken = bytearray(content)
        place = int(chance.integers(len(content)))
        broken[place] ^= int(chance.integers(1, 256))
        yield bytes(broken)


def test_parquet_that_pyarrow_refuses_is_refused(tmp_path):
    names = ("single", "few", "long")
    columns = Columns(names, (), None)
    table = pyarrow.table({name: GIVEN[name][:400] for name in names})
    path = tmp_path / "x.parquet"
    pyarrow.parquet.write_table(table, path, data_page_size=700, write_batch_size=50)
    refused = 0
    for broken in changed(path.read_bytes(), 300):
        path.write_bytes(broken)
        try:
            theirs = pyarrow.parquet.read_table(path)
        except (OSError, ValueError, pyarrow.ArrowException):
            theirs = None
        try:
            ours = numbers(path, columns=columns)
        except ValueError as failure:
            assert str(path) in str(failure)  # noqa: PT017
            refused += 1
            continue
        assert theirs is not None
        wanted = [theirs[name].to_numpy().astype(float) for name in names]
        np.testing.assert_array_equal(ours, np.column_stack(wanted))
    assert refused > 30


ARROW = """
import sys
import numpy as np
from rosenblatt.tables.reading import Columns, check_columns, open_table
from tests.tables.test_parquet_and_arrow import changed

path, refused = sys.argv[1], 0
content = open(path, "rb").read()
columns = Columns(("a", "b"), ("side",), "won")
for broken in changed(content, 400, seed=int(sys.argv[2])):
    open(path, "wb").write(broken)
    try:
        opened = open_table(path)
        check_columns(opened, columns.names)
        for piece in opened.pieces(0, 50, columns.names):
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
