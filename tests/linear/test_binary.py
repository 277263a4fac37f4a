import numpy as np
import pytest

from rosenblatt.linear.binary import (
    BINARY_LEARNER,
    EXAMPLES,
    MISTAKES,
    WRONG,
    BinaryLearner,
    learn_binary,
)

GIVEN = {"noise": "auto", "floor": 1.0, "standardise": True}


def test_differences_that_overflow_are_named():
    X, codes = np.array([[1e308, 0.0], [-1e308, 1.0]]), np.array([0, 1])
    with pytest.raises(ValueError, match="column 0 where they are not"):
        learn_binary(BinaryLearner.prior(2, True), X, codes, **GIVEN)


@pytest.mark.parametrize("which", [MISTAKES, WRONG])
def test_more_wrong_labels_than_labels_are_refused(which):
    """The estimated noise would be above 1, and so would probabilities."""
    learner = BinaryLearner.prior(2, False)
    learner.numbers[0, [EXAMPLES, which]] = 3.0, 3.0
    BINARY_LEARNER.check(learner)
    learner.numbers[0, which] = 3.1
    with pytest.raises(ValueError, match="numbers of examples, of mistakes"):
        BINARY_LEARNER.check(learner)
