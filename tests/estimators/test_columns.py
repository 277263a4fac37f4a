import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import rosenblatt as rb
from rosenblatt.estimators.columns import column_report
from tests.training.mixed_table import write_mixed
from tests.training.running import learn


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    path = write_mixed(tmp_path_factory.mktemp("t") / "t.csv", 4000)
    return learn(path, "churned", columns={"id": "id", "signed_up": "ignore"})


def test_columns_are_ranked_by_joint_tests(trained):
    found = column_report(trained.model, plan=trained.encoder)
    named = {entry["column"]: entry for entry in found}
    assert [e["p"] for e in found] == sorted(e["p"] for e in found)
    assert named["plan"]["degrees"] == 5 - 1
    assert named["plan"]["p"] < 1e-6
    assert named["x3"]["degrees"] == 2  # with the mark of gaps


def test_levels_are_relative_to_a_reference(trained):
    plan = next(
        e
        for e in column_report(trained.model, plan=trained.encoder)
        if e["column"] == "plan"
    )
    assert plan["reference"] == "basic"
    effects = {e["feature"]: e["mean"] for e in plan["effects"]}
    assert "plan=basic" not in effects
    names = trained.encoder.names
    free, basic = (names.index(f"plan={x}") for x in ("free", "basic"))
    (mean,), _ = trained.model.coef_belief([free, basic])
    assert effects["plan=free"] == pytest.approx(mean[0] - mean[1])


@pytest.mark.filterwarnings("ignore:labels come in long runs")
def test_a_column_that_looks_like_an_id_comes_last(tmp_path):
    """It rises with time, and so does the label: no other column is as significant."""
    lines = [f"{i},{i % 7},{int(i > 200)}" for i in range(400)]
    path, save = tmp_path / "t.csv", tmp_path / "m.safetensors"
    path.write_text("\n".join(["number,size,late", *lines]))
    run = learn(path, "late", save=save)
    found = column_report(run.model, plan=run.encoder)
    assert [(e["column"], e["id"]) for e in found] == [
        ("size", False),
        ("number", True),
    ]
    assert found[1]["p"] < found[0]["p"]


def test_a_report_has_effects_with_intervals():
    rng = np.random.default_rng(0)
    rows, levels = 4000, ["a", "b", "c"]
    table = pd.DataFrame(
        {
            "size": rng.normal(size=rows),
            "plan": rng.choice(levels, rows),
            "noise": rng.choice(levels, rows),
        }
    )
    field = table["size"] + 1.5 * (table["plan"] == "c") + rng.normal(size=rows)
    model = rb.BayesPerceptron("full").fit(table, field > 0.5)
    found = {entry["column"]: entry for entry in model.report(table, level=0.99)}
    names = model.encoder_.get_feature_names_out().tolist()
    (size,) = found["size"]["effects"]
    interval = model.coef_interval(0.99)[0]
    assert [size["low"], size["high"]] == interval[names.index("size")].tolist()
    plan = {e["feature"]: e for e in found["plan"]["effects"]}
    assert plan["plan=b"]["low"] < 0 < plan["plan=b"]["high"]
    assert plan["plan=c"]["low"] > 0
    places = [names.index("plan=a"), names.index("plan=c")]
    mean, covariance = model.coef_belief(places)
    change = np.array([-1.0, 1.0])
    half = norm.ppf(0.995) * np.sqrt(change @ covariance[0] @ change)
    wanted = mean[0] @ change + half * np.array([-1.0, 1.0])
    given = [plan["plan=c"]["low"], plan["plan=c"]["high"]]
    np.testing.assert_allclose(given, wanted, rtol=1e-9)
    assert all(e["low"] < 0 < e["high"] for e in found["noise"]["effects"])
    parts = model.encoder_.transform(table) @ model.coef_[0]
    spread = [found[name]["spread"] for name in ("size", "plan", "noise")]
    assert spread[0] > spread[1] > spread[2]
    alone = table["size"].to_numpy() * size["mean"]
    assert spread[0] == pytest.approx(alone.std())
    assert spread[0] < parts.std() < sum(spread)


def test_rows_of_numbers_have_reports_and_drawings_too():
    X = np.random.default_rng(1).standard_normal((500, 3))
    model = rb.BayesPerceptron().fit(X, np.digitize(X[:, 1], [-0.5, 0.5]))
    found = model.report()
    assert found[0]["column"] == "column 1"
    assert "spread" not in found[0]
    assert len(found[0]["effects"]) == 3
    axes = rb.plotting.effects(found).axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()][-1] == "column 1"
    with pytest.raises(ValueError, match="level must be"):
        model.report(level=2)
    with pytest.raises(ValueError, match="report must have an effect"):
        rb.plotting.effects([])
