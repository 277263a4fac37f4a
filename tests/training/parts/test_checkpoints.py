"""A run with workers that was broken off goes on, with the same bytes at the end."""

import os
import signal
import subprocess
import sys
import time

import pytest

from rosenblatt.models import ModelFileError
from rosenblatt.training import TrainingInterrupted, parts
from rosenblatt.training.parts import PIECE_ROWS, FilePiece
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
    for name in ("learn", "batches"):
        before = getattr(FilePiece, name)

        def noted(piece, *given, name=name, before=before):
            numbers.append((name, str(piece)))
            return before(piece, *given)

        monkeypatch.setattr(FilePiece, name, noted)
    return numbers


@pytest.mark.parametrize("more", MODELS, ids=lambda more: more["model"][:9])
def test_nothing_that_was_kept_is_learned_again(more, given, tmp_path, monkeypatch):
    given |= {"piece_rows": 300}  # three pieces: two parts of a file, and another one
    whole, save = tmp_path / "whole.safetensors", tmp_path / "model.safetensors"
    numbers = learned(monkeypatch)
    learn(**given, **more, save=whole)
    all_steps, add = list(numbers), parts.save_model
    numbers.clear()

    def broken(*what, **extra):
        add(*what, **extra)
        raise BrokenOffError

    # broken off after every single piece, and every step
    monkeypatch.setattr(parts, "save_model", broken)
    for _ in all_steps:
        with pytest.raises(BrokenOffError):
            learn(**given, **more, save=save, resume=True)
        assert not save.exists()
    monkeypatch.setattr(parts, "save_model", add)
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
    count, add = iter(range(1, 100)), parts.save_model

    def broken(*what, **extra):
        add(*what, **extra)
        if next(count) == pieces:
            raise BrokenOffError

    with monkeypatch.context() as patch:
        patch.setattr(parts, "save_model", broken)
        with pytest.raises(BrokenOffError):
            learn(**given, save=save)


def test_what_is_damaged_is_refused(given, tmp_path, monkeypatch):
    save = tmp_path / "m.safetensors"
    broken_off(given, save, monkeypatch)
    kept = tmp_path / "m.safetensors.pieces" / "round-1-1.safetensors"
    kept.write_bytes(kept.read_bytes()[:-3])
    with pytest.raises(ModelFileError, match=r"round-1-1\.safetensors is not a model"):
        learn(**given, save=save, resume=True)
    kept.with_name("run.json").write_text("{}")
    with pytest.raises(ValueError, match=r"\.pieces is damaged: remove it"):
        learn(**given, save=save, resume=True)


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
    def interrupted(*what, **extra):
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(parts.Record, "found", interrupted)
    with pytest.raises(TrainingInterrupted, match=r"m\.safetensors\.pieces; go on"):
        learn(**given, save=tmp_path / "m.safetensors")
    with pytest.raises(TrainingInterrupted, match="nothing was stored"):
        learn(**given)
