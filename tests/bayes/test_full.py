"""Full covariances: rows one by one and in blocks, and in another standardisation."""

import numpy as np
import pytest

from rosenblatt import bayes as filtering
from rosenblatt.bayes import full
from rosenblatt.bayes.full import MOST_WEIGHTS
from rosenblatt.bayes.growing import likelihood
from rosenblatt.bayes.layout import MOST_ROWS
from rosenblatt.bayes.row_loop import change
from rosenblatt.compiling.jit import PLAIN
from tests.bayes.problems import ONCE, run, seen

FEATURES = 130  # with fewer the prior is restored
COLUMNS = MOST_WEIGHTS + 2  # fewer are learned row by row


def rescaled(mean, covariance, center, scale, clock=7, unvaried=-1):
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
    change(found.state.address)
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
    before, after = rescaled(mean, V, center, scale)
    known = likelihood(before, after.center, after.inverse_scale)
    wanted = before.kind.posterior(known, 1.0)
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
    before, after = rescaled(mean, V, center, scale)
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
    before, after = rescaled(mean, V, center, scale, clock=8, unvaried=5)
    known = likelihood(before, after.center, after.inverse_scale)
    wanted = before.kind.posterior(known, 1.0)
    np.testing.assert_allclose(after.mean, wanted[0], rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(after.belief, wanted[1], rtol=1e-8, atol=1e-8)
    between = rescaled(mean, V, center, scale, clock=7, unvaried=5)[1]
    assert np.abs(between.belief - after.belief).max() > 1e-3  # not where rows are few


def test_a_variance_above_the_prior_stays_positive():
    V = np.full((5, 5), 1.2) + np.diag([0.3, 0.6, 0.9, 1.2, 0.0]) + 0.1 * np.eye(5)
    scale = np.array([0.01, 0.5, 1.0, 2.0])
    after = rescaled(np.ones(5), V, np.ones(4), scale, clock=8)[1]
    assert np.linalg.eigvalsh(after.belief[0])[0] > 0.0


@pytest.mark.parametrize("clock", [7, 8])
def test_a_variance_that_became_zero_begins_anew(clock):
    """As that of a column that was constant for a thousand half-lives, and varies."""
    V = 0.5 * np.eye(5)
    V[0, 0], V[0, 1], V[1, 0] = 0.0, 1e-200, 1e-200
    scale = np.array([1e147, 0.5, 1.0, 2.0])
    after = rescaled(np.ones(5), V, np.zeros(4), scale, clock=clock)[1]
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


@pytest.mark.parametrize("life", [{}, {"half_life": 9.0}, {"input_half_life": 9.0}])
def test_rows_give_the_same_as_blocks(life, monkeypatch):
    rng = np.random.default_rng(0)
    X, codes = rng.standard_normal((70, 20)), rng.integers(0, 3, 70)
    repeats = rng.integers(0, 3, 70)
    settings = {"models": 3, "label_variance": 1.0, "noise": "auto", "intercept": True}
    start = filtering.start(20, standardised=True, clip=3.0, **settings, **life)
    odds = np.zeros((2, 70, 3))
    small = filtering.learn(start, X, codes, repeats, odds[0])
    monkeypatch.setattr(full, "MOST_WEIGHTS", 0)
    blocks = filtering.learn(start, X, codes, repeats, odds[1])
    for name in ("mean", "belief", "statistics", "noise", "sums"):
        one, other = getattr(small, name), getattr(blocks, name)
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-11, err_msg=name)
    np.testing.assert_allclose(odds[0], odds[1], rtol=1e-9, atol=1e-11)
    assert np.array_equal(small.belief, small.belief.transpose(0, 2, 1))


def belief_of_doubled_columns(examples):
    """Return the covariance after examples whose columns come twice."""
    rng = np.random.default_rng(0)
    features = 6
    mean, known = np.zeros((1, features + 1)), np.eye(features + 1)[None]
    frame, none = (np.zeros(features), np.ones(features)), np.zeros((2, 0))
    filter = seen(
        "full", *frame, np.zeros(1), mean, known, sums=none, label_variance=1.0
    )
    block = min(examples, 10_000)
    for _ in range(examples // block):
        half = rng.standard_normal((block, features // 2))
        X = np.concatenate([half, half], axis=1)
        codes = (half.sum(axis=1) + rng.standard_normal(block) > 0).astype(np.int64)
        assert run(filter, X, codes, ONCE) == -1
    return filter.belief[0]


def test_the_covariance_stays_positive_definite():
    examples = 100 if PLAIN else 10**6
    V = belief_of_doubled_columns(examples)
    assert np.array_equal(V, V.T)
    values = np.linalg.eigvalsh(V)
    assert values[0] > 0
    # The difference of two equal columns is not seen by any label: its variance stays
    # that of the prior, while each label narrows their sum.
    apart = np.array([1.0, 0, 0, -1, 0, 0, 0]) / np.sqrt(2)
    assert apart @ V @ apart == pytest.approx(1.0, abs=1e-9)
    assert values[0] < 10 / examples


def test_a_half_life_of_less_than_a_row_leaves_the_prior():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((2 * MOST_ROWS, COLUMNS))
    codes = (X[:, 0] > 0).astype(np.int64)
    start = filtering.start(COLUMNS, label_variance=1.0, prior=2.0, half_life=1e-3)
    found = filtering.learn(start, X, codes)
    np.testing.assert_allclose(found.mean, 0.0, rtol=0, atol=1e-8)
    np.testing.assert_allclose(found.belief[0], 2.0 * np.eye(COLUMNS), atol=1e-12)
