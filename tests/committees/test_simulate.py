"""Simulated committees: both engines, motions of the teacher, and starts."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

import rosenblatt as rb
from rosenblatt.committees import Committee, simulate
from rosenblatt.core import Activation
from rosenblatt.rules import Erf, ReLU, Tanh
from tests.laws import LEAST

DIM, EXAMPLES, REPLICAS = 12, 24, 1500
STRENGTH = 2.0
HALF = rb.schedules.Constant(0.5)
CONSTANT = rb.schedules.Constant(1.5)
GRADED = Committee(
    Erf(), 3, [[1.0, 0.3], [0.3, 2.0]], outputs=(1.0, 0.5), decay=0.2, noise=0.3,
    student_outputs=(1.0, 0.8, -0.2)
)  # fmt: skip
WALK = rb.motions.RandomWalk(0.4)


@dataclass(frozen=True)
class Cubic(Activation):
    """A user's own activation."""

    strength: float = 0.1

    def bind(self):
        a = self.strength
        return lambda h: (h + a * h**3, 1.0 + 3.0 * a * h * h)


@pytest.mark.parametrize("engine", ["reduced", "full"])
def test_a_result_can_be_run_again(engine):
    committee = Committee(ReLU(), 2, np.diag([1, 2]), (1, -1), decay=0.1, noise=0.1)
    start = np.zeros((2, 2)), np.eye(2)
    run = simulate(
        committee, HALF, dim=9, alpha=[0, 2], replicas=2, start=start, engine=engine
    )
    assert rb.rerun(run).identical(run)
    assert run.sizes == {
        "replica": 2,
        "alpha": 2,
        "student": 2,
        "teacher": 2,
        "other": 2,
    }


def test_the_error_is_that_of_new_examples():
    """Half the squared error of 400 000 new examples, within 5 standard errors."""
    committee = Committee(ReLU(), 2, 2)
    run = simulate(committee, HALF, dim=20, alpha=[1], seed=4)
    cross, own = run.R.values[0, 0], run.Q.values[0, 0]
    covariance = np.block([[own, cross], [cross.T, np.eye(2)]])
    fields = np.random.default_rng(0).multivariate_normal(
        np.zeros(4), covariance, 400_000
    )
    squares = 0.5 * (np.maximum(fields, 0) @ committee.signs) ** 2
    error = squares.std() / np.sqrt(squares.size)
    assert abs(squares.mean() - float(run.error[0, 0])) < 5 * error
    assert error < 0.01 * squares.mean()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"dim": 5}, "dim must be at least 6, the number of all units"),
        ({"engine": "events"}, "engine must be one of reduced, full"),
        ({"motion": rb.motions.Rotation(0.1)}, "motion must be in random directions"),
        ({"replicas": 0}, "replicas must be a whole number not below 1"),
    ],
)
def test_bad_arguments_are_named(given, words):
    with pytest.raises(ValueError, match=words):
        simulate(Committee(Erf()), HALF, **{"dim": 10, "alpha": 1, **given})


def walked(teachers, rng):
    """Turn each teacher in a random direction across both of them."""
    cosine = 1 - STRENGTH / DIM
    for n in range(2):
        u = rng.standard_normal((REPLICAS, DIM))
        for one in np.moveaxis(teachers, 1, 0):
            u -= one * ((u * one).sum(1) / (one * one).sum(1))[:, None]
        u *= (np.linalg.norm(teachers[:, n], axis=1) / np.linalg.norm(u, axis=1))[
            :, None
        ]
        teachers[:, n] = cosine * teachers[:, n] + np.sqrt(1 - cosine**2) * u


