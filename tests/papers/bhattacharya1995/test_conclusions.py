import math

import numpy as np
import pytest

from rosenblatt.papers.bhattacharya1995 import conclusions
from rosenblatt.papers.claims import Verdict, settle


def runs(shown, count):
    return np.repeat([1.0, 0.0], [shown, count - shown])


def verdict(shown, count):
    claim = conclusions.mostly("x", "x", "X.", lambda quick: runs(shown, count))
    return settle(claim, quick=True).verdict


@pytest.mark.parametrize("count", [40, 100, 600])
def test_a_majority_needs_five_standard_errors_above_one_half(count):
    """If half of all runs show it, the standard error is 1/2 over their root."""
    least = math.ceil(count * (0.5 + 5 * 0.5 / math.sqrt(count)))
    assert verdict(least, count) is Verdict.REPRODUCED
    assert verdict(least - 1, count) is Verdict.NOT_REPRODUCED
    assert verdict(count, count) is Verdict.REPRODUCED


@pytest.mark.parametrize("share", [0.0, 0.33, 0.5, 0.6])
def test_a_third_a_half_and_six_tenths_of_100_runs_are_no_majority(share):
    assert verdict(round(100 * share), 100) is Verdict.NOT_REPRODUCED


def test_too_few_runs_are_no_majority_even_if_all_show_it():
    assert verdict(24, 24) is Verdict.NOT_REPRODUCED
    assert verdict(26, 26) is Verdict.REPRODUCED


def test_conclusions_are_events_of_single_runs():
    a = np.array([[4.0, 3, 1, 2], [1, 3, 2, 4], [2, 1, 1, 3]])
    assert conclusions.worst(a).tolist() == [1, 0, 0]
    assert conclusions.best(a).tolist() == [1, 0, 1]
    assert conclusions.adaptive(a).tolist() == [1, 0, 1]
    assert conclusions.groups(a).tolist() == [0, 1, 0]
    assert conclusions.slower(a).tolist() == [1, 0, 1]
