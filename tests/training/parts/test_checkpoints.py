"""A run with workers that was broken off goes on, with the same bytes at the end."""

import os
import signal
import subprocess
import sys
import time

import pytest

from rosenblatt.training import TrainingInterrupted
from rosenblatt.training.parts import PIECE_ROWS, FilePiece, Steps
from tests.tables.examples import table, write
from tests.training.running import learn

ROWS = 600
MODELS = [
    {"model": "bayes-diagonal"},
    {"model": "perceptron", "passes": 3},
    {"model": "binary-perceptron:binarise=0.5"},
]


class BrokenOffError(Exception):
    """The end of a process, as far as the run can tell."""


@pytest.fixture
def given(tmp_path):
    """Seven pieces: six parts of a file, and another file."""
    parts = table(ROWS), table(90, seed=1)
    names = tmp_path / "x.parquet", tmp_path / "y.csv"
    paths = [write(part, name) for part, name in zip(parts, names, strict=True)]
    return {"source": paths, "target": "won", "piece_rows": 100, "batch_rows": 25}


def learned(monkeypatch):
    """Return a list to which pieces that are learned will be added."""
    numbers = []
    for name in ("labels", "learn", "batches"):
        before = getattr(FilePiece, name)

        def noted(piece, *given, name=name, before=before):
            numbers.append((name, piece.number))
            return before(piece, *given)

        monkeypatch.setattr(FilePiece, name, noted)
    return numbers


@pytest.mark.parametrize("more", MODELS, ids=lambda more: more["model"][:9])
def test_nothing_that_was_kept_is_learned_again(more, given, tmp_path, monkeypatch):
    given |= {"piece_rows": 300}  # three pieces: two parts of a file, and another one
    whole, save = tmp_path / "whole.safetensors", tmp_path / "model.safetensors"
    numbers = learned(monkeypatch)
    learn(**given, **more, save=whole)
    all_steps, add = list(numbers), Steps._write
    numbers.clear()

    def broken(kept, *what):
        add(kept, *what)
        raise BrokenOffError

    # broken off after every single piece, and every step
    monkeypatch.setattr(Steps, "_write", broken)
    for _ in all_steps:
        with pytest.raises(BrokenOffError):
            learn(**given, **more, save=save, resume=True)
        assert not save.exists()
    monkeypatch.setattr(Steps, "_write", add)
    learn(**given, **more, save=save, resume=True)
    assert numbers == all_steps
    assert save.read_bytes() == whole.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {
        "x.parquet",
        "y.csv",
        "whole.safetensors",
        "model.safetensors",
    }
    learn(**given, **more, save=save, resume=True)
    assert numbers == all_steps


def broken_off(given, save, monkeypatch, pieces=3):
    """Break a run off after that many pieces."""
    count, add = iter(range(1, 100)), Steps._write

    def broken(kept, *what):
        add(kept, *what)
        if next(count) == pieces:
            raise BrokenOffError

    with monkeypatch.context() as patch:
        patch.setattr(Steps, "_write", broken)
        with pytest.raises(BrokenOffError):
            learn(**given, save=save)


@pytest.mark.parametrize(
    ("pieces", "name", "again"),
    [(3, "round-1-1", [1, 3, 4, 5, 6]), (9, "round-1-0", [0, 2, 3, 4, 5, 6])],
)
def test_what_is_damaged_is_said_and_learned_again(
    pieces, name, again, given, tmp_path, monkeypatch
):
    given |= {"classes": ["0", "1"], "model": "perceptron", "passes": 2}
    whole, save = tmp_path / "whole.safetensors", tmp_path / "m.safetensors"
    learn(**given, save=whole)
    broken_off(given, save, monkeypatch, pieces)
    kept = tmp_path / "m.safetensors.pieces" / f"{name}.safetensors"
    kept.write_bytes(kept.read_bytes()[:-3])
    numbers = learned(monkeypatch)
    with pytest.warns(UserWarning, match=rf"{name}\.safetensors .*; learned again"):
        learn(**given, save=save, resume=True)
    assert [n for _, n in numbers][: len(again)] == again
    assert save.read_bytes() == whole.read_bytes()


def test_what_is_something_else_is_refused(given, tmp_path, monkeypatch):
    save = tmp_path / "m.safetensors"
    broken_off(given, save, monkeypatch)
    names = {"source": given["source"], "target": "won"}
    with pytest.raises(ValueError, match="as before, got 'bayes-full'"):
        learn(**given | {"model": "bayes-full"}, save=save, resume=True)
    with pytest.raises(ValueError, match="piece_rows must be 100 as before"):
        learn(**given | {"piece_rows": 300}, save=save, resume=True)
    with pytest.raises(ValueError, match="checkpoint of a run with workers"):
        learn(**names, batch_rows=25, save=save, resume=True)
    write(table(91), given["source"][1])
    with pytest.raises(ValueError, match="files have changed since"):
        learn(**given, save=save, resume=True)
    with pytest.raises(ValueError, match="resume needs save"):
        learn(**given, resume=True)
    # without resume it begins again
    assert learn(**given, save=save).record.rows == ROWS + 91
    # a model of pieces is not what one process makes
    with pytest.raises(ValueError, match="cannot resume from"):
        learn(**names, batch_rows=25, save=save, resume=True)
    save.with_name("m.safetensors.checkpoint").touch()
    with pytest.raises(ValueError, match="of a run without workers"):
        learn(**given, save=save, resume=True)


def test_the_bar_counts_pieces_and_rows(given, capsys):
    learn(**given, progress=True)
    shown = capsys.readouterr().err
    assert "round 1: 7 of 7 pieces, 690 rows," in " ".join(shown.split())


ROUNDS = 12  # many, so that it is killed in the middle


def command(given, save):
    """Return the same, with a worker, for the shell."""
    options = ["--target", "won", "--save", save, "--resume", "--workers", "1"]
    options += ["--model", "perceptron", "--passes", ROUNDS]
    options += ["--batch-rows", "25"]
    program = [sys.executable, "-m", "rosenblatt", "train"]
    return [*map(str, [*program, *given["source"], *options])]


@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGKILL, marks=pytest.mark.slow), signal.SIGINT]
)
def test_a_command_with_workers_that_was_killed_goes_on(number, given, tmp_path):
    given |= {"model": "perceptron", "passes": ROUNDS, "piece_rows": PIECE_ROWS}
    whole, save = tmp_path / "whole.safetensors", tmp_path / "model.safetensors"
    learn(**given, save=whole)
    folder = tmp_path / "model.safetensors.pieces"
    process = subprocess.Popen(
        command(given, save), stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    end = time.monotonic() + 300
    while not (folder / "round-2-1.safetensors").exists() and time.monotonic() < end:
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
    assert not folder.exists()


def test_an_interrupt_is_noticed_between_pieces(given, tmp_path, monkeypatch):
    add = Steps._write

    def interrupted(kept, *what):
        add(kept, *what)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Steps, "_write", interrupted)
    with pytest.raises(TrainingInterrupted, match=r"m\.safetensors\.pieces; go on"):
        learn(**given, save=tmp_path / "m.safetensors")
    with pytest.raises(TrainingInterrupted, match="nothing was stored"):
        learn(**given)
