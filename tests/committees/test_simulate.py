"""Simulated committees: vectors in NumPy, motions of the teacher, and starts."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

import rosenblatt as rb
from rosenblatt.committees import Committee, simulate
from rosenblatt.core import Activation
from rosenblatt.rules import Erf, ReLU, Tanh

EXAMPLES, REPLICAS = 24, 1500
STRENGTH = 2.0
HALF = rb.schedules.Constant(0.5)
CONSTANT = rb.schedules.Constant(1.5)
GRAM = [[1.0, 0.3], [0.3, 4.0]]


@dataclass(frozen=True)
class Cubic(Activation):
    """A user's own activation."""

    strength: float = 0.1

    def bind(self):
        a = self.strength
        return lambda h: (h + a * h**3, 1.0 + 3.0 * a * h * h)


def test_a_result_can_be_run_again():
    committee = Committee(ReLU(), 2, np.diag([1, 2]), (1, -1), decay=0.1, noise=0.1)
    start = np.zeros((2, 2)), np.eye(2)
    run = simulate(committee, HALF, dim=9, alpha=[0, 2], replicas=2, start=start)
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
        ({"motion": rb.motions.Rotation(0.1)}, "motion must be in random directions"),
        ({"replicas": 0}, "replicas must be a whole number not below 1"),
    ],
)
def test_bad_arguments_are_named(given, words):
    with pytest.raises(ValueError, match=words):
        simulate(Committee(Erf()), HALF, **{"dim": 10, "alpha": 1, **given})


def walked(directions, dim, rng):
    """Turn each direction of the teachers in a random one across both of them."""
    cosine = 1 - STRENGTH / dim
    for n in range(2):
        u = rng.standard_normal((REPLICAS, dim))
        for one in np.moveaxis(directions, 1, 0):
            u -= one * (u * one).sum(1)[:, None]
        u /= np.linalg.norm(u, axis=1)[:, None]
        directions[:, n] = cosine * directions[:, n] + np.sqrt(1 - cosine**2) * u


def naive(gram, dim, rng):
    """Overlaps and output weights of students as vectors, by NumPy alone."""
    directions = np.tile(np.eye(2, dim), (REPLICAS, 1, 1))
    w = 0.5 * rng.standard_normal((REPLICAS, 2, dim))
    v = np.tile([1.0, 0.5], (REPLICAS, 1))
    for _ in range(EXAMPLES):
        walked(directions, dim, rng)
        teachers = np.sqrt(dim) * (np.linalg.cholesky(gram) @ directions)
        x = rng.standard_normal((REPLICAS, dim)) / np.sqrt(dim)
        b, h = (np.einsum("rkn,rn->rk", v, x) for v in (teachers, w))
        error = np.tanh(b) @ [1.0, -1.0] - (v * np.tanh(h)).sum(axis=1)
        error += 0.3 * rng.standard_normal(REPLICAS)
        delta = error[:, None] * v * (1 - np.tanh(h) ** 2)
        v = v + 0.8 / dim * error[:, None] * np.tanh(h)
        w = (1 - 0.1 / dim) * w + 1.5 * delta[..., None] * x[:, None]
    return (
        np.einsum("rkn,rmn->rkm", w, teachers) / dim,
        np.einsum("rkn,rmn->rkm", w, w) / dim,
        v[..., None],
    )


@pytest.mark.parametrize("dim", [4, 12])  # the least N, and more
def test_students_learn_as_vectors_in_numpy(dim):
    """A distribution that is off by 0.08 is caught."""
    committee = Committee(
        Tanh(), 2, GRAM, (1, -1), decay=0.1, noise=0.3,
        student_outputs=(1, 0.5)
    )  # fmt: skip
    run = simulate(
        committee, 1.5, dim=dim, alpha=EXAMPLES / dim, second_rate=0.8,
        motion=rb.motions.RandomWalk(STRENGTH), replicas=REPLICAS
    )  # fmt: skip
    found = run.R.values, run.Q.values, run.outputs.values[..., None]
    pvalues = [
        stats.ks_2samp(a[:, i, j], b[:, 0, i, j], method="asymp").pvalue
        for a, b in zip(naive(GRAM, dim, np.random.default_rng(5)), found, strict=True)
        for i in range(2)
        for j in range(a.shape[2])
    ]
    assert min(pvalues) * len(pvalues) > 1e-4


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


def test_a_rate_that_is_negative_or_no_number_is_named():
    given = {"dim": 10, "alpha": 2}
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
