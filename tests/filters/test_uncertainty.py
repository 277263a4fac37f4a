import numpy as np
import pytest

from rosenblatt.filters import COVARIANCES, learn, start
from rosenblatt.filters.uncertainty import length_variance

RNG = np.random.default_rng(0)
X = RNG.standard_normal((3000, 3))
Y = (X[:, 0] + RNG.standard_normal(3000) > 0).astype(np.int64)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_an_unknown_length_adds_variance_that_falls_with_the_examples(covariance):
    few, many = (
        length_variance(
            learn(
                start(
                    3, covariance=covariance, width=1.0, noise=None, standardised=True
                ),
                X[:rows],
                Y[:rows],
            )
        )
        for rows in (300, 3000)
    )
    assert few.shape == many.shape == (1,)
    assert few[0] > 2 * many[0] > 0.0


def test_nothing_is_added_before_the_first_change():
    filter = start(3, width=1.0, noise=None)
    np.testing.assert_array_equal(length_variance(filter), [0.0])
    np.testing.assert_array_equal(length_variance(learn(filter, X, Y)), [0.0])
