"""Averages of activations: closed forms against quadrature and drawn examples."""

import itertools
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import special

from rosenblatt.committees import Committee, relu, solve
from rosenblatt.committees.averages import (
    Smooth,
    erf_averages,
    erf_products,
)
from rosenblatt.core import Activation
from rosenblatt.rules import Erf

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(120)
FOUR, SMALL = np.polynomial.hermite_e.hermegauss(24)
SIGNS = np.array([-1.0, -0.8, 1.0, 0.7, 1.0])
FOUR_SIGNS = SIGNS[:4]


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
        assert abs(erf_products(c)[i, j] - expected) < 1e-12


def test_averages_are_those_of_quadrature_in_four_dimensions():
    c, signs = covariance(), np.array([-1.0, -1.0, 1.0, 0.7])
    z = np.stack(np.meshgrid(*[FOUR] * 4, indexing="ij"), axis=-1).reshape(-1, 4)
    weights = np.prod(np.meshgrid(*[SMALL] * 4, indexing="ij"), axis=0).ravel()
    weights = weights / (2 * np.pi) ** 2
    u = z @ np.linalg.cholesky(c).T
    error, slopes = g(u) @ signs, slope(u[:, :2])
    found = erf_averages(c, signs, 2)
    expected = (
        np.einsum("p,pi,p,pf->if", weights, slopes, error, u),
        np.einsum("p,pi,pk,p->ik", weights, slopes, slopes, error**2),
        np.einsum("p,pi,pk->ik", weights, slopes, slopes),
    )
    values = found.gradient @ c, found.squares, found.slopes
    for one, other in zip(values, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-10)


def covariances():
    """One of full rank, and one of units that are alike or in one plane."""
    rows = np.random.default_rng(0).standard_normal((5, 7)) / np.sqrt(7)
    yield rows @ rows.T
    rows[1], rows[3] = rows[0], 0.5 * rows[0] + rows[2]
    yield rows @ rows.T


def test_averages_of_the_error_function_are_those_in_closed_form():
    quadrature = Smooth(Committee(Erf()))
    for c in covariances():
        expected = erf_averages(c, SIGNS, 2)
        for one, other in zip(quadrature.averages(c, SIGNS, 2), expected, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-10)
        np.testing.assert_allclose(
            quadrature.products(np.stack([c, 0 * c])),
            erf_products(np.stack([c, 0 * c])),
            atol=1e-11,
        )


@dataclass(frozen=True)
class Hidden(Activation):
    """A kink that is not stated."""

    def bind(self):
        return lambda h: (abs(h), 1.0 if h > 0.0 else -1.0)


def test_what_quadrature_cannot_do_is_an_error():
    with pytest.raises(ArithmeticError, match="its kinks must say where"):
        Smooth(Committee(Hidden()))
    with pytest.raises(ArithmeticError, match="nodes of quadrature"):
        Smooth(Committee(Erf())).products(1e4 * np.eye(2))


def test_units_that_are_alike_or_in_one_plane_have_averages():
    """Monte Carlo with 400,000 draws, within 5 standard errors of about 1e-3."""
    rows = np.random.default_rng(0).standard_normal((4, 4)) / 2
    rows[1], rows[3] = rows[0], rows[0] + 0.5 * rows[2]
    u = np.random.default_rng(1).standard_normal((400_000, 4)) @ rows.T
    draws = (u[:, 0] > 0) * (np.maximum(u, 0) @ FOUR_SIGNS) ** 2
    stderr = draws.std() / np.sqrt(len(draws))
    found = relu.averages(rows @ rows.T, FOUR_SIGNS, 2).squares
    assert (np.abs(found - draws.mean()) < 5 * stderr).all()
    assert stderr < 0.005


def test_a_student_that_is_its_teacher_has_no_error():
    c = np.ones((2, 2))
    found = relu.averages(c, np.array([-1.0, 1.0]), 1)
    assert max(np.abs(found.gradient @ c).max(), np.abs(found.squares).max()) < 1e-12


@dataclass(frozen=True)
class Leaky(Activation):
    @property
    def kinks(self):
        return (0.0,)

    def bind(self):
        return lambda h: (h, 1.0) if h > 0.0 else (0.1 * h, 0.1)


def test_unknown_kinks_are_refused():
    with pytest.raises(ValueError, match=r"Leaky\(\) has kinks; averages are"):
        solve(Committee(Leaky()), 1.0, alpha=1)
