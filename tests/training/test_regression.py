"""Targets that are numbers are regressed, by the same loop, files and commands."""

import io
import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import rosenblatt as rb
from rosenblatt.cli.app import app
from rosenblatt.models import ModelFileError
from rosenblatt.training import load, preview, report
from tests.training.running import learn

ROWS = 900


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(0)
    size, side = random.standard_normal(ROWS), random.choice(["left", "right"], ROWS)
    noise = 0.5 * random.standard_normal(ROWS)
    price = 100.0 + 20.0 * size + 5.0 * (side == "left") + 5.0 * noise
    return pd.DataFrame({"size": size, "side": side, "price": price.round(3)})


@pytest.fixture(scope="module")
def csv(frame, tmp_path_factory):
    path = tmp_path_factory.mktemp("numbers") / "x.csv"
    frame.to_csv(path, index=False)
    return path


def features(frame):
    one = (frame[["side"]] == ["left"]).to_numpy()
    zero = np.zeros((len(frame), 1))
    return np.hstack([frame[["size"]].to_numpy(), one, ~one, zero])


def test_the_model_is_that_of_the_same_rows_in_memory(frame, csv):
    X, y = features(frame), frame["price"].to_numpy()
    model = rb.BayesRegressor()
    mean, interval = model.predict_then_learn(X, y, level=0.9)
    run = learn(csv, "price")
    assert isinstance(run.model, rb.BayesRegressor)
    np.testing.assert_allclose(run.model.coef_, model.coef_, rtol=1e-8)
    known = report(run.model)["progressive"]
    assert known["rows"] == ROWS - 1  # of the first nothing is known
    error = np.sqrt(np.mean((mean - y)[1:] ** 2))
    assert known["rmse"] == pytest.approx(error, rel=1e-8)
    assert known["mean_rmse"] == pytest.approx(y[1:].std(), rel=1e-8)
    assert known["log_loss"] == pytest.approx(-model.log_evidence_ / (ROWS - 1))
    inside = (interval[:, 0] < y) & (y < interval[:, 1])
    assert known["coverage"] == pytest.approx(inside[1:].mean(), abs=2 / ROWS)


@pytest.mark.parametrize("name", ["x.parquet", "x.arrow", "x.csv.gz", "frame"])
def test_every_source_gives_the_same_model(name, frame, csv, tmp_path):
    source, wanted = frame, learn(csv, "price", batch_rows=100)
    if name.endswith("parquet"):
        frame.to_parquet(source := tmp_path / name)
    elif name.endswith("arrow"):
        frame.to_feather(source := tmp_path / name)
    elif name.endswith("gz"):
        frame.to_csv(source := tmp_path / name, index=False)
    run = learn(source, "price", batch_rows=100)
    np.testing.assert_array_equal(run.model.coef_, wanted.model.coef_)
    assert run.record == wanted.record


@pytest.mark.parametrize(
    ("values", "task"),
    [
        ([1, 2, 3], "classify"),
        ([1.0, 2.0, 3.0], "classify"),
        ([0.5, 1.5], "classify"),
        ([0.5, 1.5, 2.0], "regress"),
        (list(range(20)), "classify"),
        (list(range(21)), "regress"),
        (["v1", "v2", "v3"], "classify"),
        ([True, False], "classify"),
    ],
)
def test_the_task_follows_from_the_target(values, task, tmp_path):
    table = pd.DataFrame({"a": np.arange(200.0) % 7, "y": (values * 200)[:200]})
    table.to_csv(path := tmp_path / "x.csv", index=False)
    table.to_parquet(other := tmp_path / "x.parquet")
    for source in (path, other):
        assert learn(source, "y").task.name == task
        first = str(preview(source, "y")).splitlines()[0]
        assert ("number;" in first) == (task == "regress")
    if task == "regress":
        assert learn(path, "y", task="classify").task.name == "classify"
        assert learn(path, "y", model="perceptron").task.name == "classify"
    elif not isinstance(values[0], str | bool):
        assert learn(path, "y", task="regress").task.name == "regress"


def test_more_files_pieces_and_rows_held_out(frame, csv, tmp_path):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    frame[:500].to_csv(first, index=False)
    frame[500:].to_csv(second, index=False)
    save = tmp_path / "m.safetensors"
    learn(first, "price", save=save, batch_rows=100)
    then = learn(second, continued=save, batch_rows=100)
    whole = learn([first, second], "price", batch_rows=100)
    np.testing.assert_array_equal(then.model.coef_, whole.model.coef_)
    assert then.record.metrics == whole.record.metrics
    with pytest.raises(ValueError, match="task is 'regress' in the model to continue"):
        learn(second, continued=save, task="classify")
    pieces = learn([first, second], "price", piece_rows=2**20)
    assert pieces.model.t_ == pieces.record.rows == ROWS
    np.testing.assert_allclose(pieces.model.coef_, whole.model.coef_, rtol=0.05)
    held = learn(csv, "price", holdout_last=0.2)
    rest = frame[720:]
    error = held.model.predict(rest) - rest["price"]
    known = report(held.model)["test"]
    assert known["rows"] == 180
    assert known["rmse"] == pytest.approx(np.sqrt(np.mean(error**2)))


