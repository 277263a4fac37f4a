"""Every example of a machine, the laws of its weights, and its error."""

import math

import numpy as np
import pytest
from scipy import stats

import rosenblatt as rb
from rosenblatt.compiling.blocks import block_size, filling
from rosenblatt.machines import Ball, Parity, Smooth, Threshold
from rosenblatt.numerics.random import generators, uniforms
from rosenblatt.simulation.machines import INPUTS, NOISE, TESTS
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


def test_one_dimension_with_noise_is_gaussian():
    """Var dw = eta p sqrt(2 pi)/2 and kurtosis 3 for small eta.

    To first order in sqrt(eta), dw moves by -eta phi(0) dw on average. Its step has the
    square eta^2 (p + (1 - 2p) phi(0) |dw|). So both numbers are larger by the factor 1
    + (1 - 2p) phi(0) <|dw|> / p. The next order is smaller than 1e-3.
    """
    eta, noise, replicas = 0.0025, 0.2, 10_000
    w = last_weights(eta, examples=10_000, noise=noise, replicas=replicas, start=[0.0])
    variance = eta * noise * math.sqrt(2 * math.pi) / 2
    x2 = w**2 / variance
    larger = 1 + (1 - 2 * noise) / math.pi * math.sqrt(variance) / noise
    assert larger == pytest.approx(1.024, abs=1e-3)
    assert x2.mean() == pytest.approx(larger, abs=5 * math.sqrt(2 / replicas))
    kurtosis = (x2**2).mean() / x2.mean() ** 2
    assert kurtosis == pytest.approx(3 * larger, abs=5 * math.sqrt(24 / replicas))


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
