"""Filters that one pass has misled get the Laplace posterior of all rows."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, softmax
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

import rosenblatt as rb
from rosenblatt.bayes.label_law import LARGEST_NOISE, NOISE
from rosenblatt.bayes.laplace import corrected


def table(rows=4000, seed=0, ends=(0.0,)):
    """Return rows sorted by a column whose scale the first ones do not show."""
    rng = np.random.default_rng(seed)
    place = np.sort(rng.standard_normal(rows))
    X = np.column_stack([np.where(place < 0, 0.01 * place, 5 * place), place**2])
    X = np.column_stack([X, rng.standard_normal((rows, 2))])
    fields = X[:, 0] - 2 * X[:, 1] + X[:, 2] + rng.standard_normal(rows)
    return X, np.digitize(fields, ends)


def test_a_sorted_table_is_learned_as_a_shuffled_one():
    X, y = table()
    fresh, labels = table(seed=1)
    order = np.random.default_rng(2).permutation(len(y))
    for kind in ("auto", "full"):
        one, two = (rb.BayesPerceptron(kind) for _ in range(2))
        errors = [1 - one.fit(X, y).score(fresh, labels)]
        errors += [1 - two.fit(X[order], y[order]).score(fresh, labels)]
        passed = rb.BayesPerceptron(kind).partial_fit(X, y, [0, 1])
        errors += [1 - passed.score(fresh, labels)]
        # three standard errors of a difference of two errors of 0.1
        assert abs(errors[0] - errors[1]) < 0.02
        assert errors[2] > errors[0] + 0.02  # one pass is misled
        assert one.log_evidence_ == passed.log_evidence_
        assert one.mistakes_ == passed.mistakes_
        if kind == "auto":
            assert one.later_ == passed.later_


@pytest.mark.parametrize("weighted", [False, True])
def test_so_is_one_of_several_classes(weighted):
    X, y = table(ends=(-1.5, 1.0))
    fresh, labels = table(seed=1, ends=(-1.5, 1.0))
    order = np.random.default_rng(2).permutation(len(y))
    weights = np.ones(len(y)) if weighted else None
    stored = rb.BayesPerceptron().fit(X, y, sample_weight=weights)
    shuffled = rb.BayesPerceptron().fit(X[order], y[order])
    # three standard errors of a difference of two errors of 0.2
    assert stored.score(fresh, labels) > shuffled.score(fresh, labels) - 0.027


@pytest.mark.parametrize("ends", [(0.0,), (-1.5, 1.0)])
def test_a_row_of_weight_2_is_two_rows(ends):
    X, y = table(600, ends=ends)
    twice = np.arange(len(y)) % 3 == 0
    learned = rb.BayesPerceptron("full").partial_fit(X, y)._experts
    one = corrected(learned, X, y, 1.0 + twice)
    rows = np.repeat(np.arange(len(y)), 1 + twice)
    two = corrected(learned, X[rows], y[rows], np.ones(len(rows)))
    for name in ("mean", "belief", "noise"):
        found = getattr(one.filters[0], name)
        np.testing.assert_allclose(found, getattr(two.filters[0], name), rtol=1e-9)


def test_the_posterior_of_classes_is_that_of_a_general_optimiser():
    X, y = table(600, ends=(-1.5, 1.0))
    learned = rb.BayesPerceptron("full").partial_fit(X, y)._experts
    filter = corrected(learned, X, y, np.ones(len(y))).filters[0]
    scaled = np.clip((X - filter.center) * filter.inverse_scale, -3, 3)
    Z, noise = np.column_stack([scaled, np.ones(len(y))]), filter.noise[0]

    def loss(weights):
        W = weights.reshape(3, -1)
        chances = softmax(Z @ W.T, axis=1)[np.arange(len(y)), y]
        seen = noise / 2 + (1 - 1.5 * noise) * chances
        return -np.log(seen).sum() + (W**2).sum() / 2

    best = minimize(loss, np.zeros(filter.mean.size)).x.reshape(3, -1)
    deviation = np.sqrt(np.diagonal(filter.belief, axis1=1, axis2=2))
    np.testing.assert_array_less(abs(filter.mean - best), 0.3 * deviation)


def test_the_posterior_is_that_of_a_general_optimiser():
    X, y = table(600)
    learned = rb.BayesPerceptron("full").partial_fit(X, y, [0, 1])._experts
    filter = corrected(learned, X, y, np.ones(len(y))).filters[0]
    scaled = np.clip((X - filter.center) * filter.inverse_scale, -3, 3)
    Z, signs = np.column_stack([scaled, np.ones(len(y))]), 2 * y - 1

    def loss(point):
        w, k = point[:-1], point[-1]
        chance = k + (1 - 2 * k) * norm.cdf(signs * (Z @ w))
        return -np.log(chance).sum() + w @ w / 2 + (k - 0.05) ** 2 / 2 / 0.005

    start = np.append(np.zeros(Z.shape[1]), 0.05)
    bounds = [(None, None)] * Z.shape[1] + [(1e-4, 1 / 3)]
    best = minimize(loss, start, bounds=bounds, tol=1e-12).x
    deviation = np.sqrt(np.diag(filter.belief[0]))
    np.testing.assert_array_less(abs(filter.mean[0] - best[:-1]), 0.1 * deviation)
    assert abs(filter.noise[0] - best[-1]) < 0.002


def test_ordinary_tables_are_left_as_one_pass_has_learned_them():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((500, 3))
    y = (X[:, 0] > rng.standard_normal(500)).astype(int)
    known = rb.BayesPerceptron().partial_fit(X, y, [0, 1])._experts
    assert corrected(known, X, y, np.ones(len(y))) is known


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_an_estimate_of_the_noise_at_its_end_is_found_anew(noise):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((3000, 3))
    y = (X[:, 0] > 0) ^ (rng.random(3000) < noise)
    known = rb.BayesPerceptron("full").partial_fit(X, y, [False, True])._experts
    filter = known.filters[0]
    statistics = filter.statistics.copy()
    statistics[0, NOISE] = LARGEST_NOISE
    lost = filter.replaced(
        noise=np.array([LARGEST_NOISE]), mean=0.01 * filter.mean, statistics=statistics
    )
    known.filters[0] = lost
    found = corrected(known, X, y.astype(int), np.ones(len(y))).filters[0]
    assert abs(found.noise[0] - noise) < 0.03
    cosine = found.mean[0, 0] / np.linalg.norm(found.mean[0])
    assert cosine > 0.99


def test_a_rare_class_is_not_taken_for_noise():
    """One pass can end with a large intercept, where the rarer class is all noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((3000, 3))
    y = (X[:, 0] + 2 * rng.standard_normal(3000) > 1.5).astype(int)
    known = rb.BayesPerceptron("full").partial_fit(X, y, [0, 1])
    filter = known._experts.filters[0]
    statistics = filter.statistics.copy()
    statistics[0, NOISE] = y.mean()
    mean = np.zeros_like(filter.mean)
    mean[0, -1] = -9.0
    lost = filter.replaced(
        mean=mean, noise=y.mean(keepdims=True), statistics=statistics
    )
    apart = known.coef_ / np.linalg.norm(known.coef_)
    known._experts.filters[0] = lost
    assert np.ptp(known.predict_proba(X)[:, 1]) < 1e-3
    known._experts = corrected(known._experts, X, y, np.ones(len(y)))
    assert np.ptp(known.predict_proba(X)[:, 1]) > 0.3
    assert known.noise_[0] < 0.1
    found = known.coef_ / np.linalg.norm(known.coef_)
    np.testing.assert_allclose(found, apart, atol=0.05)


def test_streams_on_which_one_pass_takes_the_rarer_class_for_noise():
    """The base rate wanders, and the columns tell little: fit does as well as peers."""
    apart = {"fit": [], "partial_fit": []}
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, time = rng.standard_normal((8000, 20)), np.arange(8000) / 4000
        odds = 0.3 * X[:, 0] + np.sin(20 * time) - 2
        y = (rng.random(8000) < expit(odds)).astype(int)
        known, later = slice(4000), slice(4000, 8000)
        peer = LogisticRegression().fit(X[known], y[known]).decision_function(X[later])
        for name, found in apart.items():
            model = rb.BayesPerceptron("full")
            getattr(model, name)(X[known], y[known])
            area = roc_auc_score(y[later], model.decision_function(X[later]))
            found.append(area - roc_auc_score(y[later], peer))
    assert min(apart["partial_fit"]) < -0.05
    assert min(apart["fit"]) > -0.01
