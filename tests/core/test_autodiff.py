import numpy as np
import pytest

pytest.importorskip("jax")

from rosenblatt.core import autodiff


def value(s, w):
    return (s * w).sum() ** 2


def test_values_and_gradients_are_those_of_the_formula():
    rng = np.random.default_rng(0)
    s, w = rng.standard_normal((2, 3))
    gradient = np.zeros(3)
    found = autodiff.bound(value)(s, w, gradient)
    assert found == pytest.approx((s @ w) ** 2, rel=1e-14)
    np.testing.assert_allclose(gradient, 2 * (s @ w) * s, rtol=1e-14)


def test_rows_of_replicas_have_their_own_weights():
    rng = np.random.default_rng(1)
    inputs, weights = rng.standard_normal((2, 4, 3)), rng.standard_normal((2, 3))
    (found,) = autodiff.values(value)(inputs, weights)
    expected = np.einsum("rei,ri->re", inputs, weights) ** 2
    np.testing.assert_allclose(found, expected, rtol=1e-13)
