import math

import numpy as np
import pytest

from tests.references.beliefs import gaussian_filter


def test_the_off_diagonal_of_the_covariance_is_of_order_one_over_root_n():
    """As the erratum says; entries of order 1/N would fall by 16 and not by 4."""
    rng, shares = np.random.default_rng(0), []
    for n in (20, 320):
        X = rng.standard_normal((2 * n, n)) / math.sqrt(n)
        _, C = gaussian_filter(X, np.sign(X[:, 0]), 0.0, diagonal=False)
        off = C[~np.eye(n, dtype=bool)]
        shares.append(math.sqrt(np.mean(off**2)) / np.diag(C).mean())
    assert shares[0] / shares[1] == pytest.approx(4.0, rel=0.2)
