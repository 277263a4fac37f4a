"""Files that are hostile or damaged: a clear line, no crash, and little memory."""

import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from typer.testing import CliRunner

from rosenblatt.cli.app import app

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, 3 * 2**30))
from rosenblatt.__main__ import main
sys.argv[0] = "rosenblatt"
main()
"""


def limited(*arguments):
    """Run a command that may have 3 GiB of addresses."""
    code = [sys.executable, "-c", LIMITED, *map(str, arguments)]
    given = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(code, capture_output=True, text=True, env=given)


def said(*arguments):
    done = CliRunner().invoke(app, list(map(str, arguments)))
    return done.exit_code, done.output


@pytest.mark.parametrize("size", [1001, 10**6])
@pytest.mark.parametrize("place", [0, 250])
def test_long_labels_are_bad_rows(size, place, tmp_path):
    path = tmp_path / "x.csv"
    rows = [f"{i},{'yes' if i % 2 else 'no'}" for i in range(300)]
    rows[place] = "1," + "a" * size
    path.write_text("x,won\n" + "\n".join(rows) + "\n")
    done = limited("train", path, "--target", "won", "--quiet")
    assert done.returncode == 2
    assert f"line {place + 2}, column 'won': label of more than 1000" in done.stderr
    assert len(done.stderr) < 1000
    code, output = said("train", path, "--target", "won", "--on-error", "skip")
    assert code == 0
    assert "label of more than 1000 characters: 1" in output


@pytest.mark.parametrize("header", [[], ["--no-header"]])
def test_a_million_columns_are_refused_at_the_header(header, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(",".join(map(str, range(10**6))) + "\n" + "0," * 999_999 + "1\n")
    done = limited("train", path, "--target", "7", *header)
    assert done.returncode == 2
    assert "at most 65536 columns, got 1000000" in done.stderr


@pytest.mark.parametrize("shape", [(0, 10**12), (10**12, 3), (3, 10**12)])
def test_shapes_that_an_array_has_not_are_refused(shape, tmp_path):
    path = tmp_path / "x.npy"
    with path.open("wb") as file:
        given = {"descr": "<f8", "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, given)
    done = limited("train", path, "--target", "-1")
    assert done.returncode == 2
    assert f"{path} " in done.stderr
    assert "bytes, got 0" in done.stderr or "at most 65536 columns" in done.stderr


CUT = """
import sys
import numpy as np
from rosenblatt.tables import Columns, Place, open_table
table = open_table(sys.argv[1])
pieces = table.pieces(Place(), 100, ["0"])
next(pieces)
open(sys.argv[1], "r+b").truncate(2000)
try:
    for piece in pieces:
        table.parse(piece, Columns(("0",), (), None)).numbers.sum()
except ValueError as failure:
    print(failure)
"""


@pytest.mark.parametrize("ending", ["parquet", "arrow", "npy"])
def test_files_that_are_cut_while_they_are_read_are_errors(ending, tmp_path):
    path = tmp_path / f"x.{ending}"
    numbers = np.random.default_rng(0).random((300_000, 2))
    table = pa.table({"0": numbers[:, 0], "1": numbers[:, 1]})
    if ending == "npy":
        np.save(path, numbers)
    elif ending == "parquet":
        pyarrow.parquet.write_table(table, path, row_group_size=1000)
    else:
        with pa.ipc.new_file(path, table.schema) as out:
            out.write_table(table, 1000)
    code = [sys.executable, "-c", CUT, str(path)]
    done = subprocess.run(code, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{path} cannot be read: ")


def test_names_and_labels_with_escape_sequences_are_printed_harmlessly(tmp_path):
    path, model = tmp_path / "x.csv", tmp_path / "m.safetensors"
    labels = ("n\x1b]0;t\x07", "y\x1b[2J")
    rows = [f"{i % 7},{labels[i % 7 > 3]}" for i in range(200)]
    path.write_text("x\x1b[31m,won\n" + "\n".join(rows) + "\n")
    for command in (
        ("train", path, "--target", "won", "--save", model),
        ("inspect", model),
        ("predict", model, path, "--out", tmp_path / "out.csv"),
        ("train", path, "--target", "gone\x1b[2J"),
    ):
        _, output = said(*command)
        assert "\\x1b" in output
        assert "\x1b" not in output
        assert "\x07" not in output


def test_large_labels_of_svmlight_are_kept_apart(tmp_path):
    path, model = tmp_path / "x.svm", tmp_path / "m.safetensors"
    labels = (2**53 + 1, 2**53 + 2, 2**53)
    path.write_text("".join(f"{labels[i % 3]} {i % 3}:1\n" for i in range(300)))
    code, _ = said("train", path, "--target", "y", "--save", model)
    assert code == 0
    _, output = said("inspect", model)
    assert all(str(label) in output for label in labels)


def test_pipes_are_not_called_missing(tmp_path):
    os.mkfifo(tmp_path / "x.csv")
    code, output = said("train", tmp_path / "x.csv", "--target", "y")
    assert code == 2
    assert "must be a file, got a pipe" in output


def test_too_few_features_are_named(tmp_path):
    path = tmp_path / "x.svm"
    path.write_text("1 9:1\n0 9:2\n")
    _, output = said("train", path, "--target", "y", "--features", "3")
    assert "the first bad row" in output
    assert "an index above 2" in output


def test_columns_of_infinities_warn_of_nothing_else(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("x,won\n" + "inf,1\ninf,0\n" * 100)
    code, output = said("train", path, "--target", "won")
    assert code == 2
    assert "infinite" in output


def test_a_formula_in_a_name_is_drawn_as_it_is(tmp_path):
    path, model = tmp_path / "x.csv", tmp_path / "m.safetensors"
    path.write_text("$x^$,won\n" + "1,yes\n2,no\n" * 50)
    said("train", path, "--target", "won", "--save", model)
    code, output = said("inspect", model, "--plot", tmp_path / "x.png")
    assert code == 0, output
