"""A run in pieces that was broken off goes on, with the same bytes at the end."""

import os
import signal
import subprocess
import sys
import time

import pytest

from rosenblatt.training import TrainingInterrupted, loop
from rosenblatt.training.loop import PIECE_ROWS
from tests.tables.examples import table, write
from tests.training.running import learn

ROWS = 600
MODELS = ["bayes-diagonal", "perceptron", "binary-perceptron:binarise=0.5"]


@pytest.fixture
def given(tmp_path):
    """Four pieces: three parts of a file, and another file."""
    parts = table(ROWS), table(90, seed=1)
    names = tmp_path / "x.parquet", tmp_path / "y.csv"
    paths = [write(part, name) for part, name in zip(parts, names, strict=True)]
    return {"source": paths, "target": "won", "piece_rows": 200, "batch_rows": 25}


def breaking(monkeypatch, after):
    """Break a run off after that many pieces."""
    count, original = iter(range(1, 100)), loop.merged

    def merged(*given):
        if next(count) == after:
            raise OSError("no more")
        return original(*given)

    monkeypatch.setattr(loop, "merged", merged)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model[:9])
@pytest.mark.parametrize("after", [1, 3])
def test_pieces_that_were_learned_are_not_learned_again(
    model, after, given, tmp_path, monkeypatch
):
    given["model"] = model
    whole, save = tmp_path / "whole.safetensors", tmp_path / "model.safetensors"
    learn(**given, save=whole)
    with monkeypatch.context() as patch:
        breaking(patch, after)
        with pytest.raises(OSError, match="no more"):
            learn(**given, save=save, checkpoint_every=0)
    assert not save.exists()
    learned, original = [], loop.FilePiece.learn

    def learn_piece(piece, *more):
        learned.append(str(piece))
        return original(piece, *more)

    monkeypatch.setattr(loop.FilePiece, "learn", learn_piece)
    learn(**given, save=save, resume=True)
    x, y = given["source"]
    every = [str(x), f"{x}, rows from 201", f"{x}, rows from 401", str(y)]
    assert learned == every[after:]
    assert save.read_bytes() == whole.read_bytes()
    assert len(list(tmp_path.iterdir())) == 4  # the checkpoint is gone


def test_what_is_something_else_is_refused(given, tmp_path, monkeypatch):
    save = tmp_path / "m.safetensors"
    with monkeypatch.context() as patch:
        breaking(patch, 2)
        with pytest.raises(OSError, match="no more"):
            learn(**given, save=save, checkpoint_every=0)
    names = {"source": given["source"], "target": "won", "batch_rows": 25}
    for other, message in (
        (given | {"model": "bayes-full"}, "as before, got 'bayes-full'"),
        (given | {"piece_rows": 300}, "piece_rows must be 200 as before"),
        (names, "piece_rows must be 200 as before, got None"),
    ):
        with pytest.raises(ValueError, match=message):
            learn(**other, save=save, resume=True)
    write(table(91), given["source"][1])
    with pytest.raises(ValueError, match=r"y\.csv has changed since"):
        learn(**given, save=save, resume=True)
    # without resume it begins again
    assert learn(**given, save=save).record.rows == ROWS + 91


def test_the_bar_counts_pieces_and_rows(given, capsys):
    learn(**given, progress=True)
    shown = capsys.readouterr().err
    assert "4 of 4 pieces, 690 rows," in " ".join(shown.split())


def command(given, save):
    """Return the same, with a worker, for the shell."""
    options = ["--target", "won", "--save", save, "--resume", "--workers", "1"]
    options += ["--batch-rows", "25", "--checkpoint-every", "0"]
    program = [sys.executable, "-m", "rosenblatt", "train"]
    return [*map(str, [*program, *given["source"], *options])]


@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGKILL, marks=pytest.mark.slow), signal.SIGINT]
)
def test_a_command_with_workers_that_was_killed_goes_on(number, given, tmp_path):
    parts = [write(table(50, seed=i), tmp_path / f"{i}.csv") for i in range(40)]
    given |= {"source": parts, "piece_rows": PIECE_ROWS}
    whole, save = tmp_path / "whole.safetensors", tmp_path / "model.safetensors"
    learn(**given, save=whole)
    checkpoint = tmp_path / "model.safetensors.checkpoint"
    process = subprocess.Popen(
        command(given, save), stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    end = time.monotonic() + 300
    while not checkpoint.exists() and time.monotonic() < end:
        time.sleep(0.002)
    # Ctrl-C reaches the workers, too
    (os.kill if number == signal.SIGKILL else os.killpg)(process.pid, number)
    _, said = process.communicate(timeout=300)
    assert not save.exists()
    assert process.returncode == (130 if number == signal.SIGINT else -number), said
    if number == signal.SIGINT:
        assert "go on with --resume" in said
    learn(**given, save=save, resume=True)
    assert save.read_bytes() == whole.read_bytes()
    assert not checkpoint.exists()


def test_an_interrupt_is_noticed_between_pieces(given, tmp_path, monkeypatch):
    original = loop.merged

    def interrupted(*given):
        os.kill(os.getpid(), signal.SIGINT)
        return original(*given)

    monkeypatch.setattr(loop, "merged", interrupted)
    with pytest.raises(TrainingInterrupted, match="nothing was stored"):
        learn(**given)
