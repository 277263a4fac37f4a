import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr

from rosenblatt.numerics.quadratic_forms import negative


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("radius", [0.05, 1.0, 3.0, 6.0])
@pytest.mark.parametrize("mean", [(0.0, 0.0), (0.5, 0.2), (-3.0, 2.0), (0.0, 9.0)])
def test_discs_have_the_noncentral_chi_square_law(mean, radius, scale):
    """In relative terms down to 1e-20, however the form is scaled."""
    m = np.array(mean)
    A, b, c = np.eye(2), 2 * m, np.array(m @ m - radius**2)
    within = negative(scale * A, scale * b, scale * c)
    beyond = negative(-scale * A, -scale * b, -scale * c)
    law = stats.ncx2(2, m @ m) if m @ m > 0 else stats.chi2(2)
    assert within == pytest.approx(law.cdf(radius**2), rel=1e-10)
    assert beyond == pytest.approx(law.sf(radius**2), rel=1e-10)


@pytest.mark.parametrize(("p", "q"), [(1.0, 2.0), (0.0, 0.0), (-0.3, 1e-6), (0.0, 3.0)])
def test_crossing_lines_are_products(p, q):
    """(z1 - p)(z2 - q): a degenerate hyperbola."""
    A = np.array([[0.0, 0.5], [0.5, 0.0]])
    expected = ndtr(p) * ndtr(-q) + ndtr(-p) * ndtr(q)
    found = negative(A, np.array([-q, -p]), np.array(p * q))
    assert found == pytest.approx(expected, rel=1e-10)


def test_ellipses_and_parabolas_agree_with_an_iterated_integral():
    """Of the conditional probability of z2, on a fine grid of z1."""
    z = np.linspace(-9, 9, 400_001)
    weight = stats.norm.pdf(z) * (z[1] - z[0])
    for a, d, b1, b2, c in (
        (0.04, 4.0, 0.3, -1.0, -1.0),  # a long ellipse
        (1.0, 1e-9, 0.0, 1.0, -0.5),  # a parabola, nearly
        (-2.0, 0.5, 0.4, 0.1, 0.3),  # a hyperbola
    ):
        rest = c + a * z**2 + b1 * z
        inside = np.zeros(z.size)
        real = b2**2 - 4 * d * rest > 0
        root = np.sqrt(b2**2 - 4 * d * rest[real])
        far = -0.5 * (b2 + np.copysign(root, b2))
        ends = np.sort([far / d, rest[real] / far], axis=0)
        inside[real] = ndtr(ends[1]) - ndtr(ends[0])
        found = negative(np.diag([a, d]), np.array([b1, b2]), np.array(c))
        assert found == pytest.approx((weight * inside).sum(), abs=1e-7)
