import math
from dataclasses import dataclass
from typing import Any

import pytest

import rosenblatt as rb
from rosenblatt.core import Rule, Update
from rosenblatt.specification.parts import Shift, combined, gather


def test_defaults_are_filled_in():
    rule = rb.rules.Perceptron()
    parts = gather(rule, rb.schedules.Constant(), None, None, None)
    assert parts.teacher == rb.teachers.Sign()
    assert parts.stream == rb.streams.Gaussian()
    assert parts.start == rule.start


@pytest.mark.parametrize(
    ("stream", "task"),
    [
        (rb.streams.Normal(3), "simulate takes it"),
        (rb.streams.TwoClasses([(-1, 0), (1, 0)], covariances=1), "simulate_classes"),
    ],
)
def test_streams_of_other_simulations_are_named(stream, task):
    with pytest.raises(TypeError, match=task):
        gather(rb.rules.Hebb(), rb.schedules.Constant(), None, stream, None)


def test_starts_that_learn_need_gaussian_inputs():
    given = rb.rules.Hebb(), rb.schedules.Constant(), None, rb.streams.Uniform(3)
    found = gather(*given, rb.starts.Random(), vectors=True)
    assert found.vectors == rb.streams.Uniform(3)
    with pytest.raises(ValueError, match="needs Gaussian inputs"):
        gather(*given, rb.starts.Hebbian(2), vectors=True)


@dataclass(frozen=True)
class Kinked(Rule):
    kinks: Any = ()

    def bind(self):
        return lambda p: Update(p.rate * p.label, 0.0)


@pytest.mark.parametrize("bad", [0.0, ("a",), (math.nan,), None])
def test_bad_kinks_are_named_with_their_rule(bad):
    with pytest.raises(TypeError, match=r"kinks of rule Kinked\(.* finite numbers"):
        rb.solve(Kinked(bad), rb.schedules.Constant(), alpha=1)
    gather(Kinked((0.5, 1)), rb.schedules.Constant(), None, None, None)


def test_a_known_shift_needs_gaussian_inputs():
    given = {"shifted": Shift.known, "decay": None, "normalised": False}
    with pytest.raises(ValueError, match="needs a stream of Gaussian inputs"):
        combined(rb.rules.Perceptron(), rb.streams.Uniform(3), **given)
