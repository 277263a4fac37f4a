import shlex

import numpy as np
import pytest

from rosenblatt.cli.options import assigned
from rosenblatt.training import preview
from tests.tables.examples import table, write
from tests.training.mixed_table import mixed_table, write_mixed

PREVIEW = """\
won has 2 classes; --task regress takes it as a number
column  kind        gaps  levels  features  use
a       number                           1  standardised
b       number                           1  standardised
side    category               3         4  one-hot
won     target                 2            predicted
6 features, from the first 200 rows"""


def test_each_column_is_described(tmp_path):
    path = write_mixed(tmp_path / "t.csv", 2000, note=True)
    found = {
        c.name: c for c in preview(path, "churned", columns={"x0": "ignore"}).columns
    }
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
    marked = {c.name for c in found.columns if "predicts the target" in c.warning}
    assert marked == {"paid", "days"}


def test_columns_without_values_and_with_decimal_commas_are_marked(tmp_path):
    path = tmp_path / "t.csv"
    rows = (f"{i / 7:.2f};;{i % 2}".replace(".", ",") for i in range(100))
    path.write_text("\n".join(["price;gone;won", *rows]))
    price, gone, _ = preview(path, "won", delimiter=";").columns
    assert price.warning.startswith("has decimal commas")
    assert gone.warning == "has no value"


@pytest.mark.parametrize(
    ("model", "use"),
    [("clipped-hebb", "cut into two levels"), ("perceptron", "standardised")],
)
def test_the_use_of_numbers_depends_on_the_model(model, use, tmp_path):
    path = write(table(50), tmp_path / "t.csv")
    assert preview(path, "won", model=model).columns[0].use == use


def test_a_preview_is_a_table(tmp_path):
    path = write(table(200), tmp_path / "x.csv")
    assert str(preview(path, "won")) == PREVIEW


def test_columns_without_a_name_can_be_left_out(tmp_path):
    """The index that pandas writes has none."""
    given = {"": np.arange(100), "price, net": np.arange(100), **table(100)}
    path = tmp_path / "x.csv"
    path.write_text(
        write(given, path).read_text().replace("price, net", '"price, net"')
    )
    lines = str(preview(path, "won")).splitlines()
    assert lines[2].split() == ["''", "number", "1", "standardised"]
    assert "warning: '' looks like an id; --column =ignore leaves it out" in lines
    advice = next(line for line in lines if line.startswith("warning: price"))
    assert advice.endswith("; --column 'price, net=ignore' leaves it out")
    typed = [line.split("; ")[1].removesuffix(" leaves it out") for line in lines[-2:]]
    options = shlex.split(" ".join(typed))
    found = preview(path, "won", columns=assigned("columns", False)(options[1::2]))
    assert [column.use for column in found.columns[:2]] == ["left out", "left out"]


def test_hashed_columns_are_named_with_the_options_that_avoid_them(tmp_path):
    given = table(200)
    given["city"] = [f"c{i % 150}" for i in range(200)]
    given["note"] = [f"many words like w{i}" for i in range(200)]
    path = write(given, tmp_path / "x.csv")
    lines = str(preview(path, "won")).splitlines()
    city, note = (x for x in lines if " is hashed, so features are sparse" in x)
    assert city.startswith("city is") and note.startswith("note is")  # noqa: PT018
    assert city.endswith("; --column city=one-hot avoids it")
    assert note.endswith("; --column note=ignore avoids it")
    found = preview(path, "won", columns={"city": "one-hot", "note": "ignore"})
    assert "hashed" not in str(found)
