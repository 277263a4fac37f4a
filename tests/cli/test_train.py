import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from rosenblatt.cli.app import app
from rosenblatt.training import load
from tests.tables.examples import table, write

ROWS = 500


def run(*arguments, stdin=None):
    return CliRunner().invoke(app, ["train", *map(str, arguments)], input=stdin)


@pytest.fixture
def csv(tmp_path):
    return write(table(ROWS), tmp_path / "x.csv")


def test_a_model_is_learned_said_and_saved(csv, tmp_path):
    save = tmp_path / "m.safetensors"
    done = run(csv, "--target", "won", "--save", save)
    assert done.exit_code == 0, done.output
    error, most, loss = map(float, re.findall(r"\d\.\d+", done.stdout)[:3])
    record = load(save).record
    assert error == round(record.metrics.error, 4)
    assert most == round(record.metrics.evaluation("01")["majority_error"], 4)
    assert loss == round(record.metrics.evaluation()["log_loss"], 4)
    assert f"{ROWS} rows" in done.stdout
    assert f"saved to {save}" in done.stdout


def test_json_is_for_machines_and_quiet_for_nobody(csv):
    done = run(csv, "--target", "won", "--json")
    known = json.loads(done.stdout)
    assert (known["rows"], known["classes"]) == (ROWS, [0, 1])
    assert run(csv, "--target", "won", "--quiet").output == ""


def test_all_options_arrive(csv, tmp_path):
    save = tmp_path / "m.safetensors"
    options = (
        "--model perceptron --rule passive-aggressive --schedule constant:rate=0.5 "
        "--classes 0,1 --column a=category --column side=hash "
        "--missing NA,? --on-error skip --batch-rows 100 --checkpoint-every 10 "
        "--format csv"
    )
    done = run(csv, "--target", "won", "--save", save, *options.split())
    assert done.exit_code == 0, done.output
    given = load(save).options
    for key, value in {
        "classes": ("0", "1"),
        "columns": {"a": "category", "side": "hash"},
        "missing": ("NA", "?"),
        "batch_rows": 100,
        "format": "csv",
        "schedule": "constant:rate=0.5",
    }.items():
        assert getattr(given, key) == value


def test_boundaries_may_be_curved(csv, tmp_path):
    save = tmp_path / "m.safetensors"
    done = run(csv, "--target", "won", "--boundary", "curved", "--save", str(save))
    assert done.exit_code == 0, done.output
    assert load(save).model.boundary == "curved"
    wrong = run(csv, "--target", "won", "--model", "perceptron", "--boundary", "curved")
    assert "has no parameter 'boundary=curved'" in wrong.output


def test_skipped_rows_missing_values_and_new_categories_are_said(tmp_path):
    path = tmp_path / "x.csv"
    rows = ["1,u,0", "2,v,1", ",u,0", "x,u,1", "1,w,0", "3", "4,u,1"]
    path.write_text("a,t,won\n" + "\n".join(rows))
    done = run(path, "--target", "won", "--on-error", "skip", "--batch-rows", 3)
    assert done.exit_code == 0, done.output
    assert "skipped: not a number: 1, wrong number of fields: 1" in done.stdout
    assert "missing: a: 1" in done.stdout
    assert "unknown values: t: 1" in done.stdout


