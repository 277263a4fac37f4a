import math

import numpy as np
import pytest
from scipy import stats

from rosenblatt.papers.barkai1995.one_parameter import (
    moment_ratio,
    noisy_growth,
    noisy_variance,
    stationary,
)
from tests.laws import LEAST
from tests.papers.barkai1995 import walks

REPLICAS = 20_000


@pytest.mark.parametrize("spread", [0.5, 3.0])
def test_walks_end_in_the_stationary_law_of_their_classes(spread):
    rng = np.random.default_rng(3)
    points = 50
    if spread == 0.5:  # half of the classes only
        start = rng.uniform(0, 0.5, REPLICAS)
        classes = np.repeat([2.0, 0.0], points // 2)
    else:
        start = rng.uniform(-spread, spread, REPLICAS)
        classes = np.ones(points)
    x = walks.constant(rng, start, time=20.0)
    assert np.abs(x).max() <= 1
    np.testing.assert_allclose(np.sin(np.pi * (x - start)), 0, atol=1e-9)
    expected = stationary(classes) * REPLICAS / points
    found = np.histogram(x, np.linspace(-1, 1, 2 * points + 1))[0]
    assert np.all(found[expected == 0] == 0)
    some = expected > 5
    few = expected[~some].sum(), found[~some].sum()
    table = np.append(found[some], few[1]), np.append(expected[some], few[0])
    keep = table[1] > 0
    assert stats.chisquare(table[0][keep], table[1][keep]).pvalue > LEAST


@pytest.mark.parametrize("z", [0.3, 0.5, 0.7])
def test_moments_of_walks_on_slow_schedules(z):
    scale, first = 2.0, 2000.0
    rng = np.random.default_rng(4)
    last = first * 4
    small = z / scale * last ** (z - 1)
    x = walks.decreasing(rng, rng.uniform(-3, 3, REPLICAS), z, scale, first, last)
    size, square = np.abs(x), x**2
    ratio = square.mean() / size.mean()
    error = np.std(square - ratio * size) / size.mean() / math.sqrt(REPLICAS)
    # the third order besides, with a factor of 1/z^2
    assert abs(ratio - moment_ratio(z, scale, last)) < 5 * error + small**3 / z**2


@pytest.mark.parametrize("bend", [0.0, 1.0])
def test_the_variance_with_noise(bend):
    """f = s - w + bend s w^2 / 2, whose second derivative matters with noise."""
    rng = np.random.default_rng(7)
    p, eta, replicas = 0.2, 0.01, 8000
    w = np.zeros(replicas)
    for _ in range(2500):  # ten times the memory 1/(eta lambda)
        s = rng.standard_normal(replicas)
        label = np.where(rng.random(replicas) < p, -1, 1) * np.sign(s)
        f = s - w + bend * s * w**2 / 2
        w += eta * np.where(f * label < 0, label * (-1 + bend * s * w), 0)
    rate = 1 / math.sqrt(2 * math.pi) + p * bend * math.sqrt(2 / math.pi)
    expected = eta * noisy_variance(p, 1.0, rate)
    share = 1 / math.sqrt(2 * math.pi)
    growth = noisy_growth(p, share, expected)
    # error of a variance, and the next order; catches 9%
    allowed = 5 * math.sqrt(2 / replicas) + (growth - 1) ** 2
    assert abs(w.var() / expected - growth) < allowed


def test_mistakes_without_noise_widen_the_law_with_noise():
    """Steps as rare as 1 in 50 by noise, so that the growth is large: a diffusion."""
    noise, eta, kappa = 0.02, 4e-4, 0.4
    share = (1 - 2 * noise) * kappa
    w = np.linspace(-1, 1, 200_001) * 20 * math.sqrt(eta * noise / (2 * kappa))
    # the stationary law for a drift -eta kappa w, a diffusion eta^2 (p + share |w|)/2
    spread = noise + share * np.abs(w)
    size = np.abs(w)
    exponent = (
        -2
        * kappa
        / eta
        * (size / share - noise / share**2 * np.log1p(share * size / noise))
    )
    law = np.exp(exponent) / spread
    law /= law.sum()
    second, fourth = (law @ w**k for k in (2, 4))
    zeroth = eta * noisy_variance(noise, 1.0, kappa)
    growth = noisy_growth(noise, kappa, zeroth)
    assert growth > 1.04
    assert second / zeroth == pytest.approx(growth, abs=(growth - 1) ** 2)
    assert fourth / second**2 / 3 == pytest.approx(growth, abs=2 * (growth - 1) ** 2)
