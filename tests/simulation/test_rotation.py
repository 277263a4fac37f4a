import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.motions import Abrupt, RandomWalk, Retreat, Rotation
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


@pytest.mark.parametrize("engine", ["full", "reduced", "events"])
def test_records_do_not_change_the_rest(engine):
    """The same seed gives the same bits, whatever else is recorded."""
    for motion in (RandomWalk(0.5), Rotation(0.5), Abrupt((1.0, 3.0))):
        parts = rb.rules.Perceptron(), rb.schedules.Constant(1.0)
        given = {"dim": 15, "replicas": 3, "engine": engine, "motion": motion}
        few = rb.simulate(*parts, alpha=[4], **given)
        many = rb.simulate(*parts, alpha=[0.2, 1, 1.4, 3, 3.6, 4], **given)
        assert few.overlap.values[:, 0].tolist() == many.overlap.values[:, -1].tolist()
