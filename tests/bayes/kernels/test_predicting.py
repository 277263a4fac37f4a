"""The loops of prediction equal the same formulas in NumPy."""

import numpy as np
import pytest

from rosenblatt.bayes.kernels.predicting import (
    TILE,
    mix_layers,
    write_exponents,
    write_full,
    write_independent,
    write_tiles,
)

RNG = np.random.default_rng(0)


def case(rows, columns, models=2):
    """Return rows, and centre, inverse scale, clip and mean weights of a filter."""
    center, inverse = RNG.standard_normal(columns), RNG.uniform(0.5, 2.0, columns)
    mean = RNG.standard_normal((models, columns + 1))
    return RNG.standard_normal((rows, columns)), (center, inverse, 1.5, mean)


def standardised(X, center, inverse, clip, _):
    Z = np.clip((X - center) * inverse, -clip, clip)
    return np.column_stack([Z, np.ones(len(Z))])


@pytest.mark.parametrize("rows", [1, 6])
def test_fields_without_correlations(rows):
    X, own = case(rows, 11)
    spread = RNG.uniform(0.5, 2.0, own[-1].shape)
    mean, variance = np.zeros((2, 2, rows + 3))
    write_independent(X, *own, spread, 2, mean, variance)
    Z = standardised(X, *own)
    for found, expected in ((mean, own[-1] @ Z.T), (variance, spread @ (Z * Z).T)):
        np.testing.assert_allclose(found[:, 2:-1], expected, rtol=1e-12)
        assert not found[:, [0, 1, -1]].any()


@pytest.mark.parametrize("rows", [1, TILE + 3])
def test_fields_of_full_covariances(rows):
    X, own = case(rows, 6)
    V = RNG.standard_normal((2, 7, 7))
    V = V @ V.transpose(0, 2, 1)
    tiles, room = np.empty((3, 6, TILE)), np.empty((9, TILE))
    mean, variance = np.zeros((2, 2, rows + 2))
    write_tiles(X, tiles)
    write_full(tiles, *own, V, 2, room, mean, variance)
    Z = standardised(X, *own)
    forms = np.einsum("ri,kij,rj->kr", Z, V, Z)
    for found, expected in ((mean, own[-1] @ Z.T), (variance, forms)):
        np.testing.assert_allclose(found[:, 2:], expected, rtol=1e-12)
        assert not found[:, :2].any()


def test_layers_are_mixed():
    odds = np.array([[-1.0, 400.0, 2.0], [0.5, 0.0, -400.0]])
    slopes, offsets = np.array([1.0, 0.5, 3.0, 1.0]), np.array([0.0, 0.2, 0.0, -0.1])
    weights = np.array([0.1, 0.2, 0.3, 0.4])
    against, shares = np.empty((4, 2)), np.zeros((3, 2))
    write_exponents(odds, slopes, offsets, 1, against)
    mix_layers(np.exp(against), weights, 1, np.empty((2, 2)), shares)
    o = np.repeat(np.clip(odds[:, 1:], -300.0, 300.0), 2, axis=0)
    x = np.clip(slopes[:, None] * o + offsets[:, None], -700.0, 700.0)
    expected = [weights @ (1 / (1 + np.exp(s * x))) for s in (1.0, -1.0)]
    np.testing.assert_allclose(shares[1:].T, expected, rtol=1e-12)
    assert not shares[0].any()
