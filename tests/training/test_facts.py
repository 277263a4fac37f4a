import pytest

import rosenblatt as rb
from rosenblatt.training import facts
from tests.tables.examples import table, write


@pytest.fixture
def trained(tmp_path):
    return rb.train(write(table(200), tmp_path / "x.csv"), "won", batch_rows=50)


def test_facts_are_those_of_the_record_and_the_model(trained):
    known = facts(trained, top=2)
    assert known["rows"] == trained.record.rows == 200
    assert known["error"] == trained.record.error
    assert known["classes"] == trained.classes.tolist()
    assert known["judged"] == "row by row"
    assert len(known["weights"]) == 2


def test_the_most_certain_weights_come_first(trained):
    ratios = [weight["ratio"] for weight in facts(trained)["weights"]]
    assert ratios == sorted(ratios, reverse=True)


def test_the_curve_ends_with_all_rows(trained):
    points = facts(trained)["curve"]
    assert [point["rows"] for point in points][-1] == 200
    assert points[-1]["error"] == trained.record.error
