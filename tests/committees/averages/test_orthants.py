import numpy as np

from rosenblatt.committees.averages.relu import moments, probabilities


def probability(rows):
    found = np.empty(len(rows))
    probabilities(np.ascontiguousarray(rows), found)
    return found


def moment(rows):
    found = np.empty(len(rows))
    moments(rows, found)
    return found


def test_independent_fields_have_products_of_halves():
    assert abs(probability(np.eye(4)[None])[0] - 1 / 16) < 1e-12
    lengths = np.array([1.0, 2.0, 3.0, 0.5])
    expected = 3.0 * 0.5 / (2 * np.pi) / 4
    assert abs(moment(np.diag(lengths)[None])[0] - expected) < 1e-12


def test_all_signs_of_four_fields_have_probabilities_that_sum_to_one():
    """Rows are almost alike, where angles would be lost in the covariance."""
    rows = np.random.default_rng(5).standard_normal((4, 4))
    for apart in (1.0, 1e-2, 1e-5):
        rows[3] = rows[0] + apart * rows[3]
        signs = 1 - 2 * ((np.arange(16)[:, None] >> np.arange(4)) & 1)
        found = probability(signs[..., None] * rows)
        assert abs(found.sum() - 1) < 1e-10
        assert found.min() > -1e-11


def test_equal_correlations_have_a_known_probability():
    """With correlation 1/2 each of n + 1 numbers is as likely the least: 1/5."""
    c = 0.5 * (np.eye(4) + 1)
    assert abs(probability(np.linalg.cholesky(c)[None])[0] - 1 / 5) < 1e-12
