"""Arrays of older model files."""

import numpy as np

from rosenblatt.models.migrations import covariances_of_factors


def test_factors_of_version_2_become_covariances():
    rng = np.random.default_rng(0)
    factors = np.tril(rng.standard_normal((2, 3, 3)), -1)
    shares = rng.uniform(0.5, 2.0, (2, 3))
    given = factors + shares[:, :, None] * np.eye(3)
    other = np.ones((2, 3))
    tensors = {"filters.0.belief": given, "filters.1.belief": other}
    found = covariances_of_factors(tensors)
    for k in range(2):
        unit = factors[k] + np.eye(3)
        wanted = unit.T @ np.diag(shares[k]) @ unit
        np.testing.assert_allclose(found["filters.0.belief"][k], wanted, rtol=1e-14)
    assert found["filters.1.belief"] is other
    assert tensors["filters.0.belief"] is given
