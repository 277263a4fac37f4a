from dataclasses import dataclass

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.committees import Committee, simulate
from rosenblatt.core import Activation
from rosenblatt.rules import Erf, ReLU

CONSTANT = rb.schedules.Constant(0.5)


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
        committee, CONSTANT, dim=9, alpha=[0, 2], replicas=2, start=start, engine=engine
    )
    assert rb.rerun(run).identical(run)
    assert run.sizes == {
        "replica": 2,
        "alpha": 2,
        "student": 2,
        "teacher": 2,
        "other": 2,
    }


def test_a_users_own_activation_is_passed_to_rerun():
    run = simulate(Committee(Cubic(), 1, 1), CONSTANT, dim=9, alpha=1, replicas=2)
    assert rb.rerun(run, parts={"Cubic": Cubic}).identical(run)
    with pytest.raises(ValueError, match=r"parts=\{'Cubic'"):
        rb.rerun(run)


def test_the_error_is_that_of_new_examples():
    """Half the squared error of 400 000 new examples, within 5 standard errors."""
    committee = Committee(ReLU(), 2, 2)
    run = simulate(committee, CONSTANT, dim=20, alpha=[1], seed=4)
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
        ({"dim": 5}, "dim must be at least 6, the number of the student"),
        ({"engine": "events"}, "engine must be one of reduced, full"),
        ({"replicas": 0}, "replicas must be a whole number not below 1"),
    ],
)
def test_bad_arguments_are_named(given, words):
    with pytest.raises(ValueError, match=words):
        simulate(Committee(Erf()), CONSTANT, **{"dim": 10, "alpha": 1, **given})
