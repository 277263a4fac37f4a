import json

import numpy as np
import pytest

from rosenblatt.cli.output import plain, print_json


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
