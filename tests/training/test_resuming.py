import io
import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.training import TrainingInterrupted, load, loop
from tests.tables.examples import table, write
from tests.training.running import learn


def test_a_run_with_parts_of_your_own_is_resumed(own, tmp_path):
    path, save = write(table(300), tmp_path / "x.csv"), tmp_path / "m.safetensors"
    rule = f"decay(rule={own('Timid')},strength=0.1)"
    given = {"model": "perceptron", "rule": rule, "schedule": own("late")}
    whole = learn(path, "won", batch_rows=50, **given)
    with path.open("a") as file:
        file.write("1,2,left\n")
    options = {"batch_rows": 50, "save": save, **given}
    with pytest.raises(rb.tables.BadRowError, match="wrong number of fields"):
        learn(path, "won", **options)
    resumed = learn(path, "won", resume=True, on_error="skip", **options)
    assert resumed.record.skipped == {"wrong number of fields": 1}
    np.testing.assert_array_equal(resumed.model.coef_, whole.model.coef_)
    before = save.stat()
    learn(path, "won", resume=True, **options)
    assert save.stat() == before


def test_a_pipe_does_not_replace_a_finished_model_by_resuming(tmp_path, monkeypatch):
    save = tmp_path / "m.safetensors"
    text = write(table(300), tmp_path / "x.csv").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    learn("-", "won", save=save, resume=True)
    bits = save.read_bytes()
    with pytest.raises(ValueError, match="is finished, and a pipe may bring other"):
        learn("-", "won", save=save, resume=True)
    assert save.read_bytes() == bits


def test_resuming_never_replaces_the_model_of_other_files(tmp_path):
    monday = write(table(300), tmp_path / "monday.csv")
    tuesday = write(table(300, seed=1), tmp_path / "tuesday.csv")
    save = tmp_path / "m.safetensors"
    learn(monday, "won", save=save)
    bits = save.read_bytes()
    with pytest.raises(ValueError, match=r"files must be .*monday.*got .*tuesday"):
        learn(tuesday, "won", save=save, resume=True)
    with pytest.raises(ValueError, match=r"columns must be {} as before, got {'a'"):
        learn(monday, "won", save=save, resume=True, columns={"a": "ignore"})
    monday.write_bytes(tuesday.read_bytes())
    with pytest.raises(ValueError, match=r"cannot resume .*monday.csv has changed"):
        learn(monday, "won", save=save, resume=True)
    assert save.read_bytes() == bits


def test_a_saved_model_goes_on_learning_other_files(tmp_path):
    given = table(600)
    first, second = (
        write({k: v[part] for k, v in given.items()}, tmp_path / name)
        for name, part in (("a.csv", slice(400)), ("b.csv", slice(400, None)))
    )
    options = {"columns": {"side": "ignore"}, "batch_rows": 100}
    both = learn([first, second], "won", **options)
    save = tmp_path / "m.safetensors"
    learn(first, "won", save=save, **options)
    then = learn(second, continued=save, save=save, batch_rows=100)
    np.testing.assert_array_equal(then.model.coef_, both.model.coef_)
    assert then.record.rows == both.record.rows
    assert then.record.metrics.log_loss == pytest.approx(both.record.metrics.log_loss)
    with pytest.raises(ValueError, match="it continues another model"):
        learn(second, continued=save, save=save, batch_rows=100, resume=True)
    with pytest.raises(ValueError, match=r"columns is {'side': 'ignore'} in the model"):
        learn(second, continued=save, columns={"a": "ignore"})


def test_other_files_may_bring_new_labels(tmp_path):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text("a,y\n" + "1,no\n2,yes\n" * 20)
    second.write_text("a,y\n" + "1,no\n9,maybe\n" * 20)
    save = tmp_path / "m.safetensors"
    learn(first, "y", save=save)
    then = learn(second, continued=save, save=save)
    assert list(then.classes) == then.model.classes_.tolist()
    assert then.classes == ("maybe", "no", "yes")
    assert then.model.predict([[9.0]]) == "maybe"
    kept = load(save).record
    assert kept.metrics.labels == [20, 40, 20]
    learn(first, "y", save=save, classes=("no", "yes"))
    with pytest.raises(ValueError, match=r"b.csv, row 3, column 'y': .*'maybe'"):
        learn(second, continued=save)


