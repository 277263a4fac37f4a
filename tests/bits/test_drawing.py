import numpy as np
import pytest

from rosenblatt.bits import unpack
from rosenblatt.bits.container import unused
from rosenblatt.bits.drawing import draw_product, draw_uniform
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.numerics.random import generator, generators
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
    bits = draw_uniform(columns, 3, 5, 10)
    word, width = split_mix(5), bits.words.shape[1]
    last = (2**64 - 1) ^ unused(columns)
    for i, row in enumerate(bits.words.tolist()):
        wanted = [word((10 + i) * width + k) for k in range(width)]
        wanted[-1] &= last
        assert row == wanted


@pytest.mark.parametrize("columns", [1, 11, 64, 70])
def test_product_bits_are_those_of_the_reference(columns):
    chances = np.resize(np.array(CHANCES), columns)
    found = unpack(draw_product(chances, 20, 5, 10), low=0) > 0
    wanted = references.product_bits(split_mix(5), 10, 20, chances.tolist())
    np.testing.assert_array_equal(found, wanted)


def test_bits_that_need_more_digits_than_others_get_them():
    """In 300 rows of 200 columns about 15 bits are undecided after 12 digits."""
    rows = 20 if PLAIN else 300
    chances = np.full(200, 1 / 3)
    found = unpack(draw_product(chances, rows, 6, 0), low=0) > 0
    wanted = references.product_bits(split_mix(6), 0, rows, chances.tolist())
    np.testing.assert_array_equal(found, wanted)


def test_columns_have_the_probabilities_asked_for():
    """Catches an error of 0.006 in a probability (5 standard errors of one half)."""
    high = unpack(draw_product(np.array(CHANCES), ROWS, 0, 0), low=0).mean(axis=0)
    p = np.array(CHANCES)
    assert (abs(high - p) <= 5 * np.sqrt(p * (1 - p) / ROWS)).all()
    assert high[-1] == 1
    assert high[-2] == 0


@pytest.mark.parametrize("uniform", [True, False])
def test_columns_and_rows_are_independent(uniform):
    dim = 66
    p = np.full(dim, 0.5) if uniform else np.linspace(0.1, 0.9, dim)
    bits = draw_uniform(dim, ROWS, 1, 0) if uniform else draw_product(p, ROWS, 1, 0)
    x = (unpack(bits, float, low=0) - p) / np.sqrt(p * (1 - p))
    limit = 5 / np.sqrt(ROWS)
    same = x.T @ x / ROWS
    assert abs(same - np.diag(np.diag(same))).max() < limit
    after = x[1:].T @ x[:-1] / (ROWS - 1)
    assert abs(after).max() < limit
    triples = (x[:, :-2] * x[:, 1:-1] * x[:, 2:]).mean(axis=0)
    assert abs(triples).max() < limit
    assert (abs(x.mean(axis=0)) < limit).all()


@pytest.mark.parametrize("columns", [3, 64, 130])
def test_rows_do_not_depend_on_how_many_are_drawn(columns):
    p = np.linspace(0.05, 0.95, columns)
    for draw in (
        lambda rows, first: draw_uniform(columns, rows, 7, first),
        lambda rows, first: draw_product(p, rows, 7, first),
    ):
        whole = draw(50, 0)
        assert draw(20, 30) == whole[30:]
        assert draw(1, 49) == whole[-1]
        assert draw(0, 5) == whole[:0]
        far = 2**40
        assert draw(2, far + 1)[:1] == draw(1, far + 1)


def test_seeds_may_be_numbers_sequences_or_generators():
    sequence = np.random.SeedSequence(3)
    wanted = draw_uniform(70, 4, 3, 0)
    assert draw_uniform(70, 4, sequence, 0) == wanted
    assert draw_uniform(70, 4, generator(sequence), 0) == wanted
    assert draw_uniform(70, 4, generators(3, range(1), 1)[0, 0], 0) != wanted
    assert draw_uniform(70, 4, 4, 0) != wanted


@pytest.mark.parametrize(
    ("arguments", "failure", "message"),
    [
        ((-1, 0, 0), ValueError, "rows must be a whole number not below 0"),
        ((1.5, 0, 0), TypeError, "rows must be"),
        ((1, -1, 0), ValueError, "seed must be a whole number not below 0"),
        ((1, "a", 0), TypeError, "seed must be"),
        ((1, np.zeros(2, np.uint64), 0), ValueError, "a generator of three words"),
        ((1, 0, -1), ValueError, "first must be a whole number not below 0"),
    ],
)
def test_wrong_arguments_are_refused(arguments, failure, message):
    with pytest.raises(failure, match=message):
        draw_uniform(3, *arguments)


@pytest.mark.parametrize("columns", [1, 64, 65])
def test_rows_end_where_numbers_would_repeat(columns):
    width = -(-columns // 64)
    p = np.linspace(0.05, 0.95, columns)
    for draw, numbers in (
        (lambda rows, first: draw_uniform(columns, rows, 7, first), width),
        (lambda rows, first: draw_product(p, rows, 7, first), 64 * width),
    ):
        most = (2**64 - 1) // numbers
        assert len(draw(2, most - 2)) == 2
        assert draw(2, most - 2)[1:] == draw(1, most - 1)
        for rows, first in [(1, most), (2, most - 1), (0, most + 1), (1, 2**64)]:
            with pytest.raises(ValueError, match=rf"first \+ rows .* at most {most}"):
                draw(rows, first)
