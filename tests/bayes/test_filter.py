"""The state of a filter: its prior, its checks, its copies."""

import pickle

import numpy as np
import pytest

from rosenblatt.bayes import COVARIANCES, Filter, learn, start
from rosenblatt.bayes.filter import FILTER

RNG = np.random.default_rng(0)
X = RNG.standard_normal((50, 3))
Y = (X[:, 0] > 0).astype(np.int64)


def arrays(filter):
    return [value for value in vars(filter).values() if isinstance(value, np.ndarray)]


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_copies_share_nothing_and_learn_the_same(covariance):
    filter = learn(start(3, covariance=covariance, standardised=True), X, Y)
    for other in (filter.copy(), pickle.loads(pickle.dumps(filter))):
        for one in arrays(filter):
            assert not any(np.shares_memory(one, two) for two in arrays(other))
        np.testing.assert_array_equal(learn(other, X, Y).mean, learn(filter, X, Y).mean)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_the_variance_of_a_field_is_that_of_the_weights(covariance):
    filter = learn(start(3, covariance=covariance), X, Y)
    full = filter.belief[0] if covariance == "full" else np.diag(filter.variances[0])
    np.testing.assert_allclose(filter.field_variance(X[0]), X[0] @ full @ X[0])


def test_fields_that_do_not_fit_are_refused():
    filter = start(3, covariance="diagonal")
    with pytest.raises(ValueError, match="belief"):
        filter.replaced(belief=np.ones((1, 2)))
    with pytest.raises(ValueError, match="statistics"):
        filter.replaced(statistics=np.zeros((1, 1)))
    assert isinstance(filter.replaced(prior=2.0), Filter)


def test_a_covariance_has_a_positive_variance_of_every_sum():
    filter = learn(start(3, covariance="full"), X, Y)
    FILTER.check(filter)
    shape = filter.belief.shape
    below = np.eye(3) - 0.9 * (1 - np.eye(3))
    for wrong in (np.ones(shape), np.broadcast_to(below, shape).copy()):
        with pytest.raises(ValueError, match="positive variances"):
            FILTER.check(filter.replaced(belief=wrong))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"covariance": "round"}, "covariance must be one of"),
        ({"covariance": "full", "sparse": True}, "covariance must be 'diagonal'"),
        ({"noise": 0.5}, "noise must be 'auto' or below 0.5"),
        ({"noise": -0.1}, "noise must be 'auto' or a number from 0"),
        ({"prior": 0.0}, "prior must be a number above 0"),
        ({"half_life": 0.0}, "half_life must be None or a number above 0"),
        ({"input_half_life": -1.0}, "input_half_life must be None or a number above 0"),
        ({"label_variance": -1.0}, "label_variance must be a number not below 0"),
    ],
)
def test_bad_arguments_are_named(given, message):
    with pytest.raises(ValueError, match=message):
        start(3, **given)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_the_prior_is_the_belief_before_any_example(covariance):
    filter = start(3, covariance=covariance, prior=0.25, models=2, intercept=True)
    np.testing.assert_array_equal(filter.mean, np.zeros((2, 4)))
    np.testing.assert_array_equal(filter.variances, np.full((2, 4), 0.25))
    assert (filter.clock, filter.log_evidence.tolist()) == (0, [0.0, 0.0])
