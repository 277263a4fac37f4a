import numpy as np
import pytest

from rosenblatt.bits import count
from rosenblatt.bits.drawing import draw_product
from rosenblatt.streams import ProductBits


def test_examples_are_drawn_by_their_number():
    p = (0.1, 0.9, 0.5)
    stream = ProductBits(p)
    assert stream.draw(9, seed=3) == draw_product(np.array(p), 9, 3, 0)
    assert stream.draw(4, seed=3, first=5) == stream.draw(9, seed=3)[5:]
    assert stream.dim == 3
    assert stream.chances.tolist() == list(p)


def test_arrays_and_lists_become_tuples():
    assert (
        ProductBits(np.array([0.5, 1]))
        == ProductBits([0.5, 1])
        == ProductBits((0.5, 1.0))
    )
    assert hash(ProductBits([0.5])) == hash(ProductBits((0.5,)))


def test_never_and_always_are_exact():
    found = count(ProductBits((0, 1)).draw(1000, seed=0), np.ones(1000))
    assert found.high.tolist() == [0, 1000]


@pytest.mark.parametrize(
    ("given", "failure", "message"),
    [
        ((0.5, 1.5), ValueError, r"probabilities\[1\] must be a number from 0 to 1"),
        ((np.nan,), ValueError, r"probabilities\[0\] must be"),
        ((), ValueError, "one or more numbers"),
        (0.5, ValueError, "one or more numbers"),
        (("a",), TypeError, r"probabilities\[0\] must be"),
    ],
)
def test_what_is_no_probability_is_refused(given, failure, message):
    with pytest.raises(failure, match=message):
        ProductBits(given)
