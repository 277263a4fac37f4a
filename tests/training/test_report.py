import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.training import report
from tests.tables.examples import table, write
from tests.training.running import learn


@pytest.fixture
def trained(tmp_path):
    return learn(write(table(200), tmp_path / "x.csv"), "won", batch_rows=50)


def test_facts_are_those_of_the_record_and_the_model(trained):
    known = report(trained.model, top=2)
    assert known["rows"] == trained.record.rows == 200
    assert known["progressive"]["error"] == trained.record.metrics.error
    assert known["classes"] == trained.model.classes_.tolist()
    assert known["judged"] == "row by row"
    assert len(known["weights"]) == 2


def test_the_most_certain_weights_come_first(trained):
    ratios = [weight["ratio"] for weight in report(trained.model)["weights"]]
    assert ratios == sorted(ratios, reverse=True)


def test_the_curve_ends_with_all_rows(trained):
    points = report(trained.model)["curve"]
    assert [point["rows"] for point in points][-1] == 200
    assert points[-1]["error"] == trained.record.metrics.error


def test_weights_of_hashed_words_have_the_sign_of_their_effect(tmp_path):
    random = np.random.default_rng(0)
    words = np.array([f"w{i}" for i in range(20)])
    chosen = random.permuted(np.tile(np.arange(20), (2000, 1)), axis=1)[:, :4]
    lines = [f"{' '.join(words[row])},{int(row.min() < 4)}" for row in chosen]
    path = tmp_path / "x.csv"
    path.write_text("\n".join(["note,y", *lines]))
    known = report(rb.train(path, "y", columns={"note": "text"}), top=4)["weights"]
    assert {one["feature"] for one in known} == {f"note:w{i}" for i in range(4)}
    assert all(one["mean"] > 0 for one in known)
