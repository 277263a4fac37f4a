import pytest

from rosenblatt.linear.binary_learner import (
    BINARY_LEARNER,
    EXAMPLES,
    MISTAKES,
    WRONG,
    BinaryLearner,
    noise_of,
)


def test_estimated_noise_starts_at_a_quarter():
    prior = BinaryLearner.prior(2, False, models=3)
    assert noise_of(prior, "auto").tolist() == [0.25] * 3
    assert noise_of(prior, 0.1).tolist() == [0.1] * 3


@pytest.mark.parametrize("which", [MISTAKES, WRONG])
def test_more_wrong_labels_than_labels_are_refused(which):
    """The estimated noise would be above 1, and so would probabilities."""
    learner = BinaryLearner.prior(2, False)
    learner.numbers[0, [EXAMPLES, which]] = 3.0, 3.0
    BINARY_LEARNER.check(learner)
    learner.numbers[0, which] = 3.1
    with pytest.raises(ValueError, match="numbers of examples, of mistakes"):
        BINARY_LEARNER.check(learner)
