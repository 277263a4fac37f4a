import numpy as np

from rosenblatt.networks import Committee, erf
from rosenblatt.networks.moments import moments_of
from rosenblatt.networks.quadrature import Quadrature
from rosenblatt.rules import Erf


def test_the_error_function_has_closed_forms_that_quadrature_confirms():
    committee = Committee(Erf())
    assert moments_of(committee).products is erf.products
    rows = np.random.default_rng(3).standard_normal((4, 4))
    for c in (rows @ rows.T, np.ones((2, 2)), np.zeros((2, 2))):
        found = Quadrature(committee).products(c)
        np.testing.assert_allclose(found, erf.products(c), atol=1e-12)
