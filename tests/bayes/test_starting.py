import numpy as np
import pytest

from rosenblatt.bayes import COVARIANCES, start


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
