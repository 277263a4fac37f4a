import numpy as np

from rosenblatt.models.migrations import covariances_of_factors


def test_factors_become_covariances_and_all_else_stays():
    rng = np.random.default_rng(0)
    shares = rng.uniform(0.5, 2.0, (2, 4))
    units = np.tril(rng.standard_normal((2, 4, 4)), -1) + np.eye(4)
    factors = units.copy()
    factors[:, range(4), range(4)] = shares
    given = {"filters.1.belief": factors, "filters.2.belief": shares, "mean": shares}
    found = covariances_of_factors(given)
    for k in range(2):
        expected = units[k].T @ np.diag(shares[k]) @ units[k]
        np.testing.assert_allclose(found["filters.1.belief"][k], expected, rtol=1e-13)
    assert found["filters.2.belief"] is shares
    assert found["mean"] is shares
