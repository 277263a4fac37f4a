"""Inputs of any stream of vectors in the engine ``full``, against plain loops."""

import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.numerics.random import apart, generators, uniform
from rosenblatt.rules import Decay, Perceptron
from rosenblatt.simulation.experiment import Run
from rosenblatt.streams import (
    Correlated,
    Empirical,
    Normal,
    Sampled,
    Uniform,
)

CONSTANT = rb.schedules.Constant(0.5)
NEAR = 0.8 ** abs(np.subtract.outer(np.arange(6), np.arange(6)))
TABLE = np.random.default_rng(0).standard_normal((7, 6))


def draw_first(rng, s):
    s[:] = 0.3
    s[0] = 2.0 * uniform(rng) - 1.0


OWN = Sampled(6, draw_first)


def simulate(stream, rule=None, **given):
    size = {"dim": 6, "alpha": [0, 1, 5], "replicas": 3, "seed": 2}
    teacher = given.pop("teacher", rb.teachers.Sign(0.1))
    return rb.simulate(
        Decay(Perceptron(), 0.5) if rule is None else rule,
        given.pop("schedule", CONSTANT), teacher, stream, **{**size, **given},
    )  # fmt: skip


def naive(stream, target, noise, rate, decay, replica, marks):
    """Overlap, norm and mistakes of one replica, in plain loops over its inputs."""
    run = Run.at_alpha([1.0], len(target), 1, 2, None, None)
    _, examples, _, _ = run.seeds(replica)
    n, draw = len(target), stream.bind()
    t = target / np.linalg.norm(target)
    start = rb.starts.Vector(tuple(np.arange(1.0, n + 1)))
    w, mistakes, found = np.array(start.weights) / math.sqrt(n), 0, []
    for example in range(marks[-1] + 1):
        if example in marks:
            norm = np.linalg.norm(w)
            found.append((w @ t / norm, norm, mistakes))
        s, rng = np.empty(n), apart(examples, example)
        draw(rng, s)
        y = 1.0 if uniform(rng) < (1 - noise if t @ s > 0 else noise) else -1.0
        wrong = y * (w @ s) <= 0
        mistakes += wrong
        w = (1 - decay / n) * w + (rate * y * s / n if wrong else 0)
    return np.array(found).T


@pytest.mark.parametrize(
    "stream",
    [Normal(6, 0.3), Uniform(6), Correlated(NEAR), Empirical(TABLE), OWN],
    ids=lambda s: type(s).__name__,
)
def test_each_replica_is_a_plain_loop_over_its_inputs(stream):
    """Inputs are rounded to single precision, by 6e-8, and weights follow."""
    target = np.arange(6.0) - 2.2
    start = rb.starts.Vector(tuple(np.arange(1.0, 7)))
    run = simulate(stream, target=target, start=start)
    for replica in range(3):
        overlap, norm, mistakes = naive(
            stream, target, 0.1, 0.5, 0.5, replica, [0, 6, 30]
        )
        np.testing.assert_allclose(run.overlap[replica], overlap, atol=1e-5)
        np.testing.assert_allclose(run.norm[replica], norm, rtol=1e-5)
        np.testing.assert_array_equal(run.mistakes[replica], mistakes)
    assert run.attrs["engine"] == "full"


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_the_error_is_that_of_fresh_inputs(noise):
    """Within 5 standard errors of a share of 40,000 tests."""
    run = simulate(
        Normal(6), Perceptron(), teacher=rb.teachers.Sign(noise), tests=40_000
    )
    exact = noise + (1 - 2 * noise) * run.angle / np.pi
    spread = np.sqrt(0.25 / 40_000)
    assert abs(run.error - exact).max() < 5 * spread
    assert run.attrs["exact"] == 0


def test_correlated_inputs_have_their_covariance():
    """Entries of 20,000 inputs, within 5 standard errors of each."""
    draw, rng = Correlated(NEAR).bind(), generators(1, range(1), 1)[0, 0]
    S = np.empty((20_000, 6))
    for s in S:
        draw(rng, s)
    products = S[:, :, None] * S[:, None]
    spread = products.std(axis=0) / math.sqrt(len(S))
    assert np.all(abs(products.mean(axis=0) - NEAR) < 5 * spread)


SHIFTED = rb.rules.Shifted(Perceptron())
REFUSED = [
    ({"engine": "reduced"}, "no projections are known; 'full' draws vectors"),
    ({"engine": "events"}, "no projections are known; 'full' draws vectors"),
    ({"dim": 7}, "stream must have dim = 7 components, got Uniform"),
    ({"motion": rb.motions.RandomWalk(0.1)}, "motion .* needs Gaussian inputs"),
    ({"rule": SHIFTED}, "shift of rule .* needs Gaussian inputs"),
    ({"start": rb.starts.Hebbian(2)}, "start .* needs Gaussian inputs"),
    ({"target": [0.0] * 6}, "target must not be all 0"),
    ({"target": [1.0] * 5}, "target must be finite numbers .* got shape"),
    ({"tests": 0}, "tests must be"),
    ({"stream": None, "target": [1.0] * 6}, "target must be None for stream Gaussian"),
    ({"stream": Sampled(6, lambda rng, s: s[:1].fill(0.0))}, "leaves component 1"),
]


@pytest.mark.parametrize(("given", "match"), REFUSED, ids=lambda x: str(x)[:30])
def test_what_vectors_cannot_have_is_refused_with_the_reason(given, match):
    with pytest.raises(ValueError, match=match):
        simulate(**{"stream": Uniform(6), **given})


def test_theory_refuses_vectors_with_the_reason():
    with pytest.raises(TypeError, match=r"whose projections .* are known, got Uniform"):
        rb.solve(Perceptron(), CONSTANT, stream=Uniform(6), alpha=1)
