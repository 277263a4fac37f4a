import math

import numpy as np
import pytest
from scipy import stats

import rosenblatt as rb
from rosenblatt.machines import Ball, Parity, Smooth, SoftCommittee
from rosenblatt.streams import Normal
from tests.simulation.machines.test_engine import SLOW, user_ball, user_towards


def test_random_starts_are_standard_normal():
    run = rb.simulate_machine(
        SoftCommittee(3, 4, normalised=False),
        SLOW,
        target=np.ones(12),
        examples=0,
        replicas=2000,
        tests=1,
    )
    assert stats.kstest(run.weights.values.ravel(), stats.norm.cdf).pvalue > 1e-4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"machine": Ball}, r"machine must be a Machine, got .*Ball\(\), with paren"),
        ({"target": [1.0]}, r"target must be an array of shape \(2,\), got shape \(1,"),
        ({"target": "no"}, "target must be an array of shape"),
        ({"target": [1.0, math.nan]}, "target must be finite numbers"),
        ({"stream": Normal(3)}, "stream must have 2 components as the machine has"),
        ({"stream": rb.streams.Gaussian()}, "stream must be a VectorStream, got Gau"),
        ({"examples": [1, 2.5]}, "examples must be whole numbers .* got 2.5"),
        ({"examples": [2, 1]}, "examples must increase"),
        ({"noise": 0.7}, "noise must be a number from 0 to 0.5, got 0.7"),
        ({"start": np.ones((3, 2))}, r"start must be an array of shape \(2,\) or \(1"),
        ({"tests": 0}, "tests must be a whole number not below 1, got 0"),
        ({"machine": Smooth(user_ball, user_towards, 2, 2, 3)}, "groups must divide"),
        ({"schedule": 0.1}, "schedule must be a Schedule, got 0.1"),
        ({"machine": Parity(2, 1), "target": [1.0, 0.0]}, "target must not be zero in"),
        (
            {"machine": Parity(2, 1), "target": [1.0, 1.0], "start": [0.0, 1.0]},
            "start must not be zero in a whole group",
        ),
    ],
)
def test_bad_arguments_are_named(change, message):
    given = {"machine": Ball(), "schedule": SLOW, "target": [0, 0], "examples": 10}
    with pytest.raises((TypeError, ValueError), match=message):
        rb.simulate_machine(**{**given, **change})


def late_nan(clock):
    return math.nan if clock.time >= 100 else 0.1


def logarithm(s, w):
    return math.log(w[0] + 0.5 - abs(s[0])) - w[0]


def slope(s, w, out):
    out[0] = 1 / (w[0] + 0.5 - abs(s[0])) - 1


def test_numbers_that_are_not_finite_name_replica_and_example():
    with pytest.raises(
        ArithmeticError,
        match=r"schedule Custom.* rate nan in replica [0-2] at example 1\d\d:",
    ):
        rb.simulate_machine(Ball(), late_nan, [0.0, 0.0], examples=1000, replicas=3)
    with pytest.raises(ArithmeticError, match=r"in replica 0 at example \d+: f = nan"):
        rb.simulate_machine(
            Smooth(logarithm, slope, 1, 1), SLOW, [2.0], start=[1.0], examples=1000
        )