def test_a_model_is_continued_with_the_settings_that_it_has(csv, tmp_path):
    save = tmp_path / "m.safetensors"
    options = ("--target", "won", "--column", "side=ignore", "--missing", "NA")
    assert run(csv, *options, "--save", save).exit_code == 0
    done = run(csv, "--continue", save, "--save", save)
    assert done.exit_code == 0, done.output
    assert f"{2 * ROWS:,} rows" in done.stdout
    done = run(csv, "--continue", save, "--model", "perceptron")
    assert done.exit_code == 2
    assert "model is 'bayes' in the model to continue" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--target", "lost"), "has no column 'lost'"),
        (("--target", "won", "--resume"), "--resume needs --save"),
        (("--target", "won", "--save", "x.txt"), "--save must be a file ending in"),
        (("--target", "won", "--model", "tree"), "model must be one of bayes"),
        (
            ("--target", "won", "--batch-rows", "few"),
            "'--batch-rows': Input should be a valid integer",
        ),
        (
            ("--target", "won", "--column", "side=number"),
            "row 2, column 'side': not a number",
        ),
        ((), "--target is needed"),
        (("--target", "won", "--column", "a"), "--column must be NAME=VALUE"),
        (("--target", "won", "--column", "a=list"), "--column must have roles among"),
        (("--target", "won", "--column", "a=target"), "--target must be one column"),
        (
            ("--target", "won", "--save", "a", "--save", "b"),
            "--save must be given once",
        ),
        (
            ("--target", "won", "--header", "--no-header"),
            "--header or --no-header must be given once",
        ),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(arguments, message, csv):
    done = run(csv, *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_standard_input_is_learned_like_a_file(csv, tmp_path):
    saves = [tmp_path / "a.safetensors", tmp_path / "b.safetensors"]
    assert run(csv, "--target", "won", "--save", saves[0]).exit_code == 0
    done = run("-", "--target", "won", "--save", saves[1], stdin=csv.read_text())
    assert done.exit_code == 0, done.output
    assert "side    category               3         4  one-hot" in done.stderr
    one, two = map(load, saves)
    assert one.record.metrics == two.record.metrics
    assert (one.model.coef_ == two.model.coef_).all()
    assert one.record.rows == two.record.rows
    assert one.record.metrics.log_loss == pytest.approx(two.record.metrics.log_loss)


@pytest.mark.parametrize("model", ["bayes", "perceptron"])
def test_labels_of_standard_input_may_appear_later(model, tmp_path):
    """Also before the others, and after whole batches; the file predicts them all."""
    stdin = "a,y\n" + "1,1\n2,5\n" * 4 + "9,-3\n" * 4 + "1,1\n20,7\n" * 4
    save = tmp_path / "m.safetensors"
    options = ["--target", "y", "--batch-rows", 4, "--model", model, "--save", save]
    done = run("-", *options, stdin=stdin)
    assert done.exit_code == 0, done.output
    found = load(save)
    assert found.classes == ("-3", "1", "5", "7")
    assert found.model.classes_.tolist() == [-3, 1, 5, 7]
    assert found.record.rows == 20
    first = 0 if model == "bayes" else 4  # what nothing has predicted
    assert found.record.metrics.rows == 20 - first


def test_unknown_labels_of_standard_input_are_named():
    """Those of another type, and all others if the classes are given."""
    stdin = "a,y\n" + "1,0\n2,1\n" * 4 + "3,x\n"
    for more in (["--batch-rows", 4], ["--batch-rows", 4, "--classes", "0,1"]):
        done = run("-", "--target", "y", *more, stdin=stdin)
        assert done.exit_code == 2
        assert "standard input, row 10, column 'y': unseen label: 'x'" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_compilation_is_announced_once_on_a_terminal(csv, tmp_path):
    command = [sys.executable, "-m", "rosenblatt", "train", str(csv), "--target", "won"]
    said = []
    for _ in range(2):
        mine, theirs = os.openpty()
        with subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=theirs,
            env=os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")},
        ) as process:
            os.close(theirs)
            text = b""
            with contextlib.suppress(OSError):  # the end of a pseudo-terminal
                while part := os.read(mine, 4096):
                    text += part
        os.close(mine)
        assert process.returncode == 0
        said.append(text.decode().count("compiling for this machine, once"))
    assert said == [1, 0]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_while_waiting_for_rows_keeps_what_was_learned(csv, tmp_path):
    save, whole = tmp_path / "m.safetensors", tmp_path / "whole.safetensors"
    options = ["--target", "won", "--classes", "0,1", "--batch-rows", "50"]
    text = csv.read_text()
    assert run("-", *options, "--save", whole, stdin=text).exit_code == 0
    checkpoint = tmp_path / "m.safetensors.checkpoint"
    options += ["--save", str(save), "--checkpoint-every", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "rosenblatt", "train", "-", *options],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ,
    ) as process:
        process.stdin.write(text[: len(text) // 2].encode())
        process.stdin.flush()
        for _ in range(600):  # a minute, on a busy machine
            if checkpoint.exists():
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read().decode()
        process.wait(60)
        process.stdin.close()
    assert process.returncode == 130
    assert re.search(r"interrupted after \d+ rows, .* go on with --resume", said)
    assert not save.exists()
    done = run("-", *options, "--resume", stdin=text)
    assert done.exit_code == 0, done.output
    assert save.read_bytes() == whole.read_bytes()
