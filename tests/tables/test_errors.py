"""Damaged and hostile files: one line that names the file, soon, and no crash."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tables.examples import table, write
from tests.tables.reading import read_labels, refused

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
    code = "import pyarrow.parquet\nfrom tests.tables.test_errors import *\n"
    code += "file = pyarrow.parquet.ParquetFile(CONTRADICTING)\n"
    code += "[file.metadata.row_group(0).column(j) for j in range(6)]"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert done.returncode < 0, "this version of pyarrow does not: take the test out"
    code = "from tests.tables.test_errors import *\n"
    code += "print('refused' if refused(CONTRADICTING) else '')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "refused\n"
