import numpy as np
import pytest

from rosenblatt.core.schema import Entries, Flag, Number, Text, Whole
from tests.core.schema.refusals import refused


@pytest.mark.parametrize("bad", [1, True, "1", None, np.float64(1), np.nan, -np.inf])
def test_numbers_are_finite_floats(bad):
    refused(Number(), bad, "finite number")


def test_the_ends_of_intervals():
    Number(low=0.0, high=1.0).check("x", 0.0, {}, True)
    Number(low=0.0, high=1.0).check("x", 1.0, {}, True)
    refused(Number(low=0.0, above=True), 0.0, "above 0, got 0.0")
    refused(Number(high=1.0), 1.5, "at most 1, got 1.5")
    Number(infinite=True).check("x", np.inf, {}, True)
    refused(Number(infinite=True), -np.inf, "a number")
    Number(optional=True).check("x", None, {}, True)


@pytest.mark.parametrize("bad", [-1, 2**63, 1.0, True, "1"])
def test_whole_numbers(bad):
    refused(Whole(), bad, "whole number at least 0")


def test_a_whole_number_can_tell_a_size():
    sizes = {}
    Whole(size="columns").check("x", 3, sizes, True)
    assert sizes == {"columns": 3}
    refused(Whole(size="columns"), 4, "columns = 3", sizes)


def test_flags_and_choices():
    refused(Flag(), 1, "True or False, got 1")
    refused(Text(("a", "b")), "c", "one of 'a', 'b', got c")


def test_entries_have_keys_and_values_of_given_types():
    Entries((str,), (int,)).check("x", {"a": 1}, {}, True)
    refused(Entries((str,), (int,)), {"a": "b"}, "dictionary from str to int")
    refused(Entries((str,), (int,)), [1], "dictionary from str to int")
