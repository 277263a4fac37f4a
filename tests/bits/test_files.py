import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rosenblatt.bits import Bits, files, levels, pack, read

ROWS = 50
RNG = np.random.default_rng(0)
HIGH = RNG.random((ROWS, 5)) < 0.5
HIGH[0] = False  # so that the lower of two words comes first
COLUMNS = {
    "plus_minus": np.where(HIGH[:, 0], 1, -1),
    "zero_one": np.where(HIGH[:, 1], 1.0, 0.0),
    "logical": HIGH[:, 2],
    "words": np.where(HIGH[:, 3], "yes", "no"),
    "label": np.where(HIGH[:, 4], "good", "bad"),
}
INPUTS = list(COLUMNS)[:4]
LABELS = np.where(HIGH[:, 4], 1, -1)


def lines(columns):
    rows = zip(*columns.values(), strict=True)
    return [",".join(columns), *(",".join(str(x) for x in row) for row in rows)]


@pytest.fixture(params=["csv", "csv.gz", "csv.bz2", "parquet"])
def path(tmp_path, request):
    file = tmp_path / f"table.{request.param}"
    table = pa.table({name: pa.array(values) for name, values in COLUMNS.items()})
    if request.param == "parquet":
        pq.write_table(table, file, row_group_size=7)
    else:
        with pa.output_stream(str(file)) as out:
            out.write(("\n".join(lines(COLUMNS)) + "\n").encode())
    return file


@pytest.mark.parametrize("rows", [1, 7, 50, 1000])
def test_columns_of_two_levels_become_bits(path, rows):
    found = list(read(path, target="label", rows=rows))
    assert [len(bits) for bits, _ in found[:-1]] == [rows] * (len(found) - 1)
    assert Bits.concatenate(bits for bits, _ in found) == pack(HIGH[:, :4])
    labels = np.concatenate([labels for _, labels in found])
    assert labels.dtype == np.int8
    np.testing.assert_array_equal(labels, LABELS)


def test_columns_come_in_the_order_asked_for(path):
    [(bits, labels)] = read(str(path), ["words", "plus_minus"])
    assert labels is None
    assert bits == pack(HIGH[:, [3, 0]])
    [(bits, labels)] = read(path, ["words"], target="zero_one")
    np.testing.assert_array_equal(labels, np.where(HIGH[:, 1], 1, -1))


def test_small_pieces_of_a_file_give_the_same(path, monkeypatch):
    monkeypatch.setattr(files, "_ENTRIES", 15)
    found = list(read(path, target="label", rows=20))
    assert [len(bits) for bits, _ in found] == [20, 20, 10]
    assert Bits.concatenate(bits for bits, _ in found) == pack(HIGH[:, :4])


def write(folder, text):
    file = folder / "bad.csv"
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n1\n-1\n0\n", "'a', row 3: must be -1 or 1, got '0'"),
        (
            "a\n1\n2\n",
            "'a', row 2: must be -1 or 1, or 0 or 1 (others need levels), got '2'",
        ),
        ("a\n0\nnan\n", "'a', row 2: must be 0 or 1, got 'nan'"),
        (
            "a,b\n1,1\n1,\n",
            "'b', row 2: must be -1 or 1, or 0 or 1 (others need levels), got nothing",
        ),
        ("a,b\n1,x\n1,y\n0,\n", "'b', row 3: must be 'x' or 'y', got nothing"),
        ("a\nx\ny\nx\nz\nw\n", "'a', row 4: must be 'x' or 'y', got 'z'"),
        ("a\n1\n0\nx\n", "'a', row 3: must be '0' or '1', got 'x'"),
        (
            "a\nx\nx\n",
            "'a': must have two values, got 'x' only; pass levels={'a': (low, high)}",
        ),
        ("a,b\n1\n", "line 2: wrong number of fields: 1, not 2"),
        ("", "cannot be read"),
    ],
)
def test_bad_entries_are_named(tmp_path, text, message):
    file = write(tmp_path, text)
    with pytest.raises(ValueError, match=r"bad\.csv") as failure:
        list(read(file))
    assert message in str(failure.value)


def test_rows_of_bad_entries_are_counted_over_all_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_ENTRIES", 10)
    file = write(tmp_path, "a,b\n" + "no,1\nyes,0\n" * 20 + "maybe,1\n")
    with pytest.raises(ValueError, match="'a', row 41: must be 'no' or 'yes'"):
        list(read(file))
    # numbers first, words later: it is not known what they mean
    file = write(tmp_path, "a,b\n" + "1,1\n0,0\n" * 20 + "yes,1\n")
    with pytest.raises(ValueError, match="'a', row 41: must be 0 or 1, got 'yes'"):
        list(read(file))


