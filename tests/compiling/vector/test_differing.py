import numpy as np
import pytest

from rosenblatt.compiling import inlined
from rosenblatt.compiling.vector.differing import TILE, tile_fields, turned


@inlined
def run(words, width, tile, signs, mask, masked, start, out):
    for first in range(0, TILE, 8):
        turned(words, first * width, width, tile, first)
    tile_fields(tile, signs, mask, masked, width, width, start, out, 0)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("width", [1, 3, 8, 11])
def test_fields_are_a_start_less_twice_the_bits_that_differ(width, masked):
    rng = np.random.default_rng(width)
    words = rng.integers(0, 2**63, TILE * width).astype(np.uint64)
    signs, mask = rng.integers(0, 2**63, (2, 2 * width)).astype(np.uint64)
    tile = np.zeros((width + 7) // 8 * 8 * TILE, np.uint64)
    out = np.zeros(TILE, np.int32)
    run(words, width, tile, signs, mask, masked, 64 * width, out)
    bits = words.reshape(TILE, width) ^ signs[width:]
    bits &= mask[width:] if masked else ~np.uint64(0)
    wrong = np.bitwise_count(bits).sum(axis=1, dtype=int)
    np.testing.assert_array_equal(out, 64 * width - 2 * wrong)
