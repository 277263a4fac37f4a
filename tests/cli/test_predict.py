import csv as csv_module
import json

import numpy as np
import pyarrow.parquet
import pytest
from typer.testing import CliRunner

import rosenblatt as rb
from rosenblatt.cli.app import app
from tests.tables.examples import table, write
from tests.training.running import learn


def run(*arguments, stdin=None):
    return CliRunner().invoke(app, ["predict", *map(str, arguments)], input=stdin)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    path = write(table(400), folder / "x.csv")
    save = folder / "m.safetensors"
    return save, learn(path, "won", save=save)


def features(given):
    sides = [(given["side"] == s).astype(float) for s in ("left", "middle", "right")]
    return np.column_stack([given["a"], given["b"], *sides, 0 * sides[0]])


def test_a_rule_and_a_schedule_of_your_own_are_named_again(own, tmp_path):
    path, save = write(table(300), tmp_path / "x.csv"), tmp_path / "m.safetensors"
    mine = {"rule": own("Timid:strength=2"), "schedule": own("late")}
    known = learn(path, "won", model="perceptron", save=save, **mine)
    done = run(save, path)
    assert done.exit_code == 2
    assert "has a part 'Timid' that is not in rosenblatt" in done.output
    options = [f"--rule={own('Timid')}", f"--schedule={own('late')}"]
    assert run(save, path, *options).exit_code == 0
    again = rb.training.load(save, rule=own("Timid"), schedule=own("late"))
    assert again.model.rule == known.model.rule
    assert CliRunner().invoke(app, ["inspect", str(save), *options]).exit_code == 0


def test_svmlight_and_named_columns_are_not_mixed_up(trained, tmp_path):
    path = tmp_path / "x.svm"
    path.write_text("1 0:1\n0 1:2\n")
    done = run(trained[0], path)
    assert done.exit_code == 2
    assert "x.svm must not be svmlight" in done.output


def test_predictions_are_those_of_the_model_whatever_the_order_of_columns(
    trained, tmp_path
):
    save, known = trained
    new = table(100, seed=1)
    mixed = {"more": np.arange(100), **{k: new[k] for k in ("side", "b", "won", "a")}}
    path, out = write(mixed, tmp_path / "new.parquet"), tmp_path / "out.csv"
    done = run(save, path, "--out", out, "--proba")
    assert done.exit_code == 0, done.output
    with out.open() as file:
        rows = list(csv_module.DictReader(file))
    X = features(new)
    assert [int(r["prediction"]) for r in rows] == known.model.predict(X).tolist()
    shares = [[float(r["p(0)"]), float(r["p(1)"])] for r in rows]
    np.testing.assert_allclose(shares, known.model.predict_proba(X), rtol=1e-12)
    error = np.mean(known.model.predict(X) != new["won"])
    assert f"on 100 rows with labels:\nerror {error:.4f}, majority" in done.stderr


def test_costs_decide_and_are_reported(trained, tmp_path):
    save, known = trained
    new = table(200, seed=3)
    path, out = write(new, tmp_path / "new.csv"), tmp_path / "out.csv"
    done = run(save, path, "--out", out, "--costs", "1=5")
    assert done.exit_code == 0, done.output
    guessed = (
        5 * known.model.predict_proba(features(new))[:, 1]
        > 1 - (known.model.predict_proba(features(new))[:, 1])
    )
    won = np.asarray(new["won"]).astype(bool)
    cost = np.mean(np.where(won, 5 * ~guessed, guessed))
    assert f", cost of a row {cost:.4f}, " in done.stderr
    assert "cost of a row" not in run(save, path, "--out", out).stderr


def test_from_standard_input_to_standard_output(trained):
    save, _ = trained
    done = run(save, "-", stdin="b,a,side\n0,9,left\n0,-9,new\n,9,\n")
    assert done.exit_code == 0, done.output
    assert done.stdout == "prediction\n1\n0\n1\n"


def test_parquet_comes_out_too(trained, tmp_path):
    save, known = trained
    new = table(50, seed=2)
    out = tmp_path / "out.parquet"
    assert run(save, write(new, tmp_path / "n.csv"), "--out", out).exit_code == 0
    found = pyarrow.parquet.read_table(out).to_pydict()["prediction"]
    assert found == known.model.predict(features(new)).tolist()


def test_a_row_that_cannot_be_read_stops_or_gets_an_empty_line(trained, tmp_path):
    save, _ = trained
    path = tmp_path / "n.csv"
    path.write_text("a,b,side\n9,0,left\nx,0,left\n1,2\ninf,1,left\n-9,0,right\n")
    done = run(save, path)
    assert done.exit_code == 2
    assert "n.csv, row 3, column 'a': not a number: 'x'" in done.stderr
    assert done.stdout == ""  # no header either
    done = run(save, path, "--on-error", "skip", "--proba")
    lines = done.stdout.splitlines()
    assert [line.partition(",")[0] for line in lines] == [
        "prediction",
        "1",
        *[""] * 3,
        "0",
    ]
    assert "not a number: 1, wrong number of fields: 1, infinite: 1" in done.stderr


def test_wrong_use_is_one_line_and_exit_code_2(trained, tmp_path):
    save, _ = trained
    less = write({"a": np.ones(3), "b": np.ones(3)}, tmp_path / "less.csv")
    full = write(table(3), tmp_path / "full.csv")
    other = tmp_path / "other.safetensors"
    rb.save_model(rb.OnlinePerceptron().fit([[1.0], [2.0]], [0, 1]), other)
    for arguments, message in (
        ((save, less), "less.csv has no column 'side'; it has 'a', 'b'"),
        ((tmp_path / "none", full), "there is no file"),
        ((full, full), "is not a model"),
        ((other, full), "was not made by train"),
        ((save, full, "--out", "x.doc"), "--out must be - or end in"),
        ((save, full, "--on-error", "ask"), "--on-error must be one of stop, skip"),
    ):
        done = run(*arguments)
        assert done.exit_code == 2, done.output
        assert message in done.stderr
        assert len(done.stderr.splitlines()) == 1
    hard = tmp_path / "hard.safetensors"
    rb.train(full, "won", model="perceptron", classes=[0, 1], save=hard)
    done = run(hard, full, "--proba")
    assert (done.exit_code, "gives no probabilities" in done.stderr) == (2, True)


def test_a_file_that_is_read_is_not_overwritten(trained, tmp_path):
    path = write(table(50), tmp_path / "x.csv")
    link = tmp_path / "link.csv"
    link.symlink_to(path)
    before = path.read_bytes()
    for out in (path, link):
        done = run(trained[0], path, "--out", out)
        assert done.exit_code == 2
        assert f"--out must not be a file that is read, got '{out}'" in done.output
    assert path.read_bytes() == before


def test_labels_that_the_model_does_not_know_are_counted(trained, tmp_path):
    path, out = tmp_path / "new.csv", tmp_path / "out.csv"
    path.write_text("a,b,side,won\n1,2,left,maybe\n1,2,left,1\n1,2,left,\n")
    done = run(trained[0], path, "--out", out)
    assert done.exit_code == 0, done.output
    assert "on 1 row with labels:" in done.stderr
    assert "labels that the model does not know: maybe: 1\n" in done.stderr
    done = run(trained[0], path, "--out", out, "--json")
    assert json.loads(done.stdout)["unknown_labels"] == {"maybe": 1}
