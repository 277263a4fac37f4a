"""Files and parts of files as pieces."""

import numpy as np
import pytest
from typer.testing import CliRunner

from rosenblatt.cli.app import app
from rosenblatt.tables.reading import BadRowError
from rosenblatt.training import load
from rosenblatt.training.loop import PIECE_ROWS
from tests.tables.examples import table, write
from tests.training.parts.pieces import ROWS, saved
from tests.training.running import learn

PIECES = {"piece_rows": PIECE_ROWS}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A table, whole and in three files of different formats."""
    folder = tmp_path_factory.mktemp("parts")
    given = table(ROWS)
    write(given, folder / "whole.csv")
    ends = {"a.csv": (0, 100), "b.parquet": (100, 350), "c.csv.gz": (350, ROWS)}
    for name, (first, end) in ends.items():
        part = {key: values[first:end] for key, values in given.items()}
        write(part, folder / name)
    return folder / "whole.csv", [folder / name for name in ends]


@pytest.mark.parametrize("model", ["clipped-hebb", "binary-perceptron"])
def test_files_are_counted_as_one_file_to_the_bit(model, client, files, tmp_path):
    _, parts = files
    model += ":binarise=0.5"
    given = {"model": model}
    found = learn(parts, "won", scheduler=client, **given)
    whole = learn(parts, "won", **given)
    assert saved(found.model, tmp_path) == saved(whole.model, tmp_path)
    assert found.encoder == whole.encoder
    assert found.record.rows == whole.record.rows == ROWS


def test_the_command_and_python_give_the_same_file(client, files, tmp_path):
    _, parts = files
    options = ["--target", "won", "--scheduler", client.scheduler.address]
    options += ["--model", "bayes-diagonal"]
    save = tmp_path / "m.safetensors"
    done = CliRunner().invoke(
        app, ["train", *map(str, parts), *options, "--save", str(save)]
    )
    assert done.exit_code == 0, done.output
    assert f"{ROWS} rows, next row: error 0." in done.output
    save_here = tmp_path / "n.safetensors"
    learn(parts, "won", save=save_here, model="bayes-diagonal", **PIECES)
    assert save.read_bytes() == save_here.read_bytes()
    assert load(save).record.rows == ROWS


@pytest.mark.parametrize("model", ["clipped-hebb:binarise=0.5", "bayes-diagonal"])
def test_parts_of_a_file_are_pieces(model, client, tmp_path):
    given = table(ROWS)
    path = write(given, tmp_path / "whole.parquet")
    options = {"target": "won", "batch_rows": 20, "model": model}
    found = learn(path, **options, piece_rows=150, scheduler=client)
    # the same rows, each piece in a file of its own
    starts = [0, 160, 320, 480]
    ends = [*starts[1:], ROWS]
    files = [
        write({k: v[a:b] for k, v in given.items()}, tmp_path / f"{a}.parquet")
        for a, b in zip(starts, ends, strict=True)
    ]
    apart = learn(files, **options, **PIECES)
    assert saved(found.model, tmp_path) == saved(apart.model, tmp_path)
    assert found.record == apart.record
    assert found.record.rows == ROWS


@pytest.mark.parametrize("model", ["clipped-hebb:binarise=0.5", "bayes-diagonal"])
def test_a_model_goes_on_learning_in_pieces(model, client, tmp_path):
    given = table(ROWS)
    first, *more = (
        write({k: v[a:b] for k, v in given.items()}, tmp_path / f"{a}.csv")
        for a, b in ((0, 200), (200, 450), (450, ROWS))
    )
    save = tmp_path / "m.safetensors"
    learn(first, "won", save=save, model=model)
    found = learn(more, continued=save, scheduler=client)
    apart = learn([first, *more], "won", model=model, scheduler=client)
    assert found.record.rows == found.model.t_ == ROWS
    np.testing.assert_allclose(found.model.coef_, apart.model.coef_, rtol=1e-12)
    assert found.record.metrics == apart.record.metrics
    assert load(save).record.rows == 200


def test_a_bad_row_is_named_by_its_place_in_the_whole_file(client, tmp_path):
    given = table(ROWS)
    given["a"][444] = np.inf
    path = write(given, tmp_path / "x.parquet")
    options = {"piece_rows": 100, "batch_rows": 50, "scheduler": client}
    with pytest.raises(BadRowError, match="row 445, column 'a': infinite"):
        learn([path], "won", **options)


def test_weights_of_perceptrons_of_files_are_averaged(client, files):
    _, parts = files
    given = {"model": "perceptron", "target": "won"}
    found = learn(parts, scheduler=client, **given)
    here = learn(parts, **given, **PIECES)
    assert np.array_equal(found.model.coef_, here.model.coef_)
    assert found.model.t_ == found.record.rows == ROWS


def test_bad_rows_of_files_are_named_or_counted(client, files, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("a,b,side,won\n1,2,left,1\n1,x,left,0\n")
    parts = [*files[1], bad]
    with pytest.raises(BadRowError, match=r"bad\.csv, row 3, column 'b': not a number"):
        learn(parts, "won", scheduler=client, model="clipped-hebb:binarise=0")
    found = learn(
        parts,
        "won",
        scheduler=client,
        model="clipped-hebb:binarise=0",
        on_error="skip",
    )
    assert found.record.skipped == {"not a number": 1}
    assert found.record.rows == ROWS + 1


def test_wrong_options_of_the_command(files):
    part = str(files[1][0])
    for options, complaint in (
        (["--workers", "1", "--resume"], "--resume needs --save"),
        (["--workers", "1", "--scheduler", "tcp://127.0.0.1:1"], "not both"),
        (["--workers", "0"], "workers must"),
        (["--workers", "1", "--model", "bayes:half_life=9"], "half_life must be None"),
    ):
        done = CliRunner().invoke(app, ["train", part, "--target", "won", *options])
        assert done.exit_code != 0
        assert complaint in done.output + str(done.exception)
    with pytest.raises(ValueError, match="standard input"):
        learn(["-"], "won", **PIECES)
