import json
from typing import get_args

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.cli import options
from rosenblatt.cli.options import (
    PLOTS,
    check_file,
    check_there,
    delimiter_of,
    part,
)
from rosenblatt.cli.output import metric_lines, plain, print_json


def test_a_shell_completes_names_of_parts():
    complete = part("A schedule.", rb.core.Schedule).autocompletion
    assert complete("p") == ["per-mistake", "power"]
    assert complete("nothing") == []


def test_files_are_checked_before_they_are_written(tmp_path):
    check_file("--plot", tmp_path / "curve.PNG", (".png",))
    for path in (tmp_path / "none" / "a.png", tmp_path):
        with pytest.raises(ValueError, match="--plot must be"):
            check_file("--plot", path, (".png", ""))
    with pytest.raises(ValueError, match=r"ending in \.pdf or \.png, got"):
        check_file("--plot", tmp_path / "curve.txt", (".pdf", ".png"))


def test_figures_need_matplotlib_before_anything_is_computed(tmp_path, monkeypatch):
    monkeypatch.setattr(options, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"--plot needs matplotlib"):
        check_file("--plot", tmp_path / "curve.png", PLOTS)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(ValueError, match="must be a file, got a folder"):
        check_there(tmp_path)


def test_a_tab_has_a_name():
    assert [delimiter_of(text) for text in ("tab", "|", None)] == ["\t", "|", None]


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (np.float64(0.5), 0.5),
        (np.array([[1, 2]]), [[1, 2]]),
        ((1, "a", True, None), [1, "a", True, None]),
        ({1: float("inf")}, {"1": None}),
        (ValueError("why"), "why"),
    ],
)
def test_values_become_what_json_knows(value, wanted):
    assert plain(value) == wanted


def test_json_is_all_that_is_printed(capsys):
    print_json({"error": np.array([0.5, np.nan])})
    said = capsys.readouterr()
    assert json.loads(said.out) == {"error": [0.5, None]}
    assert said.err == ""


@pytest.mark.parametrize("kind", [options.Costs])
def test_lists_of_values_may_be_repeated_or_have_commas(kind):
    read = get_args(kind)[1].callback
    assert read(["a=1,b=2", "c=3"]) == {"a": 1.0, "b": 2.0, "c": 3.0}
    assert read(None) == {}
    with pytest.raises(ValueError, match="costs must be NAME=VALUE, got 'b=x'"):
        read(["a=1,b=x"])


def test_a_column_may_have_no_name_and_a_label_must_have_one():
    read = options.assigned("columns", False)
    assert read(["age=id", "=ignore"]) == {"age": "id", "": "ignore"}
    with pytest.raises(ValueError, match="columns must be NAME=VALUE, got 'age'"):
        read(["age"])
    assert options.entries([""]) == []


def test_a_delimiter_may_be_named():
    assert get_args(options.Delimiter)[1].callback("tab") == "\t"


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
