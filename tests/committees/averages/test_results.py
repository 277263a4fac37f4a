import numpy as np

from rosenblatt.committees.averages.results import gradient


def test_stein_reduces_three_fields_to_pairs():
    """For g(u) = u^2: <2 u_i u_f u_k^2> is a fourth moment, known from pairs."""
    rows = np.random.default_rng(1).standard_normal((3, 3))
    c = rows @ rows.T
    signs = np.array([-1.0, 0.5, 2.0])
    own = c.diagonal()
    lengths = 2 * (own[:, None] * own + 2 * c**2)[:2]  # <2 u_i u_i u_k^2>
    slopes = 4 * c[:2]
    fourth = c[:2, :, None] * own + 2 * c[:2, None, :] * c  # <u_i u_f u_k^2>
    found = gradient(c, signs, lengths, slopes) @ c
    np.testing.assert_allclose(found, 2 * fourth @ signs, rtol=1e-12)
