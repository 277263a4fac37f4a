import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.core import Teacher
from rosenblatt.simulation.experiment import EXACT, Run

SETTINGS = {"replicas": 3, "seed": 5, "workers": None, "progress": None}
GOOD = {"dim": 10, "alpha": [1.0, 2.0], "replicas": 2}


@pytest.mark.parametrize("bad", [0.5, 2.0**54])
def test_examples_must_be_whole_numbers_that_floats_tell_apart(bad):
    with pytest.raises(ValueError, match="whole numbers up to 2"):
        Run.at_examples(bad, **SETTINGS)


def test_the_number_of_examples_is_limited():
    with pytest.raises(ValueError, match="must not exceed"):
        Run.at_alpha(EXACT, 2, **SETTINGS)
    with pytest.raises(ValueError, match="dim must be at most"):
        Run.at_alpha(0, 1e308, **SETTINGS)


def test_the_number_of_recorded_states_is_limited():
    with pytest.raises(ValueError, match=f"at most {2**27} for 2 .* got {2**70}"):
        Run.at_examples([1, 2], **{**SETTINGS, "replicas": 2**70})


def simulate(**changes):
    return rb.simulate(rb.rules.Hebb(), rb.schedules.Constant(), **{**GOOD, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dim": 0}, "dim must be a whole number not below 1, got 0"),
        ({"dim": 2.5}, "dim must be a whole number"),
        ({"replicas": 0}, "replicas must be a whole number not below 1, got 0"),
        ({"workers": 0}, "workers must be a whole number not below 1, got 0"),
        ({"seed": -1}, "seed must be a whole number not below 0, got -1"),
        ({"alpha": [2.0, 1.0]}, r"alpha must increase .* got 2.0 then 1.0"),
        ({"alpha": [1.0, 1.0]}, r"alpha must increase .* got 1.0 then 1.0"),
        ({"alpha": -1.0}, "alpha must be finite and not negative, got -1.0"),
        ({"alpha": math.nan}, "alpha must be finite"),
        ({"alpha": 1e300}, r"alpha \* dim must not exceed"),
        (
            {"engine": "quick"},
            "engine must be one of events, reduced, full, coordinate, got",
        ),
        ({"start": "random"}, "start must be a Start, got 'random'"),
        ({"start": rb.starts.Random}, r"write Random\(\), with parentheses"),
    ],
)
def test_bad_numbers_are_named(changes, message):
    with pytest.raises((ValueError, TypeError), match=message):
        simulate(**changes)


def test_parts_in_the_wrong_place_are_named():
    with pytest.raises(TypeError, match=r"rule must be a Rule, got Constant"):
        rb.simulate(rb.schedules.Constant(), rb.schedules.Constant(), **GOOD)
    with pytest.raises(TypeError, match=r"schedule must be a Schedule, got 0.5"):
        rb.simulate(rb.rules.Hebb(), 0.5, **GOOD)
    with pytest.raises(TypeError, match=r"write Constant\(\), with parentheses"):
        rb.simulate(rb.rules.Hebb(), rb.schedules.Constant, **GOOD)
    with pytest.raises(TypeError, match="teacher must be a Teacher"):
        rb.simulate(rb.rules.Hebb(), rb.schedules.Constant(), 0.1, **GOOD)
    for wrong in (4.0, 0, np.ones(2)):
        with pytest.raises(TypeError, match="stream must be a GaussianStream"):
            rb.simulate(rb.rules.Hebb(), rb.schedules.Constant(), None, wrong, **GOOD)


class Wild(Teacher):
    def bind(self):
        return lambda b: 2.0 * b


def test_a_teacher_must_return_probabilities():
    with pytest.raises(ValueError, match="must return probabilities, got -12"):
        rb.simulate(rb.rules.Hebb(), rb.schedules.Constant(), Wild(), **GOOD)


def test_balanced_labels_are_said_to_have_no_uniform_shift():
    rule = rb.rules.Shifted(rb.rules.Perceptron())
    stream = rb.streams.Gaussian(2.0, 0.0)
    given = {"dim": 10, "alpha": 1}
    with pytest.warns(UserWarning, match=r"balanced.*AverageShift\(uniform=False\)"):
        rb.simulate(rule, rb.schedules.Constant(), None, stream, **given)
    with pytest.raises(ValueError, match=r"labels that are not balanced.*take Average"):
        rb.solve(rule, rb.schedules.Constant(), None, stream, alpha=30)
    rule = rb.rules.Shifted(rb.rules.Perceptron(), rb.rules.AverageShift(uniform=False))
    rb.simulate(rule, rb.schedules.Constant(), None, stream, **given)
