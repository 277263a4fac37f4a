import gzip
import io
import re

import numpy as np
import pyarrow
import pytest

from rosenblatt.tables import Columns, Place, format_of, open_table
from rosenblatt.tables.batches import few_wholes
from tests.tables.examples import table, write

FILES = [
    "x.csv",
    "x.csv.gz",
    "x.tsv",
    "x.parquet",
    "x.arrow",
    "x.arrows",
    "x.feather",
]


def read(path, columns, rows=64, place=Place()):  # noqa: B008
    opened = open_table(str(path))
    return [opened.parse(p, columns) for p in opened.pieces(place, rows, columns.names)]


def joined(batches):
    texts = [b.texts[0].values[c] for b in batches for c in b.texts[0].codes]
    labels = [b.labels.values[c] for b in batches for c in b.labels.codes]
    return np.vstack([b.numbers for b in batches]), texts, labels


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("rows", [50, 64, 1000])
def test_all_formats_give_the_same_rows_in_batches_of_one_size(name, rows, tmp_path):
    given = table(300)
    path = write(given, tmp_path / name)
    batches = read(path, Columns(("b", "a"), ("side",), "won"), rows)
    assert [len(b) for b in batches[:-1]] == [rows] * (len(batches) - 1)
    numbers, texts, labels = joined(batches)
    assert np.array_equal(numbers, np.stack([given["b"], given["a"]], axis=1))
    assert texts == given["side"].tolist()
    assert labels == list(map(str, given["won"]))
    start = 2 if "sv" in name else 1
    lines = np.concatenate([b.lines() for b in batches])
    assert lines.tolist() == list(range(start, start + 300))


@pytest.mark.parametrize("name", [*FILES, "x.npy"])
def test_reading_goes_on_where_a_batch_ended(name, tmp_path):
    given = table(300)
    columns = Columns(("a", "b"), (), "won")
    if name == "x.npy":
        del given["side"]
        columns = Columns(("0", "1"), (), "2")
    path = write(given, tmp_path / name)
    every = read(path, columns)
    for i, batch in enumerate(every):
        rest = read(path, columns, place=batch.end)
        assert len(rest) == len(every) - i - 1
        for one, other in zip(rest, every[i + 1 :], strict=True):
            assert np.array_equal(one.numbers, other.numbers)
            assert np.array_equal(one.lines(), other.lines())


def test_numbers_keep_single_precision_if_they_have_it(tmp_path):
    x = np.random.default_rng(0).standard_normal((10, 2)).astype(np.float32)
    given = {"a": x[:, 0], "b": x[:, 1], "won": np.arange(10) % 2}
    (batch,) = read(
        write(given, tmp_path / "x.parquet"), Columns(("a", "b"), (), "won")
    )
    assert batch.numbers.dtype == np.float32
    assert batch.numbers.flags.c_contiguous
    assert np.array_equal(batch.numbers, x)
    np.save(tmp_path / "x.npy", x)
    (batch,) = read(tmp_path / "x.npy", Columns(("1",), (), "0"))
    assert batch.numbers.dtype == np.float32
    assert np.array_equal(batch.numbers[:, 0], x[:, 1])


