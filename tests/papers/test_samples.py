import math

import numpy as np
import pytest

from rosenblatt.papers.samples import (
    average,
    band,
    joined,
    line,
    median,
    points,
    power_law,
    ratio,
    sampled,
)

SAMPLES = 200
TRIALS = 2000


def assert_honest(found, exact, besides=0.0):
    """Assert that values are off by as much as their standard errors say.

    The spread of a spread is 1/sqrt(2 TRIALS), here 1.6%; this catches 8%.
    """
    deviations = np.array([(f.value - exact) / f.stderr for f in found])
    assert abs(deviations.std() - 1) < 5 / np.sqrt(2 * TRIALS) + besides
    return deviations.mean()


def test_the_error_of_an_average_is_its_spread():
    rng = np.random.default_rng(1)
    samples = rng.normal(3.0, 2.0, (TRIALS, SAMPLES))
    assert_honest([average(row) for row in samples], 3.0)


def test_correlation_widens_the_error_as_much_as_it_should():
    rng = np.random.default_rng(2)
    memory = 0.3
    values = np.empty((TRIALS, SAMPLES))
    values[:, 0] = rng.standard_normal(TRIALS)
    for k in range(1, SAMPLES):
        noise = rng.standard_normal(TRIALS) * np.sqrt(1 - memory**2)
        values[:, k] = memory * values[:, k - 1] + noise
    found = [average(row, correlation=memory) for row in values]
    # besides the statistical error: the formula is that for long series
    assert_honest(found, 0.0, besides=1 / SAMPLES)


def test_the_error_of_a_ratio_is_its_spread():
    rng = np.random.default_rng(3)
    below = rng.normal(5.0, 1.0, (TRIALS, SAMPLES))
    above = 2.0 * below + rng.normal(0.0, 1.0, below.shape)
    assert_honest(map(ratio, above, below), 2.0)


def test_one_sample_has_no_error_and_is_refused():
    with pytest.raises(ValueError, match="at least two"):
        average(np.array([1.0]))


def noisy_powers(rng, replicas, spreads):
    """Draw replicas whose mean is x^-0.5, with noise that remembers."""
    x = np.geomspace(1.0, 1e3, len(spreads))
    common = rng.standard_normal((replicas, 1))
    noise = 0.6 * common + 0.8 * rng.standard_normal((replicas, len(spreads)))
    return x, x**-0.5 * np.exp(spreads * noise - 0.5 * spreads**2)


def test_the_error_of_an_exponent_is_its_spread():
    rng = np.random.default_rng(4)
    spreads = np.array([0.3, 0.3, 0.2, 0.1])
    found = [power_law(*noisy_powers(rng, SAMPLES, spreads)) for _ in range(TRIALS)]
    assert abs(assert_honest(found, -0.5)) < 5 / np.sqrt(TRIALS)


def test_few_replicas_give_an_exponent_that_is_not_biased():
    rng = np.random.default_rng(5)
    spreads = np.array([0.9, 0.6, 0.3, 0.0])  # large: the plain slope is off
    found, plain = [], []
    for _ in range(5 * TRIALS):
        x, samples = noisy_powers(rng, 8, spreads)
        found.append(power_law(x, samples).value)
        plain.append(np.polyfit(np.log(x), np.log(samples.mean(axis=0)), 1)[0])
    errors = np.array([np.std(found), np.std(plain)]) / np.sqrt(len(found))
    off = np.abs(np.array([np.mean(found), np.mean(plain)]) + 0.5)
    # the jackknife leaves the next order; the plain slope's bias is that of 1/(2n)
    assert off[1] > 5 * errors[1]
    assert off[0] < 0.25 * off[1]


def test_the_exponent_of_an_exact_power_is_exact():
    x = np.array([1.0, 3.0, 10.0, 1e6])
    found = power_law(x, np.outer([1.0, 2.0, 7.0], x**1.7))
    assert found.value == pytest.approx(1.7, abs=1e-12)
    assert found.stderr < 1e-12


def test_the_exponent_is_that_of_a_straight_line_through_all_points():
    rng = np.random.default_rng(6)
    x, samples = noisy_powers(rng, 10**5, np.array([0.3, 0.2, 0.1]))
    line = np.polyfit(np.log(x), np.log(samples.mean(axis=0)), 1)[0]
    # they differ by the bias, a relative variance over twice the number of replicas
    assert power_law(x, samples).value == pytest.approx(line, abs=1e-6)


@pytest.mark.parametrize(
    ("x", "samples", "words"),
    [
        ([1.0, 2.0], [[1.0, 2.0]], "two rows"),
        ([1.0, 2.0], [[1.0], [2.0]], "one column per x"),
        ([1.0, 2.0], [1.0, 2.0], "got shape"),
        ([0.0, 2.0], [[1.0, 2.0]] * 2, "x must be positive"),
        ([2.0, 2.0], [[1.0, 2.0]] * 2, "not all the same"),
        ([1.0, 2.0], [[0.0, 2.0], [1.0, 2.0]], "positive means"),
        ([1.0, 2.0], [[np.nan, 2.0], [1.0, 2.0]], "positive means"),
    ],
)
def test_what_is_no_power_law_is_refused(x, samples, words):
    with pytest.raises(ValueError, match=words):
        power_law(np.array(x), np.array(samples))


def test_lines_are_theory_and_points_are_simulations():
    curve, counted = line("a", np.arange(3), [1, 2, 3]), points("b", [1], [2])
    assert (curve.role, curve.shape, curve.y) == ("theory", "line", (1.0, 2.0, 3.0))
    assert (counted.role, counted.shape) == ("simulation", "points")
    assert counted.low is None
    assert line("a", [1], [1], role="published").role == "published"


def test_bars_reach_as_far_to_both_sides():
    found = points("a", [1, 2], [5.0, 6.0], error=[1.0, 2.0])
    assert (found.low, found.high) == ((4.0, 4.0), (6.0, 8.0))


def test_samples_have_the_standard_errors_of_their_means():
    samples = np.array([[1.0, 10.0], [2.0, 10.0], [6.0, 10.0]])
    found = sampled("a", [1, 2], samples, errors=2.0)
    assert found.y == (3.0, 10.0)
    reach = 2 * math.sqrt(7 / 3)  # the variance is (4 + 1 + 9)/2 = 7
    assert found.high == pytest.approx((3 + reach, 10.0))
    assert found.low == pytest.approx((3 - reach, 10.0))


def test_curves_in_one_series_are_apart():
    found = joined("a", [([1, 2], [3, 4]), ((5,), (6,))], role="published")
    np.testing.assert_array_equal(found.x, [1, 2, math.nan, 5, math.nan])
    np.testing.assert_array_equal(found.y, [3, 4, math.nan, 6, math.nan])
    assert found.role == "published"


def test_the_median_has_the_error_of_its_ranks():
    """Of 100 samples the ranks one standard deviation away are 5 to each side."""
    found = median(np.random.default_rng(0).permutation(np.arange(100.0)))
    assert (found.value, found.stderr) == (49.5, 4.5)


def test_a_band_holds_its_share_around_the_median_or_the_mean():
    samples = np.array([[0.0], [1.0], [2.0], [3.0], [14.0]])
    found = band("five", [7], samples, share=0.5)
    assert (found.x, found.low, found.y, found.high) == ((7,), (1,), (2,), (3,))
    assert band("five", [7], samples, mean=True).y == (4.0,)
