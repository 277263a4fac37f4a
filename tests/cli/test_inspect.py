import json

import numpy as np
import pytest
from typer.testing import CliRunner

import rosenblatt as rb
from rosenblatt.cli.app import app
from tests.tables.examples import table, write
from tests.training.running import learn


def run(*arguments):
    return CliRunner().invoke(app, ["inspect", *map(str, arguments)])


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inspected")
    given = table(400)
    given["side"][::40] = ""
    path = write(given, folder / "x.csv")
    return learn(path, "won", save=folder / "m.safetensors"), folder


def test_what_the_model_knows_is_shown(saved):
    trained, folder = saved
    done = run(folder / "m.safetensors", "--top", 2)
    assert done.exit_code == 0, done.output
    for part in (
        "BayesPerceptron",
        "finished",
        "won: 0, 1",
        f"next row    error {trained.record.metrics.error:.4f}",
        f"log-loss {trained.record.metrics.evaluation()['log_loss']:.4f}",
        "10% ahead   error 0.",
        "side: 10",
        "Learning curve",
        "######",
    ):
        assert part in done.output
    assert done.output.count("side=") == 0  # a and b are the surest


def test_json_holds_weights_by_certainty(saved):
    trained, folder = saved
    known = json.loads(run(folder / "m.safetensors", "--json").stdout)
    weights = known["weights"]
    ratios = [w["ratio"] for w in weights]
    assert ratios == sorted(ratios, reverse=True)
    assert {w["feature"] for w in weights[:2]} == {"a", "b"}
    for weight in weights:
        j = trained.encoder.names.index(weight["feature"])
        assert weight["mean"] == trained.model.coef_[0, j]
        assert weight["std"] == trained.model.coef_std_[0, j]
        assert weight["ratio"] == pytest.approx(abs(weight["mean"]) / weight["std"])
    assert known["missing"] == {"side": 10}
    assert known["curve"][-1]["rows"] == 400
    recent = [p["recent_error"] for p in known["curve"]]
    assert all(0 <= e <= 1 for e in recent)
    counts = np.diff([0, *(p["rows"] for p in known["curve"])])
    total = np.dot(counts, recent)
    assert total == pytest.approx(sum(trained.record.metrics.wrong))


def test_weights_without_uncertainty_go_by_size(saved):
    _, folder = saved
    save = folder / "p.safetensors"
    rb.train(folder / "x.csv", "won", model="perceptron", save=save)
    known = json.loads(run(save, "--json").stdout)
    sizes = [abs(w["mean"]) for w in known["weights"]]
    assert sizes == sorted(sizes, reverse=True)
    assert "log_loss" not in known["progressive"]
    done = run(save)
    assert done.exit_code == 0, done.output
    assert "std" not in done.output


def test_what_is_no_model_is_refused(tmp_path):
    path = tmp_path / "x.safetensors"
    path.write_text("nothing")
    done = run(path)
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1
