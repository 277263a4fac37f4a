"""Full covariances in another standardisation."""

import numpy as np
import pytest

from rosenblatt import bayes as filtering
from rosenblatt.bayes.kernels.turning import turn_full
from rosenblatt.bayes.natural import likelihood, posterior
from tests.bayes.problems import seen

FEATURES = 130  # with fewer the prior is restored


def turned_by_a_change(mean, covariance, center, scale, clock=7, unvaried=-1):
    """Return a filter before and after its columns have another standardisation."""
    old = np.zeros(len(center)), np.ones(len(center))
    rows = 1e9  # so many that the row to come does not matter
    squares = rows * (scale**2 + center**2)
    sums = np.stack([rows * center, squares])
    if unvaried >= 0:
        sums[:, unvaried] = 0.0
    filter = seen("full", *old, np.zeros(1), mean[None], covariance[None], sums)
    own = filter.standardisation._replace(weight=rows)
    filter = filter.replaced(standardisation=own, clock=clock, next_change=clock)
    found = filter.copy()
    found.state.row[:] = center
    turn_full(found.state.address)
    varied = np.arange(len(center)) != unvaried
    given = found.inverse_scale[varied], 1 / scale[varied]
    np.testing.assert_allclose(*given, rtol=1e-8)
    return filter, found


@pytest.mark.parametrize("exact", ["shifts", "diagonal"])
def test_shifts_and_what_is_not_correlated_are_changed_exactly(exact):
    rng = np.random.default_rng(0)
    mean = rng.standard_normal(FEATURES + 1)
    some = rng.standard_normal((FEATURES + 1, 40))
    center, scale = rng.standard_normal(FEATURES), np.ones(FEATURES)
    if exact == "diagonal":
        V = np.diag(rng.uniform(0.01, 1.0, FEATURES + 1))
        center, scale = np.zeros(FEATURES), rng.uniform(0.5, 2.0, FEATURES)
    else:
        V = np.linalg.inv(np.eye(FEATURES + 1) + some @ some.T)
        V = (V + V.T) / 2  # to the last bit
    before, after = turned_by_a_change(mean, V, center, scale)
    move = before.standardisation.to(after.center, after.inverse_scale)[1:]
    wanted = posterior(likelihood(before.mean, before.belief, 1.0, *move), 1.0)
    np.testing.assert_allclose(after.mean, wanted[0], rtol=0, atol=1e-7)
    np.testing.assert_allclose(after.belief, wanted[1], rtol=0, atol=1e-7)
    assert np.array_equal(after.belief[0], after.belief[0].T)


def test_what_labels_tell_is_the_same_function_of_the_inputs():
    """With much told, fields of old and new rows are the same, and as certain."""
    rng = np.random.default_rng(1)
    some = 1e3 * rng.standard_normal((FEATURES + 1, 300))
    V = np.linalg.inv(np.eye(FEATURES + 1) + some @ some.T)
    mean = rng.standard_normal(FEATURES + 1)
    center, scale = rng.standard_normal((2, FEATURES))
    scale = np.exp(scale)
    before, after = turned_by_a_change(mean, V, center, scale)
    x = center + scale * rng.standard_normal((5, FEATURES))
    old = np.column_stack([x, np.ones(5)])
    new = np.column_stack([(x - after.center) * after.inverse_scale, np.ones(5)])
    np.testing.assert_allclose(new @ after.mean[0], old @ before.mean[0], rtol=1e-4)
    variances = [
        np.einsum("ij,jk,ik->i", z, f.belief[0], z)
        for z, f in ((new, after), (old, before))
    ]
    np.testing.assert_allclose(*variances, rtol=1e-4)


def test_the_prior_is_restored_with_few_weights():
    """All shifts and ratios, small and large; one column has not varied before."""
    few = 37
    rng = np.random.default_rng(3)
    some = rng.standard_normal((few + 1, 20))
    V = np.linalg.inv(np.eye(few + 1) + some @ some.T)
    center, scale = rng.standard_normal(few), np.exp(rng.standard_normal(few))
    scale[:2] = 1e-3, 1e3
    mean = rng.standard_normal(few + 1)
    before, after = turned_by_a_change(mean, V, center, scale, clock=8, unvaried=5)
    move = before.standardisation.to(after.center, after.inverse_scale)[1:]
    assert move[1][5] == 0.0
    wanted = posterior(likelihood(before.mean, before.belief, 1.0, *move), 1.0)
    np.testing.assert_allclose(after.mean, wanted[0], rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(after.belief, wanted[1], rtol=1e-8, atol=1e-8)
    between = turned_by_a_change(mean, V, center, scale, clock=7, unvaried=5)[1]
    assert np.abs(between.belief - after.belief).max() > 1e-3  # not where rows are few


def test_a_variance_above_the_prior_stays_positive():
    V = np.full((5, 5), 1.2) + np.diag([0.3, 0.6, 0.9, 1.2, 0.0]) + 0.1 * np.eye(5)
    scale = np.array([0.01, 0.5, 1.0, 2.0])
    after = turned_by_a_change(np.ones(5), V, np.ones(4), scale, clock=8)[1]
    assert np.linalg.eigvalsh(after.belief[0])[0] > 0.0


@pytest.mark.parametrize("clock", [7, 8])
def test_a_variance_that_became_zero_begins_anew(clock):
    """As that of a column that was constant for a thousand half-lives, and varies."""
    V = 0.5 * np.eye(5)
    V[0, 0], V[0, 1], V[1, 0] = 0.0, 1e-200, 1e-200
    scale = np.array([1e147, 0.5, 1.0, 2.0])
    after = turned_by_a_change(np.ones(5), V, np.zeros(4), scale, clock=clock)[1]
    np.testing.assert_array_equal(after.belief[0, 0], [1.0, 0.0, 0.0, 0.0, 0.0])
    assert after.mean[0, 0] == 0.0
    assert np.linalg.eigvalsh(after.belief[0])[0] > 0.0


def test_many_weights_are_learned_in_any_pieces():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((40, FEATURES)) * np.exp(rng.standard_normal(FEATURES))
    codes = (X[:, 0] > 0).astype(np.int64)
    settings = {"label_variance": 1.0, "intercept": True, "clip": 3.0}
    start = filtering.start(
        FEATURES, standardised=True, half_life=20.0, input_half_life=20.0, **settings
    )
    whole = filtering.learn(start, X, codes)
    pieces = start
    for i in range(0, 40, 3):
        pieces = filtering.learn(pieces, X[i : i + 3], codes[i : i + 3])
    np.testing.assert_allclose(pieces.mean, whole.mean, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(pieces.belief, whole.belief, rtol=1e-8, atol=1e-10)
    assert np.linalg.eigvalsh(whole.belief[0])[0] > 0
