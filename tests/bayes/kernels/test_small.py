"""Full covariances of few weights: the same as blocks, and in the long run."""

import numpy as np
import pytest

from rosenblatt import bayes as filtering
from rosenblatt.bayes import learning
from rosenblatt.bayes.kernels.full import learn_full
from rosenblatt.compiling.jit import PLAIN
from tests.bayes.problems import ONCE, run, seen


@pytest.mark.parametrize("life", [{}, {"half_life": 9.0}, {"input_half_life": 9.0}])
def test_rows_give_the_same_as_blocks(life, monkeypatch):
    rng = np.random.default_rng(0)
    X, codes = rng.standard_normal((70, 20)), rng.integers(0, 3, 70)
    repeats = rng.integers(0, 3, 70)
    settings = {"models": 3, "label_variance": 1.0, "noise": "auto", "intercept": True}
    start = filtering.start(20, standardised=True, clip=3.0, **settings, **life)
    odds = np.zeros((2, 70, 3))
    small = learning.learn(start, X, codes, repeats, odds[0])
    monkeypatch.setattr(learning, "kernel_for", lambda filter: learn_full)
    blocks = learning.learn(start, X, codes, repeats, odds[1])
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
