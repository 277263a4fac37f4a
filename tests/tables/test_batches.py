"""Damaged and hostile files: one line that names the file, soon, and no crash."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rosenblatt.tables.encoding import moments
from rosenblatt.tables.reading import Bad, open_table
from tests.tables.examples import table, write
from tests.tables.reading import read_labels, refused, rows


def test_bad_rows_are_named_and_long_values_are_cut(tmp_path):
    opened = open_table(str(write(table(9), tmp_path / "x.csv")))
    said = str(opened.error(Bad(3, "not a number", "a", "9" * 10**6)))
    assert "x.csv, row 3, column 'a': not a number: 999" in said
    assert len(said) < 300 + len(str(tmp_path))


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


@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv.gz", "svm.gz"])
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


def test_moments_are_of_values_that_are_there():
    means, scales = moments(rows([[1.0, 5.0], [3.0, 5.0], [np.nan, 5.0]]))
    assert (means.tolist(), scales.tolist()) == ([2.0, 5.0], [1.0, 1.0])


def test_moments_of_huge_values_do_not_overflow():
    means, scales = moments(rows([[1e308, 1.0], [-1e308, 3.0]] * 2))
    np.testing.assert_allclose(means, [0, 2])
    np.testing.assert_allclose(scales, [1e308, 1])
