import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from rosenblatt.core import Rule
from rosenblatt.core.arguments import (
    either,
    flag,
    increasing,
    number,
    numbers,
    part,
    shown,
    whole,
)
from rosenblatt.rules import Hebb

AUTO = either("auto", number)
REFUSED = [
    *(
        (lambda bad=bad: number("noise", bad, low=0, high=0.5), "from 0 to 0.5, got")
        for bad in (math.nan, math.inf, -0.1, 0.6, 10**400, -(10**400))
    ),
    *(
        (lambda bad=bad: whole("dim", bad, low=1), "dim must be a whole number not")
        for bad in (0, -3)
    ),
    *(
        (lambda bad=bad: numbers("X", bad), "X must be an array of numbers, got")
        for bad in ("abc", ["a"], [[1], [1, 2]], {1: 2}, len, [10**400], [1j],
                    csr_array([[1]]), np.ma.masked_array([1.0], [True]))
    ),
    *(
        (lambda bad=bad: flag("weighted", bad), "weighted must be True or False")
        for bad in (0, None, "no", np.array([True]))
    ),
    *(
        (lambda bad=bad: AUTO("noise", bad), "noise must be 'auto' or a finite number")
        for bad in ("some", np.array(["auto"]))
    ),
    (lambda: increasing("alpha", [2, 1]), "got 2.0 then 1.0"),
    (lambda: increasing("alpha", [-1, 1]), "not negative, got -1.0"),
    (lambda: increasing("alpha", [1, math.nan]), "must be finite"),
    (lambda: increasing("alpha", []), "one or more"),
    (lambda: increasing("alpha", [[1, 2]]), "one or more"),
    (lambda: increasing("alpha", "ab"), "an array of numbers"),
    (lambda: increasing("alpha", np.ma.masked_array([1.0], [True])), "an array"),
    (lambda: part("rule", Rule, Hebb), r"write Hebb\(\), with parentheses"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_wrong_arguments_are_named_with_what_is_wanted(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_a_flag_of_numpy_and_a_word_are_accepted():
    assert flag("weighted", np.bool_(True)) is True
    assert AUTO("noise", "auto") == "auto"
    assert AUTO("noise", 1) == 1.0


def test_values_in_messages_are_one_short_line():
    for value in (np.zeros((9, 9)), list(range(10**6)), "a" * 1000, -(10**5000)):
        assert len(shown(value)) < 130
        assert "\n" not in shown(value)
    assert shown(-(10**5000)) == "<int>"
