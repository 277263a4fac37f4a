import numpy as np
import pytest

from rosenblatt.filters import COVARIANCES, learn, start
from rosenblatt.filters.label_law import SLOPE, slope_variance
from rosenblatt.filters.uncertainty import length_variance

RNG = np.random.default_rng(0)
X = RNG.standard_normal((3000, 3))
Y = (X[:, 0] + RNG.standard_normal(3000) > 0).astype(np.int64)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_an_unknown_length_adds_less_than_the_variance_of_the_slope(covariance):
    filter = start(3, covariance=covariance, width=1.0, noise="auto", standardised=True)
    filter = learn(filter, X, Y)
    (found,) = length_variance(filter)
    # At the last change, after 2048 rows, more than half of the information was there.
    slope = filter.statistics[0, SLOPE]
    assert 0.0 < found < max(slope_variance(filter.statistics, 0.5), (slope - 1) ** 2)


def test_nothing_is_added_before_the_first_change():
    filter = start(3, width=1.0, noise="auto")
    np.testing.assert_array_equal(length_variance(filter), [0.0])
    np.testing.assert_array_equal(length_variance(learn(filter, X, Y)), [0.0])
