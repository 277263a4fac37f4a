"""Streams of bits against SplitMix64 in exact integers, and their laws."""

import numpy as np
import pytest

from rosenblatt.bits import unpack
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.numerics.random import generator
from rosenblatt.streams import ProductBits, UniformBits
from tests import references

ROWS = 2_000 if PLAIN else 200_000
# Exact halves and quarters, numbers without an end, tiny ones, never and always.
CHANCES = [0.5, 0.25, 0.75, 0.1, 0.9, 1 / 3, 1e-3, 1 - 1e-3, 2.0**-70, 0.0, 1.0]


def split_mix(seed):
    """SplitMix64 in exact integers, for one of our generators."""
    key, gamma, _ = (int(w) for w in generator(np.random.SeedSequence(seed)))
    mask = 2**64 - 1

    def word(n):
        z = (key + n * gamma) & mask
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    return word


@pytest.mark.parametrize("columns", [1, 63, 64, 65, 200])
def test_uniform_words_are_those_of_splitmix64(columns):
    bits = UniformBits(columns).draw(3, seed=5, first=10)
    word, width = split_mix(5), bits.words.shape[1]
    for i, row in enumerate(bits.words.tolist()):
        wanted = [word((10 + i) * width + k) for k in range(width)]
        wanted[-1] &= (2**64 - 1) >> (-columns % 64)
        assert row == wanted


@pytest.mark.parametrize(
    ("chances", "rows"),
    [
        (CHANCES[:1], 20),
        (CHANCES, 20),
        (np.resize(CHANCES, 70), 20),
        ([1 / 3] * 200, 20 if PLAIN else 300),  # 15 undecided bits after 12 digits
    ],
)
def test_product_bits_are_those_of_the_reference(chances, rows):
    chances = [float(p) for p in chances]
    found = unpack(ProductBits(chances).draw(rows, seed=5, first=10), low=0) > 0
    wanted = references.product_bits(split_mix(5), 10, rows, chances)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    "stream", [UniformBits(66), ProductBits(np.linspace(0.1, 0.9, 66))]
)
def test_columns_and_rows_are_independent_with_the_right_probabilities(stream):
    """Catches an error of 0.006 in a probability (5 standard errors of one half)."""
    p = stream.chances
    bits = stream.draw(ROWS, seed=1)
    x = (unpack(bits, float, low=0) - p) / np.sqrt(p * (1 - p))
    limit = 5 / np.sqrt(ROWS)
    same = x.T @ x / ROWS
    assert abs(same - np.diag(np.diag(same))).max() < limit
    assert abs(x[1:].T @ x[:-1] / (ROWS - 1)).max() < limit
    assert abs((x[:, :-2] * x[:, 1:-1] * x[:, 2:]).mean(axis=0)).max() < limit
    assert (abs(x.mean(axis=0)) < limit).all()


@pytest.mark.parametrize("dim", [3, 64, 130])
@pytest.mark.parametrize("uniform", [True, False])
def test_rows_do_not_depend_on_how_many_are_drawn(dim, uniform):
    stream = UniformBits(dim) if uniform else ProductBits(np.linspace(0.05, 0.95, dim))
    whole = stream.draw(50, seed=7)
    assert stream.draw(20, seed=np.random.SeedSequence(7), first=30) == whole[30:]
    assert stream.draw(0, seed=7, first=5) == whole[:0]
    far = 2**40
    assert stream.draw(2, 7, far)[1:] == stream.draw(1, 7, far + 1)
