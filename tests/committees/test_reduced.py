import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.committees import Committee, simulate
from rosenblatt.rules import Erf
from tests.committees.law import pvalues
from tests.laws import LEAST

CONSTANT = rb.schedules.Constant(1.5)
GRADED = Committee(
    Erf(), 3, [[1.0, 0.3], [0.3, 2.0]], outputs=(1.0, 0.5), decay=0.2, noise=0.3,
    student_outputs=(1.0, 0.8, -0.2)
)  # fmt: skip
SINGLE = Committee(Erf(), 1, 1, decay=0.2, noise=0.3)
PAIR = Committee(Erf(), 1, [[1.0, 0.3], [0.3, 2.0]], outputs=(1.0, 0.5), noise=0.3)
WALK, CIRCLE = rb.motions.RandomWalk(0.4), rb.motions.Rotation(0.7)
AWAY = rb.motions.Retreat(0.7)


@pytest.mark.parametrize(
    ("committee", "motion", "dim"),
    [
        (GRADED, WALK, 5),
        (GRADED, WALK, 20),
        # a walk at N = 20 and a rotation at N = 300 are here; this one takes 5 s
        pytest.param(GRADED, WALK, 300, marks=pytest.mark.slow),
        (PAIR, CIRCLE, 5),  # the least N: two planes and a student
        (GRADED, CIRCLE, 20),
        (GRADED, CIRCLE, 300),
        (SINGLE, AWAY, 5),
        (SINGLE, AWAY, 20),
        (SINGLE, AWAY, 300),
    ],
)
def test_both_engines_have_the_same_law(committee, motion, dim):
    """A distribution that is off by 0.07 (0.16 at N = 300) is caught."""
    alpha = [0, 1, 4] if dim < 300 else [2]
    replicas = 2000 if dim < 300 else 400
    one, other = (
        simulate(
            committee, CONSTANT, dim=dim, alpha=alpha, replicas=replicas, seed=seed,
            second_rate=0.7, motion=motion, engine=engine
        )
        for engine, seed in (("reduced", 1), ("full", 2))
    )  # fmt: skip
    assert one.attrs["engine"] == "reduced"
    assert other.attrs["engine"] == "full"
    found = pvalues(one, other)
    assert min(found) * len(found) > LEAST


def test_both_engines_classify_alike():
    """A distribution that is off by 0.07 is caught."""
    committee = Committee(Erf(), 3, 3, noise=0.2, classify=True)
    one, other = (
        simulate(
            committee, CONSTANT, dim=20, alpha=[4], replicas=2000, seed=seed,
            engine=engine
        )
        for engine, seed in (("reduced", 1), ("full", 2))
    )  # fmt: skip
    found = pvalues(one, other)
    assert min(found) * len(found) > LEAST
    assert 0.05 < float(one.error.mean()) < 0.4


def test_workers_replicas_and_marks_change_no_bit():
    """Groups are of 64 and 3 replicas, then of 8."""
    committee, numbers = Committee(Erf(), 3, 2), {"dim": 50, "seed": 3}
    many = simulate(
        committee, CONSTANT, alpha=[1, 2.5, 4], replicas=67, workers=1, **numbers
    )
    few = simulate(committee, CONSTANT, alpha=[4], replicas=66, workers=9, **numbers)
    for name in ("R", "Q", "error"):
        assert np.array_equal(many[name][:66, 2], few[name][:, 0])


def test_a_huge_dimension_follows_the_theory():
    committee = Committee(Erf(), 2, 2)
    start = np.array([[0.3, 0.0], [0.0, 0.2]]), np.diag([0.4, 0.3])
    alpha, dim = 0.0005, 10**8
    run = simulate(
        committee, CONSTANT, dim=dim, alpha=alpha, start=start, replicas=8, seed=1
    )
    curve = rb.committees.solve(committee, CONSTANT, alpha=alpha, start=start)
    for name in ("R", "Q"):
        change = abs(curve[name] - {"R": start[0], "Q": start[1]}[name]).max()
        deviation = run[name].mean("replica") - curve[name].isel(replica=0)
        stderr = run[name].std("replica") / np.sqrt(8)
        assert bool((abs(deviation) < 7 * stderr).all())  # t law with 7 freedoms
        assert float(stderr.max()) < 0.05 * float(change)


def test_students_come_as_close_as_rounding_lets_them():
    """Without noise the distance to the teacher falls far below sqrt(rounding)."""
    run = simulate(
        Committee(Erf(), 1, 1), rb.schedules.Constant(1.0), dim=10, alpha=[500]
    )
    # R and Q are sums of squares of coordinates: both are 1 to rounding.
    assert abs(float(run.R[0, 0, 0, 0]) - 1) < 1e-14
    assert abs(float(run.Q[0, 0, 0, 0]) - 1) < 1e-14


def test_an_overflow_names_replica_example_and_rate():
    with pytest.raises(ArithmeticError, match=r"overflows at example \d+ of replica 0"):
        simulate(
            Committee(rb.rules.Linear(), 1, 1), rb.schedules.Constant(1e9), dim=10,
            alpha=100
        )  # fmt: skip


@pytest.mark.parametrize("engine", ["reduced", "full"])
def test_a_rate_that_is_negative_or_no_number_is_named(engine):
    given = {"dim": 10, "alpha": 2, "engine": engine}
    with pytest.raises(ArithmeticError, match=r"^rate: .* returned nan at example 1 "):
        simulate(Committee(Erf()), lambda clock: clock.mistakes, **given)
    with pytest.raises(ArithmeticError, match=r"second_rate: .*-0.1 at example 11 "):
        simulate(
            Committee(Erf()), 0.1, second_rate=lambda clock: 1.0 - clock.time, **given
        )