def naive(rng):
    """Overlaps and output weights of students as vectors, by NumPy alone."""
    teachers = np.zeros((REPLICAS, 2, DIM))
    teachers[:, 0, 0], teachers[:, 1, 1] = np.sqrt(DIM), 2 * np.sqrt(DIM)
    w = 0.5 * rng.standard_normal((REPLICAS, 2, DIM))
    v = np.tile([1.0, 0.5], (REPLICAS, 1))
    for _ in range(EXAMPLES):
        walked(teachers, rng)
        x = rng.standard_normal((REPLICAS, DIM)) / np.sqrt(DIM)
        b, h = (np.einsum("rkn,rn->rk", v, x) for v in (teachers, w))
        error = np.tanh(b) @ [1.0, -1.0] - (v * np.tanh(h)).sum(axis=1)
        error += 0.3 * rng.standard_normal(REPLICAS)
        delta = error[:, None] * v * (1 - np.tanh(h) ** 2)
        v = v + 0.8 / DIM * error[:, None] * np.tanh(h)
        w = (1 - 0.1 / DIM) * w + 1.5 * delta[..., None] * x[:, None]
    return (
        np.einsum("rkn,rmn->rkm", w, teachers) / DIM,
        np.einsum("rkn,rmn->rkm", w, w) / DIM,
        v[..., None],
    )


def test_vectors_learn_as_in_numpy():
    """A distribution that is off by 0.08 is caught."""
    committee = Committee(
        Tanh(), 2, [[1, 0], [0, 4]], (1, -1), decay=0.1, noise=0.3,
        student_outputs=(1, 0.5)
    )  # fmt: skip
    run = simulate(
        committee, 1.5, dim=DIM, alpha=EXAMPLES / DIM, second_rate=0.8,
        motion=rb.motions.RandomWalk(STRENGTH), replicas=REPLICAS, engine="full"
    )  # fmt: skip
    found = run.R.values, run.Q.values, run.outputs.values[..., None]
    pvalues = [
        stats.ks_2samp(a[:, i, j], b[:, 0, i, j], method="asymp").pvalue
        for a, b in zip(naive(np.random.default_rng(5)), found, strict=True)
        for i in range(2)
        for j in range(a.shape[2])
    ]
    assert min(pvalues) * len(pvalues) > 1e-4


def pvalues(one, other):
    """Return the p values of all overlaps at all alphas, the first ones aside.

    Overlaps that are the same for all replicas have no law to compare.
    """
    found = []
    for i in range(one.sizes["alpha"]):
        for name in ("R", "Q", "outputs"):
            a, b = (
                x[name].values[:, i].reshape(x.sizes["replica"], -1)
                for x in (one, other)
            )
            found += [
                stats.ks_2samp(a[:, j], b[:, j], method="asymp").pvalue
                for j in range(a.shape[1])
                if a[:, j].std() > 0
            ]
    return found


@pytest.mark.parametrize("dim", [5, 20, pytest.param(300, marks=pytest.mark.slow)])
def test_both_engines_have_the_same_law(dim):
    """A distribution that is off by 0.07 (0.16 at N = 300) is caught."""
    alpha = [0, 1, 4] if dim < 300 else [2]
    replicas = 2000 if dim < 300 else 400
    one, other = (
        simulate(
            GRADED, CONSTANT, dim=dim, alpha=alpha, replicas=replicas, seed=seed,
            second_rate=0.7, motion=WALK, engine=engine
        )
        for engine, seed in (("reduced", 1), ("full", 2))
    )  # fmt: skip
    assert one.attrs["engine"] == "reduced"
    assert other.attrs["engine"] == "full"
    found = pvalues(one, other)
    assert min(found) * len(found) > LEAST


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


def test_an_overflow_names_replica_example_and_rate():
    with pytest.raises(ArithmeticError, match=r"overflows in replica 0 at example"):
        simulate(
            Committee(rb.rules.Linear(), 1, 1), rb.schedules.Constant(1e9), dim=10,
            alpha=100
        )  # fmt: skip


@pytest.mark.parametrize("engine", ["reduced", "full"])
def test_a_rate_that_is_negative_or_no_number_is_named(engine):
    given = {"dim": 10, "alpha": 2, "engine": engine}
    with pytest.raises(
        ArithmeticError, match=r"^rate: .* returned nan in replica 0 at example 1 "
    ):
        simulate(Committee(Erf()), lambda clock: clock.mistakes, **given)
    with pytest.raises(
        ArithmeticError, match=r"second_rate: .*-0.1 in replica 0 at example 11 "
    ):
        simulate(
            Committee(Erf()), 0.1, second_rate=lambda clock: 1.0 - clock.time, **given
        )
