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


@pytest.mark.parametrize("bad", [math.nan, math.inf, -0.1, 0.6, 10**400, -(10**400)])
def test_number_outside_its_range_is_named_with_the_range(bad):
    with pytest.raises(ValueError, match=r"noise must be a number from 0 to 0.5, got"):
        number("noise", bad, low=0, high=0.5)


@pytest.mark.parametrize("bad", [0, -3])
def test_whole_below_its_bound_is_refused(bad):
    with pytest.raises(ValueError, match="dim must be a whole number not below 1, got"):
        whole("dim", bad, low=1)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([2, 1], "got 2.0 then 1.0"),
        ([-1, 1], "not negative, got -1.0"),
        ([1, math.nan], "must be finite"),
        ([], "one or more"),
        ([[1, 2]], "one or more"),
        ("ab", "must be numbers"),
    ],
)
def test_increasing_says_what_is_wrong(bad, message):
    with pytest.raises((ValueError, TypeError), match=message):
        increasing("alpha", bad)


def test_part_reminds_of_parentheses():
    with pytest.raises(TypeError, match=r"write Hebb\(\), with parentheses"):
        part("rule", Rule, Hebb)


@pytest.mark.parametrize(
    "bad", ["abc", ["a"], [[1], [1, 2]], {1: 2}, len, [10**400], [1j], csr_array([[1]])]
)
def test_what_is_no_array_of_numbers_is_refused_by_name(bad):
    with pytest.raises(TypeError, match="X must be an array of numbers, got"):
        numbers("X", bad)


def test_masked_entries_are_no_numbers():
    with pytest.raises(TypeError, match="X must be an array of numbers, got Masked"):
        numbers("X", np.ma.masked_array([1.0], [True]))
    with pytest.raises(TypeError, match="alpha must be numbers"):
        increasing("alpha", np.ma.masked_array([1.0], [True]))


def test_a_flag_of_numpy_is_a_flag_and_nothing_else_is():
    assert flag("weighted", np.bool_(True)) is True
    for bad in (0, None, "no", np.array([True])):
        with pytest.raises(TypeError, match="weighted must be True or False"):
            flag("weighted", bad)


def test_values_in_messages_are_one_short_line():
    for value in (np.zeros((9, 9)), list(range(10**6)), "a" * 1000, -(10**5000)):
        assert len(shown(value)) < 130
        assert "\n" not in shown(value)
    assert shown(-(10**5000)) == "<int>"


def test_a_word_is_accepted_beside_a_kind_and_no_other_word():
    check = either("auto", number)
    assert check("noise", "auto") == "auto"
    assert check("noise", 1) == 1.0
    for wrong, kind in (("some", ValueError), (np.array(["auto"]), TypeError)):
        with pytest.raises(kind, match="noise must be 'auto' or a finite number, got"):
            check("noise", wrong)
