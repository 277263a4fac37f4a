import numpy as np
import pytest

from rosenblatt.training import preview
from tests.tables.examples import table, write
from tests.training.mixed_table import mixed_table, write_mixed


def test_each_column_is_described(tmp_path):
    path = write_mixed(tmp_path / "t.csv", 2000, note=True)
    found = {c.name: c for c in preview(path, "churned", ignore=["x0"]).columns}
    assert found["x7"].kind == "number"
    assert found["x7"].gaps == pytest.approx(0.08, abs=0.03)
    assert (found["plan"].kind, found["plan"].levels) == ("category", 5)
    assert (found["signed_up"].kind, found["note"].kind) == ("date", "text")
    assert (found["zip"].use, found["x0"].use) == ("hashed", "left out")
    assert {name for name, c in found.items() if c.warning} == {"id"}
    assert found["id"].warning == "looks like an id"


def test_columns_that_tell_the_target_are_marked(tmp_path):
    given = mixed_table(1000)
    yes = given["churned"] == "yes"
    given["paid"] = np.where(yes, "refunded", "kept")
    given["days"] = yes + 0.1 * np.random.default_rng(0).random(1000)
    found = preview(write(given, tmp_path / "t.csv"), "churned")
    marked = {c.name for c in found.columns if c.warning.startswith("tells the target")}
    assert marked == {"paid", "days"}


def test_columns_without_values_and_with_decimal_commas_are_marked(tmp_path):
    path = tmp_path / "t.csv"
    rows = (f"{i / 7:.2f};;{i % 2}".replace(".", ",") for i in range(100))
    path.write_text("\n".join(["price;gone;won", *rows]))
    price, gone, _ = preview(path, "won", delimiter=";").columns
    assert price.warning.startswith("has decimal commas")
    assert gone.warning == "has no value"


@pytest.mark.parametrize(
    ("settings", "use"),
    [
        ({"model": "clipped-hebb"}, "cut into two levels"),
        ({"model": "perceptron"}, "standardised"),
        ({"model": "perceptron", "standardise": False}, "as it is"),
    ],
)
def test_the_use_of_numbers_depends_on_the_model(settings, use, tmp_path):
    path = write(table(50), tmp_path / "t.csv")
    assert preview(path, "won", **settings).columns[0].use == use
