"""Runs of benchmarks are compared with earlier ones, within their noise."""

import json

import pytest

from benchmarks.history import compare, keep
from benchmarks.measure import Row


def stored(folder, number, ratio, time):
    rows = [
        Row("ratio", f"{ratio} times NumPy (3 ns)", ">= 15 times", True),
        Row("time", f"{time} s", "<= 1 s", True),
        Row("law", "1.2751 +- 0.0012", "1.2732 within 5 errors", True),
    ]
    path = keep(rows, folder)
    path.rename(folder / f"{number}.json")


def test_only_changes_beyond_the_noise_are_told(tmp_path):
    for number, (ratio, time) in enumerate([(10, 0.5), (14, 0.5), (12, 0.5)]):
        stored(tmp_path, number, ratio, time)
    (tmp_path / "streams.json").write_text("{}")  # of another benchmark
    stored(tmp_path, 3, 8.5, 0.58)  # within a fifth of the range
    assert compare(tmp_path) == []
    stored(tmp_path, 4, 18, 0.9)
    better, worse = compare(tmp_path)
    assert better == "better: ratio: 18, before 11 (4 runs)"
    assert worse.startswith("WORSE: time: 0.9, before 0.5")


def test_runs_of_other_machines_do_not_count(tmp_path):
    stored(tmp_path, 0, 100, 100)
    run = json.loads((tmp_path / "0.json").read_text())
    (tmp_path / "0.json").write_text(json.dumps(run | {"machine": "another"}))
    stored(tmp_path, 1, 1, 1)
    assert compare(tmp_path) == []


def test_without_a_run_the_command_is_named(tmp_path):
    with pytest.raises(SystemExit, match="make bench"):
        compare(tmp_path)
