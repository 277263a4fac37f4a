import math

import numpy as np

from rosenblatt.committees import Committee, plateau
from rosenblatt.papers.saad1995.escape import escape_time, random_start
from rosenblatt.rules import Erf


def test_the_equations_leave_the_plateau_as_its_eigenvalue_says():
    """The slope between N = 1e12 and 1e14, within 0.2%."""
    normal = np.random.default_rng(0).standard_normal(7)
    early, late = (escape_time(random_start(n, normal), 400) for n in (1e12, 1e14))
    found = plateau(Committee(Erf(), 2, 2), 1.0)
    wanted = 1 / (2 * found.eigenvalues[0].real)
    assert abs((late - early) / math.log(100) - wanted) < 2e-3 * wanted
