import pytest

import rosenblatt as rb
from rosenblatt.training.evaluation.column_tests import column_tests
from tests.training.mixed_table import write_mixed


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    path = write_mixed(tmp_path_factory.mktemp("t") / "t.csv", 4000)
    return rb.train(path, "churned", id="id", ignore=["signed_up"])


def test_columns_are_ranked_by_joint_tests(trained):
    found = column_tests(trained)
    named = {entry["column"]: entry for entry in found}
    assert [e["p"] for e in found] == sorted(e["p"] for e in found)
    assert named["plan"]["degrees"] == 5 - 1
    assert named["plan"]["p"] < 1e-6
    assert named["x3"]["degrees"] == 2  # with the mark of gaps


def test_levels_are_relative_to_a_reference(trained):
    plan = next(e for e in column_tests(trained) if e["column"] == "plan")
    assert plan["reference"] == "basic"
    assert plan["levels"]["basic"] == 0.0
    names = trained.encoder.names
    free, basic = (names.index(f"plan={x}") for x in ("free", "basic"))
    (mean,), _ = trained.model.coef_belief([free, basic])
    assert plan["levels"]["free"] == pytest.approx(mean[0] - mean[1])


@pytest.mark.filterwarnings("ignore:labels come in long runs")
def test_a_column_that_looks_like_an_id_comes_last(tmp_path):
    """It rises with time, and so does the label: no other column is as significant."""
    lines = [f"{i},{i % 7},{int(i > 200)}" for i in range(400)]
    path, save = tmp_path / "t.csv", tmp_path / "m.safetensors"
    path.write_text("\n".join(["number,size,late", *lines]))
    rb.train(path, "late", save=save)
    found = column_tests(rb.training.load(save))
    assert [(e["column"], e["id"]) for e in found] == [
        ("size", False),
        ("number", True),
    ]
    assert found[1]["p"] < found[0]["p"]
