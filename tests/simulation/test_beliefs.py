"""The engine for beliefs: the naive learner on the same inputs, and its laws."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.core import Belief, Observation, Signal, WeightwiseRule
from rosenblatt.numerics.random import generators, normals32, uniform, word
from rosenblatt.rules import BinaryBayes
from rosenblatt.simulation.beliefs import INPUTS, LABELS
from tests import references

CONSTANT = rb.schedules.Constant()


def simulate(rule, **given):
    return rb.simulate(rule, CONSTANT, **given)


def gaussian_inputs(words, dim, rows):
    """Return the inputs that belong to a replica, drawn by hand."""
    even = -(-dim // 32) * 32  # drawn for each input, more than it has components
    S = np.empty((rows, even), np.float32)
    scratch = np.empty(even // 2, np.uint64)
    rng = words[INPUTS].copy()
    for n in range(rows):
        rng[2] = n * (even // 2)
        normals32(S[n], scratch, rng)
    return S[:, :dim].astype(float)


def sign_inputs(words, dim, rows):
    key, gamma, _ = words[INPUTS]
    width = -(-dim // 64)
    S = np.empty((rows, dim))
    for n in range(rows):
        for i in range(dim):
            bits = int(word(key, gamma, np.uint64(n * width + i // 64)))
            S[n, i] = 2 * (bits >> i % 64 & 1) - 1
    return S


def labels(words, fields, noise):
    rng = words[LABELS].copy()
    found = []
    for n, field in enumerate(fields):
        rng[2] = n
        chance = 1 - noise if field > 0 else noise
        found.append(1.0 if uniform(rng) < chance else -1.0)
    return np.array(found)


@pytest.mark.parametrize("signs", [False, True])
@pytest.mark.parametrize("dim", [20, 67])
@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_every_record_is_that_of_the_naive_learner(noise, dim, signs):
    rows = 2 * dim
    run = simulate(
        BinaryBayes(noise, floor=0.0),
        teacher=rb.teachers.Sign(noise),
        stream=rb.streams.UniformBits(dim) if signs else None,
        dim=dim,
        alpha=np.arange(rows + 1) / dim,
        replicas=2,
        seed=7,
    )
    words = generators(7, range(2), 3)[1]
    S = (sign_inputs if signs else gaussian_inputs)(words, dim, rows)
    y = labels(words, S.sum(axis=1), noise)
    t = np.vstack([np.zeros(dim), references.binary_bayes(S, y, noise, 0.0)])
    m = np.tanh(t)
    found = run.isel(replica=1)
    np.testing.assert_allclose(found.norm**2 * dim, (m * m).sum(axis=1), rtol=1e-6)
    overlap = m[1:].sum(axis=1) / np.linalg.norm(m[1:], axis=1) / math.sqrt(dim)
    np.testing.assert_allclose(found.overlap[1:], overlap, rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(found.agreement, (t > 0).mean(axis=1))
    np.testing.assert_array_equal(found.solved, (t > 0).all(axis=1))
    wrong = y * np.einsum("ij,ij->i", m[:-1], S) <= 0
    np.testing.assert_array_equal(found.mistakes[1:], np.cumsum(wrong))
    q = (m * m).mean(axis=1)
    estimate = noise + (1 - 2 * noise) * np.arccos(np.sqrt(q)) / np.pi
    np.testing.assert_allclose(found.estimate, estimate, rtol=1e-6, atol=1e-7)
    if not signs:
        error = noise + (1 - 2 * noise) * np.arccos(overlap) / np.pi
        np.testing.assert_allclose(found.error[1:], error, rtol=1e-5)
        assert found.error[0] == 0.5


@dataclass(frozen=True)
class Explosive(WeightwiseRule):
    """A user's own, which leaves the finite numbers."""

    def signal(self) -> Callable[[Observation], Signal]:
        return lambda o: Signal(o.rate * o.label, 0.0)

    def move(self) -> Callable[[Belief, float, Signal], Belief]:
        def move(b: Belief, x: float, s: Signal) -> Belief:
            return Belief(b.state, 1e200 * b.mean + s.slope * x, 0.0)

        return move


def test_faults_name_replica_and_example():
    with pytest.raises(ArithmeticError, match=r"Explosive.*replica 0 at example 3 "):
        simulate(Explosive(), dim=10, alpha=2, replicas=3)
    with pytest.raises(ArithmeticError, match="returned rate inf"):
        rb.simulate(Explosive(), lambda clock: math.inf, dim=10, alpha=2)


def test_a_given_teacher_and_its_signs():
    """Turning signs of teacher turns the students of symmetric inputs, in law."""
    target = np.where(np.arange(40) % 3 == 0, -1.0, 1.0)
    run = rb.engines.coordinate(
        BinaryBayes(), CONSTANT, dim=40, alpha=12, replicas=50, target=target
    )
    assert run.solved.mean() > 0.95
    assert rb.rerun(run).identical(run)
    rows = rb.engines.coordinate(
        BinaryBayes(), CONSTANT, dim=40, alpha=12, replicas=2, target=[target, -target]
    )
    assert rows.attrs["engine"] == "coordinate"


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"stream": rb.streams.Gaussian(1.0, 0.5)}, "stream must have no mean"),
        ({"stream": rb.streams.Normal(5)}, "stream must have dim = 10"),
        ({"stream": rb.streams.ProductBits((0.5,) * 10)}, "stream must be"),
        ({"start": rb.starts.Random()}, "start must be None"),
        ({"engine": "full"}, "'full' cannot run this"),
        ({"engine": "none"}, "engine must be one of"),
        ({"teacher": 3}, "teacher must be"),
        ({"dim": 0}, "dim must be"),
        ({"replicas": 0}, "replicas must be"),
    ],
)
def test_wrong_arguments_are_named(given, match):
    with pytest.raises((ValueError, TypeError), match=match):
        simulate(BinaryBayes(), **{"dim": 10, "alpha": 1, **given})


def test_wrong_targets_and_rules_are_named():
    for target in ([1.0, 2.0], np.zeros(10), np.full(10, np.nan), "ones"):
        with pytest.raises((ValueError, TypeError), match="target must"):
            rb.engines.coordinate(
                BinaryBayes(), CONSTANT, dim=10, alpha=1, target=target
            )
    with pytest.raises(ValueError, match="keeps no belief"):
        rb.simulate(
            rb.rules.Perceptron(), CONSTANT, dim=10, alpha=1, engine="coordinate"
        )


class Twice(BinaryBayes):
    """Moves each weight by itself, but has a loop of its own."""

    def bind(self):
        def learn(state, mean, variance, x, o):
            for i in range(x.size):
                state[i] += 2.0 * o.label * x[i]
                mean[i], variance[i] = state[i], 0.5

        return learn


def test_a_loop_of_a_rules_own_is_used():
    """After one example the mean is 2 y x, and x.x = 1 for signs."""
    given = {"dim": 12, "alpha": 1 / 12, "stream": rb.streams.UniformBits(12)}
    run = rb.simulate(Twice(), rb.schedules.Constant(), **given)
    assert run.norm.item() == pytest.approx((4 / 12) ** 0.5, rel=1e-14)
