import numpy as np
import pytest

from rosenblatt.papers.estimates import average, ratio

SAMPLES = 200
TRIALS = 2000


def test_the_error_of_an_average_is_its_spread():
    rng = np.random.default_rng(1)
    found = [average(rng.normal(3.0, 2.0, SAMPLES)) for _ in range(TRIALS)]
    deviations = np.array([(f.value - 3.0) / f.stderr for f in found])
    # the spread of a spread is 1/sqrt(2 TRIALS), here 1.6%; this catches 8%
    assert abs(deviations.std() - 1) < 5 / np.sqrt(2 * TRIALS)


def test_correlation_widens_the_error_as_much_as_it_should():
    rng = np.random.default_rng(2)
    memory = 0.3
    values = np.empty((TRIALS, SAMPLES))
    values[:, 0] = rng.standard_normal(TRIALS)
    for k in range(1, SAMPLES):
        noise = rng.standard_normal(TRIALS) * np.sqrt(1 - memory**2)
        values[:, k] = memory * values[:, k - 1] + noise
    found = [average(row, correlation=memory) for row in values]
    deviations = np.array([f.value / f.stderr for f in found])
    # besides the statistical error: the formula is that for long series
    assert abs(deviations.std() - 1) < 5 / np.sqrt(2 * TRIALS) + 1 / SAMPLES


def test_the_error_of_a_ratio_is_its_spread():
    rng = np.random.default_rng(3)
    deviations = []
    for _ in range(TRIALS):
        below = rng.normal(5.0, 1.0, SAMPLES)
        above = 2.0 * below + rng.normal(0.0, 1.0, SAMPLES)
        found = ratio(above, below)
        deviations.append((found.value - 2.0) / found.stderr)
    assert abs(np.std(deviations) - 1) < 5 / np.sqrt(2 * TRIALS)


def test_one_sample_has_no_error_and_is_refused():
    with pytest.raises(ValueError, match="at least two"):
        average(np.array([1.0]))
