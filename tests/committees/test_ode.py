import math
import time

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.committees import Committee, simulate, solve
from rosenblatt.rules import Erf, ReLU

START = np.array([[0.3, 0.0], [0.0, 0.2]]), np.diag([0.4, 0.3])


def test_large_dimensions_follow_the_curve_through_plateau_and_escape():
    """Deviations are below 5 standard errors and the O(1/N) of the theory."""
    committee, dim = Committee(Erf(), 2, 2), 10_000
    rate = rb.schedules.Constant(0.5)
    alpha = [1, 10, 40]
    curve = solve(committee, rate, alpha=alpha, start=START)
    run = simulate(committee, rate, dim=dim, alpha=alpha, start=START, replicas=16)
    assert curve.error.values[0, 2] < 0.2 * curve.error.values[0, 0]
    for name in ("R", "Q"):
        mean, stderr = run[name].mean("replica"), run[name].std("replica") / 4
        off = abs(mean - curve[name].isel(replica=0))
        assert bool((off < 5 * stderr + 100 / dim).all())
        assert float(stderr.max()) < 0.005


def test_one_unit_converges_below_the_critical_rate_only():
    committee = Committee(Erf(), 1, 1)
    critical = math.pi * math.sqrt(5 / 3)
    near = np.array([[0.999]]), np.array([[1.0]])
    for factor, falls in ((0.97, True), (1.03, False)):
        rate = rb.schedules.Constant(factor * critical)
        first, later = solve(committee, rate, alpha=[20, 40], start=near).error.values[
            0
        ]
        assert (later < first) == falls


def test_a_rate_that_jumps_is_followed():
    committee = Committee(Erf(), 2, 2)

    def jump(clock):
        return 1.0 if clock.time < 2.0 else 0.1

    whole = solve(committee, jump, alpha=[2, 5], start=START)
    first = solve(committee, rb.schedules.Constant(1.0), alpha=[2], start=START)
    middle = first.R.values[0, 0], first.Q.values[0, 0]
    second = solve(committee, rb.schedules.Constant(0.1), alpha=[3], start=middle)
    np.testing.assert_allclose(whole.R[0, 1], second.R[0, 0], atol=1e-9)


def test_a_curve_of_three_units_takes_less_than_a_second():
    committee = Committee(Erf(), 3, 3)
    rng = np.random.default_rng(0)
    start = 1e-6 * rng.random((3, 3)), np.diag(0.5 * rng.random(3))
    began = time.process_time()
    curve = solve(committee, rb.schedules.Constant(0.3), alpha=[0, 500], start=start)
    assert time.process_time() - began < 1
    assert curve.error[0, 1] < 0.1 * curve.error[0, 0]


def test_rectified_units_follow_their_curve():
    """Like the test above, for the averages of orthants."""
    committee, dim = Committee(ReLU(), 2, 2), 10_000
    rate = rb.schedules.Constant(0.2)
    curve = solve(committee, rate, alpha=[2, 10], start=START)
    run = simulate(committee, rate, dim=dim, alpha=[2, 10], start=START, replicas=16)
    for name in ("R", "Q"):
        mean, stderr = run[name].mean("replica"), run[name].std("replica") / 4
        off = abs(mean - curve[name].isel(replica=0))
        assert bool((off < 5 * stderr + 100 / dim).all())
        assert float(stderr.max()) < 0.005


def test_a_rectified_student_approaches_its_teacher_as_linearised():
    """At rate 1 the squared distance falls as exp(-alpha / 2)."""
    near, alpha = ([[1.0]], [[1 + 1e-4]]), np.array([0, 1, 5])
    error = solve(Committee(ReLU(), 1, 1), 1.0, alpha=alpha, start=near).error.values
    np.testing.assert_allclose(error[0], error[0, 0] * np.exp(-alpha / 2), rtol=0.01)
    assert solve(Committee(ReLU(), 1, 1), 1.0, alpha=60, start=near).error < 1e-9


def test_what_has_no_curve_is_an_error():
    with pytest.raises(ArithmeticError, match="returned nan at alpha = 0; a rate must"):
        solve(Committee(Erf()), lambda clock: clock.mistakes, alpha=1)
    with pytest.raises(ArithmeticError, match=r"second_rate: .* returned -"):
        solve(Committee(Erf()), 1.0, second_rate=lambda c: 1.0 - c.time, alpha=3)


def test_both_layers_and_a_drifting_teacher_follow_the_curve():
    """Deviations are below 5 standard errors and the O(1/N) of the theory."""
    committee = Committee(
        Erf(), 2, [[1.0, 0.3], [0.3, 1.5]], outputs=(1.0, -0.5), decay=0.01, noise=0.1,
        student_outputs=(0.8, -0.7)
    )  # fmt: skip
    dim, alpha = 10_000, [2, 4, 8]
    walk, change = rb.motions.RandomWalk(0.05), rb.motions.Abrupt((4.0,), 0.5)
    for motion in (walk, change, rb.motions.Rotation(0.3)):
        given = {"second_rate": 0.5, "motion": motion, "alpha": alpha, "start": START}
        curve = solve(committee, 0.5, **given)
        run = simulate(committee, 0.5, dim=dim, replicas=16, **given)
        for name in ("R", "Q", "outputs"):
            mean, stderr = run[name].mean("replica"), run[name].std("replica") / 4
            off = abs(mean - curve[name].isel(replica=0))
            assert bool((off < 5 * stderr + 50 / dim).all()), name
            assert float(stderr.max()) < 0.005


def test_a_single_student_follows_a_teacher_that_retreats():
    """The angle of a student at rest grows as the teacher turns."""
    committee, motion = Committee(Erf(), 1, [[4.0]]), rb.motions.Retreat(0.5)
    start = [[1.0]], [[0.81]]
    rest = solve(committee, 0.0, alpha=[1, 3], start=start, motion=motion)
    angles = np.arccos(1.0 / 1.8) + np.array([0.5, 1.5])
    np.testing.assert_allclose(rest.R[0, :, 0, 0], 1.8 * np.cos(angles), atol=1e-8)
    given = {"alpha": [2, 8], "start": start, "motion": motion}
    curve = solve(committee, 0.5, **given)
    run = simulate(committee, 0.5, dim=10_000, replicas=16, **given)
    for name in ("R", "Q"):
        off = abs(run[name].mean("replica") - curve[name][0])
        assert bool((off < 5 * run[name].std("replica") / 4 + 5e-3).all()), name


@pytest.mark.parametrize(("students", "teachers"), [(4, 4), (6, 5)])
def test_many_units_follow_their_curve(students, teachers):
    """Deviations are below 5 standard errors and the O(1/N) of the theory."""
    committee, dim, alpha = Committee(Erf(), students, teachers), 10_000, [2, 20]
    start = 0.3 * np.eye(students, teachers), np.diag(0.2 + 0.1 * np.arange(students))
    curve = solve(committee, 0.3, alpha=alpha, start=start)
    run = simulate(committee, 0.3, dim=dim, alpha=alpha, start=start, replicas=8)
    for name in ("R", "Q"):
        mean, stderr = run[name].mean("replica"), run[name].std("replica") / 8**0.5
        off = abs(mean - curve[name].isel(replica=0))
        assert bool((off < 7 * stderr + 100 / dim).all())  # t law with 7 freedoms
        assert float(stderr.max()) < 0.01


def test_students_that_diverge_are_refused_at_once():
    """Overlaps of ReLU grow by a constant factor, and need no more than 1e8."""
    with pytest.raises(ArithmeticError, match="the students diverge at alpha = "):
        solve(Committee(ReLU(), 1, 1), 50.0, alpha=100)
