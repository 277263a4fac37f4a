"""Curves of committees for N to infinity, against simulations and closed forms."""

import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.committees import Committee, best_schedule, simulate, solve
from rosenblatt.committees.theory import CommitteeDrift
from rosenblatt.rules import Erf, ReLU

START = np.array([[0.3, 0.0], [0.0, 0.2]]), np.diag([0.4, 0.3])
COMMITTEE = Committee(
    Erf(), 2, [[1.0, 0.2], [0.2, 1.5]], outputs=(1.0, -0.5), decay=0.3, noise=0.4
)


def assert_follows(committee, rate, dim=10_000, replicas=16, allowed=100, **given):
    """Deviations are below 5 standard errors and the O(1/N) of the theory."""
    curve = solve(committee, rate, **given)
    run = simulate(committee, rate, dim=dim, replicas=replicas, **given)
    errors = 5 if replicas == 16 else 7  # t law with 7 freedoms
    for name in ("R", "Q", "outputs"):
        mean, stderr = run[name].mean("replica"), run[name].std("replica")
        stderr = stderr / math.sqrt(replicas)
        off = abs(mean - curve[name].isel(replica=0))
        assert bool((off <= errors * stderr + allowed / dim).all()), name
        assert float(stderr.max()) < (0.005 if replicas == 16 else 0.01)
    return curve


def test_large_dimensions_follow_the_curve_through_plateau_and_escape():
    curve = assert_follows(Committee(Erf(), 2, 2), 0.5, alpha=[1, 10, 40], start=START)
    assert curve.error.values[0, 2] < 0.2 * curve.error.values[0, 0]


def test_rectified_units_follow_their_curve():
    assert_follows(Committee(ReLU(), 2, 2), 0.2, alpha=[2, 10], start=START)


@pytest.mark.parametrize(
    "motion",
    [rb.motions.RandomWalk(0.05), rb.motions.Abrupt((4.0,), 0.5)],
)
def test_both_layers_and_a_moving_teacher_follow_the_curve(motion):
    committee = Committee(
        Erf(), 2, [[1.0, 0.3], [0.3, 1.5]], outputs=(1.0, -0.5), decay=0.01, noise=0.1,
        student_outputs=(0.8, -0.7)
    )  # fmt: skip
    given = {"second_rate": 0.5, "alpha": [2, 4, 8], "start": START}
    assert_follows(committee, 0.5, allowed=50, motion=motion, **given)


def test_what_has_no_curve_is_an_error():
    with pytest.raises(ArithmeticError, match="returned nan at alpha = 0; a rate must"):
        solve(Committee(Erf()), lambda clock: clock.mistakes, alpha=1)
    with pytest.raises(ArithmeticError, match=r"second_rate: .* returned -"):
        solve(Committee(Erf()), 1.0, second_rate=lambda c: 1.0 - c.time, alpha=3)


def test_the_drift_is_the_mean_change_in_one_example():
    """N = 1000 and 8 000 first steps: means within 5 standard errors."""
    start = np.array([[0.4, -0.1], [0.1, 0.3]]), np.array([[0.8, 0.1], [0.1, 0.5]])
    dim, rate = 1000, 1.3
    run = simulate(
        COMMITTEE, rb.schedules.Constant(rate), dim=dim, alpha=[1 / dim],
        start=start, replicas=8_000
    )  # fmt: skip
    drift = CommitteeDrift(COMMITTEE)
    expected = drift.unpack(drift(drift.pack(*start), rate))[:2]
    for name, first, mean in zip("RQ", start, expected, strict=True):
        change = dim * (run[name].values[:, 0] - first)
        error = change.std(axis=0) / np.sqrt(len(change))
        # decay**2 / N and the like are left out for N to infinity
        assert (np.abs(change.mean(axis=0) - mean) < 5 * error + 1 / dim).all()
        assert error.max() < 0.15


def test_schedules_of_bad_input_are_refused():
    with pytest.raises(ValueError, match="alpha must be a number above 0"):
        best_schedule(Committee(Erf(), 1, 1), alpha=0)
    with pytest.raises(ValueError, match="knots must be"):
        best_schedule(Committee(Erf(), 1, 1), alpha=1, knots=0)
