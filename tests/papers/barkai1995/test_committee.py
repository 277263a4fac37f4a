import numpy as np
import pytest

from rosenblatt.compiling.arrays import evaluate
from rosenblatt.machines import SoftCommittee
from rosenblatt.papers.barkai1995.committee import smallest_rate


@pytest.mark.parametrize("normalised", [True, False])
def test_the_eigenvalue_is_that_of_a_sum_over_inputs_near_the_boundary(normalised):
    """Eq. (1) with a narrow window instead of a delta function; 5 standard errors."""
    rng = np.random.default_rng(0)
    s = rng.standard_normal((400_000, 3))
    values, gradients = evaluate(SoftCommittee(3, 3), s, np.eye(3).ravel())
    inside = np.abs(values) < 0.05
    across = np.flatnonzero(np.eye(3).ravel() == (0 if normalised else -1))
    g = gradients[inside][:, across if normalised else slice(None)]
    halves = [part.T @ part / (0.1 * 200_000) for part in (g[::2], g[1::2])]
    direction = np.linalg.eigh(halves[0])[1][:, 0]  # found in one half ...
    found = direction @ halves[1] @ direction  # ... and used in the other
    terms = (g[1::2] @ direction) ** 2
    error = np.sqrt((terms**2).sum()) / (0.1 * 200_000)
    # a direction that is off by its own error only makes the number larger
    assert -5 * error < found - smallest_rate(normalised) < 5 * error + 0.15 * found
