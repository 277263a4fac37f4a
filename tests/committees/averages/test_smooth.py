from dataclasses import dataclass

import numpy as np
import pytest

from rosenblatt.committees import Committee
from rosenblatt.committees.averages import erf
from rosenblatt.committees.averages.smooth import Smooth
from rosenblatt.core import Activation
from rosenblatt.rules import Erf, Linear

SIGNS = np.array([-1.0, -0.8, 1.0, 0.7, 1.0])


def covariances():
    """One of full rank, and one of units that are alike or in one plane."""
    rows = np.random.default_rng(0).standard_normal((5, 7)) / np.sqrt(7)
    yield rows @ rows.T
    rows[1], rows[3] = rows[0], 0.5 * rows[0] + rows[2]
    yield rows @ rows.T


def test_averages_of_the_error_function_are_those_in_closed_form():
    quadrature = Smooth(Committee(Erf()))
    for c in covariances():
        expected = erf.averages(c, SIGNS, 2)
        for one, other in zip(quadrature.averages(c, SIGNS, 2), expected, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-10)
        np.testing.assert_allclose(
            quadrature.products(np.stack([c, 0 * c])),
            erf.products(np.stack([c, 0 * c])),
            atol=1e-11,
        )


def test_linear_units_have_moments_of_gaussian_fields():
    c = next(covariances())
    found = Smooth(Committee(Linear())).averages(c, SIGNS, 2)
    np.testing.assert_allclose(
        found.gradient @ c, np.tile(SIGNS @ c, (2, 1)), atol=1e-9
    )
    np.testing.assert_allclose(found.squares, SIGNS @ c @ SIGNS, atol=1e-9)


def test_averages_are_continued_beyond_gram_matrices():
    """Those of linear units are linear in the covariance."""
    c = next(covariances())
    c -= (np.linalg.eigvalsh(c)[0] + 0.01) * np.eye(len(c))
    found = Smooth(Committee(Linear())).averages(c, SIGNS, 2)
    np.testing.assert_allclose(found.squares, SIGNS @ c @ SIGNS, atol=1e-8)


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
