import numba
import numpy as np
import pytest
from scipy import stats

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.numerics.random import (
    chi_squares,
    columns_of,
    columns_of_normals,
    columns_of_uniforms,
    generator,
    generators,
    normals32,
    normals64,
    uniforms,
    word,
)

many = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="plain Python is too slow for so many draws"
)
LEAST = 1e-4  # p value; the largest deviation a test lets pass is stated with it
_f = types.float64[::1]
_u = types.uint64[::1]


@kernel(types.void, _f, _u)
def fill64(out, rng):
    normals64(out, rng)


@kernel(types.void, types.float32[::1], _u, allocates=True)
def fill32(out, rng):
    normals32(out, np.empty(out.size // 2, dtype=np.uint64), rng)


@kernel(types.void, _f, _u)
def fill_uniform(out, rng):
    uniforms(out, rng)


@kernel(types.void, _f, types.int64, _f, _f, _u)
def fill_chi(out, freedom, g, u, spare):
    chi_squares(out, freedom, g, u, spare, 0)


@kernel(types.uint64, types.uint64, types.uint64, types.uint64)
def nth(key, gamma, n):
    return word(key, gamma, n)


def fresh(seed=1):
    return generator(np.random.SeedSequence(seed))


def split_mix(state, n):
    """The reference: SplitMix64 in exact integers."""
    mask = 2**64 - 1
    z = (state + n * 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)


def test_words_are_those_of_splitmix64():
    for n in (0, 1, 17, 2**40):
        ours = nth(np.uint64(1234567), np.uint64(0x9E3779B97F4A7C15), np.uint64(n))
        assert int(ours) == split_mix(1234567, n)


@pytest.mark.parametrize(
    ("fill", "dtype"), [(fill64, np.float64), (fill32, np.float32)]
)
def test_normals_are_normal_and_uncorrelated(fill, dtype):
    """A million draws: catches an error of 0.002 in the distribution function."""
    out = np.empty(1_000_000, dtype=dtype)
    fill(out, fresh())
    x = out.astype(float)
    assert stats.kstest(x, "norm").pvalue > LEAST
    for power, mean, variance in [(1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)]:
        assert abs((x**power).mean() - mean) < 5 * np.sqrt(variance / x.size)
    half = x.size // 2
    for pair in (x[1:] * x[:-1], x[:half] * x[half:], x[:half] ** 2 * x[half:]):
        assert abs(pair.mean()) < 5 * pair.std() / np.sqrt(pair.size)


@many
@pytest.mark.parametrize("freedom", [0, 1, 2, 3, 10, 998])
def test_chi_squares_follow_their_law(freedom):
    g, u = np.empty(200_000), np.empty(200_000)
    rng = fresh(5)
    fill64(g, rng)
    fill_uniform(u, rng)
    out = np.empty(200_000)
    fill_chi(out, freedom, g, u, fresh(6))
    if freedom == 0:
        assert not out.any()
    else:
        assert stats.kstest(out, stats.chi2(freedom).cdf).pvalue > LEAST


def test_streams_of_neighbouring_replicas_are_independent():
    """Correlations of 100 pairs, 10000 numbers each; the largest of 100 within 5."""
    words = generators(0, range(101), 1)[:, 0]
    u = np.empty((101, 10_000))
    for row, rng in zip(u, words, strict=True):
        uniforms(row, rng)
    u = (u - 0.5) * np.sqrt(12)
    assert np.all(abs((u[1:] * u[:-1]).mean(axis=1)) < 5 / 100)


@inlined
def fill_columns(words, normal, uniform, first):
    """Fill two tables, column by column in the last axis."""
    columns = columns_of(words)
    columns_of_normals(normal, columns, first)
    columns_of_uniforms(uniform, columns, first)


def test_each_column_has_the_numbers_of_its_own_generator():
    rows, columns, first = 32, 3, 5
    words = generators(7, range(columns), 1)[:, 0]
    normal, uniform = np.empty((2, rows * columns))
    fill_columns(words, normal, uniform, first)
    for column, rng in enumerate(words):
        for table, one in ((normal, normals64), (uniform, uniforms)):
            wanted, rng[2] = np.empty(rows), first
            inlined(one)(wanted, rng)
            assert np.array_equal(table.reshape(rows, columns)[:, column], wanted)
