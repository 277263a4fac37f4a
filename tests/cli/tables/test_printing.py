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
