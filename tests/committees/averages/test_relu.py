import numpy as np

from rosenblatt.committees.averages.relu import averages, products

SIGNS = np.array([-1.0, -0.8, 1.0, 0.7])


def test_a_unit_of_no_length_has_no_output():
    assert products(np.diag([0.0, 2.0])).tolist() == [[0, 0], [0, 1]]
    found = averages(np.diag([0.0, 2.0]), np.array([-1.0, 1.0]), 1)
    assert np.isfinite(np.concatenate([x.ravel() for x in found])).all()


def test_units_that_are_alike_or_in_one_plane_have_averages():
    """Monte Carlo with 400,000 draws, within 5 standard errors of about 1e-3."""
    rows = np.random.default_rng(0).standard_normal((4, 4)) / 2
    rows[1], rows[3] = rows[0], rows[0] + 0.5 * rows[2]
    u = np.random.default_rng(1).standard_normal((400_000, 4)) @ rows.T
    draws = (u[:, 0] > 0) * (np.maximum(u, 0) @ SIGNS) ** 2
    stderr = draws.std() / np.sqrt(len(draws))
    found = averages(rows @ rows.T, SIGNS, 2).squares
    assert (np.abs(found - draws.mean()) < 5 * stderr).all()
    assert stderr < 0.005


def test_a_student_that_is_its_teacher_has_no_error():
    c = np.ones((2, 2))
    found = averages(c, np.array([-1.0, 1.0]), 1)
    assert max(np.abs(found.gradient @ c).max(), np.abs(found.squares).max()) < 1e-12
