"""Tables in memory, and iterators over tables, are learned as files are."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow
import pytest

import rosenblatt as rb
from tests.training.running import learn

ROWS = 900
KINDS = {
    "frame": lambda frame: frame,
    "polars": pl.from_pandas,
    "iterator": lambda frame: (frame[i : i + 300] for i in range(0, ROWS, 300)),
    "batches": lambda frame: iter(pyarrow.Table.from_pandas(frame).to_batches(300)),
}


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    found = pd.DataFrame(
        {
            "size": rng.normal(size=ROWS),
            "side": rng.choice(["left", "middle", "right"], ROWS),
            "day": pd.date_range("2024-01-01", periods=ROWS, freq="h"),
            "flag": rng.random(ROWS) < 0.5,
        }
    )
    found.loc[::50, "size"] = np.nan
    found["won"] = np.where((found.side == "left") ^ found.flag, "yes", "no")
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_in_memory_is_learned_as_the_file(kind, frame, tmp_path):
    path, save = tmp_path / "x.parquet", tmp_path / "m.safetensors"
    frame.to_parquet(path)
    file = learn(path, "won", batch_rows=100)
    run = learn(KINDS[kind](frame), "won", batch_rows=100, save=save)
    np.testing.assert_array_equal(run.model.coef_, file.model.coef_)
    assert run.record == file.record
    again = rb.load_model(save)
    np.testing.assert_array_equal(
        again.predict_proba(frame[:9]), file.model.predict_proba(frame[:9])
    )


def test_rows_of_a_frame_are_held_out_and_read_again(frame):
    run = learn(frame, "won", batch_rows=100, holdout_last=0.2)
    assert (run.record.rows, run.record.test.rows) == (720, 180)


@pytest.mark.parametrize("target", ["won", "price"])  # classes, and numbers
def test_an_iterator_is_resumed_to_the_bit(target, frame, tmp_path):
    save, whole = tmp_path / "m.safetensors", tmp_path / "whole.safetensors"
    frame["price"] = frame["size"].fillna(0.0) + frame["flag"]

    def batches(stop=ROWS):
        yield from (frame[i : i + 300] for i in range(0, stop, 300))
        if stop < ROWS:
            raise OSError("no more")

    given = {"target": target, "batch_rows": 100}
    learn(batches(), save=whole, **given)
    with pytest.raises(OSError, match="no more"):
        learn(batches(600), save=save, **given)
    learn(batches(), save=save, resume=True, **given)
    assert save.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (lambda f: iter([]), {}, "source must have a table or more"),
        (lambda f: 3, {}, "source must be paths, a table such as .*, got int"),
        (lambda f: [f, f], {}, "source must be paths, a table such as .*, got DataF"),
        (lambda f: iter([1]), {}, "X must be a table, such as"),
        (lambda f: f[:0], {}, "source has no rows"),
        (lambda f: f.assign(size=np.inf), {}, "source, row 1, column 'size': infinite"),
        (
            lambda f: iter([f[:300], f[300:].drop(columns="flag")]),
            {},
            "source, row 301: no column 'flag'",
        ),
        (
            lambda f: iter([f[:300], f[300:].assign(size="x")]),
            {},
            "source cannot be read: .*'x'",
        ),
        (lambda f: f, {"workers": 2}, "source must be files with workers"),
        (lambda f: iter([f]), {"holdout": 0.2}, "holdout needs rows that can be read"),
    ],
)
def test_what_is_no_table_is_said(source, options, message, frame):
    with pytest.raises((TypeError, ValueError), match=message):
        rb.train(source(frame), "won", **options)
