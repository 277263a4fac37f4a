import math

import numpy as np
import pytest

from rosenblatt.committees import Committee, plateau
from rosenblatt.committees.theory import CommitteeDrift
from rosenblatt.rules import Erf, ReLU


@pytest.mark.parametrize("units", [2, 3, 4, 5, 6])
def test_the_plateau_and_its_escape_have_closed_forms(units):
    found = plateau(Committee(Erf(), units, units))
    k = units
    assert abs(found.R - 1 / math.sqrt(k * (2 * k - 1))) < 1e-6
    assert abs(found.Q - 1 / (2 * k - 1)) < 1e-6
    assert abs(found.C - 1 / (2 * k - 1)) < 1e-6
    error = k / math.pi * (math.pi / 6 - k * math.asin(1 / (2 * k)))
    assert abs(found.error - error) < 1e-9
    escape = 2 * k / (math.pi * math.sqrt(2 * k - 1) * (2 * k + 1) ** 1.5)
    assert abs(found.eigenvalues[0] - escape) < 1e-6


def test_a_finite_rate_has_a_higher_plateau_where_the_drift_vanishes():
    committee = Committee(Erf(), 3, 3)
    low, high = plateau(committee), plateau(committee, 0.5)
    assert high.error > 1.2 * low.error
    drift = CommitteeDrift(committee)
    own = high.C + (high.Q - high.C) * np.eye(3)
    assert np.abs(drift(drift.pack(np.full((3, 3), high.R), own), 0.5)).max() < 1e-10


def test_teachers_that_differ_have_no_symmetric_plateau():
    with pytest.raises(ValueError, match="committee must have a teacher whose units"):
        plateau(Committee(Erf(), 2, [[1, 0], [0, 2]]))
    with pytest.raises(ValueError, match="committee must have no decay"):
        plateau(Committee(Erf(), 2, 2, decay=0.1))


def test_other_activations_have_plateaus_where_their_drift_vanishes():
    """Rectified units on the plateau are not alike: Q + C = 4 R^2, but Q > C."""
    found = plateau(Committee(ReLU(), 2, 2), 0.02)
    drift = CommitteeDrift(Committee(ReLU(), 2, 2))
    own = found.C + (found.Q - found.C) * np.eye(2)
    state = drift.pack(np.full((2, 2), found.R), own)
    assert np.abs(drift(state, 0.02)).max() < 1e-9
    assert abs(found.Q + found.C - 4 * found.R**2) < 0.005
    assert found.Q - found.C > 0.3
    assert found.eigenvalues[0].real > 0.1
    with pytest.raises(ValueError, match="rate must be above 0"):
        plateau(Committee(ReLU(), 2, 2))
