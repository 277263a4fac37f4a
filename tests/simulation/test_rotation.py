import math

import numpy as np
import pytest

from rosenblatt.motions import RandomWalk, Retreat, Rotation
from rosenblatt.numerics.random import generators
from rosenblatt.simulation.rotation import (
    rotate,
    rotate_steadily,
    rotations_of,
)


def rng():
    return generators(0, range(1), 1)[0, 0]


@pytest.mark.parametrize("motion", [RandomWalk(0.8), Rotation(0.5), Retreat(0.5)])
def test_many_turns_at_once_are_single_turns(motion):
    rotations = rotations_of(motion, 8)
    one, other = np.array([0.6, 0.3, 0.7]), np.array([0.6, 0.3, 0.7])
    for n in range(5):
        rotate(one, rotations, n, rng())
    rotate_steadily(other, rotations, 0, 5, rng())
    assert other == pytest.approx(one, rel=1e-12)
    assert np.linalg.norm(one) == pytest.approx(math.sqrt(0.94), rel=1e-14)
