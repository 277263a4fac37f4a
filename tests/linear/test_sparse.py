"""Sparse rows."""

import numpy as np
import pytest
from scipy.sparse import csc_matrix, csr_matrix, random_array

from rosenblatt.linear.learner import Learner
from rosenblatt.linear.learning import learn
from rosenblatt.rules import Decay, Hebb, Perceptron, Shifted
from rosenblatt.schedules import Constant, PerMistake
from tests.linear.row_data import RULES, started

WEIGHTS = np.random.default_rng(5).choice([0.0, 0.25, 1.0, 1.7, 3.0], 60)


def sparsely(rows=60, columns=40, seed=3):
    rng = np.random.default_rng(seed)
    X = random_array((rows, columns), density=0.15, rng=rng, format="csr")
    X = csr_matrix(X)
    X.data -= 0.4
    return X, np.where(X @ rng.standard_normal(columns) > 0.05, 1.0, -1.0)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["once", "weighted"])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize(("rule", "step", "options"), RULES)
def test_sparse_rows_learn_as_dense_ones(rule, step, options, intercept, weights):
    X, y = sparsely()
    w = np.random.default_rng(1).standard_normal(40 + intercept)
    given = {"sample_weight": weights}
    dense = learn(rule, PerMistake(0.7), X.toarray(), y, started(w), **given)
    for kind in (csr_matrix, csc_matrix):
        got = learn(rule, PerMistake(0.7), kind(X), y, started(w), **given)
        np.testing.assert_allclose(got.weights, dense.weights, rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(got.counts, dense.counts)


def test_sparse_weights_stay_right_through_strong_decay():
    """The scale of the weights passes the ends at which it is put into them."""
    X, y = sparsely(rows=400)
    for strength in (41.0, 20.0, 100.0):  # 1 - 41 / 41 is zero; the last turns signs
        rule = Decay(Hebb(), strength)
        dense = learn(rule, Constant(), X.toarray(), y, Learner.zero(41))
        got = learn(rule, Constant(), X, y, Learner.zero(41))
        np.testing.assert_allclose(got.weights, dense.weights, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_sparse_input_that_is_not_finite_is_named(bad):
    X, y = sparsely()
    row = 7
    X.data[X.indptr[row]] = bad
    column = X.indices[X.indptr[row]]
    for rule in (Hebb(), Perceptron(), Shifted(Hebb())):
        with pytest.raises(ValueError, match=rf"got {bad} in row 7, column {column}"):
            learn(rule, Constant(), X, y, Learner.zero(41))
