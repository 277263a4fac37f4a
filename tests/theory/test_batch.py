"""Batch learning: the least error of any learner."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, xlogy

from rosenblatt.theory import batch_asymptote, solve_batch
from rosenblatt.theory.batch import _transitions, free_entropy
from rosenblatt.theory.closed.spherical_bayes import sharpness

NOISES = [0.0, 1e-6, 0.1, 0.3, 0.49]
Z = np.linspace(-12, 12, 6001)
WEIGHT = np.exp(-0.5 * Z * Z) / np.exp(-0.5 * Z * Z).sum()


def information(odds, noise):
    """Average over the field as it is written, by brute force."""
    spread, clear = math.sqrt(odds), 1 - 2 * noise

    def integrand(v, label):
        density = math.exp(-0.5 * v * v) / math.sqrt(2 * math.pi)
        weight = math.exp(-0.5 * (v / spread) ** 2) / spread / math.sqrt(2 * math.pi)
        return weight * (clear * density) ** 2 / (noise + clear * ndtr(label * v))

    reach = 10 * min(spread, 1.0)  # 10 standard deviations of the narrower law
    return sum(
        quad(integrand, *ends, args=(label,), epsabs=0, epsrel=1e-12, limit=200)[0]
        for label in (1, -1)
        for ends in ((-reach, 0), (0, reach))
    )


def slow_odds(alpha, noise):
    def excess(log_odds):
        odds = math.exp(log_odds)
        return math.log(odds / (1 + odds) / information(odds, noise) / alpha)

    return math.exp(brentq(excess, -25, 60, xtol=1e-13, rtol=1e-14))


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("alpha", [1e-3, 0.5, 7.0, 1e3, 1e9])
def test_curves_are_those_of_slow_quadrature_and_bisection(alpha, noise):
    odds = slow_odds(alpha, noise)
    found = solve_batch(alpha, noise)
    gibbs = 2 * math.asin(math.sqrt(0.5 / (1 + odds)))  # arccos q, 1 - q small
    bayes = math.atan2(1.0, math.sqrt(odds))
    np.testing.assert_allclose(found["angle"][:, 0], [gibbs, bayes], rtol=1e-10)
    overlaps = [odds / (1 + odds), math.sqrt(odds / (1 + odds))]
    np.testing.assert_allclose(found["overlap"][:, 0], overlaps, rtol=1e-10)
    errors = noise + (1 - 2 * noise) * np.array([gibbs, bayes]) / math.pi
    np.testing.assert_allclose(found["error"][:, 0], errors, rtol=1e-10)


def test_the_asymptotes_without_noise_are_the_known_ones():
    gibbs, bayes = batch_asymptote()
    assert gibbs == pytest.approx(0.625, abs=5e-4)  # Seung et al. (1992)
    assert bayes == pytest.approx(0.442, abs=5e-4)  # Opper and Haussler (1991)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((-1.0,), "alpha must be"),
        ((1.0, 0.6), "noise must be"),
        ((1.0, math.nan), "noise must be"),
    ],
)
def test_bad_input_is_named(arguments, words):
    with pytest.raises(ValueError, match=words):
        solve_batch(*arguments)


def posterior_overlap(dim, alpha, noise, *, replicas, sweeps, seed):
    """Sample the posterior of many problems at once, coordinate by coordinate.

    Along a line the likelihood is constant between the points where an example changes
    sides, so the new value is drawn exactly. The teacher is the first sample; half of
    the sweeps are for forgetting it. Returns one overlap per problem.
    """
    rng = np.random.default_rng(seed)
    count = round(alpha * dim)
    teacher = rng.standard_normal((replicas, dim))
    x = rng.standard_normal((replicas, count, dim))
    y = np.sign(np.einsum("rpn,rn->rp", x, teacher))
    y[rng.random(y.shape) < noise] *= -1
    a = y[:, :, None] * x
    w = teacher.copy()
    fields = np.einsum("rpn,rn->rp", a, w)
    found = []
    for sweep in range(sweeps):
        for i in rng.permutation(dim):
            slope = a[:, :, i]
            other = fields - slope * w[:, i, None]
            at = -other / slope  # where an example changes sides
            order = np.argsort(at, axis=1)
            ends = np.take_along_axis(at, order, 1)
            # mistakes to the left of all points, then one more or less at each
            first = np.sum(slope > 0, axis=1)
            change = -np.sign(np.take_along_axis(slope, order, 1))
            mistakes = first[:, None] + np.pad(np.cumsum(change, 1), ((0, 0), (1, 0)))
            chance = ndtr(np.pad(ends, ((0, 0), (1, 1)), constant_values=(-9, 9)))
            likelihood = noise**mistakes * (1 - noise) ** (count - mistakes)
            total = np.cumsum(likelihood * np.diff(chance, axis=1), axis=1)
            draw = rng.random(replicas) * total[:, -1]
            piece = np.argmax(total >= draw[:, None], axis=1)
            rows = np.arange(replicas)
            low, high = chance[rows, piece], chance[rows, piece + 1]
            w[:, i] = ndtri(low + (high - low) * rng.random(replicas))
            fields = other + slope * w[:, i, None]
        if sweep >= sweeps // 2:
            overlap = np.sum(w * teacher, axis=1)
            overlap /= np.linalg.norm(w, axis=1) * np.linalg.norm(teacher, axis=1)
            found.append(overlap)
    return np.mean(found, axis=0)


@pytest.mark.parametrize(
    ("alpha", "noise"),
    [pytest.param(2.0, 0.0, marks=pytest.mark.slow), (3.0, 0.1)],
)
def test_the_overlap_is_that_of_samples_of_the_posterior(alpha, noise):
    # with 60 sweeps in which to forget, and sizes at which that is enough
    replicas, dims = 500, (6, 12)
    small, large = (
        posterior_overlap(dim, alpha, noise, replicas=replicas, sweeps=120, seed=dim)
        for dim in dims
    )
    q = float(solve_batch(alpha, noise)["overlap"].sel(learner="gibbs")[0])
    # the two sizes together are free of the first order in 1/N ...
    limit = 2 * large.mean() - small.mean()
    error = math.hypot(2 * large.std(), small.std()) / math.sqrt(replicas)
    # ... and the next order is smaller than the first by 1/N or so
    allowed = 5 * error + 2 * abs(large.mean() - small.mean()) / dims[0]
    assert abs(limit - q) < allowed
    assert allowed < 0.1 * q  # what it would catch


def slow_entropy(alpha, q, strength, noise):
    """Return the free entropy at any (q, strength), by plain trapezoids."""
    prior = WEIGHT @ np.logaddexp(
        strength + math.sqrt(strength) * Z, -strength - math.sqrt(strength) * Z
    )
    chance = noise + (1 - 2 * noise) * ndtr(math.sqrt(q / (1 - q)) * Z)
    labels = 2 * WEIGHT @ xlogy(chance, chance)
    flips = -xlogy(noise, noise) - xlogy(1 - noise, 1 - noise)
    return prior - 0.5 * strength * (1 + q) + alpha * (labels + flips)


@pytest.mark.parametrize("noise", [0.0, 0.05, 0.2, 0.45])
def test_binary_overlaps_are_stationary_points_of_the_free_entropy(noise):
    end, step = _transitions(noise)[1], 1e-4
    for share in (0.3, 0.8, 0.99):
        alpha = share * end
        q = float(amp([alpha], noise)[0]) ** 2
        # the strength of eq. (3)
        strength = alpha * float(sharpness(q, noise)) / math.sqrt(1 - q)
        here = slow_entropy(alpha, q, strength, noise)
        assert free_entropy(strength, noise) == pytest.approx(here, abs=1e-9)
        along = [
            slow_entropy(alpha, q + a * step * (1 - q), strength * (1 + b), noise)
            for a, b in ((1, 0), (-1, 0), (0, step), (0, -step))
        ]
        # slopes are zero to the error of the difference, of the order step^2
        assert along[0] - along[1] == pytest.approx(0, abs=10 * step**3)
        assert along[2] - along[3] == pytest.approx(0, abs=10 * step**3)


def amp(alpha, noise):
    """Return overlaps of message passing."""
    return solve_batch(alpha, noise, prior="binary").overlap.sel(learner="amp").values


@pytest.mark.parametrize(
    ("noise", "first", "second"),
    [
        (0.0, 1.245, 1.493),  # Gyorgyi (1990), Sompolinsky et al. (1990)
        (0.1, 2.5137, 3.0117),
        (0.2, 4.9006, 5.8718),
    ],
)
def test_binary_curves_jump_at_the_transitions(noise, first, second):
    near = 5e-4
    curve = solve_batch(
        [0, first - near, first + near, second - near, second + near],
        noise,
        prior="binary",
    )
    bayes, amp = (curve["overlap"].sel(learner=n).values for n in ("bayes", "amp"))
    np.testing.assert_array_equal(bayes[2:], 1.0)
    np.testing.assert_array_equal(amp[-1], 1.0)
    np.testing.assert_allclose(amp[:2], bayes[:2])
    assert bayes[1] < 0.9
    assert amp[1] < amp[2] < amp[3] < 0.96
    np.testing.assert_array_equal(curve["error"][:, 0], 0.5)
    np.testing.assert_allclose(curve["error"][:, -1], noise)
