import numpy as np
import pytest

from rosenblatt.compiling.blocks import block_size, filling, scanning
from rosenblatt.machines import Threshold
from rosenblatt.numerics.random import generators
from rosenblatt.streams import Normal


@pytest.mark.parametrize("dim", [1, 2, 3, 33, 101, 5000])
def test_blocks_have_an_even_number_of_inputs(dim):
    """Gaussians come in pairs: an odd block would end with a single, slow one."""
    assert block_size(dim) % 2 == 0
    assert 16 <= block_size(dim) <= 256


def scan(labels, first=0, last=4):
    inputs = np.array([[1.0], [2.0], [3.0], [-4.0]])
    values, gradient = np.zeros(4), np.zeros(1)
    found = scanning(Threshold())(
        inputs,
        np.array(labels, dtype=float),
        np.zeros(1),
        first,
        last,
        values,
        gradient,
    )
    return found, values.tolist(), gradient.tolist()


def test_scanning_stops_at_the_first_mistake():
    assert scan([1, 1, -1, 1]) == (2, [1.0, 2.0, 3.0, 0.0], [-1.0])
    assert scan([1, 1, -1, 1], first=3) == (3, [0.0, 0.0, 0.0, -4.0], [-1.0])
    assert scan([1, 1, -1, 1], last=2) == (2, [1.0, 2.0, 0.0, 0.0], [-1.0])
    assert scan([1, 1, np.nan, 1])[0] == 2


def test_scanning_goes_through_all_without_labels():
    assert scan([]) == (4, [1.0, 2.0, 3.0, -4.0], [-1.0])


def test_filling_goes_on_where_it_was():
    rng = generators(0, range(1), 1)[0, 0]
    first, second = np.zeros((2, 4, 3))
    filling(Normal(3))(rng, first)
    filling(Normal(3))(rng, second)
    assert np.unique(np.concatenate([first, second])).size == 24
