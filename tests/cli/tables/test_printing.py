import shlex

import numpy as np

from rosenblatt.cli.options import column_names
from rosenblatt.cli.tables.printing import metric_lines, preview_lines
from rosenblatt.training import preview
from tests.tables.examples import table, write

PREVIEW = """\
column  kind      gaps  levels  features  use
a       number                         1  standardised
b       number                         1  standardised
side    category             3         4  one-hot
won     target               2            predicted
6 dense features, from the first 200 rows"""
CONFUSION = """\
error 0.2500, majority error 0.5000, F1 0.8000
predicted   no  yes
is no        1    1
is yes       0   20"""


def test_a_preview_is_a_table(tmp_path):
    path = write(table(200), tmp_path / "x.csv")
    assert "\n".join(preview_lines(preview(path, "won"))) == PREVIEW


def test_metrics_are_a_line_and_a_matrix():
    known = {
        "error": 0.25,
        "majority_error": 0.5,
        "f1": 0.8,
        "auc": None,
        "confusion": {"no": {"no": 1, "yes": 1}, "yes": {"no": 0, "yes": 20}},
    }
    assert "\n".join(metric_lines(known)) == CONFUSION


def test_columns_without_a_name_can_be_left_out(tmp_path):
    """The index that pandas writes has none."""
    given = {"": np.arange(100), "price, net": np.arange(100), **table(100)}
    path = tmp_path / "x.csv"
    path.write_text(
        write(given, path).read_text().replace("price, net", '"price, net"')
    )
    lines = list(preview_lines(preview(path, "won")))
    assert lines[1].split() == ["''", "number", "1", "standardised"]
    assert "warning: '' looks like an id; --ignore ''" in lines
    advice = next(line for line in lines if line.startswith("warning: price"))
    assert advice.endswith("""--ignore '"price, net"'""")
    options = shlex.split(" ".join(line.split("; ")[1] for line in lines[-2:]))
    found = preview(path, "won", ignore=column_names(options[1::2]))
    assert [column.use for column in found.columns[:2]] == ["left out", "left out"]


def test_hashed_columns_are_named_with_the_options_that_avoid_them(tmp_path):
    given = table(200)
    given["city"] = [f"c{i % 150}" for i in range(200)]
    given["note"] = [f"many words like w{i}" for i in range(200)]
    path = write(given, tmp_path / "x.csv")
    (line,) = (x for x in preview_lines(preview(path, "won")) if "hashed:" in x)
    assert line.startswith("hashed: city, note; so features are sparse")
    assert line.endswith("; --categories one-hot --ignore note avoids it")
    found = preview(path, "won", categories="one-hot", ignore=["note"])
    assert not any("hashed" in line for line in preview_lines(found))
