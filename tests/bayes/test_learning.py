"""Filters: equal to plain matrices, to integrals, and to themselves in pieces."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.special import expit
from scipy.stats import norm

from rosenblatt import bayes as filtering
from rosenblatt.bayes.filter import learn_in_place
from rosenblatt.bayes.standardisation import Standardisation
from rosenblatt.compiling.jit import PLAIN
from tests.bayes import reference
from tests.bayes.formulas import CLIP, tally_for, twin
from tests.bayes.problems import DOUBLE, problem
from tests.bayes.streams import FRAMED, KINDS, data, same


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_a_label_gives_the_moments_of_the_exact_posterior(noise):
    """By Gauss-Hermite quadrature over the belief before it, correlations included."""
    before = filtering.start(2, prior=0.7, label_variance=1.0, noise=noise)
    before = filtering.learn(before, [[1.0, 0.5]], [1])
    x = np.array([0.3, -1.0])
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    grid = np.stack(np.meshgrid(nodes, nodes), axis=-1).reshape(-1, 2)
    w = before.mean[0] + grid @ np.linalg.cholesky(before.belief[0]).T
    law = noise + (1 - 2 * noise) * norm.cdf(-w @ x)  # the label is -1
    mass = np.outer(weights, weights).ravel() / (2 * np.pi) * law
    Z = mass.sum()
    mean = mass @ w / Z
    V = (mass[:, None] * (w - mean)).T @ (w - mean) / Z
    odds = np.zeros((1, 1))
    after = filtering.learn(before, [x], [0], odds=odds)
    np.testing.assert_allclose(after.mean[0], mean, rtol=1e-10)
    np.testing.assert_allclose(after.belief[0], V, rtol=1e-8)
    news = after.log_evidence - before.log_evidence
    np.testing.assert_allclose(news, np.log(Z), rtol=1e-10)
    np.testing.assert_allclose(expit(odds), 1 - Z, rtol=1e-10)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("noise", [0.0, 0.05, "auto"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_in_a_frame_equals_plain_matrices(kind, noise, classes):
    X, y = data(classes=classes)
    models = 1 if classes == 2 else classes
    odds = np.zeros((len(X), models))
    filter = filtering.start(
        4, covariance=kind, models=models, noise=noise, prior=0.5, **FRAMED
    )
    filter = filtering.learn(filter, X, y, odds=odds)
    wanted, chances, center, scale = reference.stream(
        X,
        y,
        covariance=kind,
        classes=classes,
        prior=0.5,
        noise=noise,
        clip=5.0,
    )
    np.testing.assert_allclose(filter.standardisation.center, center, rtol=1e-9)
    np.testing.assert_allclose(
        1 / filter.standardisation.inverse_scale, scale, rtol=1e-9
    )
    found = expit(odds) if classes == 2 else np.exp(odds)
    np.testing.assert_allclose(found, chances, rtol=1e-6, atol=1e-9)
    for k, model in enumerate(wanted):
        np.testing.assert_allclose(filter.mean[k], model.m, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(filter.variances[k], np.diag(model.V), rtol=1e-6)
        assert filter.log_evidence[k] == pytest.approx(model.log_evidence)
        assert filter.noise[k] == pytest.approx(model.noise)


def sparse_data(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((400, 6)) * (rng.random((400, 6)) < 0.3)
    X[:, 1] *= 100
    return X, (X @ [1, 0.01, -1, 0, 0, 1] + 0.3 > 0).astype(int)


def sparse_stream(X, y, prior=1.0, clip=5.0):
    """The slow twin for sparse rows: no centre, scale of the entries so far."""
    model = reference.Model("diagonal", 7, prior, 0.0)
    scale, changed = np.zeros(6), 0
    for t, x in enumerate(X):
        if t in reference.CHANGES and t:
            seen = X[:t]
            count = (seen != 0).sum(axis=0)
            known = count > 0
            new = scale.copy()
            new[known] = np.sqrt((seen**2).sum(axis=0)[known] / count[known])
            ratio = np.where(known, scale / np.where(known, new, 1), 1.0)
            model.move(np.zeros(6), ratio, 1.0)
            model.take_in(changed / t)
            scale, changed = new, t
        scale = np.where((scale == 0) & (x != 0), np.abs(x), scale)
        z = np.clip(x / np.where(scale == 0, 1, scale), -clip, clip)
        model.learn(np.append(z, 1.0), 2 * y[t] - 1, 1.0)
    return model


@pytest.mark.parametrize("number", [np.float64, np.float32])
def test_sparse_rows_equal_plain_matrices(number):
    X, y = sparse_data()
    X = X.astype(number).astype(float)
    filter = filtering.start(6, covariance="diagonal", sparse=True, **FRAMED)
    filter = filtering.learn(filter, csr_matrix(X.astype(number)), y)
    model = sparse_stream(X, y)
    np.testing.assert_allclose(filter.mean[0], model.m, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(filter.belief[0], np.diag(model.V), rtol=1e-7)
    # explicit zeros, in any order of columns and in several pieces, are zeros
    full = csr_matrix(np.where(X == 0, 1.0, X))
    full.data[full.toarray()[full.nonzero()] == 1.0] = 0.0
    again = filtering.start(6, covariance="diagonal", sparse=True, **FRAMED)
    again = filtering.learn(again, full[:150], y[:150])
    same(filtering.learn(again, full[150:], y[150:]), filter)


@pytest.mark.parametrize("life", [{}, {"input_half_life": 37.5}, {"half_life": 37.5}])
@pytest.mark.parametrize("kind", KINDS)
def test_pieces_and_repetitions_do_not_matter(kind, life):
    X, y = data(classes=3)
    rng = np.random.default_rng(1)
    times = rng.choice([0, 1, 2, 15], len(X))
    filter = filtering.start(
        4, covariance=kind, models=3, noise="auto", **life, **FRAMED
    )
    odds = np.zeros((3, len(X), 3))
    wanted = filtering.learn(filter, X, y, times, odds[0])
    copies = np.repeat(np.arange(len(X)), times)
    assert filter.clock == 0
    same(filtering.learn(filter, X[copies], y[copies]), wanted)
    pieces, rows = filter, filter
    for part in np.split(np.arange(len(X)), [1, 2, 40, 41, 200]):
        out = np.zeros((len(part), 3))
        pieces = filtering.learn(pieces, X[part], y[part], times[part], out)
        odds[1][part] = out
    for row in range(len(X)):
        # a row at which the frame changes is predicted in the new frame
        changes = row == 0 or (times[row] and rows.clock == rows.next_change)
        odds[2][row] = odds[0][row] if changes else filtering.log_odds(rows, X[[row]])
        rows = filtering.learn(rows, X[[row]], y[[row]], times[[row]])
    same(pieces, wanted)
    same(rows, wanted)
    np.testing.assert_allclose(odds[1], odds[0], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(odds[2], odds[0], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_one_row_in_place_is_one_row(kind):
    X, y = data(classes=3)
    filter = filtering.start(4, covariance=kind, models=3, noise="auto", **FRAMED)
    wanted, out = filtering.learn(filter, X, y), np.zeros((1, 3))
    for row, code in zip(X, y, strict=True):
        learn_in_place(filter, row[None], np.array([code]), out)
    same(filter, wanted)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_in_single_precision_are_learned_in_double(kind):
    X, y = data()
    X = X.astype(np.float32)
    filter = filtering.start(4, covariance=kind, **FRAMED)
    same(filtering.learn(filter, X.astype(float), y), filtering.learn(filter, X, y))


def test_full_beats_one_variance_on_isotropic_inputs():
    """The off-diagonal does matter: .027 against .039 is known for m/N = 20."""
    rng = np.random.default_rng(0)
    size, runs = 30, 20
    errors = {kind: [] for kind in ("spherical", "full")}
    for _ in range(runs):
        teacher = rng.standard_normal(size)
        X = rng.standard_normal((20 * size, size))
        for kind, found in errors.items():
            filter = filtering.start(size, covariance=kind)  # a step, as in the paper
            w = filtering.learn(filter, X, X @ teacher > 0).mean[0]
            cosine = w @ teacher / np.linalg.norm(w) / np.linalg.norm(teacher)
            found.append(np.arccos(cosine) / np.pi)
    means = {kind: np.mean(found) for kind, found in errors.items()}
    gap = np.subtract(errors["spherical"], errors["full"])
    assert gap.mean() > 5 * gap.std() / runs**0.5, means
    assert means["full"] < 0.03


def test_bad_rows_and_labels_are_named():
    with pytest.raises(ValueError, match="X must have 3 columns"):
        filtering.learn(filtering.start(3), np.ones((2, 2)), [0, 1])
    with pytest.raises(ValueError, match="must have 2 entries"):
        filtering.learn(filtering.start(3), np.ones((2, 3)), [0, 1, 1])


def test_long_streams_are_watched_now_and_then():
    X, y = data(rows=9000)
    filter = filtering.start(4, covariance="diagonal", **FRAMED)
    pieces = filter = filtering.learn(filter, X[:8000], y[:8000])
    filter = filtering.learn(filter, X[8000:], y[8000:])
    for part in np.split(np.arange(8000, 9000), [100, 192, 193, 319, 320, 900]):
        pieces = filtering.learn(pieces, X[part], y[part])
    same(pieces, filter)
    watched = np.r_[0:1024, 4096:4224, 8192]
    np.testing.assert_allclose(filter.standardisation.center, X[watched].mean(axis=0))
    np.testing.assert_allclose(
        1 / filter.standardisation.inverse_scale, X[watched].std(axis=0)
    )


def test_inputs_that_are_too_large_without_a_frame_are_named():
    for kind in KINDS:
        with pytest.raises(ValueError, match=r"overflow.* got 1e\+200 in row 1, col"):
            filtering.learn(
                filtering.start(2, covariance=kind), [[1, 1], [1, 1e200]], [0, 1]
            )


@pytest.mark.parametrize("noise", [0.0, 0.07])
@pytest.mark.parametrize("models", [1, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sparse_rows_are_learned_as_dense_ones(dtype, models, noise):
    rows, features = (20, 30) if PLAIN else (300, 30)
    X, codes, repeats, _, inverse = problem(rows, features, models, dtype=dtype)
    rng = np.random.default_rng(1)
    X[rng.random(X.shape) < 0.8] = 0.0
    inverse[2] = 1 / 7.0
    noise, size = np.full(models, noise), features + 1
    mean, belief = np.zeros((models, size)), np.ones((models, size))
    given = (X, codes, repeats, np.zeros(features), inverse, 1.0, noise)
    wanted, V, counts, _, chances = twin("diagonal", *given, mean, belief)
    scales = inverse.copy()
    scales[2] = 0.0  # not seen so far: its first entry is 7
    own = Standardisation(
        np.zeros(features), scales, np.zeros((2, features)), 0.0, True
    )
    start = filtering.start(
        features,
        covariance="diagonal",
        models=models,
        label_variance=1.0,
        intercept=True,
        clip=CLIP,
        sparse=True,
    )
    start = start.replaced(
        standardisation=own, noise=noise, statistics=tally_for(noise)
    )
    odds = np.empty((rows, models))
    found = filtering.learn(start, csr_matrix(X), codes, repeats, odds)
    assert np.allclose(found.inverse_scale, inverse, rtol=1e-12)
    assert np.allclose(found.mean, wanted, rtol=0, atol=DOUBLE)
    assert np.allclose(found.belief, [np.diag(v) for v in V], rtol=0, atol=DOUBLE)
    assert np.allclose(found.statistics, counts, rtol=DOUBLE, atol=DOUBLE)
    assert np.allclose(odds, chances, rtol=0, atol=CLIP * features * DOUBLE)
    times = np.ceil(repeats)  # of a fraction, a row
    assert np.allclose(found.sums[0], times @ (X != 0))
    squares = times @ (X.astype(float) * inverse) ** 2
    assert np.allclose(found.sums[1], squares, rtol=1e-9)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_sparse_entries_that_are_not_finite_are_named(bad):
    X, y = sparse_data()
    S = csr_matrix(X)
    S.data[S.indptr[97]] = bad
    filter = filtering.start(6, covariance="diagonal", sparse=True, **FRAMED)
    with pytest.raises(ValueError, match=f"got {bad} in row 97, column"):
        filtering.learn(filter, S, y)
