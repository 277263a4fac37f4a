import pytest

from rosenblatt.rules import DiagonalBayes
from tests.rules.belief_examples import assert_naive


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_the_belief_is_that_of_the_naive_filter(noise):
    assert_naive(DiagonalBayes(noise), diagonal=True)
