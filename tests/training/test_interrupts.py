import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rosenblatt.training.interrupts import Interrupts
from tests.tables.examples import table, write

SCRIPT = Path(__file__).parent / "killing.py"
RUNS = [
    ({"files": "x.csv", "model": "bayes"}, 12),
    ({"files": "x.parquet", "model": "bayes-diagonal", "categories": "hash"}, 6),
    ({"files": "x.csv.gz", "model": "perceptron", "passes": 2}, 6),
    ({"files": ["x.parquet"], "model": "bayes-diagonal", "piece_rows": 100}, 6),
    (
        {"files": ["x.parquet"], "model": "perceptron", "passes": 2, "piece_rows": 300},
        6,
    ),
]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_is_noted_and_the_second_acts(number):
    before = signal.getsignal(number)
    with Interrupts() as interrupts:
        assert not interrupts.asked
        os.kill(os.getpid(), number)
        assert interrupts.asked
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
    assert signal.getsignal(number) is before


def test_other_threads_change_no_handler():
    handlers = []

    def enter():
        with Interrupts():
            handlers.append(signal.getsignal(signal.SIGINT))

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert handlers == [before]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_killed_runs_resume_to_the_same_bits(tmp_path):
    """A run that is killed, at any moment and many times, ends with the same bits."""
    given = table(1500)
    given["b"][::50] = 1e6  # outliers, which standardising remembers
    runs = []
    for name in ("x.csv", "x.csv.gz", "x.parquet"):
        write(given, tmp_path / name)
    for options, kills in RUNS:
        runs.append(
            ({"target": "won", "batch_rows": 50, "hash_bits": 6} | options, kills)
        )
    done = subprocess.run(
        [sys.executable, SCRIPT, tmp_path, json.dumps(runs)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    for left, ended in json.loads(done.stdout):
        assert left >= 1
        assert ended >= 1
