import numpy as np
import pytest

from rosenblatt.bayes.kernels.passes import add_rows, standardise
from rosenblatt.compiling import inlined

RNG = np.random.default_rng(0)


@inlined
def one_row(n, x, center, scale, out, clip):
    return standardise(n, x, 0, center, 0, scale, 0, out, 0, clip, 0.0)


@inlined
def two_rows(n, x, center, scale, sums, often, again, reach):
    add_rows(
        n, x, 0, x, n, center, 0, scale, 0, sums, 0, sums, n, sums, 0, sums, n,
        often, again, reach, 0.0
    )  # fmt: skip


@pytest.mark.parametrize("n", [1, 7, 8, 50])
def test_a_row_is_standardised_and_clipped(n):
    x, center = RNG.standard_normal((2, n))
    scale, out = RNG.uniform(0.5, 2.0, n), np.zeros(n)
    assert one_row(n, x, center, scale, out, 0.7)[0] == 0.0
    np.testing.assert_allclose(out, np.clip((x - center) * scale, -0.7, 0.7))
    x[-1] = np.inf
    assert np.isnan(one_row(n, x, center, scale, out, 0.7)[0])


@pytest.mark.parametrize("n", [1, 7, 8, 50])
def test_two_rows_are_added_to_the_sums(n):
    x, scale = RNG.standard_normal((2, n)), RNG.uniform(0.5, 2.0, n)
    center, sums = RNG.standard_normal(n), RNG.standard_normal((2, n))
    far = np.clip((x - center) * scale, -3.0, 3.0)
    expected = sums[0] + far[0] + 2 * far[1], sums[1] + far[0] ** 2 + 2 * far[1] ** 2
    flat = sums.ravel()
    two_rows(n, x.ravel(), center, scale, flat, 1.0, 2.0, 3.0)
    np.testing.assert_allclose(flat.reshape(2, n), expected, rtol=1e-13)
