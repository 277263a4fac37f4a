import numpy as np
import pytest

from rosenblatt.core import FixedShift
from rosenblatt.linear.learner import Learner
from rosenblatt.linear.learning import learn
from rosenblatt.rules import (
    Perceptron,
    Shifted,
)
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import RefusalError
from tests.linear.row_data import equal, examples


def test_grown_learner_is_one_that_knew_the_columns_before():
    X, y = examples(columns=5)
    wide = np.column_stack([X, np.zeros((60, 2))])
    rule = Perceptron()
    a = learn(rule, Constant(), X, y, Learner.zero(6)).grown(7, intercept=True)
    b = learn(rule, Constant(), wide, y, Learner.zero(8))
    assert equal(a, b)
    more = examples(columns=7, seed=1)
    assert equal(*(learn(rule, Constant(), *more, one) for one in (a, b)))
    with pytest.raises(ValueError, match="columns must not be below 7"):
        a.grown(6, intercept=True)


def test_fixed_shift_is_refused():
    X, y = examples()
    rule = Shifted(Perceptron(), FixedShift(1.0, 0.0))
    with pytest.raises(RefusalError, match=r"fixed shift.*AverageShift"):
        learn(rule, Constant(), X, y, Learner.zero(7))
