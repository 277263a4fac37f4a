import numpy as np

from rosenblatt.networks import Committee
from rosenblatt.networks.quadrature import Quadrature
from rosenblatt.rules import Linear


def test_linear_units_have_the_covariance_itself():
    """Kinks are split as in the closed form of ``test_relu.py``."""
    c = np.array([[2.0, -0.4], [-0.4, 0.5]])
    found = Quadrature(Committee(Linear())).products(np.stack([c, np.zeros((2, 2))]))
    np.testing.assert_allclose(found[0], c, atol=1e-13)
    assert not found[1].any()
