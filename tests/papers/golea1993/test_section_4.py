import numpy as np

from rosenblatt.papers.golea1993.errata import printed_rewriting
from rosenblatt.papers.golea1993.lemmas import Problem
from rosenblatt.papers.golea1993.section_4 import rewritten
from rosenblatt.theory.closed.influences import influences


def test_the_printed_rewriting_is_twice_the_influence_where_all_is_balanced():
    fair = Problem(np.array([1, -1, 1]), 0, np.full(3, 0.5))
    right = influences(*fair).influence
    np.testing.assert_allclose(rewritten(fair), right, atol=1e-14)
    np.testing.assert_allclose(printed_rewriting(fair), 2 * right, atol=1e-14)