def test_types_of_arrow_become_numbers_and_text(tmp_path):
    given = {
        "small": pyarrow.array([1, None, 3], pyarrow.int8()),
        "flag": pyarrow.array([True, False, None]),
        "dict": pyarrow.array(["u", "v", None]).dictionary_encode(),
        "money": pyarrow.array([1, 2, 3]).cast(pyarrow.decimal128(24, 2)),
        "won": pyarrow.array([1.0, 0.0, 1.0]),
    }
    path = write(given, tmp_path / "x.parquet")
    kinds = dict(open_table(str(path)).columns)
    assert kinds == {
        "small": "number",
        "flag": "number",
        "dict": "text",
        "money": "number",
        "won": "number",
    }
    (batch,) = read(path, Columns(("small", "flag", "money"), ("dict",), "won"))
    wanted = [[1, 1, 1], [np.nan, 0, 2], [3, np.nan, 3]]
    assert np.array_equal(batch.numbers, wanted, equal_nan=True)
    assert {j: w.tolist() for j, w in batch.missing.items()} == {0: [1], 1: [2]}
    assert batch.texts[0].codes[2] == -1
    assert set(batch.labels.values) == {"0", "1"}


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
    assert batch.lines().tolist() == [2, 4, 5]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("1 a:1", (2, "not index:value", None, "'a:1'")),
        ("1 2:x", (2, "not a number", "2", "'x'")),
        ("1 2:1 2:2", (2, "not index:value", "2", "indices must increase")),
        ("1 9:1", (2, "not index:value", "9", "an index above 3")),
    ],
)
def test_wrong_rows_of_svmlight_are_named(line, wrong, tmp_path):
    path = tmp_path / "x.svm"
    path.write_text(f"1 1:1\n{line}\n0 3:1\n")
    opened = open_table(str(path), features=4)
    (piece,) = opened.pieces(Place(), 10)
    batch = opened.parse(piece, Columns((), (), "y"))
    assert [(b.line, b.kind, b.column, b.value) for b in batch.bad] == [wrong]
    assert batch.lines().tolist() == [1, 3]


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


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", b"", "x.csv cannot be read: it is empty"),
        ("x.csv", b"a,b,a\n", "more than one column 'a'"),
        ("x.csv", "a,b\n".encode("utf-16"), "x.csv must be text in UTF-8"),
        ("x.csv", gzip.compress(b"a,b\n", mtime=0), "x.csv must be text in UTF-8"),
        ("x.parquet", b"no parquet", "x.parquet cannot be read: "),
        ("x.arrow", b"no arrow", "x.arrow cannot be read: "),
        ("x.npy", b"no array", "x.npy cannot be read: "),
    ],
)
def test_files_that_cannot_be_read_are_named(name, content, message, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        open_table(str(path))
    assert len(str(caught.value).splitlines()) == 1


def test_packed_files_that_are_cut_off_or_not_packed_are_named(tmp_path):
    given = write(table(3000), tmp_path / "x.csv.gz")
    content = given.read_bytes()
    for broken in (content[:-2000], content[:9000] + bytes(50) + content[9050:]):
        given.write_bytes(broken)
        with pytest.raises(ValueError, match=r"x\.csv\.gz cannot be read: "):
            read(given, Columns(("a",), (), "won"))
    given.write_bytes(b"a,won\n1,0\n")
    with pytest.raises(ValueError, match=r"x\.csv\.gz cannot be read: Not a gzipped"):
        open_table(str(given))


def test_arrays_that_are_no_tables_are_refused(tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(3))
    with pytest.raises(
        ValueError, match=r"two dimensions, got float64 of shape \(3,\)"
    ):
        open_table(str(tmp_path / "x.npy"))
    np.save(tmp_path / "y.npy", np.array([{}]), allow_pickle=True)
    with pytest.raises(ValueError, match=r"y.npy cannot be read"):
        open_table(str(tmp_path / "y.npy"))


def test_unknown_formats_and_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"must end in one of \.csv, \.csv\.gz"):
        format_of("x.doc")
    with pytest.raises(ValueError, match=r"there is no file 'x\.csv'"):
        open_table("x.csv")
    (tmp_path / "x").write_text("a\n1\n")
    with pytest.raises(ValueError, match="format must be one of csv, tsv"):
        open_table(str(tmp_path / "x"), "xml")
    assert open_table(str(tmp_path / "x"), "csv").columns[0].name == "a"
    for kind in ("parquet", "npy"):
        with pytest.raises(ValueError, match="not a stream"):
            open_table("-", kind)


def test_whole_numbers_are_text_whatever_their_type():
    for given, wanted in (
        (np.array([-128, 127, -128], np.int8), ["-128", "127", "-128"]),
        (np.array([0, 255], np.uint8), ["0", "255"]),
        (np.array([2**31, 2**31 - 5]), [str(2**31), str(2**31 - 5)]),
        (np.array([-3.0, 4.0, -0.0]), ["-3", "4", "0"]),
        (np.array([2**24, 2**24 - 1], np.float32), [str(2**24), str(2**24 - 1)]),
    ):
        found = few_wholes(given)
        assert [found.values[c] for c in found.codes] == wanted
        assert len(set(found.values)) == len(found.values)
    for given in (
        np.array([0.5, 1.0]),
        np.array([np.nan, 1.0]),
        np.array([np.inf, 1.0]),
        np.array([-(2**63), 5]),
        np.array([2**63 + 1, 5], np.uint64),
        np.array([0, 10**6]),
        np.array([True, False]),
        np.array([], np.int64),
    ):
        assert few_wholes(given) is None
