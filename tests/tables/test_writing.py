import pyarrow.parquet
import pytest

from rosenblatt.tables.writing import writing

PARTS = [[["yes", None], [0.25, None]], [["no"], [0.5]]]


def test_text_and_parquet_hold_the_same(tmp_path):
    for name in ("x.csv", "x.tsv", "x.parquet"):
        with writing(str(tmp_path / name), ["label", "share"]) as out:
            for part in PARTS:
                out.write(part)
    assert (tmp_path / "x.csv").read_text() == "label,share\nyes,0.25\n,\nno,0.5\n"
    assert (tmp_path / "x.tsv").read_text() == "label\tshare\nyes\t0.25\n\t\nno\t0.5\n"
    found = pyarrow.parquet.read_table(tmp_path / "x.parquet").to_pydict()
    assert found == {"label": ["yes", None, "no"], "share": [0.25, None, 0.5]}


def test_nothing_is_left_of_a_table_that_was_not_completed(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("before")

    def fail():
        with writing(str(path), ["label"]) as out:
            out.write([["yes"]])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [p.name for p in tmp_path.iterdir()] == ["x.csv"]
    assert path.read_text() == "before"


def test_other_names_are_refused(tmp_path):
    for name, wanted in (("x.doc", "end in one of .csv"), ("no/x.csv", "existing")):
        with (
            pytest.raises(ValueError, match=wanted),
            writing(str(tmp_path / name), ["label"]),
        ):
            pass
