import numpy as np

from rosenblatt.networks import Committee
from rosenblatt.networks.quadrature import Quadrature
from rosenblatt.networks.relu import products
from rosenblatt.rules import ReLU


def test_the_closed_form_is_that_of_quadrature_split_at_the_kink():
    for a, b, cosine in [(1, 1, 0.3), (4, 0.1, -0.7), (1, 1, 0.999999), (1, 2, 1)]:
        c = cosine * np.sqrt(a * b) * np.array([[0, 1], [1, 0]]) + np.diag([a, b])
        found = Quadrature(Committee(ReLU())).products(c)
        np.testing.assert_allclose(products(c), found, atol=1e-10)
        np.testing.assert_allclose(found.diagonal(), [a / 2, b / 2], atol=1e-12)


def test_a_unit_of_no_length_has_no_output():
    assert products(np.diag([0.0, 2.0])).tolist() == [[0, 0], [0, 1]]
