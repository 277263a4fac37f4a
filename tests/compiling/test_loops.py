import numpy as np
import pytest

from rosenblatt.compiling import compiled
from rosenblatt.compiling.jit import block_size, filling, scanning
from rosenblatt.core import Observation
from rosenblatt.machines import Threshold
from rosenblatt.numerics.random import generators
from rosenblatt.rules import BinaryBayes, DiagonalBayes
from rosenblatt.streams import Normal


@pytest.mark.parametrize("rule", [BinaryBayes(0.1), DiagonalBayes(0.1)])
def test_compiled_learners_are_their_plain_functions(rule):
    rng = np.random.default_rng(0)
    x = rng.standard_normal(6) / np.sqrt(6)
    o = Observation(0.2, -1.0, 0.1, x @ x, 1.0, 6.0, 0.9, 0.9)
    found = []
    for learn in (compiled(rule), rule.bind()):
        state, mean, variance = np.zeros(rule.memory(6)), np.zeros(6), np.zeros(6)
        rule.begin(state, mean, variance)
        learn(state, mean, variance, x, o)
        found.append((state, mean, variance))
    for fast, plain in zip(*found, strict=True):
        np.testing.assert_allclose(fast, plain, rtol=1e-12)
    assert compiled(rule) is compiled(type(rule)(0.1))


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
