"""Full covariances in another standardisation."""

import numpy as np
import pytest

from rosenblatt import filters as filtering
from rosenblatt.filters.kernels.layout import CHANGE, NEXT_CHANGE, SIZE, WEIGHTS
from rosenblatt.filters.kernels.turning import restores_prior, turn_full
from rosenblatt.filters.natural import likelihood, posterior
from rosenblatt.filters.standardisation import next_change
from tests.filters.problems import seen

FEATURES = 130  # with fewer the prior is restored by inversions


def turned_by_a_change(mean, covariance, center, scale):
    """Return a filter before and after its columns have another standardisation."""
    old = np.zeros(FEATURES), np.ones(FEATURES)
    rows = 1e9  # so many that the row to come does not matter
    squares = rows * (scale**2 + center**2)
    sums = np.stack([rows * center, squares])
    filter = seen("full", *old, np.zeros(1), mean[None], covariance[None], sums)
    own = filter.standardisation._replace(weight=rows)
    filter = filter.replaced(standardisation=own, clock=7, next_change=7)
    found = filter.copy()
    found.state.row[:] = center
    turn_full(found.state.place)
    np.testing.assert_allclose(found.inverse_scale, 1 / scale, rtol=1e-8)
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


def test_the_prior_is_restored_where_estimates_are_used():
    times, clock = [], 0
    while clock < 1000:
        times.append(clock)
        clock = next_change(clock)
    table = np.ones(SIZE, np.int64)
    table[WEIGHTS] = 9
    found = [clock for clock in range(1000) if restores_prior(table, clock)]
    assert found == times[1:]
    table[WEIGHTS] = FEATURES
    assert not any(restores_prior(table, clock) for clock in range(100))


def test_a_filter_that_is_never_turned_changes_at_any_time():
    """Files may hold any time of the next change."""
    X = np.random.default_rng(2).standard_normal((9, 2))
    codes = np.arange(9) % 2
    start = filtering.start(2, covariance="full", standardised=True)
    filter = filtering.learn(start, X[:5], codes[:5])
    assert filter.state._table[CHANGE] == 0
    filter.counts[NEXT_CHANGE] = 7  # not 6
    learned = filtering.learn(filter, X[5:], codes[5:])
    assert learned.next_change == 12
    assert np.isfinite(learned.belief).all()


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