def test_weights_and_bad_targets(tmp_path):
    path = tmp_path / "x.csv"
    good = "".join(f"{i % 7},{i % 7 + 0.5},{i % 3}\n" for i in range(60))
    path.write_text("a,y,times\n" + good + "1,,1\n2,inf,1\n3,much,1\n")
    options = {"columns": {"times": "weight"}}
    with pytest.raises(ValueError, match="row 62, column 'y': missing label"):
        learn(path, "y", **options)
    run = learn(path, "y", on_error="skip", **options)
    bad = {"missing label": 1, "infinite": 1, "not a number": 1}
    assert run.record.skipped == bad
    first = 1  # of weight 1, of which nothing was known
    assert run.record.metrics.rows == sum(i % 3 for i in range(60)) - first


def test_a_column_that_has_the_order_of_the_target_is_marked(frame, tmp_path):
    table = frame.assign(tax=frame["price"] * 0.2, noise=frame["size"] ** 2)
    table.to_csv(path := tmp_path / "x.csv", index=False)
    warned = {c.name for c in preview(path, "price").columns if c.warning}
    assert warned == {"tax"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task": "guess"}, "task must be one of classify, regress, got 'guess'"),
        ({"task": "regress", "costs": {"1": 2}}, "task must be classify for classes"),
        ({"task": "regress", "model": "perceptron"}, "task must be classify for"),
        ({"task": "regress", "model": "bayes:noise=1"}, "has no parameter 'noise=1'"),
    ],
)
def test_options_that_mean_nothing_for_numbers_are_refused(options, message, csv):
    with pytest.raises(ValueError, match=message):
        learn(csv, "price", **options)


def test_the_commands_write_mean_and_interval(frame, csv, tmp_path):
    save, out = tmp_path / "m.safetensors", tmp_path / "out.csv"
    words = ["train", str(csv), "--target", "price", "--save", str(save)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    first = "price is a number; --task classify takes its values as classes"
    assert done.stderr.splitlines()[0] == first
    assert "RMSE" in done.stdout
    assert "coverage of 90% intervals 0.9" in done.stdout
    words = ["predict", str(save), str(csv), "--out", str(out), "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    known, model = json.loads(done.stdout), rb.load_model(save)
    found = pd.read_csv(out)
    np.testing.assert_allclose(found["prediction"], model.predict(frame))
    ends = model.predict_interval(frame, 0.9)
    np.testing.assert_allclose(found[["low", "high"]], ends)
    error = found["prediction"] - frame["price"]
    assert known["rmse"] == pytest.approx(np.sqrt(np.mean(error**2)))
    rows = frame[["side", "size"]].assign(price="?").to_csv(index=False)
    done = CliRunner().invoke(app, ["predict", str(save), "-"], input=rows)
    assert pd.read_csv(io.StringIO(done.stdout))["low"].notna().all()
    done = CliRunner().invoke(app, ["inspect", str(save)])
    assert done.exit_code == 0, done.output
    assert "price: a number" in done.output
    assert "Learning curve: RMSE since the line above" in done.output


def test_a_record_of_another_task_is_refused(csv, tmp_path):
    model = rb.train(csv, "price", save=tmp_path / "m.safetensors")
    model.training_record_["options"]["task"] = "classify"
    rb.save_model(model, tmp_path / "m.safetensors")
    with pytest.raises(ModelFileError, match="must be of the task classify"):
        load(tmp_path / "m.safetensors")
    model.training_record_["options"]["task"] = "regress"
    model.training_record_["record"]["metrics"]["squares"] = -1.0
    rb.save_model(model, tmp_path / "m.safetensors")
    with pytest.raises(ModelFileError, match="must have sums from 0 on"):
        load(tmp_path / "m.safetensors")


def test_pieces_in_memory_are_merged(frame):
    X, y = features(frame), frame["price"].to_numpy()
    pieces = [(X[:400], y[:400]), (X[400:], y[400:])]
    found = rb.fit_parts(rb.BayesRegressor(), pieces)
    first, second = (rb.BayesRegressor().fit(*piece) for piece in pieces)
    np.testing.assert_array_equal(found.coef_, first.merge(second).coef_)
    with pytest.raises(ValueError, match="classes must be None for numbers"):
        rb.fit_parts(rb.BayesRegressor(), pieces, classes=[0, 1])
