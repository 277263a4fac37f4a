from rosenblatt.cli.tables.printing import metric_lines

CONFUSION = """\
error 0.2500, majority error 0.5000, F1 0.8000
predicted   no  yes
is no        1    1
is yes       0   20"""


def test_metrics_are_a_line_and_a_matrix():
    known = {
        "error": 0.25,
        "majority_error": 0.5,
        "f1": 0.8,
        "auc": None,
        "confusion": {"no": {"no": 1, "yes": 1}, "yes": {"no": 0, "yes": 20}},
    }
    assert "\n".join(metric_lines(known)) == CONFUSION
