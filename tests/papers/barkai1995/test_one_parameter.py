"""Laws of one parameter, against walks from mistake to mistake."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, stats

from rosenblatt.papers.barkai1995.one_parameter import (
    Harmonic,
    moment_ratio,
    noisy_growth,
    noisy_variance,
    stationary,
)
from tests.laws import LEAST


def walk(rng, x, time):
    """Return x after a time eta lambda n at a constant rate."""
    x, left = x.copy(), np.full(x.size, float(time))
    while (moving := np.flatnonzero(left > 0)).size:
        at = x[moving]
        left[moving] -= rng.exponential(size=at.size) / np.abs(at)
        jump = left[moving] > 0
        x[moving[jump]] -= np.sign(at)[jump]
    return x


def walk_with_falling_rate(rng, x, exponent, scale, first, last):
    """Return x at n = last for a rate eta0 n^-z, from x at n = first."""
    w, n = x * float(first) ** -exponent, np.full(x.size, float(first))
    while (moving := np.flatnonzero(n < last)).size:
        at = w[moving]
        n[moving] += rng.exponential(size=at.size) / (scale * np.abs(at))
        jump = n[moving] < last
        now = n[moving[jump]]
        w[moving[jump]] -= np.sign(at[jump]) * now**-exponent
    return w * last**exponent


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
    x = walk(rng, start, time=20.0)
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
    x = walk_with_falling_rate(rng, rng.uniform(-3, 3, REPLICAS), z, scale, first, last)
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


@pytest.mark.parametrize("scale", [1.3, 2.0, 8.0, 60.0, 300.0])
def test_density_distribution_and_moments_agree(scale):
    law = Harmonic(scale)
    points = [0.0, 0.01, 0.3, 1.0, 1.7]
    for low, high in itertools.pairwise(points):
        mass = integrate.quad(law.density, low, high, epsabs=1e-12)[0]
        between = np.diff(law.distribution(np.array([low, high])))[0]
        assert mass == pytest.approx(between, abs=1e-10)
        other = law.distribution(np.array([-high, -low]))
        assert np.diff(other)[0] == pytest.approx(between, abs=1e-14)
    assert law.distribution(np.array([-1e3, 0.0, 1e3])) == pytest.approx([0, 0.5, 1])
    first, second = (
        2
        * sum(
            integrate.quad(lambda x, p=p: x**p * law.density(x), *ends, limit=200)[0]
            for ends in ((0, 1), (1, 1 + 40 / law.decay))
        )
        for p in (1, 2)
    )
    assert first == pytest.approx(law.mean, rel=1e-8)
    assert second / first == pytest.approx(law.moment_ratio, rel=1e-8)


@pytest.mark.parametrize("scale", [1.5, 4.0])
def test_the_law_is_that_of_a_walk(scale):
    rng = np.random.default_rng(1)
    start = rng.uniform(-1, 1, 20_000)
    last = 1e3 ** (1 / min(1, scale - 1))  # the start counts for a factor 1e-3
    x = walk_with_falling_rate(rng, start, 1.0, scale, 1.0, last)
    # a distance of 2.2/sqrt(20000) = 0.016 between distributions would be noticed
    assert stats.kstest(x, Harmonic(scale).distribution).pvalue > LEAST


def test_at_the_threshold_the_law_spreads_without_end():
    means = [Harmonic(1 + gap).mean for gap in (1e-2, 1e-3, 1e-4)]
    # k is about 2 (c - 1), and for 1/k large most of the moments lies beyond 1
    assert means[0] < means[1] < means[2]
    assert Harmonic(1 + 1e-4).decay == pytest.approx(2e-4, rel=1e-3)
    for scale in (1.0, 0.5, 301.0, math.nan):
        with pytest.raises(ValueError, match="scale must be above 1"):
            Harmonic(scale)
