"""Damaged and hostile files: one line that names the file, soon, and no crash."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rosenblatt.tables import Bad, BadRowError
from rosenblatt.tables.batches import Blocks, integer_texts
from tests.tables.examples import table, write
from tests.tables.reading import read_labels, refused, rows


def test_an_error_survives_the_way_to_another_process():
    error = BadRowError("x.csv", "line", Bad(3, "NaN", "a", "nan"), hint="; stop")
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(twin) is BadRowError
        assert str(twin) == str(error) == "x.csv, line 3, column 'a': NaN: nan; stop"
        assert (twin.file, twin.bad) == (error.file, error.bad)


def test_whole_numbers_are_text_whatever_their_type():
    for given, wanted in (
        (np.array([-128, 127, -128], np.int8), ["-128", "127", "-128"]),
        (np.array([0, 255], np.uint8), ["0", "255"]),
        (np.array([2**31, 2**31 - 5]), [str(2**31), str(2**31 - 5)]),
        (np.array([-3.0, 4.0, -0.0]), ["-3", "4", "0"]),
        (np.array([2**24, 2**24 - 1], np.float32), [str(2**24), str(2**24 - 1)]),
    ):
        found = integer_texts(given)
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
        assert integer_texts(given) is None


def test_long_values_are_cut_in_messages():
    said = str(BadRowError("x.csv", "line", Bad(3, "not a number", "a", "9" * 10**6)))
    assert len(said) < 300


# pyarrow ends the process if it is asked for the metadata of its columns.
CONTRADICTING = Path(__file__).with_name("contradicting.parquet")


@pytest.mark.parametrize(
    "name", ["x.csv.gz", "x.tsv.gz", "x.parquet", "x.arrow", "x.arrows", "x.feather"]
)
def test_truncated_files_are_refused(name, tmp_path):
    path = write(table(300), tmp_path / name)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    assert "cannot be read: " in refused(path)


@pytest.mark.parametrize("ending", ["parquet", "arrow", "npy", "csv.gz", "svm.gz"])
@pytest.mark.parametrize("content", [b"", b"nonsense" * 20, bytes(200)])
def test_other_files_are_refused(ending, content, tmp_path):
    path = tmp_path / f"x.{ending}"
    path.write_bytes(content)
    if (ending, content) == ("svm.gz", b""):  # an empty file of compressed text
        assert read_labels(path) == []
    else:
        refused(path)


def test_parquet_at_which_pyarrow_would_end_the_process_is_refused_or_read():
    code = "import pyarrow.parquet\nfrom tests.tables.test_batches import *\n"
    code += "file = pyarrow.parquet.ParquetFile(CONTRADICTING)\n"
    code += "[file.metadata.row_group(0).column(j) for j in range(6)]"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert done.returncode < 0, "this version of pyarrow does not: take the test out"
    code = "from tests.tables.test_batches import *\n"
    code += "print('refused' if refused(CONTRADICTING) else '')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "refused\n"


def test_memory_is_used_again_once_nothing_refers_to_it():
    blocks = Blocks()
    first = blocks.take(4, 3, np.float64)
    part, place = first[1:2], first.ctypes.data
    del first
    assert blocks.take(4, 3, np.float64).ctypes.data != place
    del part
    places = [blocks.take(4, 3, np.float64).ctypes.data for _ in range(3)]
    assert place in places


def test_a_smaller_block_may_use_the_memory_of_a_larger_one():
    blocks = Blocks()
    place = blocks.take(10, 10, np.float64).ctypes.data
    small = blocks.take(2, 5, np.float32)
    assert small.ctypes.data == place
    assert small.shape == (2, 5)
    assert small.dtype == np.float32


def test_moments_are_of_values_that_are_there():
    means, scales = rows([[1.0, 5.0], [3.0, 5.0], [np.nan, 5.0]]).moments()
    assert (means.tolist(), scales.tolist()) == ([2.0, 5.0], [1.0, 1.0])


def test_moments_of_huge_values_do_not_overflow():
    means, scales = rows(
        [[1e308, 1.0], [-1e308, 3.0], [1e308, 1.0], [-1e308, 3.0]]
    ).moments()
    np.testing.assert_allclose(means, [0, 2])
    np.testing.assert_allclose(scales, [1e308, 1])
