"""A run that is killed, at any moment and many times, ends with the same bits."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import rosenblatt as rb
from tests.tables.examples import table, write

SCRIPT = Path(__file__).parent / "killing.py"
RUNS = [
    ({"files": "x.csv", "model": "bayes"}, 20),
    ({"files": "x.parquet", "model": "bayes-diagonal", "categories": "hash"}, 8),
    ({"files": "x.csv.gz", "model": "perceptron", "passes": 2}, 8),
]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_killed_runs_resume_to_the_same_bits(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = table(1500)
    given["b"][::50] = 1e6  # outliers, which standardising remembers
    runs = []
    for i, (options, kills) in enumerate(RUNS):
        write(given, Path(options["files"]))
        full = {"target": "won", "batch_rows": 40, "hash_bits": 6, **options}
        rb.train(**full, save=f"whole{i}.safetensors")
        runs.append(({**full, "save": f"killed{i}.safetensors"}, kills))
    done = subprocess.run(
        [sys.executable, SCRIPT, tmp_path, json.dumps(runs)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    # some kills may have come too late, when the run was over
    killed = json.loads(done.stdout)
    assert all(k >= asked / 2 for k, (_, asked) in zip(killed, RUNS, strict=True))
    for i in range(len(RUNS)):
        whole = Path(f"whole{i}.safetensors").read_bytes()
        assert Path(f"killed{i}.safetensors").read_bytes() == whole
        assert not Path(f"killed{i}.safetensors.checkpoint").exists()
