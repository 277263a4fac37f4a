import numpy as np
import pytest

from rosenblatt.compiling import inlined
from rosenblatt.compiling.vector.adding import adding


def half_adder(rows, planes):
    """Add two rows of bits to a plane; return the carry of one addition."""
    first, second = rows
    before = planes[0]
    planes[0] = before ^ first ^ second
    return (first & second) | (before & (first ^ second))


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("width", [1, 7, 8, 19])
def test_rows_are_added_to_planes_of_bits(width, masked):
    add = adding(half_adder, 2, 1, masked=masked)

    @inlined
    def run(words, masks, state, width):
        add(words, 1, width, masks, state, 0, width, width, width)

    rng = np.random.default_rng(width)
    words = rng.integers(0, 2**63, 1 + 2 * width).astype(np.uint64)
    masks = np.array([2**40 - 1, 2**63 - 5], np.uint64)
    state = rng.integers(0, 2**63, 2 * width + 3).astype(np.uint64)
    a, b = words[1:].reshape(2, width) & (masks[:, None] if masked else ~np.uint64(0))
    before = state[:width].copy()
    rest = state[2 * width :].copy()
    run(words, masks, state, width)
    np.testing.assert_array_equal(state[:width], before ^ a ^ b)
    carry = (a & b) | (before & (a ^ b))
    np.testing.assert_array_equal(state[width : 2 * width], carry)
    np.testing.assert_array_equal(state[2 * width :], rest)
