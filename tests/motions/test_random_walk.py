import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.motions import RandomWalk

FROZEN = rb.rules.Hebb(), rb.schedules.Constant(0.0)  # a student that never moves


def test_overlap_of_a_fixed_student_decays_exactly_at_every_n():
    """E[R] is multiplied by 1 - D/N at each example; 5 standard errors of 4000 runs."""
    dim, strength = 6, 1.5
    run = rb.simulate(
        *FROZEN, dim=dim, alpha=[0.5, 2], replicas=4000, motion=RandomWalk(strength),
        start=rb.starts.Overlap(0.9), engine="reduced",
    )  # fmt: skip
    found = run.overlap.values
    wanted = 0.9 * (1 - strength / dim) ** np.array([3, 12])
    assert np.all(abs(found.mean(0) - wanted) < 5 * found.std(0) / math.sqrt(4000))
    assert run.norm.values == pytest.approx(1, abs=1e-12)


def test_theory_of_a_fixed_student_is_an_exponential():
    curve = rb.solve(
        *FROZEN, alpha=[0, 1, 3], motion=RandomWalk(0.7), start=rb.starts.Overlap(1.0)
    )
    wanted = np.exp(-0.7 * np.array([0, 1, 3]))
    assert curve.overlap.values[0] == pytest.approx(wanted, rel=1e-8)
