import numpy as np
import pytest
from scipy import stats

from rosenblatt.committees.gram import (
    factor,
    first_students,
    random_students,
    starting,
)

TEACHERS = np.array([[1.0, 0.5], [0.5, 2.0]])


@pytest.mark.parametrize("rank", [1, 2, 4])
def test_the_factor_of_a_singular_matrix_gives_it_back(rank):
    rows = np.random.default_rng(rank).standard_normal((4, rank))
    found = factor("gram", rows @ rows.T)
    assert np.array_equal(found, np.tril(found))
    np.testing.assert_allclose(found @ found.T, rows @ rows.T, atol=1e-12)


@pytest.mark.parametrize(
    ("start", "error", "words"),
    [
        (-1.0, ValueError, "start must be a number not below 0"),
        ("far", TypeError, "start must be a length or a pair"),
        (
            (np.zeros((3, 2)), np.eye(2)),
            ValueError,
            r"start must be .* shapes \(3, 2\)",
        ),
        ((np.ones((3, 2)), 0.1 * np.eye(3)), ValueError, "start must be a Gram matrix"),
        ((np.zeros((3, 2)), np.triu(np.ones((3, 3)))), ValueError, "start must be sym"),
    ],
)
def test_bad_starts_are_named(start, error, words):
    with pytest.raises(error, match=words):
        starting(start, TEACHERS, 3)


def test_given_overlaps_are_those_of_the_first_students():
    cross, own = np.array([[0.3, 0.1], [0.3, 0.1]]), np.full((2, 2), 0.5)  # two alike
    rows = first_students((cross, own), TEACHERS)
    np.testing.assert_allclose(rows @ rows.T, own, atol=1e-14)
    lower = factor("teachers", TEACHERS)
    np.testing.assert_allclose(rows[:, :2] @ lower.T, cross, atol=1e-14)


def test_random_students_have_the_law_of_normal_vectors():
    """With 2000 pairs a distribution that is off by 0.07 is caught."""
    dim, students, rng = 6, 3, np.random.default_rng(1)
    rows = np.array(
        [random_students(2.0, (students, 2), dim, rng) for _ in range(2000)]
    )
    vectors = 2.0 / np.sqrt(dim) * rng.standard_normal((2000, students, dim))
    ours, theirs = (x @ x.swapaxes(1, 2) for x in (rows, vectors))
    pvalues = [
        stats.ks_2samp(ours[:, i, j], theirs[:, i, j]).pvalue
        for i in range(students)
        for j in range(i + 1)
    ]
    assert min(pvalues) * len(pvalues) > 1e-4
