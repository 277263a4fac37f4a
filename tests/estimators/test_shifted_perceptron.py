"""The shifted perceptron is the rule it says, with scikit-learn's conventions."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.estimators import OnlinePerceptron, ShiftedPerceptron
from rosenblatt.rules import AverageShift, Normalised, Perceptron, Shifted
from rosenblatt.schedules import Constant, Power


def lopsided(rows, seed=0):
    """Return inputs that are not symmetric around the boundary, and noisy labels."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 10)) / 10**0.5
    X[:, 1] += X[:, 0] > 0.4
    right = X[:, 0] > 0
    return X, right, right ^ (rng.random(rows) < 0.2)


@pytest.mark.parametrize("uniform", [False, True])
def test_it_is_the_rule_that_it_says(uniform):
    X, _, y = lopsided(2000)
    y = y & (X[:, 2] > 0)  # not balanced
    rule = Shifted(Normalised(Perceptron()), AverageShift(uniform), 3.0)
    model = ShiftedPerceptron(Constant(0.5), uniform=uniform, opening=3.0).fit(X, y)
    twin = OnlinePerceptron(rule, Constant(0.5)).fit(X, y)
    np.testing.assert_array_equal(model.coef_, twin.coef_)
    np.testing.assert_array_equal(model.intercept_, twin.intercept_)
    sparse = ShiftedPerceptron(Constant(0.5), uniform=uniform, opening=3.0)
    sparse.fit(csr_matrix(X), y)
    np.testing.assert_allclose(sparse.coef_, twin.coef_, rtol=1e-12)


def test_wrong_labels_do_not_lead_it_astray():
    """Plain weights with the same rates end up farther off, at any size."""
    rates = Power(10.0, 1.0, offset=20.0)
    for seed in range(3):
        X, right, y = lopsided(20_000, seed)
        own = ShiftedPerceptron().fit(X, y).score(X, right)
        plain = OnlinePerceptron(Normalised(Perceptron()), rates).fit(X, y)
        # the pull of the wrong labels alone costs several percent
        assert own > 0.97 > plain.score(X, right)


def test_balanced_labels_determine_no_uniform_shift():
    X = np.random.default_rng(0).standard_normal((500, 2))
    with pytest.warns(ConvergenceWarning, match="labels are balanced"):
        ShiftedPerceptron(uniform=True, opening=1.0).fit(X, X[:, 0] > 0)


def test_bad_parameters_are_named():
    X, _, y = lopsided(50)
    with pytest.raises(TypeError, match="uniform must be True or False"):
        ShiftedPerceptron(uniform="yes").fit(X, y)
    with pytest.raises(TypeError, match="uniform must be True or False"):
        ShiftedPerceptron(uniform=[]).fit(X, y)
    with pytest.raises(ValueError, match="alpha must be at most"):
        ShiftedPerceptron(opening=1e308).fit(X, y)
    with pytest.raises(ValueError, match="opening must be a number not below 0"):
        ShiftedPerceptron(opening=-1).fit(X, y)
