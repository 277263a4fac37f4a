import numpy as np
import pytest

from rosenblatt.numerics.random import generators
from rosenblatt.simulation.beliefs import GAUSSIANS, SIGNS, draw, padded, room, summary


def nothing(rng, inputs):
    raise AssertionError


@pytest.mark.parametrize("law", [GAUSSIANS, SIGNS])
def test_inputs_depend_on_their_numbers_only(law):
    n, target = 13, np.zeros(padded(13))
    target[:n] = np.arange(n)

    def drawn(first, count):
        inputs, squares = np.zeros((count, padded(n))), np.zeros(count)
        rng, spare = generators(3, range(1), 1)[0, 0], room(n, count)
        draw.py_func(law, nothing, rng, first, target, inputs, squares, spare)
        return inputs, squares, spare[0][:count]

    inputs, squares, fields = drawn(0, 6)
    np.testing.assert_array_equal(drawn(2, 3)[0], inputs[2:5])
    np.testing.assert_allclose(fields, inputs @ target / np.sqrt(n), rtol=1e-12)
    np.testing.assert_allclose(squares, (inputs**2).sum(axis=1) / n, rtol=1e-12)
    assert not inputs[:, n:].any()
    if law == SIGNS:
        assert set(np.unique(inputs[:, :n])) == {-1.0, 1.0}


def test_a_summary_has_the_parts_along_and_across_the_teacher():
    mean, target = np.array([3.0, -1.0]), np.array([2.0, 0.0])
    record = np.zeros(7)
    summary(mean, np.array([0.5, 0.25]), target, record)
    np.testing.assert_allclose(record[:5], [3.0, 1.0, 10.0, 0.75, 1.0])
