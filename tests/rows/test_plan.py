import pytest

from rosenblatt.core import FixedShift
from rosenblatt.rows.learner import Learner
from rosenblatt.rows.learning import learn
from rosenblatt.rules import Perceptron, Shifted
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import RefusalError
from tests.rows.row_data import examples


def test_fixed_shift_is_refused():
    X, y = examples()
    rule = Shifted(Perceptron(), FixedShift(1.0, 0.0))
    with pytest.raises(RefusalError, match=r"fixed shift.*AverageShift"):
        learn(rule, Constant(), X, y, Learner.zero(7))
