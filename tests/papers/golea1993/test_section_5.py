import pytest

from rosenblatt.papers.golea1993.section_5 import LARGE, large_examples


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0])
def test_numbers_of_examples_are_odd_and_near_alpha_n(alpha):
    found = large_examples(alpha)
    assert found % 2 == 1
    assert abs(found - alpha * LARGE) <= 1
