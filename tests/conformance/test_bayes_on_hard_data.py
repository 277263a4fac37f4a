"""BayesPerceptron on data that break learners: sizes, copies, contradictions."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt import bayes as filtering
from rosenblatt.estimators import BayesPerceptron

KINDS = (*filtering.COVARIANCES, "auto")


def data(rows=600, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 5)) + 0.5
    return X, (X @ [1.0, -2.0, 0.5, 0.0, 1.0] > 0.3).astype(int)


def sound(model, X):
    """All numbers that a user can see are numbers."""
    shares = model.predict_proba(X)
    assert np.isfinite(shares).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    for name in ("log_evidence_", "noise_", "center_", "scale_"):
        assert np.isfinite(getattr(model, name)).all(), name
    assert np.isfinite(model.predict_std(X)).all()
    assert np.isfinite(model.decision_function(X)).all()
    for filter in model._experts.filters:
        assert np.isfinite(filter.mean).all()
        assert (filter.variances > 0).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_units_do_not_matter(kind, size):
    """Probabilities are the same in units of 1e-300 and of 1e300."""
    X, y = data()
    wanted = BayesPerceptron(kind).fit(X, y)
    near = {"rtol": 1e-6, "atol": 1e-9}
    for other, rounding in (
        (X * size, near),
        (X * np.array([1e-300, 1e300, 1.0, 1e-10, 1e10]), near),
        (X + np.array([0, 1e6, -1e6, 5, 0]), {"rtol": 1e-4, "atol": 1e-6}),
    ):
        model = BayesPerceptron(kind).fit(other, y)
        found, shares = model.predict_proba(other), wanted.predict_proba(X)
        np.testing.assert_allclose(found, shares, **rounding)
        sound(model, other)


@pytest.mark.parametrize("kind", KINDS)
def test_both_sizes_in_one_column(kind):
    rng = np.random.default_rng(0)
    X = rng.choice([1e-300, -1e-300, 1e300, -1e300, 0.0, 1.0], (500, 3))
    y = (X[:, 0] > 0).astype(int)
    model = BayesPerceptron(kind).fit(X, y)
    sound(model, X)
    whole = np.full((4, 2), np.finfo(float).max) * [[1, -1], [-1, 1], [1, 1], [0, 1]]
    sound(BayesPerceptron(kind).fit(whole, [0, 1, 0, 1]), whole)


def test_sparse_columns_of_any_size():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((800, 30)) * (rng.random((800, 30)) < 0.2)
    y = (X @ rng.standard_normal(30) > 0).astype(int)
    wanted = BayesPerceptron().fit(csr_matrix(X), y)
    assert wanted.score(csr_matrix(X), y) > 0.9
    size = 10.0 ** rng.integers(-290, 290, 30)
    model = BayesPerceptron().fit(csr_matrix(X * size), y)
    np.testing.assert_allclose(
        model.predict_proba(csr_matrix(X * size)),
        wanted.predict_proba(csr_matrix(X)),
        rtol=1e-6,
    )
    assert model.covariance_ == "diagonal"
    assert (model.center_ == 0).all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_million_copies_of_one_example(kind):
    x, other = np.array([[1.0, 2.0]]), np.array([[2.0, -1.0]])
    model = BayesPerceptron(kind)
    model.partial_fit(x, [1], [0, 1], sample_weight=[10**6])
    sound(model, x)
    assert model.t_ == 10**6
    assert model.predict_proba(x)[0, 1] > 0.999
    model.partial_fit(np.tile(other, (2000, 1)), np.zeros(2000, int))
    sound(model, np.vstack([x, other]))
    assert model.predict(other) == [0]


@pytest.mark.parametrize("rows", [300_000, pytest.param(10**7, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
def test_perfectly_separable_data_without_end(kind, rows):
    """Rows in chunks, from one law, whose labels are never wrong."""
    rng = np.random.default_rng(0)
    model = BayesPerceptron(kind)
    for _ in range(rows // 100_000):
        X = rng.standard_normal((100_000, 3), dtype=np.float32)
        y = X @ np.float32([1, 1, -1]) > 0.25
        model.partial_fit(X, y, classes=[False, True])
    sound(model, X)
    assert model.score(X, y) > 0.99
    assert model.t_ == rows


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("noise", ["auto", 0.0])
def test_contradictory_labels_give_a_half(kind, noise):
    """In random order: labels that alternate are known from the label before."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.standard_normal((500, 3)), 2, axis=0)
    order = rng.permutation(1000)
    X, y = X[order], np.tile([0, 1], 500)[order]
    model = BayesPerceptron(kind, noise=noise).fit(X, y)
    sound(model, X)
    assert np.abs(model.predict_proba(X)[:, 1] - 0.5).mean() < 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_constant_columns_say_nothing_and_may_wake_up(kind):
    X, y = data()
    wide = np.hstack([X, np.full((len(X), 2), [0.0, 7.0])])
    model = BayesPerceptron(kind).fit(wide, y)
    plain = BayesPerceptron(kind).fit(X, y)
    if kind != "spherical":  # there the number of columns counts
        np.testing.assert_allclose(
            model.predict_proba(wide), plain.predict_proba(X), rtol=1e-6, atol=1e-12
        )
    rng = np.random.default_rng(1)
    awake = rng.standard_normal((3000, 7)) * 1e-5
    y = (awake[:, 5] > 0).astype(int)
    model.partial_fit(awake, y)
    sound(model, awake)
    last = awake[-1000:]
    assert model.partial_fit(awake, y).score(last, y[-1000:]) > 0.9


@pytest.mark.parametrize("kind", KINDS)
def test_duplicate_columns_share_the_weight(kind):
    X, y = data()
    double = np.hstack([X, X])
    model = BayesPerceptron(kind).fit(double, y)
    sound(model, double)
    np.testing.assert_allclose(model.coef_[0, :5], model.coef_[0, 5:], rtol=1e-6)
    assert model.score(double, y) > 0.9


@pytest.mark.parametrize("kind", KINDS)
def test_no_noise_assumed_where_labels_are_wrong(kind):
    X, y = data(rows=20_000)
    wrong = np.random.default_rng(1).random(len(y)) < 0.2
    model = BayesPerceptron(kind, noise=0.0).fit(X, y ^ wrong)
    sound(model, X)
    assert model.score(X, y) > 0.93
    assert (model.noise_ == 0).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sizes", [(1e-200, 1e200), (1e300, 1e-300)])
def test_models_of_units_far_apart_merge(kind, sizes):
    """A number that is tiny in the units of the other model hardly counts there."""
    X, y = data()
    small, large = (X * size for size in sizes)
    model = BayesPerceptron(kind).fit(small[:300], y[:300])
    other = BayesPerceptron(kind).fit(large[300:], y[300:])
    model.merge(other)
    sound(model, small)
    sound(model, large)
    units = small if sizes[0] > 1 else large
    assert model.score(units, y) > 0.9