def test_both_words_are_looked_for_as_long_as_needed(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_ENTRIES", 10)
    file = write(tmp_path, "a\n" + "yes\n" * 40 + "no\n")
    [(bits, _)] = read(file)
    assert bits.words.ravel().tolist() == [1] * 40 + [0]


@pytest.mark.parametrize(
    ("text", "pair", "words"),
    [
        ("x\nx\n", ("w", "x"), [1, 1]),  # one word only
        ("x\ny\n", ("y", "x"), [1, 0]),  # not in the order of Unicode
        ("1\n2\n2.0\n", (1, 2), [0, 1, 1]),
        ("3\n2\n", (3, 2), [0, 1]),
        ("3\n 2\n", ("3", "2.0"), [0, 1]),  # numbers as text are numbers
        ("no\n1\n", ("no", 1), [0, 1]),
        ("1\nTRUE\nfalse\n", (True, False), [0, 0, 1]),
        ("nan\nx\n", ("nan", "x"), [0, 1]),
    ],
)
def test_levels_say_what_is_low_and_high(tmp_path, text, pair, words):
    file = write(tmp_path, "a\n" + text)
    [(bits, _)] = read(file, levels={"a": pair})
    assert bits.words.ravel().tolist() == words


def test_levels_hold_for_numbers_and_dictionaries_in_parquet(tmp_path):
    file = tmp_path / "table.parquet"
    words = pa.array(["x", "x"]).dictionary_encode()
    table = {"a": words, "b": pa.array([2, 1]), "c": pa.array([True, False])}
    pq.write_table(pa.table(table), file)
    given = {"a": ("x", "y"), "b": (1, 2), "c": (1, 0)}
    [(bits, _)] = read(file, levels=given)
    assert bits.words.ravel().tolist() == [0b010, 0b100]


def test_levels_hold_for_the_target(tmp_path):
    file = write(tmp_path, "a,b\n1,5\n0,7\n")
    [(_, labels)] = read(file, target="b", levels={"b": (7, 5)})
    assert labels.tolist() == [1, -1]


@pytest.mark.parametrize(
    ("text", "pair", "message"),
    [
        ("x\ny\nz\n", ("x", "y"), "'a', row 3: must be 'x' or 'y', got 'z'"),
        ("x\nX\n", ("x", "y"), "'a', row 2: must be 'x' or 'y', got 'X'"),
        ("1\n0\n", (1, 2), "'a', row 2: must be 1 or 2, got '0'"),
        ("1\n2\nnan\n", (1, 2), "'a', row 3: must be 1 or 2, got 'nan'"),
        ("1\n-1\n", (0, 1), "'a', row 2: must be 0 or 1, got '-1'"),
    ],
)
def test_entries_that_are_none_of_the_levels_are_named(tmp_path, text, pair, message):
    file = write(tmp_path, "a\n" + text)
    with pytest.raises(ValueError, match=r"bad\.csv") as failure:
        list(read(file, levels={"a": pair}))
    assert message in str(failure.value)


def test_levels_of_one_file_code_another_alike(path, tmp_path):
    found = levels(path, target="label")
    assert found == {"words": ("no", "yes"), "label": ("bad", "good")}
    assert levels(path, ["zero_one", "words"]) == {"words": ("no", "yes")}
    [(wanted, known)] = read(path, target="label")
    [(bits, labels)] = read(path, target="label", levels=found)
    assert bits == wanted
    np.testing.assert_array_equal(labels, known)
    for i in range(5):  # a file of one row
        row = {name: values[i : i + 1] for name, values in COLUMNS.items()}
        other = write(tmp_path, "\n".join(lines(row)) + "\n")
        [(bits, labels)] = read(other, target="label", levels=found)
        assert bits == wanted[i : i + 1]
        assert labels == known[i]


def test_a_column_of_numbers_may_be_constant(tmp_path):
    [(bits, _)] = read(write(tmp_path, "a,b,c\n1,0,true\n1,0,TRUE\n"))
    assert bits.words.ravel().tolist() == [0b101] * 2


def test_a_file_without_rows_has_no_batches(tmp_path):
    assert list(read(write(tmp_path, "a,b\n"))) == []


def test_missing_entries_and_dictionaries_in_parquet(tmp_path):
    file = tmp_path / "table.parquet"
    words = pa.array(["x", "y", "x"]).dictionary_encode()
    pq.write_table(pa.table({"a": words, "b": pa.array([True, False, None])}), file)
    [(bits, _)] = read(file, ["a"])
    assert bits.words.ravel().tolist() == [0, 1, 0]
    with pytest.raises(ValueError, match=r"column 'b', row 3: .* got nothing"):
        list(read(file))


@pytest.mark.parametrize(
    ("arguments", "failure", "message"),
    [
        ({"target": "z"}, ValueError, "has no column 'z'; it has 'a', 'b'"),
        ({"columns": ["a", "z"]}, ValueError, "has no column 'z'"),
        ({"columns": "a"}, TypeError, "columns must be a list of names, got 'a'"),
        ({"columns": []}, ValueError, "columns must be one or more names"),
        (
            {"columns": ["a", "b"], "target": "b"},
            ValueError,
            "must not have the target",
        ),
        ({"levels": {"z": (0, 1)}}, ValueError, "which are a, b, got 'z'"),
        ({"levels": {"a": "no"}}, TypeError, r"levels\['a'\] must be a pair"),
        ({"levels": {"a": (1, "1.0")}}, ValueError, r"\['a'\] must be two different"),
        ({"levels": [0, 1]}, TypeError, "levels must be a dict of pairs"),
        ({"rows": 0}, ValueError, "rows must be a whole number not below 1"),
    ],
)
def test_wrong_arguments_are_refused_at_once(tmp_path, arguments, failure, message):
    file = write(tmp_path, "a,b\n1,0\n")
    with pytest.raises(failure, match=message):
        read(file, **arguments)


def test_wrong_files_are_refused_at_once(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no file .*none\.csv"):
        read(tmp_path / "none.csv")
    with pytest.raises(ValueError, match=r"path must end in one of \.csv"):
        read(tmp_path / "table.xlsx")
    with pytest.raises(ValueError, match="more than one column 'a'"):
        read(write(tmp_path, "a,a\n1,0\n"))
    broken = tmp_path / "broken.parquet"
    broken.write_text("no")
    with pytest.raises(ValueError, match=r"broken\.parquet cannot be read"):
        read(broken)


def test_only_reading_needs_pyarrow(tmp_path):
    file = write(tmp_path, "a\n1\n")
    code = f"""
import sys
sys.modules["pyarrow"] = None
import rosenblatt as rb
rb.bits.pack([[1, 0]])
try:
    rb.bits.read({str(file)!r})
except ImportError as failure:
    print(failure)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "install the extra rosenblatt[files]" in done.stdout
