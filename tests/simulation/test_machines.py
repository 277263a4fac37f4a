"""Students of machines: every example, the laws of weights, and errors."""

import math

import numpy as np
import pytest
from scipy import stats

import rosenblatt as rb
from rosenblatt.compiling.jit import block_size, filling
from rosenblatt.machines import Ball, Parity, Smooth, Threshold
from rosenblatt.numerics.random import generators, uniforms
from rosenblatt.simulation.vectors import INPUTS, NOISE, TESTS
from rosenblatt.streams import Normal, Sampled, Uniform
from tests import references
from tests.conformance.test_parts import disc

SEED = 1995


SLOW = rb.schedules.Power(4.0, 1.0, 10.0)


def drawn(stream, replica, examples):
    """The inputs of one replica, and the numbers that decide on wrong labels."""
    words = generators(SEED, range(replica, replica + 1), TESTS + 1)[0]
    block = block_size(stream.dim)
    inputs, chances = [], []
    for _ in range(-(-examples // block)):
        inputs.append(np.zeros((block, stream.dim)))
        chances.append(np.empty(block))
        filling(stream)(words[INPUTS], inputs[-1])
        uniforms(chances[-1], words[NOISE])
    return np.concatenate(inputs)[:examples], np.concatenate(chances)[:examples]


def ball(s, w):
    return 1.0 - (s - w) @ (s - w)


def ball_gradient(s, w):
    return 2 * (s - w)


def parity(s, w):
    return math.prod((s * w).reshape(2, 2).sum(axis=1))


def parity_gradient(s, w):
    fields = (s * w).reshape(2, 2).sum(axis=1)
    return (fields[::-1, None] * s.reshape(2, 2)).ravel()


CASES = {
    "ball": (Ball(), ball, ball_gradient, Normal(2, (0.2, 0.0))),
    "parity": (Parity(2, 2), parity, parity_gradient, Uniform(4)),
    "disc": (Ball(), ball, ball_gradient, Sampled(2, disc)),
}


@pytest.mark.parametrize("noise", [0.0, 0.2])
@pytest.mark.parametrize("case", CASES)
def test_every_example_is_that_of_the_naive_loop(case, noise):
    machine, f, gradient, stream = CASES[case]
    rng = np.random.default_rng(0)
    target, *start = rng.standard_normal((3, machine.parameters)) * 0.5
    run = rb.simulate_machine(
        machine,
        lambda clock: 0.5 / (clock.mistakes + 0.01 * clock.time),
        target,
        stream,
        examples=range(601),
        noise=noise,
        replicas=2,
        seed=SEED,
        start=start,
    )
    groups = machine.groups
    for replica in range(2):
        S, chances = drawn(stream, replica, 600)
        labels = np.array([np.sign(f(s, target)) for s in S])
        labels[chances < noise] *= -1
        weights, mistakes = references.machine(
            f,
            gradient,
            lambda n, m: 0.5 / (m + 0.01 * n),
            S,
            labels,
            run.weights.values[replica, 0],
            groups,
        )
        np.testing.assert_allclose(run.weights[replica], weights, atol=1e-9)
        assert run.mistakes[replica].values.tolist() == mistakes.tolist()
    assert run.mistakes[:, -1].min() > 5


def last_weights(rate, **given):
    """Return the weight of each student of a threshold at 0."""
    rule = Threshold(), rb.schedules.Constant(rate), [0.0]
    return rb.simulate_machine(*rule, seed=SEED, **given).weights.values[:, 0, 0]


def test_one_dimension_without_noise_has_the_law_of_a_triangle():
    """x = dw/eta: F = 1 - |x| from a spread-out start, so <|x|> = 1/3, <x^2> = 1/6.

    8000 replicas: errors of 0.013 in <|x|> and 0.16 in the kurtosis are caught. Each of
    at most 200 steps to the equilibrium is left after n examples with probability
    exp(-phi(0) eta n). After 50000 this is expected in 0.004 of all replicas together.
    """
    eta, replicas = 1e-3, 8000
    start = np.random.default_rng(SEED).uniform(-0.2, 0.2, (replicas, 1))
    x = last_weights(eta, examples=50_000, replicas=replicas, start=start) / eta
    assert abs(x).max() < 1
    # deviations: of |x| it is sqrt(1/6 - 1/9)
    assert abs(x).mean() == pytest.approx(1 / 3, abs=5 * math.sqrt(1 / 18 / replicas))
    assert stats.kstest(x, stats.triang(0.5, -1, 2).cdf).pvalue > 1e-4
    ratio = (x**4 - 2.4 / 36 - 2 * 2.4 / 6 * (x**2 - 1 / 6)) * 36  # delta method
    spread = ratio.std() / math.sqrt(replicas)
    found = (x**4).mean() / (x**2).mean() ** 2
    assert found == pytest.approx(2.4, abs=5 * spread)


def user_ball(s, w):
    return 1.0 - (s[0] - w[0]) ** 2 - (s[1] - w[1]) ** 2


def user_towards(s, w, out):
    out[0], out[1] = 2 * (s[0] - w[0]), 2 * (s[1] - w[1])


def test_the_error_is_exact_or_measured_on_the_label():
    given = {"target": [0.1, 0.2], "examples": [0, 50], "replicas": 40, "noise": 0.1}
    exact = rb.simulate_machine(Ball(), SLOW, **given)
    known = Ball().error(
        exact.weights.values.reshape(-1, 2), np.array([0.1, 0.2]), Normal(2)
    )
    assert exact.error.values.ravel() == pytest.approx(0.1 + 0.8 * known, rel=1e-14)
    user = Smooth(user_ball, user_towards, 2, 2)
    measured = rb.simulate_machine(user, SLOW, **given, tests=3001)
    e = (exact.error - 0.1) / 0.8
    spread = 0.8 * np.sqrt(e * (1 - e) / 3001)
    np.testing.assert_allclose(measured.weights, exact.weights, rtol=1e-9)
    assert np.all(abs(measured.error - exact.error) < 5 * spread)
    assert np.ptp(measured.error.values - exact.error.values) > 0
    assert (exact.attrs["exact"], measured.attrs["exact"]) == (1, 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"machine": Ball}, r"machine must be a Machine, got .*Ball\(\), with paren"),
        (
            {"target": [1.0]},
            r"target must be finite numbers of shape \(2,\), got sh",
        ),
        ({"target": "no"}, "target must be finite numbers of shape"),
        ({"target": [1.0, math.nan]}, "target must be finite numbers"),
        ({"stream": Normal(3)}, "stream must have 2 components as the machine has"),
        ({"stream": rb.streams.Gaussian()}, "stream must be a VectorStream, got Gau"),
        ({"examples": [1, 2.5]}, "examples must be whole numbers .* got 2.5"),
        ({"examples": [2, 1]}, "examples must increase"),
        ({"noise": 0.7}, "noise must be a number from 0 to 0.5, got 0.7"),
        (
            {"start": np.ones((3, 2))},
            r"start must be finite numbers of shape",
        ),
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
