import json

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
from rosenblatt.cli.output import plain, print_json


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
    with pytest.raises(ImportError, match=r"--plot needs .* extra rosenblatt\[plot\]"):
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
