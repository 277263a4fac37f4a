import numpy as np
import pytest
from typer.testing import CliRunner

import rosenblatt as rb
from rosenblatt.cli.app import app

SPEC = """
[parameters]
schedule = "constant"
dim = 10
alpha = [1, 2]
[axes]
rule = ["perceptron", "hebb"]
seed = [0, 1]
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spec.toml").write_text(SPEC)
    return lambda *options: CliRunner().invoke(app, ["sweep", "spec.toml", *options])


def test_a_file_is_run_saved_and_resumed(run):
    done = run("--status")
    assert done.stdout == "0 of 4 experiments are there, in spec.sweep\n"
    done = run("--cores", "0", "--save", "all.nc")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "4 of 4 experiments are there, in spec.sweep\n"
    found = rb.load("all.nc")
    alone = rb.simulate(
        rb.rules.Hebb(), rb.schedules.Constant(), dim=10, alpha=[1, 2], seed=1
    )
    assert np.array_equal(found.error.sel(rule="hebb", seed=1), alone.error)
    assert run("--quiet", "--workers", "3").output == ""  # nothing is left to do


def test_what_is_there_is_collected_without_running(run, tmp_path):
    done = run("--collect", "--save", "all.nc", "--store", "other")
    assert done.stderr == (
        "rosenblatt: store must be the file of a sweep, got 'other'\n"
    )
    run("--cores", "0", "--store", "other")
    (tmp_path / "spec.toml").write_text(SPEC.replace("dim = 10", "dim = 20"))
    assert run("--collect", "--save", "all.nc", "--store", "other").exit_code == 0
    found = rb.load("all.nc")
    assert found.attrs["done"] == 0
    assert dict(found.sizes) == {"rule": 2, "seed": 2}
    done = run("--collect")
    assert (done.exit_code, done.stderr) == (
        2,
        "rosenblatt: --collect needs --save, the file to write to\n",
    )


def test_failures_are_told_and_end_with_code_1(run, tmp_path):
    (tmp_path / "failing_task.py").write_text("def half(x):\n    return 1 / x\n")
    (tmp_path / "spec.toml").write_text(
        'task = "failing_task.py:half"\n[axes]\nx = [0, 2]\n'
    )
    done = run("--cores", "0")
    assert done.exit_code == 1
    assert "failed, x=0: ZeroDivisionError" in done.stderr
    assert done.stdout == "1 of 2 experiments are there, in spec.sweep\n"


def test_bad_files_are_explained_in_one_line(run, tmp_path):
    (tmp_path / "spec.toml").write_text(SPEC.replace("dim = 10", "dim = 0"))
    done = run()
    assert done.exit_code == 2
    assert done.stderr == (
        "rosenblatt: rule=perceptron, seed=0: dim must be a whole number not below 1, "
        "got 0\n"
    )
    assert not (tmp_path / "spec.sweep").exists()