def test_checkpoints_do_not_change_the_result(csv, tmp_path):
    bits = set()
    for every in (0, 0.01, 1000):
        save = tmp_path / f"{every}.safetensors"
        learn(csv, "won", save=save, checkpoint_every=every, batch_rows=64)
        bits.add(save.read_bytes())
        assert not save.with_name(f"{save.name}.checkpoint").exists()
    assert len(bits) == 1


@pytest.mark.parametrize("name", ["x.csv", "x.parquet", "x.arrow", "x.svm"])
def test_an_interrupt_keeps_what_was_learned(name, given, tmp_path, monkeypatch):
    path, target = write(given, tmp_path / name), "won"
    if name == "x.svm":
        rows = zip(given["won"], given["a"], given["b"], strict=True)
        path.write_text("".join(f"{y} 1:{a} 2:{b}\n" for y, a, b in rows))
    save = tmp_path / "m.safetensors"
    options = {"save": save, "batch_rows": 64}
    learn(path, target, **options)
    bits = save.read_bytes()
    save.unlink()
    seen = []
    original = loop._learn_batch

    def learn_batch(run, *arguments, **more):
        original(run, *arguments, **more)
        seen.append(run)
        if len(seen) == 3:
            signal_self()

    monkeypatch.setattr(loop, "_learn_batch", learn_batch)
    with pytest.raises(
        TrainingInterrupted, match=r"after 192 rows.*go on with --resume"
    ):
        learn(path, target, **options)
    assert not save.exists()
    monkeypatch.undo()
    learn(path, target, resume=True, **options)
    assert save.read_bytes() == bits


def signal_self():
    """Press Ctrl-C."""
    signal.raise_signal(signal.SIGINT)


def test_resuming_needs_the_same_files_and_settings(csv, tmp_path, monkeypatch):
    path, save = tmp_path / "x.csv", tmp_path / "m.safetensors"
    path.write_bytes(csv.read_bytes())

    def stop(run, *arguments, **more):
        if run.record.rows >= 128:
            raise OSError("no more")
        return original(run, *arguments, **more)

    original = loop._learn_batch
    monkeypatch.setattr(loop, "_learn_batch", stop)
    with pytest.raises(OSError, match="no more"):
        learn(path, "won", save=save, batch_rows=64)
    monkeypatch.undo()
    assert load(f"{save}.checkpoint").record.rows == 128
    with pytest.raises(ValueError, match="batch_rows must be 64 as before, got 65"):
        learn(path, "won", save=save, batch_rows=65, resume=True)
    path.write_bytes(csv.read_bytes()[:-1] + b" \n")
    with pytest.raises(ValueError, match=r"x\.csv has changed since"):
        learn(path, "won", save=save, batch_rows=64, resume=True)


def test_a_finished_run_is_not_repeated(csv, tmp_path, monkeypatch):
    save = tmp_path / "m.safetensors"
    learn(csv, "won", save=save)
    monkeypatch.setattr(loop, "_learn", None)  # cannot be called
    again = learn(csv, "won", save=save, resume=True)
    assert again.record.rows == 600


SCRIPT = Path(__file__).parent / "killing.py"
RUNS = [
    {"source": "x.csv", "model": "bayes"},
    {"source": "x.csv.gz", "model": "perceptron"},
    {"source": "x.csv", "target": "b"},  # which are numbers
    {"source": "x.parquet", "model": "bayes-diagonal", "piece_rows": 100},
    {"source": "x.parquet", "model": "bayes-diagonal", "columns": {"side": "hash"}},
    {"source": "x.parquet", "model": "perceptron", "piece_rows": 300},
]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.parametrize(
    ("kills", "count"), [(2, 4), pytest.param(12, len(RUNS), marks=pytest.mark.slow)]
)
def test_killed_runs_resume_to_the_same_bits(kills, count, tmp_path):
    """A run that is killed, at any moment and many times, ends with the same bits."""
    given = table(1500)
    given["b"][::50] = 1e6  # outliers, which standardising remembers
    runs = []
    for name in ("x.csv", "x.csv.gz", "x.parquet"):
        write(given, tmp_path / name)
    for options in RUNS[:count]:
        runs.append(({"target": "won", "batch_rows": 50} | options, kills))
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
