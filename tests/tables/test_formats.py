import gzip
import re

import numpy as np
import pytest

from rosenblatt.tables.reading import (
    Column,
    Columns,
    check_columns,
    choose,
    format_of,
    open_table,
)
from tests.tables.examples import table, write
from tests.tables.reading import end, read

FILES = [
    "x.csv",
    "x.csv.gz",
    "x.tsv",
    "x.parquet",
    "x.arrow",
    "x.arrows",
    "x.feather",
]


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
    assert [b.size for b in batches[:-1]] == [rows] * (len(batches) - 1)
    numbers, texts, labels = joined(batches)
    assert np.array_equal(numbers, np.stack([given["b"], given["a"]], axis=1))
    assert texts == given["side"].tolist()
    assert labels == list(map(str, given["won"]))
    start = 2 if "sv" in name else 1
    lines = np.concatenate([b.lines for b in batches])
    assert lines.tolist() == list(range(start, start + 300))


@pytest.mark.parametrize("name", FILES)
def test_reading_goes_on_where_a_batch_ended(name, tmp_path):
    given = table(300)
    columns = Columns(("a", "b"), (), "won")
    path = write(given, tmp_path / name)
    every = read(path, columns)
    for i, batch in enumerate(every):
        rest = read(path, columns, after=end(batch))
        assert len(rest) == len(every) - i - 1
        for one, other in zip(rest, every[i + 1 :], strict=True):
            assert np.array_equal(one.numbers, other.numbers)
            assert np.array_equal(one.lines, other.lines)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", b"", "x.csv cannot be read: it is empty"),
        ("x.csv", b"a,b,a\n", "more than one column 'a'"),
        ("x.csv", "a,b\n".encode("utf-16"), "x.csv must be text in UTF-8"),
        ("x.csv", gzip.compress(b"a,b\n", mtime=0), "x.csv must be text in UTF-8"),
        ("x.parquet", b"no parquet", "x.parquet cannot be read: "),
        ("x.arrow", b"no arrow", "x.arrow cannot be read: "),
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


def test_unknown_formats_and_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"must end in one of \.csv, \.csv\.gz"):
        format_of("x.doc")
    with pytest.raises(ValueError, match=r"there is no file 'x\.csv'"):
        open_table("x.csv")
    (tmp_path / "x").write_text("a\n1\n")
    with pytest.raises(ValueError, match="format must be one of csv, tsv"):
        open_table(str(tmp_path / "x"), "xml")
    assert open_table(str(tmp_path / "x"), "csv").columns[0].name == "a"
    with pytest.raises(ValueError, match="not a stream"):
        open_table("-", "parquet")


@pytest.fixture
def opened(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,side,won\n1,left,0\n2,right,1\n")
    return open_table(str(path))


KINDS = [Column("a", "number"), Column("side", "text"), Column("won", "number")]


def test_columns_are_chosen_by_their_kinds():
    columns, kinds = choose("x.csv", KINDS, {}, "won")
    assert (columns, kinds) == (Columns(("a",), ("side",), "won"), [""])
    roles = {"a": "category", "side": "ignore"}
    columns, kinds = choose("x.csv", KINDS, roles, "won")
    assert (columns, kinds) == (Columns((), ("a",), "won"), ["category"])
    roles = {"a": "weight", "side": "date"}
    columns, kinds = choose("x.csv", KINDS, roles, "won")
    assert (columns, kinds) == (Columns((), ("side",), "won", "a"), ["date"])


def test_wrong_choices_are_named():
    with pytest.raises(ValueError, match="has no column besides the target"):
        choose("x.csv", KINDS, {"a": "ignore", "side": "ignore"}, "won")
    odd = [*KINDS[:2], Column("when", "duration[s]"), KINDS[2]]
    with pytest.raises(ValueError, match=r"'when': duration\[s\] is neither number"):
        choose("x.csv", odd, {}, "won")


def test_columns_that_are_not_there_are_named(opened):
    check_columns(opened, ["a", "won"])
    with pytest.raises(ValueError, match="no column 'z'; it has 'a', 'side', 'won'"):
        check_columns(opened, ["z"])
    with pytest.raises(ValueError, match="weight must be one column, got a, side"):
        choose("x.csv", KINDS, {"a": "weight", "side": "weight"}, "won")


def test_another_delimiter_is_suggested(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a;won\n1;0\n")
    with pytest.raises(ValueError, match=r"it has 'a;won'; is ';' its delimiter\?"):
        check_columns(open_table(str(path)), ["won"])
    check_columns(open_table(str(path), delimiter=";"), ["won"])


def test_a_missing_header_is_suspected(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("1.5,left,0\n")
    with pytest.raises(ValueError, match=r"first line a row\? then take --no-header"):
        check_columns(open_table(str(path)), ["won"])
