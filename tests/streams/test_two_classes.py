import math

import numpy as np
import pytest
from scipy import stats

from rosenblatt.compiling.jit import PLAIN
from rosenblatt.streams import TwoClasses

ROWS = 2000 if PLAIN else 200_000  # plain Python is slow
TILTED = ((2.0, 0.6), (0.6, 1.0))
CASES = {
    "plane": TwoClasses([(0.5, -1.0), (1.0, 1.0)], (TILTED, 1.5), prior=0.3),
    "line": TwoClasses([(0.0,), (2.0,)], (1.0, 4.0), constant=-3.0),
    "space": TwoClasses([(0, 0, 0, 0), (1, 0, 2, -1)], 2.0),
    "conic": TwoClasses(
        [(0.5, -1.0), (1.0, 1.0)], (TILTED, 1.5), prior=0.8, degree=2, constant=2.0
    ),
    "interval": TwoClasses([(0.0,), (1.0,)], (1.0, 9.0), degree=2),
}


@pytest.mark.parametrize("stream", CASES.values(), ids=CASES)
def test_inputs_have_the_law_asked_for(stream):
    X, y = stream.draw(ROWS, seed=3)
    assert abs(np.mean(y > 0) - stream.prior) < 5 * 0.5 / math.sqrt(ROWS)
    for k, label in enumerate((-1, 1)):
        given = X[y == label, : stream.dim]
        root = np.linalg.cholesky(np.array(stream.covariances[k]))
        z = np.linalg.solve(root, (given - stream.means[k]).T)
        for component in z:
            assert stats.kstest(component, "norm").pvalue > 1e-4
        off = np.corrcoef(z)[np.triu_indices(stream.dim, 1)] if stream.dim > 1 else 0
        assert np.all(np.abs(off) < 5 / math.sqrt(len(given)))


def test_features_are_in_the_order_of_the_paper():
    stream = TwoClasses([(1, 2), (3, 4)], 1.0, degree=2, constant=-1.0)
    X, _ = stream.draw(50)
    s1, s2 = X[:, 0], X[:, 1]
    for column, expected in zip(
        X.T, (s1, s2, s1**2, s2**2, s1 * s2, np.full(50, -1.0)), strict=True
    ):
        np.testing.assert_allclose(column, expected, rtol=1e-15)


def test_examples_depend_on_their_number_only():
    stream = CASES["plane"]
    X, y = stream.draw(5000, seed=1, replica=2)
    part = stream.draw(700, seed=1, replica=2, first=3456)
    np.testing.assert_array_equal(part[0], X[3456:4156])
    np.testing.assert_array_equal(part[1], y[3456:4156])
    assert not np.array_equal(stream.draw(10, seed=1)[0], X[:10])
    assert stream.draw(0)[0].shape == (0, 3)


@pytest.mark.parametrize("stream", CASES.values(), ids=CASES)
def test_errors_are_those_of_samples(stream):
    X, y = stream.draw(ROWS, seed=4)
    rng = np.random.default_rng(0)
    weights = rng.standard_normal((20, stream.features))
    exact = stream.error(weights)
    for w, expected in zip(weights, exact, strict=True):
        wrong = np.mean(y * (X @ w) <= 0)
        spread = math.sqrt(max(expected * (1 - expected), 1e-9) / ROWS)
        assert abs(wrong - expected) < 5 * spread


def test_the_best_error_of_two_circles_is_that_of_rings():
    """With the same mean the boundary is a circle, where both are equally probable."""
    v0, v1, prior = 1.0, 6.0, 0.35
    stream = TwoClasses([(3, 1), (3, 1)], (v0, v1), prior)
    radius2 = 2 * math.log(v1 / v0 * (1 - prior) / prior) / (1 / v0 - 1 / v1)
    expected = (1 - prior) * math.exp(-radius2 / 2 / v0) + prior * (
        1 - math.exp(-radius2 / 2 / v1)
    )
    assert stream.bayes_error == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("name", ["conic", "interval"])
def test_no_weights_are_better_than_the_best(name):
    stream = CASES[name]
    best = stream.bayes_weights
    least = float(stream.error(best))
    assert least == pytest.approx(stream.bayes_error, rel=1e-12)
    rng = np.random.default_rng(2)
    others = best * (1 + 0.05 * rng.standard_normal((200, best.size)))
    assert (stream.error(others) >= least).all()
    # and its field is the logarithm of the odds
    X, _ = stream.draw(20)
    s = X[:, : stream.dim]
    laws = [
        stats.multivariate_normal(m, c)
        for m, c in zip(stream.means, stream.covariances, strict=True)
    ]
    odds = laws[1].logpdf(s) - laws[0].logpdf(s)
    odds += math.log(stream.prior / (1 - stream.prior))
    np.testing.assert_allclose(X @ best, odds, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"means": [(0, 1)]}, r"means must be finite numbers of shape \(2, any\)"),
        ({"means": [(0, 1), (2,)]}, "means must be finite"),
        ({"means": [(0, 1), (2, math.nan)]}, "means must be finite"),
        ({"covariances": (1, 2, 3)}, "one number or two entries"),
        ({"covariances": (1, -2)}, r"covariances\[1\] must be positive definite"),
        ({"covariances": (((1, 2), (2, 1)), 1)}, r"covariances\[0\] must be positive"),
        ({"covariances": (((1, 2), (3, 9)), 1)}, "a symmetric matrix"),
        (
            {"covariances": "wide"},
            r"covariances\[0\] must be finite numbers of shape \(2, 2\)",
        ),
        ({"prior": 1.5}, "prior must be a number from 0 to 1, got 1.5"),
        ({"degree": 3}, "degree must be 1 or 2, got 3"),
        ({"means": np.zeros((2, 3)), "degree": 2}, "degree 2 is for inputs of one or"),
        ({"constant": math.inf}, "constant must be a finite number, got inf"),
    ],
)
def test_bad_arguments_are_refused(given, message):
    with pytest.raises((ValueError, TypeError), match=message):
        TwoClasses(**{"means": [(0, 1), (2, 3)], **given})
