import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.training import learning as module
from rosenblatt.training.trained import Trained, checkpoint_path
from tests.tables.examples import table, write

BAD = "a,b,won\n" + "1,2,0\n2,1,1\n" * 20 + "{row}\n" + "3,4,0\n"
WRONG = {
    "1,2": "line 42: wrong number of fields: 2, not 3",
    "x,2,0": "line 42, column 'a': not a number: 'x'",
    "1,nan,0": "line 42, column 'b': NaN",
    "-inf,2,0": "line 42, column 'a': infinite",
    "1,2,": "line 42, column 'won': missing label",
    "1,2,9": "line 42, column 'won': unseen label: '9'",
}


@pytest.mark.parametrize("row", WRONG)
def test_a_bad_row_stops_with_file_line_and_column(row, tmp_path):
    path, save = tmp_path / "x.csv", tmp_path / "m.safetensors"
    path.write_text(BAD.format(row=row))
    save.write_bytes(b"the model before")
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        rb.train(path, "won", classes=[0, 1], save=save, batch_rows=10, missing=[])
    assert str(caught.value) == f"{path}, {WRONG[row]}"
    assert save.read_bytes() == b"the model before"
    # all batches before it are kept, and the run can go on without the row
    assert Trained.load(checkpoint_path(save)).record.rows == 40
    options = {"classes": [0, 1], "batch_rows": 10, "on_error": "skip", "save": save}
    options["missing"] = []
    resumed = rb.train(path, "won", resume=True, **options)
    assert resumed.record.rows == 41
    kind = WRONG[row].partition(": ")[2].partition(":")[0]
    assert resumed.record.skipped == {kind: 1}
    bits = save.read_bytes()
    rb.train(path, "won", **options)
    assert save.read_bytes() == bits


def test_bad_rows_of_parquet_are_named_by_row(tmp_path):
    given = table(50)
    given["b"][17] = np.nan
    path = write(given, tmp_path / "x.parquet")
    with pytest.raises(ValueError, match=r"x.parquet, row 18, column 'b': NaN"):
        rb.train(path, "won", missing=[])
    trained = rb.train(path, "won")
    assert trained.record.missing == {"b": 1}
    assert trained.record.rows == 50


def refusing(original):
    """Learn as ever, but refuse large numbers, as a model whose squares overflow."""

    def learn_batch(model, X, *more):
        if X.max() > 1e100:
            raise ArithmeticError("numbers are too large")
        return original(model, X, *more)

    return learn_batch


def test_a_batch_that_a_model_refuses_is_named_and_nothing_is_kept_half_learned(
    tmp_path, monkeypatch
):
    path, save = tmp_path / "x.csv", tmp_path / "m.safetensors"
    path.write_text(BAD.format(row="1e300,2,0"))
    monkeypatch.setattr(module, "learn_batch", refusing(module.learn_batch))
    with pytest.raises(ValueError, match=r"x\.csv, a batch up to line 43: numbers are"):
        rb.train(path, "won", save=save, batch_rows=10)
    assert [p.name for p in tmp_path.iterdir()] == ["x.csv"]


def test_rows_that_a_model_refuses_are_skipped_and_counted(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    good = ["1,2,0", "2,1,1", "3,1,1"] * 20
    huge = ["1e200,1,0", "1,1e300,1", "1e200,2,1"]
    path.write_text("\n".join(["a,b,won", *good, *huge[:2], *good[:7], huge[2]]))
    monkeypatch.setattr(module, "learn_batch", refusing(module.learn_batch))
    trained = rb.train(path, "won", on_error="skip", batch_rows=32)
    assert trained.record.skipped == {"refused by the model": 3}
    path.write_text("\n".join(["a,b,won", *good, *good[:7]]))
    wanted = rb.train(path, "won", batch_rows=32)
    assert trained.record.rows == wanted.record.rows == 67
    assert trained.record.mistakes == wanted.record.mistakes
    np.testing.assert_allclose(trained.model.coef_, wanted.model.coef_, rtol=1e-12)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_rows_that_a_binary_perceptron_refused_are_left_out_of_its_last_pass(tmp_path):
    """A third level in a column; the threshold is looked for in a pass of its own."""
    rng = np.random.default_rng(0)
    X = (rng.random((200, 3)) < [0.3, 0.6, 0.5]).astype(int)
    good = [f"{a},{b},{c},{int(a + b + c > 1)}" for a, b, c in X]
    path, clean = tmp_path / "x.csv", tmp_path / "clean.csv"
    bad = ["2,0,1,1", "0,1,-1,0", "0,5,1,0"]
    # the first rows say which levels there are
    rows = [*good[:32], bad[0], *good[32:90], bad[1], *good[90:], bad[2]]
    path.write_text("\n".join(["a,b,c,won", *rows]))
    clean.write_text("\n".join(["a,b,c,won", *good]))
    given = {"model": "binary-perceptron", "batch_rows": 16}
    trained = rb.train(path, "won", on_error="skip", **given)
    assert trained.record.skipped == {"refused by the model": 3}
    wanted = rb.train(clean, "won", **given).model
    model = trained.model
    assert model.threshold_examples_ == model.t_ == 200
    np.testing.assert_array_equal(model.coef_, wanted.coef_)
    np.testing.assert_array_equal(model.threshold_, wanted.threshold_)
    with pytest.raises(ValueError, match="two levels in each column, got 2 in column"):
        rb.train(path, "won", **given)


def test_a_file_that_grows_before_the_last_pass_is_noticed(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    path.write_text("a,b,won\n" + "0,1,0\n1,0,1\n" * 20)
    learn = module._learn

    def growing(*given):
        learn(*given)
        with path.open("a") as file:
            file.write("1,1,1\n")

    monkeypatch.setattr(module, "_learn", growing)
    with pytest.raises(ValueError, match=r"same when read again .* 40 rows and .* 41"):
        rb.train(path, "won", model="binary-perceptron")


def test_a_model_that_takes_no_row_says_why(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,won\n1,0\n2,1\n3,1\n")
    with pytest.raises(ValueError, match="X must have two levels in each column"):
        rb.train(path, "won", model="clipped-hebb:binarise=none", on_error="skip")


def test_missing_values_and_new_categories_are_counted(tmp_path):
    path = tmp_path / "x.csv"
    rows = ["1,,u,0", "2,5,,1", ",5,v,0", "?,4,u,1", "1,2,w,0", "3,2,u,1"]
    path.write_text("a,b,t,won\n" + "\n".join(rows))
    record = rb.train(path, "won", missing=["?"], batch_rows=4).record
    assert record.rows == 6
    assert record.missing == {"a": 2, "b": 1, "t": 1}
    assert record.other == {"t": 1}
