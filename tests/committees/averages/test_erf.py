import itertools

import numpy as np
from scipy import special

from rosenblatt.committees.averages.erf import averages, products

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(120)
FOUR, SMALL = np.polynomial.hermite_e.hermegauss(24)


def covariance():
    """Of two students and two teachers, with small variances for few nodes."""
    rows = np.random.default_rng(0).standard_normal((4, 6))
    return 0.05 * rows @ rows.T


def g(u):
    return special.erf(u / np.sqrt(2))


def slope(u):
    return np.sqrt(2 / np.pi) * np.exp(-u * u / 2)


def test_products_are_those_of_gauss_hermite_quadrature():
    c = covariance()
    s, t = np.meshgrid(NODES, NODES, indexing="ij")
    weights = np.outer(WEIGHTS, WEIGHTS) / (2 * np.pi)
    for i, j in itertools.combinations(range(4), 2):
        lower = np.linalg.cholesky(c[np.ix_([i, j], [i, j])])
        u, v = lower[0, 0] * s, lower[1, 0] * s + lower[1, 1] * t
        expected = (weights * g(u) * g(v)).sum()
        assert abs(products(c)[i, j] - expected) < 1e-12


def test_averages_are_those_of_quadrature_in_four_dimensions():
    c, signs = covariance(), np.array([-1.0, -1.0, 1.0, 0.7])
    z = np.stack(np.meshgrid(*[FOUR] * 4, indexing="ij"), axis=-1).reshape(-1, 4)
    weights = np.prod(np.meshgrid(*[SMALL] * 4, indexing="ij"), axis=0).ravel()
    weights = weights / (2 * np.pi) ** 2
    u = z @ np.linalg.cholesky(c).T
    error, slopes = g(u) @ signs, slope(u[:, :2])
    found = averages(c, signs, 2)
    expected = (
        np.einsum("p,pi,p,pf->if", weights, slopes, error, u),
        np.einsum("p,pi,pk,p->ik", weights, slopes, slopes, error**2),
        np.einsum("p,pi,pk->ik", weights, slopes, slopes),
    )
    values = found.gradient @ c, found.squares, found.slopes
    for one, other in zip(values, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-10)


def test_leading_axes_are_kept():
    c = covariance()
    assert np.array_equal(products(np.stack([c, 2 * c]))[1], products(2 * c))
