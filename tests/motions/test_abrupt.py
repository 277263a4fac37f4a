import math

import pytest

import rosenblatt as rb
from rosenblatt.motions import Abrupt

PARTS = rb.rules.Normalised(rb.rules.Perceptron()), rb.schedules.Constant(1.0)


@pytest.mark.parametrize(
    ("times", "said"),
    [
        ((2.0, 1.0), r"times must increase from each value to the next, got 2.0 then"),
        ((1.0, 1.0), r"times must increase"),
        ((0.0, 1.0), r"times must be above 0"),
        ((-1.0,), r"times must be finite and not negative, got -1.0"),
        ((), r"times must be one or more numbers"),
    ],
)
def test_times_that_do_not_increase_are_named(times, said):
    with pytest.raises(ValueError, match=said):
        Abrupt(times)


def test_other_arguments_out_of_range_are_named():
    with pytest.raises(TypeError, match=r"times must be a tuple of numbers, got \[1\]"):
        Abrupt([1])
    with pytest.raises(ValueError, match=r"change must be a number from 0 to 3.14159"):
        Abrupt((1.0,), 4.0)


def test_times_within_one_example_are_refused():
    with pytest.raises(ValueError, match=r"times must differ by more than an example"):
        rb.simulate(*PARTS, dim=10, alpha=3, motion=Abrupt((1.0, 1.01)))


def test_the_overlap_drops_after_the_time_of_the_change_and_not_before():
    """The record at the time itself is the one before; N = 1e6 makes noise 0.001."""
    alpha = [5, 5.000001, 10]
    given = {"alpha": alpha, "motion": Abrupt((5.0,), 2.0)}
    still = rb.solve(*PARTS, alpha=5).overlap.item()
    curve = rb.solve(*PARTS, **given).overlap.values[0]
    assert curve[0] == pytest.approx(still, rel=1e-9)
    assert curve[1] == pytest.approx(still * math.cos(2.0), abs=1e-4)
    run = rb.simulate(*PARTS, dim=10**6, engine="events", **given).overlap.values[0]
    assert run == pytest.approx(curve, abs=0.005)
