"""Noise and slope, guessed from labels: what they should be, in law."""

import numpy as np
import pytest
from scipy.special import log_ndtr, ndtr

from rosenblatt import bayes as filtering
from rosenblatt.bayes.label_law import (
    COUNT,
    NOISE,
    SLOPE,
    blank,
    estimate,
    joined,
    log_odds,
    use_estimates,
)
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.numerics.evidence import ACCURACY


def labels(u, slope, noise, rng):
    """Return +1 where the label is the sign of u, by eq. (1), else -1."""
    right = ndtr(slope * np.abs(u))
    return np.where(rng.random(len(u)) < noise + (1 - 2 * noise) * right, 1.0, -1.0)


@pytest.mark.skipif(PLAIN, reason="many labels")
@pytest.mark.parametrize("noise", [0.02, 0.1, 0.2])
def test_guesses_are_as_good_as_they_can_be(noise):
    # from where they start: the information depends on the slope
    slope = 1.0
    runs, count = 40, 4000
    rng = np.random.default_rng(0)
    found, told = [], np.zeros((2, 2))
    for _ in range(runs):
        u = 3 * rng.standard_normal(count)
        tally = blank(1, "auto")
        for signed in labels(u, slope, noise, rng) * np.abs(u):
            estimate(signed, 1.0, tally[0])
        found.append(tally[0, [SLOPE, NOISE]])
        kk, ak, aa = tally[0, -3:]
        told += np.array([[aa, ak], [ak, kk]]) / runs
    # The information and what was believed before tell mean and deviations.
    before, own = np.array([1.0, 0.05]), np.diag([32.0, 200.0])
    spread = np.linalg.inv(own + told)
    wanted = spread @ (own @ before + told @ [slope, noise])
    deviations = np.sqrt(np.diag(spread @ told @ spread))
    errors = np.array(found) - wanted
    assert np.all(np.abs(errors.mean(axis=0)) < 5 * deviations / np.sqrt(runs))
    # a ratio of variances from 40 runs, 5 standard errors
    assert np.all(errors.var(axis=0) < deviations**2 * (1 + 5 * np.sqrt(2 / runs)))


def test_a_noise_that_is_given_stays():
    tally = blank(1, 0.4)
    for u in (-3.0, 2.0, 0.5, -20.0, 1e300):
        estimate(u, 1.0, tally[0])
    assert tally[0, NOISE] == 0.4
    assert tally[0, SLOPE] != 1.0


def test_a_belief_that_has_overflowed_says_nothing():
    """The table of the evidence has no cell for it; reading one ended the process."""
    tally = blank(1, "auto")
    before = tally.copy()
    estimate(np.nan, 1.0, tally[0])
    before[0, COUNT] += 1
    np.testing.assert_array_equal(tally, before)


def test_one_of_eight_labels_is_enough_later():
    tally = blank(1, "auto")
    tally[0, COUNT] = 2**14
    used = []
    for _ in range(20):
        before = tally[0, NOISE]
        estimate(2.0, 1.0, tally[0])
        used.append(tally[0, NOISE] != before)
    assert np.flatnonzero(used).tolist() == [0, 8, 16]
    assert tally[0, COUNT] == 2**14 + 20


def test_a_noise_is_never_nothing_and_never_everything():
    tally = blank(1, "auto")
    for _ in range(300):
        estimate(8.0, 1.0, tally[0])
    assert 0 < tally[0, NOISE] < 0.01
    for _ in range(300):
        estimate(-8.0, 1.0, tally[0])
    assert 0.1 < tally[0, NOISE] <= 1 / 3


def test_the_slope_goes_into_the_mean_and_older_labels_count_less():
    tally, noise = blank(2, "auto"), np.zeros(2)
    tally[:, SLOPE], tally[:, NOISE], tally[:, -3:] = 0.5, 0.2, 16.0
    tally[:, COUNT] = 100
    assert use_estimates(tally.ravel(), noise, len(noise), 0.25) == 0.5
    assert (tally[:, COUNT] == 100).all()
    assert (noise == 0.2).all()
    assert (tally[:, SLOPE] == 1).all()
    assert (tally[:, -3:] == 4).all()


def test_two_tallies_are_joined_by_what_they_have_seen():
    first, second = blank(1, "auto"), blank(1, "auto")
    first[0, :5], second[0, :5] = (-3, 2, 30, 0.1, 1.0), (-5, 4, 10, 0.3, 2.0)
    both = joined(first, second, 0.75)
    assert both[0, :5].tolist() == pytest.approx([-8, 6, 40, 0.15, 1.25])


@pytest.mark.skipif(PLAIN, reason="many rows")
@pytest.mark.parametrize("covariance", ["diagonal", "full"])
@pytest.mark.parametrize(("length", "noise"), [(3.0, 0.0), (1.0, 0.0), (3.0, 0.1)])
def test_weights_and_noise_are_found_together(covariance, length, noise):
    """The labels are those of a probit law, some of them flipped; none is told."""
    features, rows, runs = 20, 20_000, 5
    rng = np.random.default_rng(1)
    far, lengths, guessed = [], [], []
    for _ in range(runs):
        weights = rng.standard_normal(features) * length / np.sqrt(features)
        X = rng.standard_normal((rows, features))
        right = (X @ weights > rng.standard_normal(rows)) ^ (rng.random(rows) < noise)
        filter = filtering.start(
            features,
            covariance=covariance,
            label_variance=1.0,
            noise="auto",
            intercept=True,
            standardised=True,
            clip=3.0,
        )
        filter = filtering.learn(filter, X, right.astype(np.int64))
        scale = filter.standardisation.inverse_scale
        mean = filter.mean[0, :-1] * scale
        deviations = np.sqrt(filter.variances[0, :-1]) * scale
        far += [(mean - weights) / deviations]
        lengths += [mean @ weights / (weights @ weights)]
        guessed += [filter.noise[0]]
    assert np.mean(guessed) == pytest.approx(noise, abs=0.05)
    assert np.mean(lengths) == pytest.approx(1.0, abs=0.2)
    if length > 1:  # weak fields hardly tell noise from blur: nothing says how well
        # The variance is 1 if the belief is exact; from one pass, not more than 2.
        assert np.mean(np.square(far)) < 2 + 5 * np.sqrt(2 / (runs * features))


@pytest.mark.parametrize("noise", [0.0, 0.1])
@pytest.mark.parametrize("u", [0.0, 1e-9, 0.3, -2.0, 7.9, -15.9, 16.1, -30.0])
def test_log_odds_are_those_of_the_law(u, noise):
    logs = np.array([log_ndtr(u), log_ndtr(-u)])
    if noise:
        logs = np.log(noise + (1 - 2 * noise) * np.exp(logs))
    found = log_odds(2.0 * u, 4.0, noise)
    assert found == pytest.approx(logs[0] - logs[1], rel=1e-9, abs=10 * ACCURACY)


def test_a_step_of_which_nothing_is_known_has_even_odds():
    assert log_odds(0.0, 0.0, 0.0) == 0.0
