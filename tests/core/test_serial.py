import json
import math

import numpy as np
import pytest

from rosenblatt.core import Conditions, Schedule
from rosenblatt.core.serial import build, describe
from rosenblatt.rules import Delta, FixedShift, Normalised, Perceptron, Shifted, Tanh
from rosenblatt.schedules import Custom, Power


class Odd(Schedule):
    def __init__(self, held):
        self.held = held

    def bind(self):
        return halving

    def conditions(self):
        return Conditions(False, True, False)


def halving(clock):
    return 0.5


@pytest.mark.parametrize(
    "part",
    [
        Shifted(Normalised(Perceptron(0.5)), FixedShift(1.0, 0.25)),
        Delta(Tanh(2.0)),
        Power(1.0, 0.5, 2.0),
    ],
)
def test_parts_survive_json(part):
    assert build(json.loads(json.dumps(describe(part=part)))["part"]) == part


def test_numbers_of_numpy_become_plain():
    for value in (np.int64(1), np.float32(0.5)):
        plain = json.loads(json.dumps(describe(rule=Perceptron(value))["rule"]))
        assert build(plain) == Perceptron(float(value))


def test_what_a_file_cannot_keep_is_said():
    plain = describe(schedule=Odd(object()))["schedule"]
    with pytest.raises(ValueError, match="which a file cannot keep"):
        build(plain)


def test_functions_are_named_by_module():
    plain = describe(schedule=Custom(halving))["schedule"]["given"]
    assert plain["function"]["function"].endswith(":halving")
    assert build(describe(schedule=Custom(math.sqrt))["schedule"]) == Custom(math.sqrt)


def test_the_source_of_a_users_part_is_kept():
    plain = describe(schedule=Custom(halving))["schedule"]
    source = plain["given"]["function"]["source"]
    assert source == "def halving(clock):\n    return 0.5\n"
    assert "source" not in plain


def test_a_part_that_cannot_be_found_is_named():
    with pytest.raises(ValueError, match="'my_rules:MyRule' cannot be imported here"):
        build({"part": "my_rules:MyRule", "given": {}})
