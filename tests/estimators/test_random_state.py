"""Seeds and generators that are given to a classifier."""

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.estimators.inputs import checked_random_state


def test_what_scikit_learn_takes_is_taken():
    random = np.random.RandomState(0)
    for given in (None, 0, np.int64(3), 2**32 - 1, random, np.random):
        assert checked_random_state("random_state", given) is given or given == 3
    for wrong in (-1, 2**32, 0.5, "0", np.random.default_rng(0), True):
        with pytest.raises(ValueError, match="random_state must be None, a whole"):
            checked_random_state("random_state", wrong)


def test_a_failing_fit_leaves_the_generator_as_it_was():
    random = np.random.RandomState(0)
    before = random.get_state()[1].copy()
    parts = rb.rules.Delta(rb.rules.Linear()), rb.schedules.Constant(1e300)
    model = rb.OnlinePerceptron(*parts, shuffle=True, random_state=random)
    with pytest.raises(ArithmeticError):
        model.fit(1e300 * np.eye(4), [0, 1, 0, 1])
    np.testing.assert_array_equal(random.get_state()[1], before)
    assert random.get_state()[2] == 624
