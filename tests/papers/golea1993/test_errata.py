import numpy as np

from rosenblatt.papers.golea1993.errata import printed_rewriting
from rosenblatt.papers.golea1993.lemmas import Problem
from rosenblatt.theory.closed.influences import influences


def test_the_printed_rewriting_is_a_sum_without_the_weights_of_the_labels():
    """Two variables, label +1 if both are: by hand."""
    p, q = 0.25, 0.5  # P(x = +1) of each
    problem = Problem(np.array([1, 1]), 0, np.array([p, q]))
    # P(g = +1) = pq. Given that, both are +1; given g = -1, they are not.
    minus = np.array([1 - p, 1 - q]) / (1 - p * q)  # P(x_i = -1 | g = -1)
    up, down = np.array([p, q]), 1 - np.array([p, q])
    wanted = 1 / up + minus / down - (1 - minus) / up
    np.testing.assert_allclose(printed_rewriting(problem), wanted)
    right = influences(*problem).influence
    np.testing.assert_allclose(right, [2 * q, 2 * p])  # the other one decides
    assert (printed_rewriting(problem) > 4 * right).all()
